/** Whom a run pays, and why somebody is held out of it. */
import type { PayoutMethod } from '#kernel/receivables/payout-methods.ts';
import { isPaidByCheck, methodReaches, type PayingAccount } from '#kernel/receivables/payout-methods.ts';
import { spell } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import { payeeBankOf, type Payee, type PayeeType } from '../payee/payee-bank.server.ts';

export interface Party { party_type: string; party_id: number }
export const keyOf = (party: Party): string => `${party.party_type}:${party.party_id}`;

/** Every payee once, with bank details opened. */
export async function payeesOf(ctx: WorkContext, parties: readonly Party[]): Promise<Map<string, Payee>> {
  const found = new Map<string, Payee>();
  for (const party of parties) {
    if (!found.has(keyOf(party))) {
      found.set(keyOf(party), await payeeBankOf(ctx, party.party_type as PayeeType, party.party_id));
    }
  }
  return found;
}

const REACHES: Readonly<Record<PayoutMethod, string>> = {
  ach: 'ACH pays into accounts in the US', bacs: 'BACS pays into accounts in the UK',
  sepa: 'SEPA pays into accounts in its own countries', wire: '', check: '',
};

/** Why the payee is not paid by this method, and what to do; null where nothing is against it. */
export function heldBecause(payee: Payee, method: PayoutMethod, account: PayingAccount): string | null {
  if (payee.paid_anyway !== null) {
    const { number, run } = payee.paid_anyway;
    return `The bank paid ${number} although it was taken out. Decide about it in payment run ${run}.`;
  }
  if (method === 'check') {
    return payee.address === null ? spell`No mailing address for checks. Add one to the payee.` : null;
  }
  if (payee.bank === null && isPaidByCheck(payee.payment_method, account)) {
    return spell`Paid by check. Choose that method to pay them.`;
  }
  if (payee.bank === null) return 'No bank details. Add them and have a second person verify them.';
  if (payee.bank.verified_at === null) return 'Bank details not verified. A second person must verify them.';
  if (payee.bank.country !== null && !methodReaches(method, payee.bank.country)) {
    return `${REACHES[method]}, this account is elsewhere. Pay by wire.`;
  }
  return null;
}

/** Method agreed with the payee, where the account can pay that way and another one was chosen. */
export const otherMethod = (
  agreed: PayoutMethod | null, method: PayoutMethod, methods: readonly PayoutMethod[],
): PayoutMethod | null => (agreed === null || agreed === method || !methods.includes(agreed) ? null : agreed);

export async function heldOut(
  ctx: WorkContext, method: PayoutMethod, account: PayingAccount, parties: readonly Party[],
): Promise<Map<string, string>> {
  const held = new Map<string, string>();
  for (const [key, payee] of await payeesOf(ctx, parties)) {
    const because = heldBecause(payee, method, account);
    if (because !== null) held.set(key, because);
  }
  return held;
}
