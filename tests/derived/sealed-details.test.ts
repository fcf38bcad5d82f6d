/**
 * Bank details and tax ids, of whatever resource has them: written by whom its permission admits after confirming who
 * they are, verified by another person, and in no answer, export or audit row afterwards. A canary says so.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#kit/endpoint.ts';
import type { Permission } from '#kit/permission.ts';
import { unseal } from '#server/secret.ts';
import { name, sql, type Sql } from '#server/sql.ts';
import { routes } from '#apps/server/src/routes.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { exampleOf } from '#tests/support/example.ts';

const test = testApp();
const endpoints = routes.map((route) => route.endpoint);
const sealed = endpoints.filter(({ method, path }) => method === 'PUT' && path.endsWith('/{id}/bank_details'))
  .map(({ path, auth }) => ({ path: path.replace('/{id}/bank_details', ''),
    permission: (auth as { permission: Permission }).permission }));
/** Of customers only bank details are kept: refunds are no income. */
const taxed = sealed.filter(({ path }) => endpoints.some((one) => one.path === `${path}/{id}/tax_id`));
const bodyOf = (path: string, fields: object): object =>
  ({ ...exampleOf(endpoints.find((one) => one.method === 'POST' && one.path === path)!.body!,
    (field) => field === 'divisions' ? ['US'] : undefined) as object, ...fields });

let staff: SignedIn;
let second: SignedIn;
beforeAll(async () => {
  staff = await test.signedIn('system_admin');
  second = await test.signedIn('system_admin');
});

const ACCOUNT = 'CANARY 3392 6819';
const PLAIN = 'CANARY33926819';
const TIN = 'CANARY-12-3456789';

async function written(path: string) {
  const name = `Payee of ${path.split('/').at(-1)!}`;
  const made = await staff.post(path, bodyOf(path, { name, default_currency: undefined, currency: undefined,
    ...(path.endsWith('royaltors') ? { currency: 'USD' } : { default_currency: 'USD' }) }));
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.data as { id: number; version: number };
}

it('customers, royaltors and vendors have them; the tax id of customers is not kept', () => {
  const names = (of: typeof sealed) => of.map(({ path }) => path.split('/').at(-1)).sort();
  expect(names(sealed)).toEqual(['customers', 'royaltors', 'vendors']);
  expect(names(taxed)).toEqual(['royaltors', 'vendors']);
});

describe.each(sealed)('$path', ({ path, permission }) => {
  const table = path.split('/').at(-1)!;
  const entity = table.replace(/s$/, '');

  it('are written after a confirmation, and verified by another person', async () => {
    const row = await written(path);
    const own = await test.signedIn('system_admin');
    const early = await own.put(`${path}/${row.id}/bank_details`, { account: ACCOUNT, version: 1 });
    expect([early.status, early.body.code]).toEqual([423, 'confirmation_required']);
    await own.confirm();
    const set = await own.put(`${path}/${row.id}/bank_details`, { account: ACCOUNT, routing: 'NWBK 60-16-13',
      kind: 'other', country: 'CA', holder: 'The Payee Ltd', version: 1 });
    expect(set.body.data).toMatchObject({ bank_account_last4: '6819', bank_verified_at: null, bank_kind: 'other',
      bank_country: 'CA', bank_holder: 'The Payee Ltd', bank_written_by_id: own.user_id, version: 2 });
    const stored = await test.database.db.one<{ bytes: Buffer; key_id: string }>(sql`
      select bank_account_encrypted as bytes, bank_key_id as key_id from ${name(table)} where id = ${row.id}`);
    expect(unseal(test.ports.settings, `${entity}:${row.id}:bank_account`, stored)).toBe(PLAIN);
    const note = 'Called Ms. Ames on the number of the last bill';
    const itself = await own.put(`${path}/${row.id}/bank_details/verify`, { version: 2, note });
    expect([itself.status, itself.body.code]).toEqual([409, 'four_eyes']);
    await second.confirm();
    const silent = await second.put(`${path}/${row.id}/bank_details/verify`, { version: 2, note: ' ' });
    expect([silent.status, Object.keys(silent.body.errors)]).toEqual([422, ['note']]);
    const verified = await second.put(`${path}/${row.id}/bank_details/verify`, { version: 2, note });
    expect(verified.body.data).toMatchObject({ bank_verified_at: expect.any(String), bank_verified_note: note,
      bank_verified_by_name: expect.any(String) });
    const stale = await own.put(`${path}/${row.id}/bank_details`, { account: '12345678', version: 2 });
    expect(stale.status).toBe(412);
    const again = await own.put(`${path}/${row.id}/bank_details`, { account: '12345678', version: 3 });
    expect(again.body.data).toMatchObject({ bank_account_last4: '5678', bank_verified_at: null,
      bank_verified_note: null, bank_verified_by_name: null });
    const mistyped = await own.put(`${path}/${row.id}/bank_details`, { account: 'GB29 NWBK 6016 1331 9268 91',
      version: 4 });
    expect([mistyped.status, Object.keys(mistyped.body.errors)]).toEqual([422, ['account']]);
    const cleared = await own.put(`${path}/${row.id}/bank_details`, { account: null, version: 4 });
    expect(cleared.body.data).toMatchObject({ bank_account_last4: null, bank_written_by_id: null });
    const nothing = await second.put(`${path}/${row.id}/bank_details/verify`, { version: 5, note });
    expect([nothing.status, nothing.body.code]).toEqual([409, `${entity}.no_bank_details`]);
  });

  it.each([
    ['us', '12345678', '021000022', 'routing'], ['us', '123', '021000021', 'account'],
    ['uk', '31926818', '601613', 'account'], ['iban', 'DE89370400440532013001', null, 'account'],
    ['iban', 'DE89370400440532013000', 'AIBKIE', 'routing'], ['other', '12345678', null, null],
  ])('a number of kind %s, %s at %s, holds or is refused at its field', async (kind, account, routing, wrong) => {
    const row = await written(path);
    await staff.confirm();
    const answer = await staff.put(`${path}/${row.id}/bank_details`, { version: 1, kind, account, routing });
    expect([answer.status, Object.keys(answer.body.errors ?? {})])
      .toEqual(wrong === null ? [200, []] : [422, [wrong]]);
  });

  it('the database holds that two persons stand behind them, and a change takes that back', async () => {
    const row = await written(path);
    const { db } = test.database;
    const set = (columns: Sql) => db.exec(sql`update ${name(table)} set ${columns} where id = ${row.id}`);
    await set(sql`bank_account_encrypted = 'x', bank_key_id = 'k', bank_account_last4 = '1234',
      bank_details_changed_by_id = ${staff.user_id}`);
    const verify = (by: number | null) => set(sql`bank_verified_at = now(), bank_verified_note = 'Called',
      bank_verified_by_id = ${by}`);
    await expect(verify(staff.user_id)).rejects.toThrow('four_eyes');
    await expect(verify(null)).rejects.toThrow('bank_verified');
    await expect(set(sql`bank_details_changed_by_id = null`)).rejects.toThrow('stays with them');
    await verify(second.user_id);
    await set(sql`bank_holder = 'Another name'`);
    expect(await db.one(sql`select bank_verified_at, bank_verified_by_id, bank_details_version
      from ${name(table)} where id = ${row.id}`))
      .toEqual({ bank_verified_at: null, bank_verified_by_id: null, bank_details_version: 2 });
  });

  it('those who may only look see the last characters and write nothing', async () => {
    const row = await written(path);
    const withTax = taxed.some((one) => one.path === path);
    await staff.confirm();
    await staff.put(`${path}/${row.id}/bank_details`, { account: '12345678', version: 1 });
    if (withTax) await staff.put(`${path}/${row.id}/tax_id`, { tin: TIN, version: 2 });
    const reader = await test.signedIn('staff_user', { permissions: [`${entity}.show`] as Permission[] });
    await reader.confirm();
    const seen = (await reader.get(`${path}/${row.id}${withTax ? '' : '/bank_details'}`)).body.data;
    expect(seen).toMatchObject({ bank_account_last4: '5678', ...(withTax ? { tin_last4: '6789' } : {}) });
    for (const call of [...(withTax ? ['tax_id'] : []), 'bank_details', 'bank_details/verify']) {
      const answer = await reader.put(`${path}/${row.id}/${call}`, { version: 2 });
      expect(answer.status, call).toBe(403);
    }
    const stranger = await test.signedIn('staff_user', { permissions: ['venue.list'] });
    expect((await stranger.get(`${path}/${row.id}`)).status).toBe(403);
    expect(permission).toBe(`${entity}.update`);
  });
});

describe.each(taxed)('$path', ({ path }) => {
  it('a tax id is sealed the same way, and refused at its field where it is none', async () => {
    const row = await written(path);
    await staff.confirm();
    const set = await staff.put(`${path}/${row.id}/tax_id`, { tin: '12-3456789', version: 1 });
    expect(set.body.data.tin_last4).toBe('6789');
    expect((await staff.put(`${path}/${row.id}/tax_id`, { tin: '1', version: 2 })).body.errors)
      .toEqual({ tin: ['A tax id is required'] });
    const cleared = await staff.put(`${path}/${row.id}/tax_id`, { tin: null, version: 2 });
    expect(cleared.body.data.tin_last4).toBeNull();
  });
});

/** Adds the required query, and as many rows as it allows. */
function addressOf(endpoint: Endpoint): string {
  if (!endpoint.query) return endpoint.path;
  const query = exampleOf(endpoint.query) as Record<string, unknown>;
  const pairs = Object.entries({ ...query,
    ...(endpoint.query.safeParse({ ...query, per_page: '100' }).success ? { per_page: '100' } : {}),
    ...(endpoint.query.safeParse({ ...query, search: 'x' }).success ? { search: 'payee of' } : {}) });
  return pairs.length === 0 ? endpoint.path
    : `${endpoint.path}?${pairs.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`).join('&')}`;
}

describe('a canary', () => {
  it('in an account or a tax id is in no answer and in no audit row', async () => {
    const rows: string[] = [];
    for (const { path } of sealed) {
      const { id } = await written(path);
      await staff.confirm();
      await staff.put(`${path}/${id}/bank_details`, { account: ACCOUNT, routing: 'CANARY', kind: 'other',
        version: 1 });
      await staff.put(`${path}/${id}/tax_id`, { tin: TIN, version: 2 });
      rows.push(`${path}/${id}`, ...(path.endsWith('customers') ? [`${path}/${id}/bank_details`] : []));
    }
    const lists = endpoints.filter((one) => one.method === 'GET' && one.auth.kind === 'staff'
      && !one.path.includes('{') && one.response !== 'file');
    const found: string[] = [];
    let masked = 0;
    for (const url of [...rows, ...lists.map(addressOf)]) {
      const text = (await staff.get(url)).raw.toString();
      if (text.includes('CANARY')) found.push(url);
      if (text.includes('6819')) masked += 1;
    }
    expect(found).toEqual([]);
    expect(masked).toBeGreaterThan(3);
    const audited = await test.database.db.query(sql`
      select id from audit_events where after::text like '%CANARY%' or before::text like '%CANARY%'`);
    expect(audited).toEqual([]);
  });
});
