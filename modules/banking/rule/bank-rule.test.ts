import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';
import { ruleFor } from './rule-for.server.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
const PATH = `${BASE}/bank_rules`;
let staff: Browser;
let bank: { id: number };
let other: { id: number };
let abroad: { id: number };
let fees = 0;

async function account(name: string, division = 'US', currency = 'USD'): Promise<{ id: number }> {
  const { body: { data: { id } } } = await staff.post(`${BASE}/banks`, { name: `Bank of ${name}` });
  const answer = await staff.post(`${BASE}/bank_accounts`, { bank_id: id, division, currency, name });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
const ledger = async (code: string, division = 'US') => (await test.database.db.one<{ id: number }>(sql`
  select id from ledger_accounts where division = ${division} and code = ${code}`)).id;

beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  bank = await account('Operating');
  other = await account('Savings');
  abroad = await account('Euro account', 'EU', 'EUR');
  fees = await ledger('6100');
});

const contains = (value: string, field = 'text', operator = 'contains') => ({ field, operator, value });
const body = (name: string, more: object = {}) => ({ name, division: 'US', kind: 'entry', ledger_account_id: fees,
  conditions: [contains('fee')], memo: 'Bank fee', ...more });
async function made(name: string, more: object = {}) {
  const answer = await staff.post(PATH, body(name, more));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
async function archived(row: { id: number; version: number }) {
  return staff.put(`${PATH}/${row.id}/archive`, { version: row.version });
}
async function line(amount: number, name: string, { on = '2026-11-02', at = bank } = {}) {
  const answer = await staff.post(`${BASE}/bank_transactions`, { bank_account_id: at.id, booked_on: on,
    amount_minor: amount, name, duplicate_confirmed: true });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
const names = async (query = 'division=US'): Promise<string[]> =>
  (await staff.get(`${PATH}?${query}&per_page=100`)).body.data.map(({ name }: { name: string }) => name);

describe('a bank rule', () => {
  it('is added, changed, archived and used again', async () => {
    const row = await made('Fees', { direction: 'out', from_minor: 100, to_minor: 5_000, bank_account_id: bank.id });
    expect(row).toMatchObject({ ledger_account: expect.stringContaining('6100'), bank_account_name: 'Operating',
      conditions: [contains('fee')], party_type: null, is_archived: false });
    const put = await staff.put(`${PATH}/${row.id}`, { ...body('Fees of the bank'), version: row.version });
    expect(put.body.data).toMatchObject({ name: 'Fees of the bank', direction: null, from_minor: null });
    expect((await staff.put(`${PATH}/${row.id}`, { ...body('x'), version: row.version })).status).toBe(412);
    const away = await archived(put.body.data);
    expect(away.body.data.is_archived).toBe(true);
    expect([await names(), await names('division=US&archived=true')]).toEqual([[], ['Fees of the bank']]);
    const changed = await staff.put(`${PATH}/${row.id}`, { ...body('y'), version: away.body.data.version });
    expect(changed.body.code).toBe('bank_rule.archived');
    const again = await staff.put(`${PATH}/${row.id}/restore`, { version: away.body.data.version });
    expect(again.body.data.is_archived).toBe(false);
    const { body: { data } } = await staff.get(`/api/admin/staff/activity?entity=bank_rule&entity_id=${row.id}`);
    expect(data.map(({ action }: { action: string }) => action)).toEqual(['restore', 'archive', 'update', 'create']);
    await archived(again.body.data);
  });

  it.each([
    ['no condition', { conditions: [] }, 'conditions'],
    ['an empty text', { conditions: [contains(' ')] }, 'conditions.0.value'],
    ['a pattern that cannot be read', { conditions: [contains('fee'), contains('(a', 'memo', 'regex')] },
      'conditions.1.value'],
    ['a range that runs backward', { from_minor: 500, to_minor: 100 }, 'to_minor'],
    ['no account', { ledger_account_id: null }, 'ledger_account_id'],
    ['no account of the other side', { kind: 'transfer' }, 'to_bank_account_id'],
    ['no customer', { kind: 'receipt', direction: 'in' }, 'party_id'],
    ['a receipt that goes out', { kind: 'receipt', direction: 'out', party_id: 1 }, 'direction'],
    ['an unknown bank account', { bank_account_id: 999_999 }, 'bank_account_id'],
    ['a blank name', { name: ' ' }, 'name'],
  ])('refuses %s at its field', async (_, wrong, at) => {
    const answer = await staff.post(PATH, body('Refused', wrong));
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toContain(at);
  });

  it('enters nothing on the ledger account of a bank, of a document or of another division', async () => {
    for (const account_id of [await ledger('1000'), await ledger('1100'), await ledger('6100', 'EU')]) {
      const answer = await staff.post(PATH, body('Refused', { ledger_account_id: account_id }));
      expect(Object.keys(answer.body.errors)).toEqual(['ledger_account_id']);
    }
    const elsewhere = await staff.post(PATH, body('Refused', { bank_account_id: abroad.id }));
    expect(Object.keys(elsewhere.body.errors)).toEqual(['bank_account_id']);
  });

  it('has a name of its own in its division', async () => {
    const row = await made('Rent');
    expect(Object.keys((await staff.post(PATH, body('RENT'))).body.errors)).toEqual(['name']);
    await archived(row);
    const second = await made('Rent');
    const again = await staff.put(`${PATH}/${row.id}/restore`, { version: row.version + 1 });
    expect(again.body.code).toBe('bank_rule.name_taken');
    await archived(second);
  });

  it('is read with the list of bank transactions and written with their update', async () => {
    const reader = await test.signedIn('staff_user', { permissions: ['bank_transaction.list'] });
    expect((await reader.get(PATH)).status).toBe(200);
    expect((await reader.post(PATH, body('Refused'))).status).toBe(403);
  });
});

describe('the order', () => {
  it('decides which rule takes a line, and is changed as a whole', async () => {
    const wide = await made('Wide');
    const narrow = await made('Narrow', { conditions: [contains('wire fee')], memo: 'Wire fee' });
    const wire = await line(-2_500, 'Wire fee');
    const taken = async () => (await ruleFor(test.database.db, [wire])).get(wire.id)?.name;
    expect(await taken()).toBe('Wide');
    const put = await staff.put(`${PATH}/order`, { division: 'US', ids: [narrow.id, wide.id] });
    expect(put.body.data.map(({ name }: { name: string }) => name)).toEqual(['Narrow', 'Wide']);
    expect(await taken()).toBe('Narrow');
    for (const ids of [[narrow.id], [narrow.id, narrow.id], [narrow.id, wide.id, 999_999]]) {
      expect((await staff.put(`${PATH}/order`, { division: 'US', ids })).status).toBe(422);
    }
    for (const id of [wide.id, narrow.id]) await archived((await staff.get(`${PATH}/${id}`)).body.data);
  });
});

describe('what a rule enters', () => {
  it('is told for each line that a rule of its division takes', async () => {
    const customer = await makeCustomer(test.database.db, 'US');
    const { name } = await test.database.db.one<{ name: string }>(sql`
      select name from customers where id = ${customer}`);
    const rules = [
      await made('Fee', { conditions: [contains('fee', 'name', 'equals')], direction: 'out' }),
      await made('Sweep', { kind: 'transfer', ledger_account_id: null, to_bank_account_id: other.id,
        conditions: [contains('^sweep \\d+$', 'name', 'regex')], bank_account_id: bank.id }),
      await made('Astoria', { kind: 'receipt', ledger_account_id: null, party_id: customer, direction: 'in',
        conditions: [contains('astoria')], from_minor: 10_000 }),
    ];
    const lines = [await line(-300, 'FEE'), await line(300, 'Fee'), await line(-5_000, 'Sweep 12'),
      await line(-5_000, 'Sweep 12', { at: other }), await line(20_000, 'ASTORIA PLAYERS INC'),
      await line(9_999, 'Astoria Players'), await line(-300, 'Fee', { at: abroad })];
    const found = await ruleFor(test.database.db, lines);
    expect(lines.map(({ id }) => found.get(id)?.name ?? null))
      .toEqual(['Fee', null, 'Sweep', null, 'Astoria', null, null]);
    expect(found.get(lines[4].id)).toMatchObject({ kind: 'receipt', party_type: 'customer', party_id: customer,
      party_name: name });
    expect(found.get(lines[2].id)).toMatchObject({ kind: 'transfer', to_bank_account_name: 'Savings' });
    await archived(rules[0]);
    expect((await ruleFor(test.database.db, lines)).get(lines[0].id)).toBeUndefined();
    for (const row of rules.slice(1)) await archived(row);
  });

  it('is shown before the rule is saved: the last 500 lines, and what an earlier rule takes', async () => {
    const first = await made('Coffee of Mondays', { conditions: [contains('coffee monday')] });
    const bean = [await line(-410, 'Coffee Monday'), await line(-420, 'Coffee Tuesday')];
    const run = (more: object) => staff.post(`${PATH}/dry_run`, { division: 'US', ...more });
    const rule = body('Coffee', { conditions: [contains('coffee')] });
    const { data } = (await run({ rule })).body;
    expect(data).toMatchObject({ line_count: 1, shadowed_count: 1 });
    expect(data.lines.map((one: { id: number; taken_by: string | null }) => [one.id, one.taken_by]))
      .toEqual([[bean[1].id, null], [bean[0].id, 'Coffee of Mondays']]);
    const inPlace = (await run({ rule, rule_id: first.id })).body.data;
    expect([inPlace.line_count, inPlace.shadowed_count]).toEqual([2, 0]);
    const stored = (await run({})).body.data;
    expect(stored.rules.find(({ rule_id: id }: { rule_id: number }) => id === first.id)).toMatchObject(
      { line_count: 1, shadowed_count: 0 });
    expect(await names('division=US&search=coffee')).toEqual(['Coffee of Mondays']);
    const wrong = await run({ rule: { ...rule, conditions: [contains('(', 'text', 'regex')] } });
    expect(Object.keys(wrong.body.errors)).toEqual(['rule.conditions.0.value']);
    await test.database.db.exec(sql`
      insert into bank_transactions (bank_account_id, source, position, booked_on, amount_minor, name, line_key)
      select ${bank.id}, 'manual', 1, '2026-11-03', -k, 'Filler', encode(sha256(('k' || k)::bytea), 'hex')
      from generate_series(1, 500) k`);
    expect((await run({ rule })).body.data).toMatchObject({ looked_at: 500, line_count: 0, from_on: '2026-11-03' });
  });
});
