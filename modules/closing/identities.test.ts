/**
 * Random books of three divisions against their reports: each balance sheet balances, alone and consolidated, each
 * figure is the sum of what it leads to, and the boxes of VAT come to the tax accounts. Sums beside them are read from
 * the lines themselves, not from the balances that the reports read.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Body } from '#db/demo/client.ts';
import { addDays, addMonths, endOfMonth } from '#kernel/calendar/calendar.ts';
import type { JournalDraft, JournalLine, PartyType } from '#kernel/ledger/journal.ts';
import { postJournal, postJournals, reverseTransaction } from '#modules/accounting/accounting.public.server.ts';
import type { StatementTable } from '#modules/accounting/report/statement-table.contract.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { addUp, drill } from '#tests/support/drill.ts';
import { runsOf, timeOf } from '#tests/support/full.ts';

const test = testApp();
const BOOKS = '/api/admin/staff/accounting';
const FIRST = '2025-11-01';
const MONTHS = Array.from({ length: 7 }, (_, at) => endOfMonth(addMonths('2025-10-01', at)));
const HOUSES = { US: { own: 'USD', foreign: 'EUR' }, UK: { own: 'GBP', foreign: 'EUR' },
  EU: { own: 'EUR', foreign: 'GBP' } } as const;
type House = keyof typeof HOUSES;
const CODES = Object.keys(HOUSES) as House[];
let ann: SignedIn;
let authority = 0;
const taxCodes = new Map<string, number>();
const divisions = new Map<string, number>();

const EVENTS = ['sale', 'bill', 'receipt', 'payment', 'capital', 'fee', 'bad_debt', 'foreign_sale', 'foreign_receipt',
  'realized', 'revaluation', 'closing', 'between'] as const;
interface Event { kind: (typeof EVENTS)[number]; house: House; on: string; minor: number; share: number;
  reversed: boolean }

const days = fc.integer({ min: 0, max: 180 }).map((count) => addDays(FIRST, count));
/** Every kind of event in every division, so that one run has them all. */
const books: fc.Arbitrary<Event[]> = fc.tuple(...CODES.flatMap((house) => EVENTS.map((kind): fc.Arbitrary<Event> =>
  fc.record({ kind: fc.constant(kind), house: fc.constant(house), on: days, minor: fc.integer({ min: 1, max: 999_999 }),
    share: fc.integer({ min: 0, max: 100 }), reversed: fc.nat({ max: 5 }).map((one) => one === 0) }))))
  .chain((events) => fc.shuffledSubarray(events, { minLength: events.length }));

/** Lines of an event; `share` of a hundred is its tax, its rate or its exchange difference. */
function linesOf({ kind, house, minor, share }: Event): [string, JournalLine[]] {
  const { own, foreign } = HOUSES[house];
  const line = (account: string, amount: number, party?: PartyType): JournalLine => ({ account, currency: own,
    amount: BigInt(amount), base: BigInt(amount), ...(party ? { party: { type: party, id: 7 } } : {}) });
  const abroad = (account: string, amount: number, base: number, party?: PartyType): JournalLine =>
    ({ ...line(account, amount, party), currency: foreign, base: BigInt(base) });
  const part = Math.floor(minor * share / 100);
  const worth = minor + part;
  const tax = (account: string, sign: 1 | -1): JournalLine[] => (house === 'US' || part === 0 ? [] : [{
    ...line(account, sign * part), party: { type: 'tax_authority', id: authority }, tax_base: BigInt(sign * minor),
    tax_code_id: taxCodes.get(house)! }]);
  const gross = house === 'US' ? minor : worth;
  const difference = (account: string, other: JournalLine): [JournalLine, JournalLine] =>
    [other, line(account, -Number(other.base))];
  switch (kind) {
    case 'sale': return ['invoice', [line('1100', gross, 'customer'), line('4010', -minor), ...tax('2300', -1)]];
    case 'bill': return ['bill', [line('6200', minor), ...tax('1300', 1), line('2000', -gross, 'vendor')]];
    case 'receipt': return ['receipt', [line('1000', minor), line('1100', -minor, 'customer')]];
    case 'payment': return ['payment', [line('2000', minor, 'vendor'), line('1000', -minor)]];
    case 'capital': return ['bank_entry', [line('1000', minor), line('3100', -minor)]];
    case 'fee': return ['bank_entry', [line('6100', minor), line('1000', -minor)]];
    case 'bad_debt': return ['write_off', [line('6000', minor), line('1100', -minor, 'customer')]];
    case 'foreign_sale': return ['invoice', [abroad('1100', minor, worth, 'customer'), abroad('4000', -minor, -worth)]];
    case 'foreign_receipt':
      return ['receipt', [abroad('1001', minor, worth), abroad('1100', -minor, -worth, 'customer')]];
    case 'realized': return ['fx', difference('7000', abroad('1100', 0, part - 50 || 1, 'customer'))];
    case 'revaluation': return ['revaluation', [...difference('7010', abroad('1001', 0, part - 50 || 1)),
      ...difference('7010', abroad('1100', 0, minor, 'customer'))]];
    // A closing entry and an entry between divisions have lines of their own.
    default: return [kind, []];
  }
}

let groups = 1_000;
/** One division is owed what another bears, each in its own currency and at its own rate. */
function pairOf({ house, minor, share, on }: Event): JournalDraft[] {
  const other = CODES[(CODES.indexOf(house) + 1) % CODES.length]!;
  const currency = HOUSES[house].own;
  const base = minor + Math.floor(minor * share / 100);
  const line = (account: string, amount: number, value: number, party?: House): JournalLine => ({ account, currency,
    amount: BigInt(amount), base: BigInt(value), ...(party ? { party: { type: 'division' as const,
      id: divisions.get(party)! } } : {}) });
  const draft = { kind: 'intercompany', transaction_at: on, description: 'Hosting', source: null,
    intercompany_group_id: groups += 1 };
  return [{ ...draft, division: house, lines: [line('1500', minor, minor, other), line('1000', -minor, -minor)] },
    { ...draft, division: other, lines: [line('6200', minor, base), line('2500', -minor, -base, house)] }];
}

const YEAR_END = '2025-12-31';
const closed = new Set<House>();
/** Income and expense of the year go to retained earnings, as a closing entry does it. */
async function closeYear(db: Queryable, house: House): Promise<void> {
  closed.add(house);
  const left = await db.query<{ code: string; minor: number }>(sql`
    select a.code, sum(e.base_amount_minor)::bigint as minor from posted_entries e
      join ledger_accounts a on a.id = e.ledger_account_id
    where a.division = ${house} and a.class in ('income', 'expense') and e.transaction_at <= ${YEAR_END}
    group by 1 having sum(e.base_amount_minor) <> 0`);
  const lines = [...left.map((one) => ({ account: one.code, amount: -BigInt(one.minor) })),
    { account: '3100', amount: left.reduce((total, one) => total + BigInt(one.minor), 0n) }]
    .filter((one) => one.amount !== 0n);
  if (lines.length === 0) return;
  await postJournal(db, { division: house, kind: 'year_end_close', transaction_at: YEAR_END, description: 'Closing',
    source: null, lines: lines.map((one) => ({ ...one, base: one.amount, currency: HOUSES[house].own })) });
}

async function post(db: Queryable, of: Event): Promise<void> {
  if (of.kind === 'closing') return closeYear(db, of.house);
  if (of.kind === 'between') {
    await postJournals(db, pairOf(of));
    return;
  }
  const [kind, posted] = linesOf(of);
  const { transaction_id } = await postJournal(db, { division: of.house, kind, transaction_at: of.on,
    description: kind, source: null, lines: posted });
  if (of.reversed) {
    await reverseTransaction(db, { transaction_id, transaction_at: addDays(of.on, of.share % 40),
      reason: 'Entered twice', document: null, actor_id: null });
  }
}

async function read(path: string): Promise<Body> {
  const { status, body } = await ann.get(path);
  expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200);
  return body.data;
}
const statement = (query: Record<string, string>): Promise<StatementTable> =>
  read(`${BOOKS}/reports/statements?${new URLSearchParams(query)}`);
const amount = (table: StatementTable, key: string): number => table.rows.find((row) => row.key === key)
  ?.amounts.at(-1) ?? 0;
const sum = (rows: readonly Body[], field: string): number =>
  rows.reduce((total: number, row: Body) => total + row[field], 0);

/** Debits less credits of some accounts, from the lines. */
async function lines(house: House, of: { from?: string; to: string; keys?: string[]; classes?: string[] }) {
  return (await test.database.db.one<{ minor: number }>(sql`
    select coalesce(sum(e.base_amount_minor), 0)::bigint as minor from posted_entries e
      join ledger_accounts a on a.id = e.ledger_account_id
    where a.division = ${house} and e.transaction_at between ${of.from ?? '1900-01-01'} and ${of.to}
      and (a.system_key = any (${of.keys ?? []}::text[]) or a.class = any (${of.classes ?? []}::text[]))`)).minor;
}

async function balances(house: House, span: { from: string; to: string }): Promise<void> {
  const sheet = await statement({ statement: 'balance_sheet', division: house, ...span });
  expect(sheet.checks.map((one) => one.ok)).toEqual([true]);
  expect(amount(sheet, 'assets')).toBe(amount(sheet, 'liabilities') + amount(sheet, 'equity'));
  expect(amount(sheet, 'assets')).toBe(await lines(house, { to: span.to, classes: ['asset'] }));
  expect(amount(sheet, 'liabilities') + 0).toBe(-await lines(house, { to: span.to, classes: ['liability'] }) + 0);
}

/** Each figure of the three statements, and sums of what stands above them. */
async function drilled(house: House, span: { from: string; to: string }): Promise<void> {
  for (const name of ['profit_loss', 'balance_sheet', 'cash_flows']) {
    const table = await statement({ statement: name, division: house, ...span });
    expect(table.checks.filter((one) => !one.ok), name).toEqual([]);
    addUp(table);
    await drill(read, table);
    if (name !== 'cash_flows') continue;
    expect(amount(table, 'cash:direct')).toBe(amount(table, 'cash:operations'));
    const change = amount(table, 'cash:operations') + amount(table, 'cash:investing') + amount(table, 'cash:financing')
      + amount(table, 'exchange');
    expect(amount(table, 'cash:change')).toBe(change);
    expect(amount(table, 'cash:closing')).toBe(amount(table, 'cash:opening') + change);
  }
}

/** Both parts are the sums of their rows, and what profit and loss says of the two accounts. */
async function exchange(house: House, span: { from: string; to: string }): Promise<void> {
  const query = new URLSearchParams({ division: house, ...span, per_page: '100' });
  const report = await read(`${BOOKS}/reports/exchange_gains_losses?${query}`);
  const rows: Body[] = [...report.realized];
  for (let page = 2; page <= report.last_page; page += 1) {
    rows.push(...(await read(`${BOOKS}/reports/exchange_gains_losses?${query}&page=${page}`)).realized);
  }
  expect(report.checks.filter((one: Body) => !one.ok)).toEqual([]);
  expect([sum(rows, 'gain_minor'), sum(report.unrealized, 'gain_minor')])
    .toEqual([report.realized_minor, report.unrealized_minor]);
  const profit = await statement({ statement: 'profit_loss', division: house, ...span });
  const of = (code: string): number => profit.rows.find((row) => row.code === code)?.amounts[0] ?? 0;
  expect([report.realized_minor, report.unrealized_minor]).toEqual([of('7000'), of('7010')]);
}

/** Boxes of tax are the sums of their lines, and together what stands on the accounts of VAT. */
async function boxes(house: 'UK' | 'EU', span: { from: string; to: string }): Promise<void> {
  const query = new URLSearchParams({ division: house, ...span });
  const report = await read(`${BOOKS}/reports/uk_vat?${query}`);
  const behind = async (box: string) => read(`${BOOKS}/reports/uk_vat/items?${query}&box=${box}&per_page=100`);
  const said = (box: string): number => report.boxes.find((one: Body) => one.box === box).amount_minor;
  const [output, input] = house === 'UK' ? ['1', '4'] as const : ['T1', 'T2'] as const;
  expect([sum(await behind(output), 'tax_minor'), sum(await behind(input), 'tax_minor')])
    .toEqual([said(output), said(input)]);
  expect(said(output) - said(input)).toBe(report.net_minor);
  expect(report.net_minor + 0).toBe(-await lines(house, { ...span, keys: ['vat_output', 'vat_input'] }) + 0);
  if (house === 'UK') {
    expect([said('6'), said('7')]).toEqual([sum(await behind('6'), 'net_minor'), sum(await behind('7'), 'net_minor')]
      .map((minor) => Math.trunc(minor / 100) * 100 + 0));
  }
}

async function consolidated(span: { from: string; to: string }): Promise<void> {
  for (const name of ['balance_sheet', 'cash_flows', 'profit_loss']) {
    const table = await statement({ statement: name, scope: 'group', division: 'US', ...span });
    expect(table.checks.filter((one) => !one.ok), name).toEqual([]);
    if (name === 'balance_sheet') {
      expect(amount(table, 'assets')).toBe(amount(table, 'liabilities') + amount(table, 'equity'));
    }
    for (const row of table.rows.filter((one) => one.kind !== 'group')) {
      expect(row.amounts.at(-1), row.title).toBe(row.amounts.slice(0, -1).reduce((total, one) => total + one, 0));
    }
  }
}

beforeAll(async () => {
  ann = await test.signedIn('staff_admin');
  const { db, owner } = test.database;
  authority = (await owner.one<{ id: number }>(sql`insert into tax_authorities (jurisdiction, name)
    values ('GB', 'HMRC') on conflict (jurisdiction) do update set name = excluded.name returning id`)).id;
  for (const row of await db.query<{ id: number; division: string }>(sql`
    select id, division from tax_codes where code = 'STANDARD'`)) taxCodes.set(row.division, row.id);
  for (const row of await db.query<{ id: number; code: string }>(sql`select id, code from divisions`)) {
    divisions.set(row.code, row.id);
  }
  await owner.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source, kind)
    select x.base, 'USD', d::date, x.rate + extract(day from d) * 0.01, x.source, x.kind
    from generate_series('2025-10-01'::date, '2026-06-30', interval '1 day') d,
      (values ('GBP', 1.25, 'manual', 'daily'), ('EUR', 1.08, 'manual', 'daily'),
        ('GBP', 1.26, 'hmrc', 'month_average'), ('EUR', 1.07, 'hmrc', 'month_average')) x (base, rate, source, kind)
    where x.kind = 'daily' or d = date_trunc('month', d) + interval '1 month -1 day'`);
});

it('random books agree with every report, and every report with what it leads to', async () => {
  const months = fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 5 })).map(([one, two]) => ({
    from: addDays(MONTHS[Math.min(one, two)]!, 1), to: MONTHS[Math.max(one, two) + 1]! }));
  const span = fc.tuple(fc.nat({ max: 60 }), fc.integer({ min: 30, max: 150 })).map(([start, length]) =>
    ({ from: addDays(FIRST, start), to: addDays(FIRST, start + length) }));
  await fc.assert(fc.asyncProperty(books, span, months, fc.constantFrom(...CODES),
    async (events, of, whole, house) => {
      await test.database.db.tx(async (db) => {
        for (const one of events) await post(db, one);
        // Later postings of a closed year are closed too: the balance sheet then has no result of that year.
        for (const each of closed) await closeYear(db, each);
      });
      for (const each of CODES) await balances(each, of);
      for (const each of CODES) await exchange(each, of);
      await drilled(house, of);
      for (const each of ['UK', 'EU'] as const) await boxes(each, of);
      await consolidated(whole);
    }), { numRuns: runsOf(1), endOnFailure: true });
}, timeOf(60_000));
