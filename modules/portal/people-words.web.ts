/** Roles of people in an organization, and their history, in the portal's words. */
import type { CustomerRole } from '#kit/auth.ts';
import type { PeopleEvent } from '#modules/customers/people/people.contract.ts';

export const ROLE_CHOICES: readonly { value: CustomerRole; label: string; note: string }[] = [
  { value: 'admin', label: 'Admin', note: 'Applies, signs, pays, and decides who belongs here' },
  { value: 'signer', label: 'Signer', note: 'Applies, signs and pays' },
  { value: 'member', label: 'Member', note: 'Reads everything and prepares applications' },
];
const NAMES: Record<CustomerRole, string> = { admin: 'admin', signer: 'signer', member: 'member' };

export function roleName(role: CustomerRole): string {
  return ROLE_CHOICES.find((choice) => choice.value === role)?.label ?? role;
}

/** '1 request to join', the number first; without one the heading of the card. */
export function askingWords(people: number): string {
  return people === 0 ? 'Requests to join' : people === 1 ? '1 request to join' : `${people} requests to join`;
}

/** 'June Castle became signer, was member' */
export function eventText(event: PeopleEvent): string {
  const { person, role_before: before, role_after: after } = event;
  const as = after ? ` as ${NAMES[after]}` : '';
  switch (event.action) {
    case 'attach_user': return `${person} was added${as}`;
    case 'remove_user': return `${person} was taken out`;
    case 'change_user_role':
      return after && before ? `${person} became ${NAMES[after]}, was ${NAMES[before]}` : `${person} changed role`;
    case 'invite_user': return `${person} was invited${as}`;
    case 'resend_invitation': return `${person} was invited again`;
    case 'revoke_invitation': return `The invitation to ${person} was taken back`;
    case 'accept_invitation': return `${person} accepted the invitation${as}`;
    case 'decline_invitation': return `${person} declined the invitation`;
    case 'accept_join': return `${person} asked to join and was accepted${as}`;
    case 'refuse_join': return `${person} asked to join and was declined`;
    default: return person;
  }
}
