import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#kit/endpoint.ts';
import type { Gate } from '#server/gates.ts';
import { sql } from '#server/sql.ts';
import { routes } from '#apps/server/src/routes.ts';
import { testApp, type SignedIn, type TestApp } from '#tests/support/app.ts';
import { codeOf, stepAt } from '../two-factor/totp.server.ts';

const test = testApp();
const POLICY = '/api/admin/system/security_policy';
const demand = (app: TestApp, on: boolean) => app.database.db.exec(sql`
  update security_policy set require_staff_two_factor = ${on}`);

async function setUp(app: TestApp, page: SignedIn): Promise<void> {
  await page.confirm();
  const { secret } = (await page.post('/api/users/me/two-factor')).body.data as { secret: string };
  const code = codeOf(secret, stepAt(app.clock.now()));
  expect((await page.put('/api/users/me/two-factor', { code })).status).toBe(200);
}

describe('demanding a second factor of staff', () => {
  it('is for a system administrator who confirms and has one; it holds on the next request', async () => {
    const admin = await test.signedIn('system_admin');
    const person = await test.signedIn('staff_user', { permissions: ['venue.list'] });
    const customer = await test.signedIn('customer');
    const shown = (await admin.get(POLICY)).body.data;
    expect(shown).toMatchObject({ require_staff_two_factor: false, staff_without: 2 });
    const change = { require_staff_two_factor: true, version: shown.version as number };
    expect((await (await test.signedIn('staff_admin')).put(POLICY, change)).status).toBe(403);
    expect((await admin.put(POLICY, change)).status).toBe(423);
    await admin.confirm();
    expect((await admin.put(POLICY, change)).body.code).toBe('two_factor.own_first');
    await setUp(test, admin);
    expect((await admin.put(POLICY, change)).status).toBe(200);
    expect((await admin.put(POLICY, change)).status).toBe(412);
    const refused = await person.get('/api/admin/staff/venues');
    expect([refused.status, refused.body.code]).toEqual([403, 'two_factor_required']);
    expect((await person.get('/api/users/me')).body.data.must_set_up_two_factor).toBe(true);
    expect((await customer.get('/api/users/me')).body.data.must_set_up_two_factor).toBe(false);
    await setUp(test, person);
    expect((await person.get('/api/admin/staff/venues')).status).toBe(200);
    const removed = await person.remove('/api/users/me/two-factor');
    expect([removed.status, removed.body.code]).toEqual([409, 'two_factor.required']);
    await demand(test, false);
  });
});

const guarded = routes.map((route) => route.endpoint)
  .filter(({ auth, path }) => auth.kind !== 'open' && path !== '/api/events');
const opensBefore = ({ auth }: Endpoint): boolean => auth.kind === 'signed_in' && auth.settingUp === true;

async function refusedOf(app: TestApp, chosen: readonly Endpoint[]): Promise<Set<Endpoint>> {
  await demand(app, true);
  const refused = new Set<Endpoint>();
  for (const endpoint of chosen) {
    const page = await app.signedIn('system_admin');
    const url = endpoint.path.split('?')[0]!.replace(/\{\w+\}/g, '999999999');
    const answer = await page.call(endpoint.method, url, endpoint.method === 'GET' ? {} : { body: {} });
    if (answer.body.code === 'two_factor_required') refused.add(endpoint);
  }
  await demand(app, false);
  return refused;
}

describe('nothing opens before it is set up', () => {
  it('every call but those that set it up', { timeout: 240_000 }, async () => {
    // One of each area and method is enough of the many; of those for everybody, all.
    const sample = [...new Map(guarded.map((one) => [one.auth.kind === 'signed_in' ? one.path + one.method
      : `${one.auth.kind} ${one.method} ${one.path.split('/')[4]}`, one])).values()];
    const refused = await refusedOf(test, sample);
    const wrong = sample.filter((one) => refused.has(one) === opensBefore(one)).map(({ method, path }) =>
      `${method} ${path}`);
    expect(wrong).toEqual([]);
    expect(guarded.filter(opensBefore).map(({ method, path }) => `${method} ${path}`).sort()).toMatchInlineSnapshot(`
      [
        "DELETE /api/users/me/passkeys/{id}",
        "DELETE /api/users/me/two-factor",
        "GET /api/auth/confirm-password",
        "GET /api/users/me",
        "GET /api/users/me/passkeys",
        "GET /api/users/me/two-factor",
        "POST /api/auth/confirm-password",
        "POST /api/users/me/passkeys",
        "POST /api/users/me/two-factor",
        "POST /api/users/me/two-factor/recovery-codes",
        "PUT /api/users/me/two-factor",
      ]
    `);
  });
});

describe('the gate', () => {
  const off = testApp({ disabledGates: new Set<Gate>(['two_factor']) });
  let refused: Set<Endpoint>;
  beforeAll(async () => { refused = await refusedOf(off, guarded.slice(0, 5)); });
  it('is what refuses', () => { expect(refused.size).toBe(0); });
});
