/** The cast of the privilege matrix: every kind of caller the gates can meet (reliability.md 2.3). */
import type { Auth, CustomerRole } from '#kit/auth.ts';
import { PERMISSIONS, type Permission } from '#kit/permission.ts';
import { sql } from '#server/sql.ts';
import type { Browser, TestApp } from './app.ts';

export const PRINCIPALS = [
  'guest', 'customer_a_admin', 'customer_a_signer', 'customer_a_member', 'customer_b_admin', 'acting_as_a', 'vendor',
  'staff_none', 'staff_needed', 'staff_all_but', 'staff_admin', 'system_admin', 'disabled', 'expired', 'revoked',
  'unverified', 'left_a', 'pending_customer',
] as const;
export type PrincipalName = (typeof PRINCIPALS)[number];

export interface Cast {
  customer_a: number;
  customer_b: number;
  /** A signed-in browser for the principal; the staff_user's rights depend on what the route needs. */
  browser(name: PrincipalName, needed: readonly Permission[]): Promise<Browser>;
}

export async function makeCustomer(test: TestApp, name: string, status = 'active'): Promise<number> {
  const row = await test.database.db.one<{ id: number }>(sql`
    insert into customers (name, status, divisions, default_division, default_currency)
    values (${name}, ${status}, '{US}', 'US', 'USD') returning id`);
  return row.id;
}

export async function makeCast(test: TestApp): Promise<Cast> {
  const customer_a = await makeCustomer(test, 'CANARY-A-customers Players');
  const customer_b = await makeCustomer(test, 'Second House');
  const customer_c = await makeCustomer(test, 'Waiting Players', 'pending');
  const known = new Map<string, Browser>();
  const make = async (name: PrincipalName, needed: readonly Permission[]): Promise<Browser> => {
    const member = (id: number, role: CustomerRole) => test.signedIn('customer', { customers: [{ id, role }] });
    switch (name) {
      case 'guest': return guest(test);
      case 'customer_a_admin': return member(customer_a, 'admin');
      case 'customer_a_signer': return member(customer_a, 'signer');
      case 'customer_a_member': return member(customer_a, 'member');
      case 'customer_b_admin': return member(customer_b, 'admin');
      case 'acting_as_a': return acting(test, customer_a);
      case 'vendor': return test.signedIn('vendor');
      case 'staff_none': return test.signedIn('staff_user');
      case 'staff_needed': return test.signedIn('staff_user', { permissions: [...needed] });
      case 'staff_all_but': return test.signedIn('staff_user',
        { permissions: PERMISSIONS.filter((value) => value !== 'super' && !needed.includes(value)) });
      case 'staff_admin': return test.signedIn('staff_admin');
      case 'system_admin': return test.signedIn('system_admin');
      case 'disabled': return changed(test, sql`disabled_at = now()`);
      case 'expired': return expired(test);
      case 'revoked': return revoked(test);
      case 'unverified': return changed(test, sql`email_verified_at = null`);
      case 'left_a': return formerMember(test, customer_a);
      case 'pending_customer': return member(customer_c, 'admin');
    }
  };
  return {
    customer_a, customer_b,
    async browser(name, needed) {
      const depends = name === 'staff_needed' || name === 'staff_all_but';
      const key = depends ? `${name} ${needed.join(' ')}` : name;
      const found = known.get(key) ?? await make(name, needed);
      known.set(key, found);
      return found;
    },
  };
}

async function guest(test: TestApp): Promise<Browser> {
  const page = test.visitor();
  await page.get('/sanctum/csrf-cookie');
  return page;
}

async function acting(test: TestApp, customerId: number): Promise<Browser> {
  const page = await test.signedIn('system_admin');
  await test.database.db.exec(sql`
    update sessions set acting_customer_id = ${customerId}, acting_until = '2100-01-01'
    where user_id = ${page.user_id}`);
  return page;
}

async function changed(test: TestApp, change: ReturnType<typeof sql>): Promise<Browser> {
  const page = await test.signedIn('staff_admin');
  await test.database.db.exec(sql`update users set ${change} where id = ${page.user_id}`);
  return page;
}

async function expired(test: TestApp): Promise<Browser> {
  const page = await test.signedIn('staff_admin');
  await test.database.db.exec(sql`update sessions set expires_at = '2000-01-01' where user_id = ${page.user_id}`);
  return page;
}

/** Signed out everywhere, by themselves or by staff: the row of the session is gone. */
async function revoked(test: TestApp): Promise<Browser> {
  const page = await test.signedIn('staff_admin');
  await test.database.db.exec(sql`delete from sessions where user_id = ${page.user_id}`);
  return page;
}

async function formerMember(test: TestApp, customerId: number): Promise<Browser> {
  const page = await test.signedIn('customer', { customers: [{ id: customerId, role: 'admin' }] });
  await test.database.db.exec(sql`delete from customer_users where user_id = ${page.user_id}`);
  return page;
}

const STAFF: ReadonlySet<PrincipalName> =
  new Set(['staff_none', 'staff_needed', 'staff_all_but', 'staff_admin', 'system_admin']);

/** Principals whose session is no longer accepted. */
export const DEAD: ReadonlySet<PrincipalName> = new Set(['disabled', 'expired', 'revoked']);
const OTHERS: ReadonlySet<PrincipalName> =
  new Set(['system_admin', 'customer_b_admin', 'left_a', 'pending_customer']);

/** Result the gates must give; `pass` means the handler was reached. */
export function expected(auth: Auth, name: PrincipalName, needed: readonly Permission[]): 'pass' | 401 | 403 | 404 {
  if (auth.kind === 'open') return 'pass';
  if (name === 'guest' || DEAD.has(name)) return 401;
  if (auth.kind === 'signed_in') return name === 'unverified' && !auth.unverified ? 403 : 'pass';
  if (name === 'unverified') return 403;
  if (auth.kind === 'staff') {
    if (!STAFF.has(name)) return 403;
    if (name === 'system_admin') return 'pass';
    if (!auth.roles.includes('staff_user')) return 403;
    if (name === 'staff_admin' || needed.length === 0) return 'pass';
    return name === 'staff_needed' ? 'pass' : 403;
  }
  return expectedForCustomer(auth, name);
}

function expectedForCustomer(auth: Extract<Auth, { kind: 'customer' }>, name: PrincipalName): 'pass' | 403 | 404 {
  if (name === 'acting_as_a') return auth.notWhileActing ? 403 : 'pass';
  if (OTHERS.has(name)) return 404;
  const role = /^customer_a_(\w+)$/.exec(name)?.[1] as CustomerRole | undefined;
  if (!role) return 403;
  return auth.roles.includes(role) ? 'pass' : 403;
}
