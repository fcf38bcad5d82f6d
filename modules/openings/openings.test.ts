/** A house moves in: its balances and open documents come from files, are posted once, and can go back (X92 to X96). */
import { beforeAll, describe, expect, it } from 'vitest';
import { OPENING_KINDS } from '#kernel/ledger/opening-sets.ts';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { makeRoyaltor, makeShow } from '#modules/royalties/testing/royalty-fixtures.ts';
import { sql } from '#server/sql.ts';
import { releaseDue } from '#modules/receivables/receivables.public.server.ts';
import { command, makeLicense, testPorts } from '#tests/support/receivables.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';

const test = testApp();
const API = '/api/admin/staff';
const BOOKS = `${API}/accounting`;
const PATH = `${BOOKS}/opening_balances`;
const AS_OF = '2026-10-31';
let ann: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  ann = await test.signedIn('staff_admin');
  bob = await test.signedIn('staff_admin');
  const { db } = test.database;
  await db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
    values ('EUR', 'USD', '2026-09-01', 1.2, 'manual')`);
  const address = { country_code: 'US', thoroughfare: '1 Broadway', locality: 'New York', administrative_area: 'NY',
    postal_code: '10004' };
  for (const name of ['Harbor Players', 'O’Neill Stage', 'Twin', 'Twin']) {
    await db.exec(sql`insert into customers (name, status, divisions, default_division, default_currency,
      billing_address) values (${name}, 'active', '{US}', 'US', 'USD', ${JSON.stringify(address)})`);
  }
  data(await ann.post(`${API}/vendors`, { name: 'Harbor Printing', divisions: ['US'], default_currency: 'USD' }));
});

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
const upload = (kind: string, lines: readonly string[], more: Record<string, string> = {}, who = ann) =>
  who.call('POST', PATH, { multipart: { fields: { division: 'US', kind, as_of: AS_OF, ...more },
    file: { field: 'file', name: `${kind}.csv`, type: 'text/csv', content: Buffer.from(lines.join('\n')) } } });
const draft = async (kind: string, lines: readonly string[], more: Record<string, string> = {}) =>
  data(await upload(kind, lines, more));
const step = (who: SignedIn, set: { id: number; version: number }, name: string, more: object = {}) =>
  who.put(`${PATH}/${set.id}/${name}`, { version: set.version, ...more });
async function posted(kind: string, lines: readonly string[], more: Record<string, string> = {}) {
  return data(await step(ann, await draft(kind, lines, more), 'post'));
}
const rowsOf = async (id: number) => data(await ann.get(`${PATH}/${id}/lines`));
async function reversed(set: { id: number; version: number }) {
  const asked = data(await step(ann, set, 'reverse', { reason: 'Another file' }));
  return data(await step(bob, asked, 'reverse', { reason: 'Another file' }));
}
const broken = async () => (await ledgerIntegrity(test.database.db)).filter((row) => !row.ok);
const balance = async (code: string, division = 'US') => (await test.database.db.one<{ minor: number }>(sql`
  select coalesce(sum(e.base_amount_minor), 0)::bigint as minor from posted_entries e
    join ledger_accounts a on a.id = e.ledger_account_id where a.division = ${division} and a.code = ${code}`)).minor;

const RECEIVABLES = ['Customer,Number,Date,Due date,Amount open,Currency,Exchange rate,Description',
  'Harbor Players,4711,10/02/2026,11/02/2026,"1,284.00",,,License fee',
  "O'Neill Stage,4712,09/15/2026,,600.00,EUR,1.1,",
  'Harbor Players,,10/20/2026,,(284.00),,,Paid twice'];
const PAYABLES = ['Vendor,Number,Date,Due date,Amount open', 'Harbor Printing,HP-2201,2026-10-05,2026-11-05,600.00',
  'Harbor Printing,HP-2180,2026-09-05,,-50.00'];
// At the bank 50,600.00; check 1043 over 600.00 is not cashed.
const BANKS = ['Bank account,Balance,Reference,Date', '1000,50600.00,,', '1000,-600.00,1043,10/20/2026'];
// Receivables 1,284.00 + 660.00 - 284.00, bank 50,000.00, payables -550.00.
const LEDGER = ['Account,Name,Debit,Credit,Party', '1100,Accounts receivable,1660.00,,', '1000,Bank,50000.00,,',
  '2000,Accounts payable,,550.00,', '2300,Output VAT,,110.00,US-NY', '3100,Retained earnings,,51000.00,'];

describe('a file of opening balances', () => {
  it('keeps every row, and names row, column and text of what is wrong [X93] [X94]', async () => {
    const set = await draft('receivables', [...RECEIVABLES, 'Nobody,1,10/02/2026,,5.00,,,',
      'Twin,2,10/02/2026,,5.00,,,', 'Harbor Players,3,13/40/2026,,5.00,,,', 'Harbor Players,4,10/02/2026,,5.001,,,',
      'Harbor Players,4711,10/02/2026,,7.00,,,', 'Harbor Players,6,11/05/2026,,7.00,,,',
      'Harbor Players,INV-US-2026-000007,10/02/2026,,7.00,,,']);
    expect(set).toMatchObject({ row_count: 10, problem_count: 7, status: 'draft', date_format: 'MM/DD/YYYY' });
    expect(set.blocked).toContain('7 rows cannot be posted');
    const wrong = (await rowsOf(set.id)).filter((row: { problems: unknown[] }) => row.problems.length > 0);
    expect(wrong.map((row: { row_no: number; problems: { column: string; text: string }[] }) =>
      [row.row_no, row.problems[0]!.column, row.problems[0]!.text])).toEqual([
      [5, 'Customer', 'There is no customer "Nobody". Add it first'],
      [6, 'Customer', '2 have the name "Twin". Use the number'],
      [7, 'Date', '"13/40/2026" is no date in the form MM/DD/YYYY'],
      [8, 'Amount open', '"5.001" has more than two decimals'],
      [9, 'Number', 'Invoice 4711 is here already, or in a row before'],
      [10, 'Date', 'The date is after October 31, 2026, the day of the opening balances'],
      [11, 'Number', expect.stringContaining('Post the next numbers first')]]);
    const refused = await step(ann, set, 'post');
    expect([refused.status, refused.body.code]).toEqual([409, 'opening_set.rows']);
    expect((await ann.remove(`${PATH}/${set.id}`)).status).toBe(204);
    expect((await ann.get(`${PATH}/${set.id}`)).status).toBe(404);
  });

  it('asks how its dates are written where the cells do not say', async () => {
    const lines = ['Vendor,Number,Date,Amount open', 'Harbor Printing,9,03/04/2026,5.00'];
    const refused = await upload('payables', lines);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['date_format']]);
    const set = await draft('payables', lines, { date_format: 'DD/MM/YYYY' });
    expect(set.problem_count).toBe(0);
  });

  it.each([
    ['Amount open,Date', 'file', 'The file has no column "Customer"'],
    ['Customer,Amount open,Date', 'file', 'no rows below'],
  ])('is refused whole where nothing can be read: %s', async (head, field, text) => {
    const refused = await upload('receivables', [head]);
    expect([refused.status, refused.body.errors[field]?.[0]]).toEqual([422, expect.stringContaining(text)]);
  });

  it('has a template for each kind, which reads back without errors in its columns', async () => {
    for (const kind of OPENING_KINDS) {
      const file = await ann.get(`${BOOKS}/opening_balance_templates/${kind}`);
      const set = await draft(kind, [file.raw.toString('utf8').replace('\uFEFF', '')]);
      expect([kind, set.problem_count, set.unused]).toEqual([kind, expect.any(Number), []]);
    }
  });
});

describe('the list', () => {
  it('is found by words, contents, division and state', async () => {
    for (const [query, found] of [['search=invoices', 'receivables'], ['search=payables.csv', 'payables'],
      ['kind=banks&status=draft', 'banks'], ['division=US&kind=ledger&sort_by=as_of', 'ledger'],
      ['division=EU&sort_by=kind&sort_direction=desc', undefined]]) {
      const rows = data(await ann.get(`${PATH}?${query}`)) as { kind: string }[];
      expect([query, rows[0]?.kind, new Set(rows.map((row) => row.kind)).size <= 1]).toEqual([query, found, true]);
    }
  });
});

describe('a trial balance', () => {
  it('is refused by name of the currency in which it is off', async () => {
    const set = await draft('ledger', ['Account,Debit,Credit,Currency,Value in the books', '6200,100.00,,EUR,110.00',
      '6200,,99.99,EUR,110.00']);
    expect(set.imbalances).toEqual([{ currency: 'EUR', by_minor: 1 }]);
    const refused = await step(ann, set, 'post');
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([409, 'opening_set.unbalanced',
      expect.stringContaining('EUR 0.01 too much debit')]);
  });
});

describe('a house that moves in', () => {
  it('brings each balance once, and closes when 3999 is zero [X92] [X95]', { timeout: 120_000 }, async () => {
    const ledger = await posted('ledger', LEDGER);
    expect([await balance('3100'), await balance('2300'), await balance('1100'), await balance('3999')])
      .toEqual([-5_100_000, -11_000, 0, 5_111_000]);
    expect(ledger.controls.map((row: { account: string; trial_minor: number; documents_minor: number }) =>
      [row.account, row.trial_minor, row.documents_minor])).toEqual([['1000', 5_000_000, 0], ['1100', 166_000, 0],
      ['2000', -55_000, 0]]);
    const period = data(await ann.get(`${BOOKS}/periods?division=US&year=2026`))
      .find((row: { period: number }) => row.period === 202_610);
    const early = await ann.put(`${BOOKS}/periods/202610/close`, { division: 'US', version: period.version });
    expect([early.status, early.body.code, early.body.message]).toEqual([409, 'period.opening_balances',
      expect.stringContaining('USD 51,110.00 debit')]);
    await posted('next_numbers', ['Series,Year,Bank account,Next number', 'Invoice,2026,,501', 'Check,,1000,2044']);
    await posted('receivables', RECEIVABLES);
    await posted('payables', PAYABLES);
    expect(await balance('3999')).toBe(5_000_000);
    const banks = await posted('banks', BANKS);
    expect([banks.opening_minor, await balance('1000'), await balance('1100'), await balance('2000')])
      .toEqual([0, 5_000_000, 166_000, -55_000]);
    expect(banks.controls.every((row: { difference_minor: number }) => row.difference_minor === 0)).toBe(true);
    expect(await broken()).toEqual([]);
    const again = await step(ann, await draft('ledger', LEDGER), 'post');
    expect([again.status, again.body.code]).toEqual([409, 'opening_set.exists']);
  });

  it('has the check that was not cashed as an entry of its own beside the balance at the bank', async () => {
    const { db } = test.database;
    const account = await db.one<{ id: number; opening_minor: number }>(sql`
      select b.id, b.opening_minor from bank_accounts b join ledger_accounts a on a.id = b.ledger_account_id
      where b.division = 'US' and a.code = '1000'`);
    expect(account.opening_minor).toBe(5_060_000);
    expect(await db.query(sql`
      select t.description, e.amount_minor from transactions t join journal_entries e on e.transaction_id = t.id
        join bank_accounts b on b.ledger_account_id = e.ledger_account_id
      where b.id = ${account.id} and t.source_event = 'opening_outstanding'`)).toEqual([
      { description: 'Outstanding payment 1043 of October 20, 2026', amount_minor: -60_000 }]);
    const lost = await draft('banks', ['Bank account,Balance,Reference', '1000,-5.00,1044']);
    expect(lost.problem_count).toBe(1);
  });

  it('has open invoices without tax, aged by their dates, with their old numbers', async () => {
    const { db } = test.database;
    const invoices = await db.query(sql`
      select invoice_number, status, issued_on, due_on, currency, balance_minor, tax_minor, functional_rate,
        (select count(*)::int from invoice_tax_lines t where t.invoice_id = i.id) as boxes
      from invoices i where opening_set_id is not null order by invoice_number`);
    expect(invoices).toMatchObject([{ invoice_number: '4711', status: 'issued', due_on: '2026-11-02',
      balance_minor: 128_400, tax_minor: 0, boxes: 0 }, { invoice_number: '4712', issued_on: '2026-09-15',
      currency: 'EUR', balance_minor: 60_000 }]);
    expect(await db.query(sql`select i.due_date from open_items i join invoices v on v.open_item_id = i.id
      where v.invoice_number = '4711'`)).toEqual([{ due_date: '2026-11-02' }]);
  });

  it('goes on with the next number of each series, and never with a used one', async () => {
    const { db } = test.database;
    expect(await db.one(sql`select ledger_preview_number('US', 'invoice', '2026', 'INV-US-2026-') as n`))
      .toEqual({ n: 'INV-US-2026-000501' });
    expect(await db.one(sql`select next_check_number from bank_accounts b join ledger_accounts a
      on a.id = b.ledger_account_id where a.code = '1000' and b.division = 'US'`)).toEqual({
      next_check_number: 2_044 });
    await db.exec(sql`select ledger_take_number('UK', 'invoice', '2026', 'INV-UK-2026-')`);
    const set = await draft('next_numbers', ['Series,Year,Next number', 'Invoice,2026,1'], { division: 'UK' });
    expect((await rowsOf(set.id))[0].problems[0].text).toBe('Invoices of 2026 are in use: the next one is 2');
  });

  it('pays and credits what it brought; a set with such documents stays, by name', { timeout: 120_000 }, async () => {
    const { db } = test.database;
    const open = await db.one<{ id: number; customer_id: number }>(sql`
      select id, customer_id from invoices where invoice_number = '4711'`);
    const sets = data(await ann.get(`${PATH}?status=posted`)) as { id: number; kind: string; version: number }[];
    const of = (kind: string) => sets.find((one) => one.kind === kind)!;
    const receipt = data(await ann.post(`${BOOKS}/payments`, { customer_id: open.customer_id, division: 'US',
      currency: 'USD', amount_minor: 28_400, method: 'wire', received_on: '2026-11-10',
      apply_to: [{ invoice_id: open.id, amount_minor: 28_400 }] }));
    expect(receipt.id).toBeGreaterThan(0);
    const credited = await ann.post(`${API}/invoices/${open.id}/credit_notes`, { reason: 'Run cut short',
      on: '2026-11-12', lines: [{ invoice_item_id: (await db.one<{ id: number }>(sql`
        select id from invoice_items where invoice_id = ${open.id}`)).id, amount_minor: 10_000 }] });
    expect(credited.status, JSON.stringify(credited.body)).toBeLessThan(300);
    expect(await balance('4000')).toBe(10_000);
    expect(await db.one(sql`select balance_minor, status from invoices where id = ${open.id}`))
      .toEqual({ balance_minor: 90_000, status: 'part_paid' });
    const kept = await step(ann, of('receivables'), 'reverse', { reason: 'Wrong file' });
    expect([kept.status, kept.body.code, kept.body.names]).toEqual([409, 'opening_set.in_use', ['invoice 4711']]);
    expect(await broken()).toEqual([]);
    expect([await balance('3999'), (await step(ann, of('payables'), 'reverse', { reason: '' })).status])
      .toEqual([0, 422]);
  });

  it('refuses to void an opening bill and to return an opening credit apart from their sets', async () => {
    const { db } = test.database;
    const bill = await db.one<{ id: number; version: number }>(sql`
      select id, version from bills where vendor_number = 'HP-2201' and status = 'approved'`);
    expect((await ann.put(`${BOOKS}/bills/${bill.id}/void`, { version: bill.version, reason: 'No' })).body.code)
      .toBe('bill.opening');
    const credit = await db.one<{ id: number; version: number }>(sql`
      select id, version from payments where opening_set_id is not null`);
    const answer = await ann.put(`${BOOKS}/payments/${credit.id}/status`, { status: 'returned', reason: 'No',
      version: credit.version, on: '2026-11-12' });
    expect([answer.status, answer.body.code]).toEqual([409, 'payment.opening']);
  });
});

describe('agreements with royaltors', () => {
  it('bring what is owed, reserved and not recouped, and go back as long as no statement used it',
    { timeout: 120_000 }, async () => {
      const { db } = test.database;
      const show = await makeShow(db, []);
      const made = data(await ann.post(`${API}/show_royaltors`, { show_id: show.show_id, payer_division: 'UK',
        royaltor_id: await makeRoyaltor(db, { name: 'Ada Winter' }), currency: 'GBP', accrual_basis: 'on_invoice' }));
      data(await ann.post(`${API}/show_royaltors/${made.id}/terms`, { rate_ppm: 1_000_000,
        match_income_types: ['royalty'] }));
      const file = (head: string, amount: string) => [`Show,Royaltor,${head}`,
        `${show.show_code.toLowerCase()},ADA WINTER,${amount}`];
      const early = await draft('royaltors', file('Amount owed', '1250.00'), { division: 'UK' });
      expect((await rowsOf(early.id))[0].problems[0].text).toBe('The agreement is not in force yet');
      const { version } = data(await ann.get(`${API}/show_royaltors/${made.id}`));
      data(await ann.put(`${API}/show_royaltors/${made.id}`, { status: 'active', version }));
      const sets = [await posted('royaltors', file('Amount owed', '1250.00'), { division: 'UK' }),
        await posted('advances', file('Advance not recouped', '3000.00'), { division: 'UK' }),
        await posted('reserves', file('Reserve held', '300.00'), { division: 'UK' })];
      expect([await balance('2200', 'UK'), await balance('1150', 'UK'), await balance('2205', 'UK'),
        await balance('3999', 'UK')]).toEqual([-125_000, 300_000, -30_000, -145_000]);
      expect(await broken()).toEqual([]);
      const run = data(await ann.post(`${API}/royalty_statement_runs`, { division: 'UK', currency: 'GBP',
        period_from: '2026-10-01', period_to: '2026-11-15' }));
      expect(run.statements).toMatchObject([{ opening_minor: 125_000, reserves_released_minor: 30_000,
        recouped_minor: 155_000 }]);
      const used = await step(ann, sets[0], 'reverse', { reason: 'Wrong' });
      expect([used.status, used.body.code]).toEqual([409, 'opening_set.in_use']);
      const [statement] = run.statements;
      data(await ann.put(`${API}/royalty_statements/${statement.id}/void`, { version: statement.version,
        reason: 'Too early' }));
      for (const set of sets) await reversed(set);
      expect([await balance('3999', 'UK'), await broken()]).toEqual([0, []]);
      await posted('royaltors', file('Amount owed', '1250.00'), { division: 'UK' });
      expect(await broken()).toEqual([]);
    });
});

describe('deposits', () => {
  it('are held for their licenses, and go back as long as none was used', { timeout: 120_000 }, async () => {
    const { db } = test.database;
    const license = await makeLicense(db, 'EU');
    const { number } = await db.one<{ number: string }>(sql`select number from licenses where id = ${license.id}`);
    const file = ['License,Kind,Amount held', `${number},Security deposit,500.00`, `${number},On account,80.00`];
    const set = await posted('deposits', file, { division: 'EU' });
    expect([await balance('2150', 'EU'), await balance('2160', 'EU'), await balance('3999', 'EU'), await broken()])
      .toEqual([-50_000, -8_000, 58_000, []]);
    const [held] = data(await ann.get(`${API}/licenses/${license.id}/deposits`)) as { id: number; version: number }[];
    expect(held).toMatchObject({ status: 'held', remaining_minor: 50_000 });
    await reversed(set);
    expect([await balance('2150', 'EU'), await broken()]).toEqual([0, []]);
    const again = await posted('deposits', file, { division: 'EU' });
    const live = (data(await ann.get(`${API}/licenses/${license.id}/deposits`)) as { id: number; version: number;
      status: string; kind: string }[]).find((one) => one.status === 'held' && one.kind === 'security')!;
    data(await ann.put(`${API}/licenses/${license.id}/deposits/${live.id}/dispose`, { version: live.version,
      dispositions: [{ type: 'refund', amount_minor: 10_000, reason: 'Returned in part' }] }));
    const used = await step(ann, again, 'reverse', { reason: 'Wrong' });
    expect([used.status, used.body.names?.[0]]).toEqual([409, expect.stringContaining('deposit of')]);
    expect(await broken()).toEqual([]);
  });
});

describe('deferred income', () => {
  it('is earned on its days, and goes back as long as nothing of it was', { timeout: 120_000 }, async () => {
    const { db } = test.database;
    const file = ['Customer,Invoice number,Amount deferred,Release on,Release from', 'Harbor Players,4702,900.00,'
      + '2026-11-15,', 'Harbor Players,4703,600.00,2026-12-31,2026-11-01', 'Harbor Players,4704,5.00,2026-10-01,'];
    const wrong = await draft('deferred', file, { division: 'PROD' });
    expect((await rowsOf(wrong.id))[2].problems[0]).toMatchObject({ column: 'Release on',
      text: expect.stringContaining('earned already') });
    const set = await posted('deferred', file.slice(0, 3), { division: 'PROD' });
    expect([await balance('2100', 'PROD'), await broken()]).toEqual([-150_000, []]);
    await reversed(set);
    expect([await balance('2100', 'PROD'), await broken()]).toEqual([0, []]);
    const again = await posted('deferred', file.slice(0, 3), { division: 'PROD' });
    const asked = data(await step(ann, again, 'reverse', { reason: 'Wrong' }));
    const { id: invoice } = await db.one<{ id: number }>(sql`
      select id from invoices where invoice_number = '4702-DEF'`);
    // The nightly release is not committed yet when the second person confirms: the reversal waits for it.
    const used = await command(testPorts(db), async (ctx) => {
      await releaseDue(ctx, { up_to: '2026-11-30', invoice_id: invoice });
      const confirmed = step(bob, asked, 'reverse', { reason: 'Wrong' });
      for (let waits = false; !waits;) {
        ({ waits } = await db.one<{ waits: boolean }>(sql`
          select exists (select 1 from pg_locks where not granted) as waits`));
      }
      return { confirmed };
    }).then(({ confirmed }) => confirmed);
    expect([used.status, used.body.names]).toEqual([409, ['invoice 4702-DEF is released or credited in part']]);
    expect([await balance('2100', 'PROD'), await balance('4000', 'PROD')]).toEqual([-60_000, -90_000]);
    const later = await db.one<{ id: number }>(sql`select id from invoices where invoice_number = '4703-DEF'`);
    data(await ann.post(`${API}/invoices/${later.id}/credit_notes`, { reason: 'Run called off', on: '2026-11-12' }));
    expect([await balance('2100', 'PROD'), await broken()]).toEqual([0, []]);
  });
});

describe('a posted set', () => {
  it('goes back by two people, and its corrected file comes in again', { timeout: 120_000 }, async () => {
    const sets = data(await ann.get(`${PATH}?status=posted`)) as { id: number; kind: string; version: number }[];
    const of = (kind: string) => sets.find((one) => one.kind === kind)!;
    const asked = data(await step(ann, of('payables'), 'reverse', { reason: 'Wrong file' }));
    const alone = await step(ann, asked, 'reverse', { reason: 'Wrong file' });
    expect([alone.status, alone.body.code]).toEqual([409, 'four_eyes']);
    const kept = data(await step(bob, asked, 'decline_reversal', { reason: 'It is right' }));
    expect(kept).toMatchObject({ status: 'posted', reversal_asked: false });
    const undone = await reversed(kept);
    expect(undone).toMatchObject({ status: 'reversed', opening_minor: -55_000 });
    expect(await balance('2000')).toBe(0);
    for (const kind of ['banks', 'next_numbers', 'ledger']) await reversed(of(kind));
    // Receipts since then stay on the bank account.
    expect([await balance('1000'), await balance('3100')]).toEqual([28_400, 0]);
    expect(await broken()).toEqual([]);
    await posted('payables', PAYABLES);
    await posted('banks', BANKS);
    await posted('next_numbers', ['Series,Year,Next number', 'Invoice,2026,700']);
    await posted('ledger', LEDGER);
    expect([await balance('3999'), await broken()]).toEqual([0, []]);
  });

  it('frees the numbers of its invoices for the corrected file', async () => {
    const file = ['Customer,Number,Date,Amount open', 'Harbor Players,77,10/22/2026,9.00'];
    const more = { division: 'PROD' };
    const set = await posted('receivables', file, more);
    await reversed(set);
    expect(await test.database.db.query(sql`select status, invoice_number, reference from invoices
      where opening_set_id = ${set.id}`)).toEqual([{ status: 'void', invoice_number: null,
      reference: `77 (opening set ${set.id})` }]);
    await posted('receivables', file, more);
    expect(await broken()).toEqual([]);
  });

  it('stays after the first close, and no other is posted', { timeout: 120_000 }, async () => {
    const close = async (who: SignedIn) => {
      const period = data(await who.get(`${BOOKS}/periods?division=US&year=2026`))
        .find((row: { period: number }) => row.period === 202_610);
      return who.put(`${BOOKS}/periods/202610/close`, { division: 'US', version: period.version, note: 'Moved in' });
    };
    data(await close(ann));
    expect(data(await close(bob)).state).toBe('closed');
    const [set] = data(await ann.get(`${PATH}?status=posted&kind=banks`));
    const late = await step(ann, set, 'reverse', { reason: 'Too late' });
    expect([late.status, late.body.code]).toEqual([409, 'opening_set.closed']);
    await expect(test.database.db.exec(sql`update opening_sets set status = 'reversed', reversed_at = now(),
      reversal_asked_at = now(), reversal_reason = 'x', reversal_asked_by_id = ${ann.user_id},
      reversed_by_id = ${bob.user_id} where id = ${set.id}`)).rejects.toThrow('ACCT_PERIOD_LOCKED');
  });
});

it('goes on with the self-billing invoices of a royaltor, and never with a used one', async () => {
  const id = String(await makeRoyaltor(test.database.db, { name: 'Cleo Summer' }));
  const file = ['Series,Royaltor,Next number', 'Self-billing invoice,cleo summer,48'];
  await posted('next_numbers', file, { division: 'UK' });
  expect(await test.database.db.one(sql`select number from ledger_take_number('UK', 'self_billing', ${id},
    ${`SB-UK-${id}-`})`)).toEqual({ number: `SB-UK-${id}-000048` });
  const [row] = await rowsOf((await draft('next_numbers', file, { division: 'UK' })).id);
  expect(row.problems[0].text).toBe('Self-billing invoices of Cleo Summer are in use: the next one is 49');
});
