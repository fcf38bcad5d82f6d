/**
 * A record is found below the record it belongs to and nowhere else: every nested call of the staff's area reads both
 * ids of its address, and what lies below one customer, group or show is not found below another.
 */
import { beforeAll, expect, it } from 'vitest';
import { routes } from '#apps/server/src/routes.ts';
import { sql, type Sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { exampleOf } from '#tests/support/example.ts';
import { makeCustomer } from '#tests/support/principals.ts';
import { makeLicense } from '#tests/support/receivables.ts';

const test = testApp();
const ADDRESS = { country_code: 'US', thoroughfare: '1 Main St', locality: 'Keene', administrative_area: 'NH',
  postal_code: '03431' };
const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
const nested = routes.filter(({ endpoint }) => endpoint.path.startsWith('/api/admin/')
  && parametersOf(endpoint.path).length > 1);
/** The collection of the outer record, the collection of the inner one. */
const familyOf = (path: string): string => {
  const [, outer, inner] = /\/(\w+)\/\{\w+\}\/(\w+)\/(?:\w+\/)?\{/.exec(path) ?? [];
  return `${outer}/${inner}`;
};

it.each(nested.map(({ endpoint, handler }) => ({ endpoint, handler, label: `${endpoint.method} ${endpoint.path}` })))(
  '$label reads every id of its address', ({ endpoint, handler }) => {
    const text = handler.toString();
    // A handler that hands both on is tried below.
    if (/, params[,)]/.test(text)) return;
    for (const name of parametersOf(endpoint.path)) expect(text, name).toMatch(new RegExp(`\\.${name}\\b`));
  });

/** An outer record and an inner one of it, by family; the test asks for the inner one below another outer one. */
const MAKERS: Record<string, () => Promise<{ inner: number; other: number }>> = {};
let staff: SignedIn;
beforeAll(async () => {
  staff = await test.signedIn('system_admin');
  await staff.confirm();
  const { db } = test.database;
  const one = async (query: Sql): Promise<number> => (await db.one<{ id: number }>(query)).id;
  const [a, b] = [await makeCustomer(test, 'House A'), await makeCustomer(test, 'House B')];
  const member = await test.signedIn('customer', { customers: [{ id: a, role: 'admin' }] });
  const stranger = await test.signedIn('customer');
  const [licenseA, licenseB] = [await makeLicense(db, 'US', 1, a), await makeLicense(db, 'US', 1, b)];
  const group = (name: string): Promise<number> => one(sql`
    insert into staff_groups (name, permission_values) values (${name}, '{}') returning id`);
  const team = (name: string): Promise<number> => one(sql`insert into teams (name) values (${name}) returning id`);
  MAKERS['customers/users'] = async () => ({ inner: member.user_id, other: b });
  MAKERS['customers/invitations'] = async () => ({ other: b, inner: await one(sql`
    insert into customer_invitations (customer_id, email, role, token_hash, invited_by_id, expires_at)
    values (${a}, 'invited@example.org', 'member', sha256('x'), ${member.user_id}, '2100-01-01') returning id`) });
  MAKERS['customers/join_requests'] = async () => ({ other: b, inner: await one(sql`
    insert into customer_join_requests (customer_id, user_id) values (${a}, ${stranger.user_id}) returning id`) });
  MAKERS['customers/shipping_addresses'] = async () => ({ other: b, inner: await one(sql`
    insert into customer_shipping_addresses (customer_id, label, address, is_default)
    values (${a}, 'Stage door', ${JSON.stringify(ADDRESS)}, false) returning id`) });
  MAKERS['customers/details'] = async () => ({ other: b, inner: await one(sql`
    insert into customer_change_requests (customer_id, changes, old_values, summary, asked_by_id)
    values (${a}, '{"phone": "+1 614 555 0100"}', '{"phone": null}', 'Phone', ${member.user_id}) returning id`) });
  MAKERS['groups/users'] = async () => {
    const [own, other] = [await group('Own group'), await group('Other group')];
    await db.exec(sql`insert into staff_group_users (staff_group_id, user_id) values (${own}, ${staff.user_id})`);
    return { inner: staff.user_id, other };
  };
  MAKERS['teams/members'] = async () => {
    const [own, other] = [await team('Own team'), await team('Other team')];
    await db.exec(sql`insert into team_members (team_id, user_id) values (${own}, ${staff.user_id})`);
    return { inner: staff.user_id, other };
  };
  MAKERS['licenses/license_venues'] = async () => ({ inner: licenseA.venue_id, other: licenseB.id });
  MAKERS['licenses/performances'] = async () => ({ inner: licenseA.performance_ids[0]!, other: licenseB.id });
});

const families = ['customers/users', 'customers/invitations', 'customers/join_requests', 'customers/shipping_addresses',
  'customers/details', 'groups/users', 'teams/members', 'licenses/license_venues', 'licenses/performances'];
it.each(families)('%s: not found below another one', async (family) => {
  const { inner, other } = await MAKERS[family]!();
  const calls = nested.filter(({ endpoint }) => familyOf(endpoint.path) === family);
  expect(calls.length).toBeGreaterThan(0);
  for (const { endpoint } of calls) {
    const ids = [other, inner];
    const url = endpoint.path.replace(/\{\w+\}/g, () => String(ids.shift()));
    const body = endpoint.body && exampleOf(endpoint.body, (name) => (name === 'address' ? ADDRESS : undefined));
    const answer = await staff.call(endpoint.method, url, body === undefined ? {} : { body });
    expect([answer.status, answer.body.code], `${endpoint.method} ${url}`).toEqual([404, 'not_found']);
  }
});
