/**
 * Access rules of endpoints and pages. Every endpoint states one; the server refuses to start if one does not
 * (reliability.md 2.1). Three gates in this order: kind of principal, permission, scope of the row.
 */
import type { Permission } from './permission.ts';

export const ROLES = ['customer', 'staff_admin', 'staff_user', 'system_admin', 'vendor'] as const;
export type Role = (typeof ROLES)[number];
export const STAFF_ROLES = ['system_admin', 'staff_admin', 'staff_user'] as const satisfies readonly Role[];

export const CUSTOMER_ROLES = ['admin', 'signer', 'member'] as const;
/** A person's role inside one customer (gaps G84): admin manages users, admin and signer apply, sign and pay. */
export type CustomerRole = (typeof CUSTOMER_ROLES)[number];

export type Auth =
  | { kind: 'open' }
  | { kind: 'signed_in'; unverified?: boolean; settingUp?: boolean }
  | { kind: 'staff'; permission: Permission | readonly Permission[] | null; roles: readonly Role[]; own?: boolean }
  | { kind: 'customer'; roles: readonly CustomerRole[]; notWhileActing: boolean };

/** No sign-in needed. */
export const open: Auth = { kind: 'open' };
/** Any signed-in person; the handler answers only that person's own records. */
export const signedIn: Auth = { kind: 'signed_in' };
/** As {@link signedIn}, and also for an address that is not verified yet: its own notice, nothing more. */
export const signedInUnverified: Auth = { kind: 'signed_in', unverified: true, settingUp: true };
/** As {@link signedIn}, and also for staff who still have to set up the second factor that the house demands. */
export const signedInSettingUp: Auth = { kind: 'signed_in', settingUp: true };

/** Staff area. A staff_user needs one of the permissions; staff_admin and system_admin pass (SPEC.md section 6). */
export function staff(permission: Permission | readonly Permission[] | null): Auth {
  return { kind: 'staff', permission, roles: STAFF_ROLES };
}

/** As {@link staff}, and without the permission for the person's own record: the path's `{id}` is the caller. */
export function staffOrSelf(permission: Permission): Auth {
  return { kind: 'staff', permission, roles: STAFF_ROLES, own: true };
}

/** Staff area, only for staff_admin, system_admin, or a group holding `super` (groups and teams, gaps G72). */
export const staffAdmin: Auth = { kind: 'staff', permission: 'super', roles: STAFF_ROLES };

/** System area: system_admin only. */
export const system: Auth = { kind: 'staff', permission: null, roles: ['system_admin'] };

/** Customer area: people of the customer named by the path's `{id}`, with one of these roles; all where none is. */
export function customer(...roles: CustomerRole[]): Auth {
  return { kind: 'customer', roles: roles.length > 0 ? roles : CUSTOMER_ROLES, notWhileActing: false };
}

/** As {@link customer}, but refused while a system_admin acts for the customer: money moves and signatures. */
export function customerInPerson(...roles: CustomerRole[]): Auth {
  return { kind: 'customer', roles: roles.length > 0 ? roles : CUSTOMER_ROLES, notWhileActing: true };
}
