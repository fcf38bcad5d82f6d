/**
 * The three gates of every call, in this order: kind of principal, permission, scope (reliability.md 2.1).
 * Tests switch single gates off to prove that the matrix notices (`disabled`); production never does.
 */
import { STAFF_ROLES, type Auth } from '#kit/auth.ts';
import { refuse } from '#kit/errors.ts';
import { grants } from '#kit/permission.ts';
import type { Principal } from './principal.ts';

export const GATES = [
  'sign_in', 'verified', 'two_factor', 'kind', 'permission', 'membership', 'customer_role', 'acting', 'csrf', 'confirm',
  // Not asked here: where it is off, customers are served as app_rw, without row-level security (tenant.ts).
  'row_security',
] as const;
export type Gate = (typeof GATES)[number];

export function checkGates(
  auth: Auth, principal: Principal | null, pathId: number | null, disabled: ReadonlySet<Gate>,
): void {
  const on = (gate: Gate): boolean => !disabled.has(gate);
  if (auth.kind === 'open') return;
  if (!principal) {
    if (on('sign_in')) throw refuse('unauthenticated');
    return;
  }
  const mayBeUnverified = auth.kind === 'signed_in' && auth.unverified === true;
  if (on('verified') && !mayBeUnverified && !principal.email_verified) throw refuse('email_unverified');
  const maySetUp = auth.kind === 'signed_in' && auth.settingUp === true;
  if (on('two_factor') && !maySetUp && principal.must_set_up_two_factor) throw refuse('two_factor_required');
  if (auth.kind === 'signed_in') return;
  if (auth.kind === 'staff') return checkStaff(auth, principal, pathId, on);
  checkCustomer(auth, principal, pathId, on);
}

function checkStaff(
  auth: Extract<Auth, { kind: 'staff' }>, principal: Principal, pathId: number | null, on: (gate: Gate) => boolean,
): void {
  if (on('kind') && !auth.roles.includes(principal.role)) throw refuse('forbidden');
  if (principal.acting_customer_id !== null && on('acting')) {
    throw refuse('acting_refused', 'Stop acting for the customer first.');
  }
  if (auth.own === true && pathId === principal.user_id) return;
  const needsPermission = principal.role === 'staff_user' || !STAFF_ROLES.some((role) => role === principal.role);
  if (on('permission') && needsPermission && !grants(principal.permissions, auth.permission)) throw refuse('forbidden');
}

function checkCustomer(
  auth: Extract<Auth, { kind: 'customer' }>, principal: Principal, customerId: number | null,
  on: (gate: Gate) => boolean,
): void {
  if (customerId === null) throw new Error('a customer endpoint needs {id} in its path');
  if (principal.role === 'system_admin') {
    if (on('membership') && principal.acting_customer_id !== customerId) throw refuse('not_found');
    if (on('acting') && auth.notWhileActing) throw refuse('acting_refused');
    return;
  }
  if (on('kind') && principal.role !== 'customer') throw refuse('forbidden');
  const role = principal.customers.get(customerId);
  if (role === undefined) {
    // Another tenant's row is indistinguishable from a missing one: no existence oracle.
    if (on('membership')) throw refuse('not_found');
    return;
  }
  if (on('customer_role') && !auth.roles.includes(role)) throw refuse('forbidden');
}
