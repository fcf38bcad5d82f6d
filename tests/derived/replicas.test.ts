/** Two app processes on one PostgreSQL behind a plain proxy are one house (issue 3; reliability.md 1.5, V6). */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Role } from '#kit/auth.ts';
import { hashPassword } from '#modules/identity/session/password.server.ts';
import { localDate } from '#server/clock.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import { listen } from '#tests/support/live-stream.ts';
import { networkBrowser, type NetworkBrowser } from '#tests/support/network-browser.ts';
import { startReplicas, type Replicas } from '#tests/support/replicas.ts';

const PASSWORD = 'correct horse battery staple';
const VENUES = '/api/admin/staff/venues';
const database = testDatabase();
let replicas: Replicas, hash: string;
beforeAll(async () => {
  hash = await hashPassword(PASSWORD);
  const web = mkdtempSync(join(tmpdir(), 'gr-web-'));
  writeFileSync(join(web, 'index.html'), '<head><title>Grand Rights</title></head>');
  replicas = await startReplicas({ logins: database.urls,
    env: { WEB_FOLDER: web, DATA_DIR: join(tmpdir(), `grand-rights-replicas-${randomUUID()}`), RATE_LIMITS: '1' } });
});
afterAll(() => replicas.stop());

async function person(role: Role, permissions: string[] = []): Promise<{ id: number; email: string; group: number }> {
  const { db } = database;
  const email = `${randomUUID()}@test.example`;
  const { id } = await db.one<{ id: number }>(sql`
    insert into users (email, first_name, last_name, role, password_hash, email_verified_at)
    values (${email}, 'Two', 'Servers', ${role}, ${hash}, now()) returning id`);
  const group = await db.one<{ id: number }>(sql`
    insert into staff_groups (name, permission_values) values (${email}, ${permissions}) returning id`);
  if (role === 'staff_user') {
    await db.exec(sql`insert into staff_group_users (staff_group_id, user_id) values (${group.id}, ${id})`);
  }
  return { id, email, group: group.id };
}

/** Signs in through the proxy. */
async function signIn(email: string): Promise<NetworkBrowser> {
  const browser = networkBrowser();
  await browser.call(replicas.url, 'GET', '/sanctum/csrf-cookie');
  const { status, body } = await browser.call(replicas.url, 'POST', '/api/auth/login', { email, password: PASSWORD });
  expect(status, JSON.stringify(body)).toBe(200);
  return browser;
}

it('both serve the web app at every address of it', async () => {
  const seen = new Set<string | null>();
  for (const path of ['/', '/login', '/admin/venues', '/customer/1']) {
    const answer = await fetch(replicas.url + path);
    expect(answer.status, path).toBe(200);
    expect(await answer.text()).toContain('<title>Grand Rights</title>');
    seen.add(answer.headers.get('x-replica'));
  }
  expect(seen).toEqual(new Set(['0', '1']));
});

it('a session that one made is known to both, and its writes are read by the other', async () => {
  const browser = await signIn((await person('staff_admin')).email);
  const through: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const { status, headers } = await browser.call(replicas.url, 'GET', '/api/users/me');
    expect(status).toBe(200);
    through.push(headers.get('x-replica')!);
  }
  expect(new Set(through)).toEqual(new Set(['0', '1']));
  const [one, two] = replicas.direct as [string, string];
  const address = { country_code: 'US', thoroughfare: '1 Main St', locality: 'Albany', administrative_area: 'NY',
    postal_code: '12203' };
  const key = randomUUID();
  const make = (base: string) => browser.call(base, 'POST', VENUES, { name: 'Two Houses Hall', kind: 'theatre',
    address, time_zone: 'America/New_York', capacity: 100 }, { 'idempotency-key': key });
  const made = await make(one);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const again = await make(two);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const { id, version } = made.body.data;
  expect(again.body.data.id).toBe(id);
  const changed = await browser.call(two, 'PUT', `${VENUES}/${id}`, { name: 'Renamed Hall', version });
  expect(changed.status).toBe(200);
  const late = await browser.call(one, 'PUT', `${VENUES}/${id}`, { name: 'Too late', version });
  expect(late.status).toBe(412);
  expect((await browser.call(one, 'GET', `${VENUES}/${id}`)).body.data.name).toBe('Renamed Hall');
});

it('what one revokes the other refuses with the next request', async () => {
  const { email } = await person('staff_admin');
  const [mine, other] = [await signIn(email), await signIn(email)];
  const [one, two] = replicas.direct as [string, string];
  expect((await other.call(two, 'GET', '/api/users/me')).status).toBe(200);
  await mine.call(one, 'POST', '/api/auth/confirm-password', { password: PASSWORD });
  expect((await mine.call(one, 'DELETE', '/api/users/me/sessions')).status).toBe(204);
  expect((await other.call(two, 'GET', '/api/users/me')).status).toBe(401);
  expect((await mine.call(two, 'GET', '/api/users/me')).status).toBe(200);
});

it('rights that one takes away are gone at the other', async () => {
  const clerk = await person('staff_user', ['venue.list']);
  const browser = await signIn(clerk.email);
  const chief = await signIn((await person('system_admin')).email);
  const [one, two] = replicas.direct as [string, string];
  expect((await browser.call(two, 'GET', VENUES)).status).toBe(200);
  await chief.call(one, 'POST', '/api/auth/confirm-password', { password: PASSWORD });
  const group = `/api/admin/staff/groups/${clerk.group}`;
  const { version, name } = (await chief.call(one, 'GET', group)).body.data;
  const put = await chief.call(one, 'PUT', group, { name, permission_values: ['show.list'], version });
  expect(put.status, JSON.stringify(put.body)).toBe(200);
  expect((await browser.call(two, 'GET', VENUES)).status).toBe(403);
});

it('both count the same attempts', async () => {
  const { email } = await person('staff_admin');
  const guest = networkBrowser();
  await guest.call(replicas.url, 'GET', '/sanctum/csrf-cookie');
  const wrong = async (): Promise<string> => {
    const { status, headers } = await guest.call(replicas.url, 'POST', '/api/auth/login', { email, password: 'wrong' });
    return `${status} by ${headers.get('x-replica')}`;
  };
  const told: string[] = [];
  // The window may turn between two attempts: of eleven, six lie in one of the two, and five are allowed.
  for (let n = 0; n < 11; n += 1) told.push(await wrong());
  expect(told.some((one) => one.startsWith('429'))).toBe(true);
  expect(new Set(told.map((one) => one.slice(-1)))).toEqual(new Set(['0', '1']));
});

it('what happens at one is heard at the other, until the session ends', async () => {
  const [one, two] = replicas.direct as [string, string];
  const { db } = database;
  const house = (await db.one<{ id: number }>(sql`
    insert into customers (name, status, divisions, default_division, default_currency)
    values ('Hearing Players', 'active', '{US}', 'US', 'USD') returning id`)).id;
  const ruth = await person('customer');
  await db.exec(sql`insert into customer_users (customer_id, user_id, role) values (${house}, ${ruth.id}, 'admin')`);
  const browser = await signIn(ruth.email);
  const staff = await signIn((await person('staff_admin')).email);
  const stream = await listen(`${one}/api/events`, { cookie: browser.cookie() });
  expect(await stream.next()).toMatchObject({ event: 'hello', data: { unread: 0 } });
  const paid = () => staff.call(two, 'POST', '/api/admin/staff/accounting/payments', { customer_id: house,
    division: 'US', currency: 'USD', amount_minor: 12_345, method: 'card',
    received_on: localDate(new Date(), 'America/New_York'), duplicate_confirmed: true });
  // A hub that only begins to listen says "ask anew" first.
  let heard = await stream.next();
  expect(heard).toMatchObject({ event: 'refetch' });
  const answer = await paid();
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  while (heard?.event === 'refetch') heard = await stream.next();
  expect(heard).toMatchObject({ event: 'notification',
    data: { title: 'Your payment of USD 123.45 has arrived', customer_id: house } });
  await browser.call(two, 'POST', '/api/auth/logout');
  await paid();
  expect(await stream.next()).toBeNull();
});
