/** Actor moving a license, compared with the `who` of the phase machine (domain.md 1.1). */
import type { Permission } from '#kit/permission.ts';
import { grants } from '#kit/permission.ts';
import type { Edge } from '#kernel/licensing/machine.ts';
import type { Principal } from '#server/principal.ts';

export type Mover =
  | { kind: 'system' }
  | { kind: 'staff'; admin: boolean; may(permission: Permission): boolean }
  | { kind: 'customer' };

/** The scheduler and what follows from money. */
export const SYSTEM: Mover = { kind: 'system' };
/** The house acting through a program of its own: an automatic offer, an import, the demo season. */
export const HOUSE: Mover = { kind: 'staff', admin: true, may: () => true };
/** People of the customer; the endpoint has checked their role. */
export const CUSTOMER: Mover = { kind: 'customer' };

export function staffMover(principal: Principal): Mover {
  const admin = principal.role === 'staff_admin' || principal.role === 'system_admin';
  return { kind: 'staff', admin, may: (permission) => admin || grants(principal.permissions, permission) };
}

/** null when the mover may; otherwise why not, in words for the button. */
export function moverProblem(edge: Pick<Edge, 'who'>, by: Mover): string | null {
  const who = edge.who;
  if (by.kind === 'system') {
    return who.includes('system') ? null : 'This is done by a person.';
  }
  if (by.kind === 'customer') return who.some((part) => part.startsWith('customer')) ? null : 'Staff do this.';
  const wanted = who.filter((part) => part.startsWith('staff'));
  if (wanted.length === 0) return who.includes('system') ? 'This happens by itself.' : 'The customer does this.';
  const allowed = wanted.some((part) => {
    if (part === 'staff') return true;
    if (part === 'staff_admin') return by.admin;
    return part.slice('staff:'.length).split('+').every((permission) => by.may(permission as Permission));
  });
  return allowed ? null : `This needs ${wanted.map(wording).join(' or ')}.`;
}

function wording(who: string): string {
  if (who === 'staff_admin') return 'an administrator';
  return `the permission ${who.slice('staff:'.length).replace('+', ' and ')}`;
}
