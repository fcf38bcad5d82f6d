import { beforeAll, describe, expect, it } from 'vitest';
import type { JournalLine, PartyType } from '#kernel/ledger/journal.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';
import { allocate, openItem, postJournal, proposeRevaluations } from '../accounting.public.server.ts';
import { ledgerIntegrity } from '../report/integrity.server.ts';

const test = testApp();
const db = () => test.database.db;
const BASE = '/api/admin/staff/accounting';
const REVALUATIONS = `${BASE}/revaluations`;
let ann: SignedIn;
let ben: SignedIn;
let customer: number;

const line = (account: string, currency: 'USD' | 'EUR' | 'GBP', amount: number, base: number, party?: PartyType):
JournalLine => ({ account, currency, amount: BigInt(amount), base: BigInt(base),
  ...(party ? { party: { type: party, id: customer } } : {}) });
const post = (kind: string, day: string, ...lines: JournalLine[]) => postJournal(db(), { division: 'US', kind,
  transaction_at: `2026-${day}`, description: kind, source: null, lines });
const rate = (base: string, on: string, value: string) => test.database.owner.exec(sql`
  insert into exchange_rates (base, quote, on_date, rate, source)
  values (${base}, 'USD', ${`2026-${on}`}, ${value}, 'manual')
  on conflict (kind, base, quote, on_date, source) do update set rate = excluded.rate`);
const preview = async (on: string) =>
  (await ann.get(`${REVALUATIONS}/preview?division=US&on=2026-${on}`)).body.data;
const ask = (on: string, who = ann) => who.post(REVALUATIONS, { division: 'US', on: `2026-${on}` });
const approve = (row: { id: number; version: number }, who = ben) =>
  who.put(`${REVALUATIONS}/${row.id}/approve`, { version: row.version });
async function revalue(on: string) {
  const asked = await ask(on);
  expect(asked.status, JSON.stringify(asked.body)).toBe(201);
  const done = await approve(asked.body.data);
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  return done.body.data;
}
const balance = async (code: string, on: string): Promise<number> => {
  const { data } = (await ann.get(`${BASE}/trial_balance?division=US&as_of=2026-${on}`)).body;
  return data.rows.find((row: { code: string }) => row.code === code).closing_minor;
};

/** EUR 1,000 sold at 1.10, 400 received at 1.12 in January. */
beforeAll(async () => {
  ann = await test.signedIn('staff_admin');
  ben = await test.signedIn('staff_admin');
  customer = await makeCustomer(db(), 'US');
  const invoice = (await post('invoice', '01-05', line('1100', 'EUR', 100_000, 110_000, 'customer'),
    line('4000', 'EUR', -100_000, -110_000))).transaction_id;
  const receipt = (await post('receipt', '01-20', line('1001', 'EUR', 40_000, 44_800),
    line('1100', 'EUR', -40_000, -44_800, 'customer'))).transaction_id;
  const item = async (id: number) => (await openItem(db(), { transaction_id: id, account: '1100' })).id;
  await allocate(db(), { debit_item_id: await item(invoice), credit_item_id: await item(receipt),
    amount_minor: 40_000n, allocated_at: '2026-01-20', actor_id: null });
  // Tax is owed in dollars from its tax point on, whatever the document's currency: it is never revalued.
  const { id: authority } = await test.database.owner.one<{ id: number }>(sql`insert into tax_authorities
    (jurisdiction, name) values ('US-NY', 'New York') on conflict (jurisdiction) do update set name = excluded.name
    returning id`);
  await post('invoice', '01-06', line('4000', 'EUR', 8_000, 8_800),
    { ...line('2310', 'EUR', -8_000, -8_800), party: { type: 'tax_authority', id: authority } });
  await rate('EUR', '01-30', '1.08');
}, 900_000);

describe('a revaluation', () => {
  it('is seen before: balances, rate, gain or loss, and the open documents', async () => {
    const seen = await preview('01-31');
    expect(seen).toMatchObject({ on: '2026-01-31', reversed_on: '2026-02-01', gain_minor: -2_800, missing: [],
      existing: null, unreversed: [] });
    expect(seen.lines.map((one: { account: string; balance_minor: number; carried_minor: number; gain_minor: number;
      rate_on: string }) => [one.account, one.balance_minor, one.carried_minor, one.gain_minor, one.rate_on])).toEqual([
      ['1001', 40_000, 44_800, -1_600, '2026-01-30'], ['1100', 60_000, 66_000, -1_200, '2026-01-30']]);
    expect(seen.items).toMatchObject([{ account: '1100', open_minor: 60_000, carried_minor: 66_000,
      gain_minor: -1_200 }]);
  });

  it('is posted by a second person, on the day, and taken back on the next', async () => {
    const asked = (await ask('01-31')).body.data;
    expect(asked).toMatchObject({ status: 'waiting', gain_minor: -2_800, transaction_id: null });
    expect((await approve(asked, ann)).body.code).toBe('four_eyes');
    expect((await ask('01-31', ben)).body.code).toBe('revaluation.waiting');
    const answers = await Promise.all([approve(asked), approve(asked), approve(asked)]);
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409, 409]);
    expect(await Promise.all(['1100', '1001', '7010'].map((code) => balance(code, '01-31'))))
      .toEqual([64_800, 43_200, 2_800]);
    expect(await Promise.all(['1100', '1001', '7010'].map((code) => balance(code, '02-01'))))
      .toEqual([66_000, 44_800, 0]);
  });

  it('is nothing the second time; after the rate changed it is the difference, posted once', async () => {
    expect((await ask('01-31')).body.code).toBe('revaluation.nothing');
    await rate('EUR', '01-30', '1.09');
    const made = await revalue('01-31');
    expect(made).toMatchObject({ gain_minor: 1_000, corrects_id: expect.any(Number) });
    expect([await balance('1100', '01-31'), await balance('7010', '01-31'), await balance('7010', '02-01')])
      .toEqual([65_400, 1_800, 0]);
  });

  it('of the next month measures from the books, not from the last rate', async () => {
    await rate('EUR', '02-27', '1.12');
    const { lines } = await preview('02-28');
    expect(lines.map((one: { account: string; gain_minor: number }) => [one.account, one.gain_minor]))
      .toEqual([['1001', 0], ['1100', 1_200]]);
    expect(await revalue('02-28')).toMatchObject({ gain_minor: 1_200 });
    expect(await balance('1100', '02-28')).toBe(67_200);
  });

  it('says by name which rate is missing, and asks nothing so long', async () => {
    await post('bank_entry', '03-02', line('1500', 'GBP', 10_000, 12_700, 'division'),
      line('4400', 'GBP', -10_000, -12_700));
    expect((await preview('03-31')).missing).toEqual([{ currency: 'EUR', last_on: '2026-02-27' },
      { currency: 'GBP', last_on: null }]);
    const refused = await ask('03-31');
    expect(refused.body).toMatchObject({ code: 'revaluation.rate_missing', currencies: ['EUR', 'GBP'] });
    expect(refused.body.message).toContain('Enter the rate of GBP in USD for March 31, 2026.');
  });

  it('that was asked for before the books changed is not posted', async () => {
    await rate('EUR', '03-31', '1.10');
    await rate('GBP', '03-31', '1.30');
    const asked = (await ask('03-31')).body.data;
    expect(asked.gain_minor).toBe(-800 + 300);
    await rate('EUR', '03-31', '1.11');
    expect((await approve(asked)).body.code).toBe('revaluation.changed');
    expect((await ben.put(`${REVALUATIONS}/${asked.id}/withdraw`, { version: asked.version })).body.code)
      .toBe('revaluation.not_yours');
    const declined = await ben.put(`${REVALUATIONS}/${asked.id}/decline`, { reason: 'The rate was wrong' });
    expect(declined.body.data).toMatchObject({ status: 'declined', decline_reason: 'The rate was wrong' });
    const again = (await ask('03-31')).body.data;
    const withdrawn = await ann.put(`${REVALUATIONS}/${again.id}/withdraw`, { version: again.version });
    expect(withdrawn.body.data.status).toBe('withdrawn');
    await revalue('03-31');
  });

  it('is of the last day of a month that is over', async () => {
    expect((await ask('04-29')).body.errors).toEqual({ on: ['Choose the last day of a month'] });
    expect((await ask('12-31')).body.errors).toEqual({ on: ['Choose a month that is over'] });
  });
});

describe('the database', () => {
  const insert = (status: string, corrects: number | null) => test.database.owner.exec(sql`
    insert into revaluations (division, revalued_on, corrects_id, status, gain_minor, requested_by_id)
    values ('US', '2026-01-31', ${corrects}, ${status}, 1, ${ann.user_id})`);

  it('has one of a division and a day, one correction of each, and none without its posting', async () => {
    await expect(insert('waiting', null)).rejects.toThrow('revaluations_once');
    const { id } = await db().one<{ id: number }>(sql`select min(id) as id from revaluations where status = 'posted'`);
    await expect(insert('waiting', id)).rejects.toThrow('revaluations_corrected_once');
    await expect(test.database.owner.exec(sql`update revaluations set gain_minor = 5 where id = ${id}`))
      .rejects.toThrow('a decided revaluation is not changed');
    const { mirror } = await db().one<{ mirror: number }>(sql`
      select reversal_id as mirror from revaluations where id = ${id}`);
    const undone = await ann.post(`${BASE}/transactions/${mirror}/reverse`, { reason: 'Mistake',
      transaction_at: '2026-02-02', version: 1 });
    expect([409, 422]).toContain(undone.status);
  });

  it('finds every invariant whole', async () => {
    await db().query(sql`select ledger_chain_extend()`);
    expect((await ledgerIntegrity(db())).filter((one) => !one.ok)).toEqual([]);
  });
});

describe('[A100] exchange gains and losses', () => {
  const report = async (span: string) =>
    (await ann.get(`${BASE}/reports/exchange_gains_losses?division=US&${span}`)).body.data;

  it('are realized by document and rate, unrealized by account and party, and equal their accounts', async () => {
    const january = await report('from=2026-01-01&to=2026-01-31');
    expect(january).toMatchObject({ realized_minor: 800, unrealized_minor: -1_800 });
    expect(january.realized).toMatchObject([{ account: '1100', currency: 'EUR', settled_minor: 40_000,
      document_rate: '1.1', settlement_rate: '1.12', gain_minor: 800 }]);
    expect(january.realized[0].party_name).not.toBeNull();
    expect(january.unrealized.map((one: { account: string; gain_minor: number }) => [one.account, one.gain_minor]))
      .toEqual([['1001', -1_200], ['1100', -600]]);
    const february = await report('from=2026-02-01&to=2026-02-28');
    expect(february.unrealized_minor).toBe(1_800 + 1_200);
    for (const one of [january, february, await report('from=2026-01-01&to=2026-12-31')]) {
      expect(one.checks.map((check: { ok: boolean }) => check.ok)).toEqual([true, true]);
    }
  });
});

describe('a month that is over', () => {
  it('is done without a revaluation where every balance stands at the rate of its day', async () => {
    const left = async () => (await ann.get(`${BASE}/close_checklist?division=PROD&period=202610`)).body.data.items
      .find((one: { key: string }) => one.key === 'revaluation');
    await rate('EUR', '10-30', '1.15');
    const { transaction_id } = await postJournal(db(), { division: 'PROD', kind: 'invoice',
      transaction_at: '2026-10-30', description: 'At the rate of the day', source: null, lines: [
        { account: '1100', currency: 'EUR', amount: 1_001n, base: 1_151n, party: { type: 'customer', id: customer } },
        { account: '4000', currency: 'EUR', amount: -1_001n, base: -1_151n }] });
    expect(transaction_id).toBeGreaterThan(0);
    const preview = (await ann.get(`${REVALUATIONS}/preview?division=PROD&on=2026-10-31`)).body.data;
    expect([preview.gain_minor, preview.lines.length]).toEqual([0, 1]);
    expect(await left()).toMatchObject({ state: 'done', detail: '' });
  });

  it('is proposed once to those who may ask for it, and stands in their task list until it is revalued', async () => {
    const clerk = await test.signedIn('staff_user', { permissions: ['transaction.update', 'transaction.list'] });
    const notices = async (): Promise<string[]> =>
      (await clerk.get('/api/admin/staff/notifications?kind=closing.due&per_page=50')).body
      .data.map((one: { title: string }) => one.title);
    await proposeRevaluations(test.ports);
    await proposeRevaluations(test.ports);
    expect((await notices()).filter((title) => title.includes('US'))).toEqual([
      'Revalue foreign balances of US on October 31, 2026', 'Close October 2026 of US']);
    const todo = async () => (await clerk.get('/api/admin/staff/dashboard?division=US')).body.data.todo?.rows
      .filter((row: { kind: string }) => row.kind === 'revaluation')
      .map((row: { due_on: string; href: string }) => {
        expect(row.href).toBe('/admin/accounting/revaluations/create?division=US&on=2026-10-31');
        return row.due_on;
      }) ?? [];
    expect(await todo()).toEqual(['2026-11-10']);
    const left = async () => (await ann.get(`${BASE}/close_checklist?division=US&period=202610`)).body.data.items
      .find((one: { key: string }) => one.key === 'revaluation').detail;
    expect(await left()).toBe('Balances in other currencies are not revalued');
    await rate('EUR', '10-30', '1.15');
    await rate('GBP', '10-30', '1.31');
    await revalue('10-31');
    expect([await todo(), await left()]).toEqual([[], '']);

    // A late posting dated in the month, and a corrected rate, make it due again; the correction settles it.
    await post('receipt', '10-30', line('1001', 'EUR', 1_000, 1_100), line('4400', 'EUR', -1_000, -1_100));
    const changed = 'Balances or rates have changed since the revaluation';
    expect([await todo(), await left()]).toEqual([['2026-11-10'], changed]);
    await revalue('10-31');
    expect([await todo(), await left()]).toEqual([[], '']);
    await rate('GBP', '10-30', '1.32');
    expect([await todo(), await left()]).toEqual([['2026-11-10'], changed]);
    await rate('GBP', '10-30', '1.31');
    expect([await todo(), await left()]).toEqual([[], '']);
  });

  it('and not closed is a task with its division and month, until somebody asks to close it', async () => {
    const clerk = await test.signedIn('staff_user', { permissions: ['transaction.update', 'transaction.list'] });
    const months = async (division: string) => (await clerk.get(`/api/admin/staff/dashboard?division=${division}`)).body
      .data.todo?.rows.filter((row: { kind: string }) => row.kind === 'month_close') ?? [];
    expect(await months('EU')).toEqual([]);
    expect(await months('US')).toMatchObject([{ title: 'Close October 2026', due_on: '2026-11-10', late: true,
      detail: '9 earlier months are open too', href: '/admin/accounting/close?division=US&period=202610' }]);
    const close = async (who: SignedIn) => {
      const { data } = (await ann.get(`${BASE}/periods?division=US&year=2026`)).body;
      const { version } = data.find((row: { period: number }) => row.period === 202610);
      return who.put(`${BASE}/periods/202610/close`, { division: 'US', version, note: 'Statements are late' });
    };
    await db().query(sql`select ledger_chain_extend()`);
    const asked = await close(ann);
    expect(asked.status, JSON.stringify(asked.body)).toBe(200);
    expect(await months('US')).toMatchObject([{ title: 'Close September 2026' }]);
    expect((await close(ben)).status).toBe(200);
    expect(await months('US')).toMatchObject([{ title: 'Close September 2026' }]);
  });
});
