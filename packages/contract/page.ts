/**
 * The page table: one row per address of the browser, in the syntax of spec/routes.json (`:venueId`), and the pure
 * decision who may open it (SPEC.md sections 2 and 6, frontend.md 3.3).
 */
import { STAFF_ROLES, type Role } from './auth.ts';
import { grants, type Permission } from './permission.ts';

export type Area = 'public' | 'system' | 'customer' | 'staff';

export interface PageRow<C = unknown> {
  path: string;
  area: Area;
  /** Needed by a staff_user; null opens for everyone whom the area admits. A list means any of them. */
  permission: Permission | readonly Permission[] | null;
  /** Needed besides, every one of them: the gate of the page around a tab (gaps G75). */
  also?: readonly Permission[];
  /** Parameter that names a person: whoever it is opens the page without the permission. */
  own?: string;
  title: string;
  /** The screen, loaded when it is first opened. */
  load?: () => Promise<{ default: C }>;
  /** Section addresses without a screen of their own lead to their first child. */
  redirectTo?: string;
  /** Narrower than the area: /select and /system are for system_admin only. */
  roles?: readonly Role[];
}

/** Declares the pages of a context; the explicit list in apps/web gathers them. */
export function pages<C>(rows: readonly PageRow<C>[]): readonly PageRow<C>[] {
  return rows;
}

export interface Visitor {
  /** Id of the person, for pages about oneself. */
  id?: number;
  role: Role;
  permissions: ReadonlySet<string>;
  /** Start page of a staff member, if not the dashboard. */
  start_page?: string | null;
  /** Customers the person belongs to. */
  customer_ids: readonly number[];
  /** The address waits for its link: nothing but its notice opens. */
  unverified?: boolean;
  /** The house demands a second factor that this person has not set up: nothing else opens. */
  must_set_up_two_factor?: boolean;
}

/** Page that {@link Visitor.unverified} leads to. */
const VERIFY_PAGE = '/verify-email';
/** Page that {@link Visitor.must_set_up_two_factor} leads to. */
const SET_UP_PAGE = '/set-up-two-factor';

export type Decision =
  | { kind: 'allow' }
  | { kind: 'redirect'; to: string; remember?: boolean }
  | { kind: 'unauthorized' };

const AREA_ROLES: Record<Exclude<Area, 'public'>, readonly Role[]> = {
  system: ['system_admin'],
  customer: ['system_admin', 'customer'],
  staff: STAFF_ROLES,
};

/** Landing page after sign-in: gaps G34. */
export function homeOf(visitor: Visitor): string {
  if (visitor.role === 'system_admin') return '/select';
  if (visitor.role === 'staff_admin' || visitor.role === 'staff_user') return visitor.start_page ?? '/admin';
  // Nothing is theirs here but their own account.
  if (visitor.role === 'vendor') return '/account';
  if (visitor.role === 'customer' && visitor.customer_ids.length === 1) return `/customer/${visitor.customer_ids[0]}`;
  return '/select-portal';
}

/** Whether `visitor` (null: not signed in) may open `page`. */
export function decide(page: PageRow, visitor: Visitor | null, params: Record<string, string> = {}): Decision {
  if (page.area === 'public') {
    if (visitor && ['/login', '/register'].includes(page.path)) return { kind: 'redirect', to: homeOf(visitor) };
    return { kind: 'allow' };
  }
  if (!visitor) return { kind: 'redirect', to: '/login', remember: true };
  if (visitor.unverified === true) return { kind: 'redirect', to: VERIFY_PAGE, remember: true };
  if (visitor.must_set_up_two_factor === true) {
    return page.path === SET_UP_PAGE ? { kind: 'allow' } : { kind: 'redirect', to: SET_UP_PAGE, remember: true };
  }
  const roles = page.roles ?? AREA_ROLES[page.area];
  if (!roles.includes(visitor.role)) return { kind: 'unauthorized' };
  if (page.area === 'customer' && visitor.role === 'customer' && params.customerId !== undefined
    && !visitor.customer_ids.includes(Number(params.customerId))) return { kind: 'unauthorized' };
  if (page.own !== undefined && visitor.id !== undefined && params[page.own] === String(visitor.id)) {
    return { kind: 'allow' };
  }
  const gates = [page.permission, ...(page.also ?? [])];
  if (visitor.role === 'staff_user' && !gates.every((gate) => grants(visitor.permissions, gate))) {
    return { kind: 'unauthorized' };
  }
  return { kind: 'allow' };
}

/** A remembered location is followed only inside this origin (gaps G80, reliability.md 3.3). */
export function safeLocation(text: string | null | undefined, origin: string): string | null {
  if (!text || !/^\/(?![/\\])/.test(text)) return null;
  try {
    const url = new URL(text, origin);
    return url.origin === origin ? url.pathname + url.search + url.hash : null;
  } catch {
    return null;
  }
}
