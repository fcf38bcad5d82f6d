/**
 * The privilege and tenancy matrix, generated from the contract: every route × every kind of caller. A gate that is
 * switched off must be noticed (reliability.md 2.3).
 */
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { customer } from '#kit/auth.ts';
import { endpoint, type Endpoint } from '#kit/endpoint.ts';
import type { Permission } from '#kit/permission.ts';
import { GATES, type Gate } from '#server/gates.ts';
import { refuseUndeclared } from '#server/http.ts';
import type { Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { routes } from '#apps/server/src/routes.ts';
import { testApp, type Answer, type Browser, type TestApp } from '#tests/support/app.ts';
import { exampleOf } from '#tests/support/example.ts';
import { FULL } from '#tests/support/full.ts';
import { READERS } from '#tests/support/staff-matrix.ts';
import { DEAD, expected, makeCast, makeCustomer, PRINCIPALS, type Cast,
  type PrincipalName } from '#tests/support/principals.ts';

const MISSING = '999999999';
/** Calls that end the caller's own session: each caller gets a new one afterwards. */
const ENDS_SESSION = /^\/api\/(auth\/logout|users\/me\/sessions|auth\/acting-as)/;
/** A stream that stays open is tested with its own module. */
const STREAMS = new Set(['/api/events']);

const neededOf = (endpoint: Endpoint): readonly Permission[] =>
  endpoint.auth.kind === 'staff' && endpoint.auth.permission !== null ? [endpoint.auth.permission].flat() : [];

/** Jobs are named by UUIDs. */
const MISSING_JOB = '00000000-0000-4000-8000-000000000000';

function addressOf(endpoint: Endpoint, customer: number): string {
  const path = endpoint.path.split('?')[0]!;
  if (endpoint.auth.kind === 'customer') return path.replace('{id}', String(customer)).replace(/\{\w+\}/g, MISSING);
  return path.replace('{period}', '190001').replace('/divisions/{code}', '/divisions/US').replace('{division}', 'US')
    .replace('/system/jobs/{id}', `/system/jobs/${MISSING_JOB}`).replace(/\{\w+\}/g, MISSING);
}

async function callAs(browser: Browser, endpoint: Endpoint, url: string): Promise<Answer> {
  return browser.call(endpoint.method, url, endpoint.method === 'GET' ? {} : { body: {} });
}

const labelOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

interface Mismatch { principal: PrincipalName; route: string; wanted: unknown; got: number; body: unknown }

/** A dead session has no token to compare with: an unsafe call meets the CSRF check first (reliability.md 1.1). */
function withoutSession(endpoint: Endpoint, principal: PrincipalName): boolean {
  return endpoint.method !== 'GET' && DEAD.has(principal);
}

/** Callers whom a route of the staff cannot tell from a customer's admin, who is asked on each. */
const CUSTOMERS: ReadonlySet<PrincipalName> =
  new Set(['customer_a_signer', 'customer_a_member', 'customer_b_admin', 'left_a', 'pending_customer']);
/** Of those that a gate treats like another caller one route in so many is asked by `npm test`. */
const ALIKE = 8;

/** Asked at records of the season by db/demo/demo.test.ts: every read, and every write that is refused. */
function isAskedInSeason(endpoint: Endpoint, principal: PrincipalName): boolean {
  if (endpoint.auth.kind !== 'staff' || !READERS.includes(principal)) return false;
  return endpoint.method === 'GET' || expected(endpoint.auth, principal, neededOf(endpoint)) !== 'pass';
}

function isAsked(endpoint: Endpoint, principal: PrincipalName, place: number): boolean {
  const alike = DEAD.has(principal) || (endpoint.auth.kind === 'staff' && CUSTOMERS.has(principal))
    || isAskedInSeason(endpoint, principal);
  return FULL || !alike || place % ALIKE === 0;
}

async function runMatrix(cast: Cast, chosen: readonly Endpoint[], asks = isAsked):
Promise<{ requests: number; wrong: Mismatch[] }> {
  const wrong: Mismatch[] = [];
  let requests = 0;
  for (const [place, endpoint] of chosen.entries()) {
    const needed = neededOf(endpoint);
    for (const principal of PRINCIPALS.filter((one) => asks(endpoint, one, place))) {
      const browser = await cast.browser(principal, needed);
      const answer = await callAs(browser, endpoint, addressOf(endpoint, cast.customer_a));
      requests += 1;
      const wanted = withoutSession(endpoint, principal) ? 419 : expected(endpoint.auth, principal, needed);
      const fine = wanted === 'pass'
        ? ![401, 403, 419].includes(answer.status) && answer.status < 500
        : answer.status === wanted;
      if (!fine) {
        wrong.push({ principal, route: `${endpoint.method} ${endpoint.path}`, wanted, got: answer.status,
          body: answer.body });
      }
    }
  }
  return { requests, wrong };
}

const guarded = routes.map((route) => route.endpoint)
  .filter(({ auth, path }) => auth.kind !== 'open' && !STREAMS.has(path) && !ENDS_SESSION.test(path));

/** Without a session there is nothing to forge: those calls read none and change nothing. */
const unsafe = routes.map(({ endpoint: one }) => one)
  .filter(({ method, anonymous }) => method !== 'GET' && !anonymous);
const confirmed = guarded.filter(({ confirm, auth }) => confirm === true && auth.kind !== 'customer');

describe('the privilege matrix over every route', () => {
  const test = testApp({ plantedRoutes: [FORGETFUL] });
  let cast: Cast;
  beforeAll(async () => { cast = await makeCast(test); });

  it('answers every caller as the contract says', { timeout: 600_000 }, async () => {
    const { requests, wrong } = await runMatrix(cast, guarded);
    process.stdout.write(`privilege matrix: ${requests} requests, ${wrong.length} mismatches\n`);
    expect(wrong).toEqual([]);
  });

  it('refuses every unsafe call without, with a wrong and with another session\'s token', async () => {
    expect(await acceptedTokens(test, unsafe)).toEqual([]);
  });

  it('asks whoever has not confirmed who they are, wherever the contract says so', async () => {
    expect(confirmed.length).toBeGreaterThan(10);
    expect(await unasked(test, confirmed)).toEqual([]);
  });

  it('lets staff who lack the second factor that the house demands do nothing but set it up', async () => {
    const { db } = test.database;
    await db.exec(sql`update security_policy set require_staff_two_factor = true`);
    try {
      expect(await withoutSecondFactor(test, guarded)).toEqual([]);
    } finally {
      await db.exec(sql`update security_policy set require_staff_two_factor = false`);
    }
  });

  it('shows a customer no row of another where a query forgets to ask whose they are', async () => {
    expect(await foreignNames(test)).toEqual([]);
  });

  it('refuses unknown body fields, NUL bytes and broken JSON on every call with a body', async () => {
    const admin = await test.signedIn('system_admin');
    const wrong: string[] = [];
    for (const endpoint of guarded.filter((e) => e.method !== 'GET' && e.auth.kind === 'staff' && !e.upload)) {
      const url = addressOf(endpoint, cast.customer_a);
      const label = `${endpoint.method} ${endpoint.path}`;
      const unknown = await admin.call(endpoint.method, url, { body: { no_such_field_here: 'x' } });
      if (unknown.status !== 422) wrong.push(`${label} with an unknown field: ${unknown.status}`);
      const nul = await admin.call(endpoint.method, url, { body: { name: 'a\u0000b' } });
      if (nul.status !== 422) wrong.push(`${label} with NUL: ${nul.status}`);
      const broken = await admin.call(endpoint.method, url, {
        headers: { 'content-type': 'application/json', 'content-length': '9' } });
      if (broken.status >= 500) wrong.push(`${label} with broken JSON: ${broken.status}`);
    }
    expect(wrong).toEqual([]);
  });
});

/** Calls that an unsafe call's door let through; none, where the door is there. */
async function acceptedTokens(test: TestApp, endpoints: readonly Endpoint[]): Promise<string[]> {
  const other = await test.signedIn('system_admin');
  const mine = await test.signedIn('system_admin');
  const accepted: string[] = [];
  for (const endpoint of endpoints) {
    for (const token of ['', 'wrong', other.cookies.get('XSRF-TOKEN')!]) {
      const answer = await mine.call(endpoint.method, addressOf(endpoint, 1),
        { body: {}, headers: { 'x-xsrf-token': token } });
      if (answer.status !== 419) accepted.push(`${labelOf(endpoint)} with "${token}": ${answer.status}`);
    }
  }
  return accepted;
}

/** With a body that would do, since whoever has to correct a field is not asked for a password first. */
async function unasked(test: TestApp, endpoints: readonly Endpoint[]): Promise<string[]> {
  const admin = await test.signedIn('system_admin');
  const found: string[] = [];
  for (const endpoint of endpoints) {
    const body = endpoint.body ? exampleOf(endpoint.body) : undefined;
    const answer = await admin.call(endpoint.method, addressOf(endpoint, 1), body === undefined ? {} : { body });
    if (answer.status !== 423) found.push(`${labelOf(endpoint)}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return found;
}

async function withoutSecondFactor(test: TestApp, endpoints: readonly Endpoint[]): Promise<string[]> {
  const clerk = await test.signedIn('staff_admin');
  const found: string[] = [];
  for (const endpoint of endpoints) {
    const { auth } = endpoint;
    const free = auth.kind === 'signed_in' && auth.settingUp === true;
    const answer = await callAs(clerk, endpoint, addressOf(endpoint, 1));
    const told = answer.status === 403 && (answer.body as { code: string }).code === 'two_factor_required';
    if (told === free) found.push(`${labelOf(endpoint)}: ${answer.status}`);
  }
  return found;
}

/** A handler that forgets the condition on the customer, as no handler of ours should. */
const FORGETFUL: Route = {
  endpoint: endpoint({ method: 'GET', path: '/api/customers/{id}/forgetful', auth: customer(), summary: 'Forgets whose',
    response: z.object({ data: z.array(z.string()) }) }),
  handler: async ({ db }) =>
    ({ data: (await db.query<{ name: string }>(sql`select name from customers`)).map((row) => row.name) }),
};

async function foreignNames(test: TestApp): Promise<string[]> {
  const own = await makeCustomer(test, 'Own House');
  await makeCustomer(test, 'Foreign House');
  const member = await test.signedIn('customer', { customers: [{ id: own, role: 'member' }] });
  const { body } = await member.get(`/api/customers/${own}/forgetful`);
  return (body as { data: string[] }).data.filter((name) => name !== 'Own House');
}

describe('a gate that is switched off is noticed', () => {
  for (const gate of GATES) {
    describe(gate, () => {
      const test = testApp({ disabledGates: new Set<Gate>([gate]), plantedRoutes: [FORGETFUL] });
      it('by its proof', async () => {
        expect(await noticed(gate, test)).toBeGreaterThan(0);
      });
    });
  }
});

/** Number of calls that show that the gate is missing. */
async function noticed(gate: Gate, test: TestApp): Promise<number> {
  switch (gate) {
    case 'csrf': return (await acceptedTokens(test, unsafe.slice(0, 20))).length;
    case 'confirm': return (await unasked(test, confirmed.slice(0, 5))).length;
    case 'row_security': return (await foreignNames(test)).length;
    case 'two_factor':
      await test.database.db.exec(sql`update security_policy set require_staff_two_factor = true`);
      return (await withoutSecondFactor(test, sampleOf(guarded))).length;
    case 'sign_in': case 'verified': case 'kind': case 'permission': case 'membership': case 'customer_role':
    case 'acting': return (await runMatrix(await makeCast(test), sampleOf(guarded), () => true)).wrong.length;
  }
}

/** One route of each kind of gate is enough to see a gate missing. */
function sampleOf(endpoints: readonly Endpoint[]): Endpoint[] {
  const kinds = new Map<string, Endpoint>();
  for (const endpoint of endpoints.filter((e) => e.method === 'GET')) {
    kinds.set(JSON.stringify(endpoint.auth.kind), endpoint);
  }
  for (const endpoint of endpoints) {
    if (endpoint.auth.kind === 'staff' && endpoint.auth.permission !== null) kinds.set('permission', endpoint);
    if (endpoint.auth.kind === 'customer' && endpoint.auth.notWhileActing) kinds.set('acting', endpoint);
    if (endpoint.auth.kind === 'customer' && endpoint.auth.roles.length < 3) kinds.set('role', endpoint);
  }
  return [...kinds.values()];
}

describe('the server refuses to start', () => {
  const route = routes[0]!;
  it('with a route that does not say who may call it', () => {
    const { auth: _auth, ...rest } = route.endpoint;
    expect(() => refuseUndeclared([{ ...route, endpoint: rest as Endpoint }])).toThrow(/does not say who may call it/);
  });
  it('with a permission that does not exist', () => {
    const auth = { kind: 'staff', permission: 'venue.fly' as Permission, roles: ['staff_user'] } as const;
    expect(() => refuseUndeclared([{ ...route, endpoint: { ...route.endpoint, auth } }])).toThrow(/unknown permission/);
  });
  it('with the same address twice', () => {
    expect(() => refuseUndeclared([route, route])).toThrow(/declared twice/);
  });
});
