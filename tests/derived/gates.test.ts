/**
 * The privilege and tenancy matrix, generated from the contract: every route × every kind of caller. A gate that is
 * switched off must be noticed (reliability.md 2.3).
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#kit/endpoint.ts';
import type { Permission } from '#kit/permission.ts';
import { GATES, type Gate } from '#server/gates.ts';
import { refuseUndeclared } from '#server/http.ts';
import { routes } from '#apps/server/src/routes.ts';
import { testApp, type Answer, type Browser, type TestApp } from '#tests/support/app.ts';
import { expected, makeCast, PRINCIPALS, type Cast, type PrincipalName } from '#tests/support/principals.ts';

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
  return path.replace('{period}', '190001').replace('/divisions/{code}', '/divisions/US')
    .replace('/system/jobs/{id}', `/system/jobs/${MISSING_JOB}`).replace(/\{\w+\}/g, MISSING);
}

async function callAs(browser: Browser, endpoint: Endpoint, url: string): Promise<Answer> {
  return browser.call(endpoint.method, url, endpoint.method === 'GET' ? {} : { body: {} });
}

interface Mismatch { principal: PrincipalName; route: string; wanted: unknown; got: number; body: unknown }

/** A dead session has no token to compare with: an unsafe call meets the CSRF check first (reliability.md 1.1). */
function withoutSession(endpoint: Endpoint, principal: PrincipalName): boolean {
  return endpoint.method !== 'GET' && (principal === 'disabled' || principal === 'expired');
}

async function runMatrix(cast: Cast, chosen: readonly Endpoint[]): Promise<{ requests: number; wrong: Mismatch[] }> {
  const wrong: Mismatch[] = [];
  let requests = 0;
  for (const endpoint of chosen) {
    const needed = neededOf(endpoint);
    for (const principal of PRINCIPALS) {
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

describe('the privilege matrix over every route', () => {
  const test = testApp();
  let cast: Cast;
  beforeAll(async () => { cast = await makeCast(test); });

  it('answers every caller as the contract says', { timeout: 300_000 }, async () => {
    const { requests, wrong } = await runMatrix(cast, guarded);
    process.stdout.write(`privilege matrix: ${requests} requests, ${wrong.length} mismatches\n`);
    expect(wrong).toEqual([]);
  });

  const slow = { timeout: 120_000 };

  it('refuses every unsafe call without, with a wrong and with another session\'s token', slow, async () => {
    const other = await test.signedIn('system_admin');
    const unsafe = routes.map((route) => route.endpoint).filter((endpoint) => endpoint.method !== 'GET');
    const accepted: string[] = [];
    const mine = await test.signedIn('system_admin');
    for (const endpoint of unsafe) {
      for (const token of ['', 'wrong', other.cookies.get('XSRF-TOKEN')!]) {
        const answer = await mine.call(endpoint.method, addressOf(endpoint, cast.customer_a),
          { body: {}, headers: { 'x-xsrf-token': token } });
        const call = `${endpoint.method} ${endpoint.path} with "${token}"`;
        if (answer.status !== 419) accepted.push(`${call}: ${answer.status}`);
      }
    }
    expect(accepted).toEqual([]);
  });

  it('refuses unknown body fields, NUL bytes and broken JSON on every call with a body', slow, async () => {
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

describe('a gate that is switched off is noticed', () => {
  // The other three stand before and after the rights: they have tests of their own.
  for (const gate of GATES.filter((name) => !['csrf', 'confirm', 'two_factor'].includes(name))) {
    describe(gate, () => {
      const test: TestApp = testApp({ disabledGates: new Set<Gate>([gate]) });
      it('makes the matrix fail', { timeout: 60_000 }, async () => {
        const sample = sampleOf(guarded);
        const { wrong } = await runMatrix(await makeCast(test), sample);
        if (sample.some((endpoint) => noticeable(gate, endpoint))) expect(wrong.length).toBeGreaterThan(0);
      });
    });
  }
});

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

function noticeable(gate: Gate, endpoint: Endpoint): boolean {
  const { auth } = endpoint;
  switch (gate) {
    case 'sign_in': case 'verified': return auth.kind === 'staff';
    // Behind the kind stands the permission; only where none is asked does a missing kind show.
    case 'kind': return auth.kind === 'customer' || (auth.kind === 'staff' && auth.permission === null);
    case 'permission': return auth.kind === 'staff' && auth.permission !== null;
    case 'membership': return auth.kind === 'customer';
    case 'customer_role': return auth.kind === 'customer' && auth.roles.length < 3;
    case 'acting': return (auth.kind === 'customer' && auth.notWhileActing) || auth.kind === 'staff';
    case 'csrf': case 'confirm': case 'two_factor': case 'row_security': return false;
  }
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
