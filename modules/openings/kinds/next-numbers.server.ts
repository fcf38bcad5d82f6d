/** Next numbers of series from the former books. Nothing is posted; a used number is never issued again. */
import { seriesOf, startSeries, type SeriesState } from '#modules/accounting/accounting.public.server.ts';
import { checkNumbersOf, startCheckNumbers } from '#modules/banking/banking.public.server.ts';
import type { Cells } from '#modules/data-exchange/imports/kinds/cells.ts';
import { fail } from '#modules/data-exchange/imports/read-cell.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { partiesBy, type FoundParty } from '../find-parties.server.ts';
import { Names, openingKind, type Made, type SetFacts } from '../opening-kind.server.ts';
import { shortText } from '../opening-rows.ts';

const SERIES = ['invoice', 'credit_note', 'journal', 'check', 'self_billing'] as const;
type Series = (typeof SERIES)[number];
/** Of a year; the others are of a bank account or of a royaltor. */
type YearSeries = Exclude<Series, 'check' | 'self_billing'>;
const PREFIX: Readonly<Record<YearSeries, string>> = { invoice: 'INV', credit_note: 'CN',
  journal: 'JE' };
const NOUNS: Readonly<Record<Series, string>> = { invoice: 'Invoices', credit_note: 'Credit notes',
  journal: 'Journals', check: 'Checks', self_billing: 'Self-billing invoices' };

interface Row { series: Series; year: string; account: string; royaltor: string; next: number }
interface Account { id: number; name: string; used_through: number | null }
interface Book { series: Map<string, SeriesState>; accounts: Names<Account>; royaltors: Names<FoundParty>;
  year: string; highest: Map<string, number>;
  named: Set<string> }
type Subject = { kind: Exclude<Series, 'check'>; scope: string; prefix: string; next: number }
  | { bank_account_id: number; next: number };

const MOST = 999_999_999;

function read(cells: Cells): Row {
  const series = cells.choice('series', SERIES);
  const year = shortText(cells, 'year', 4);
  if (year !== '' && !/^\d{4}$/.test(year)) fail('unreadable_number', `"${year}" is no year`, 'year', year);
  const next = cells.count('next', MOST) ?? fail('missing_value', 'Next number is empty', 'next', '');
  if (next < 1) fail('unreadable_number', 'A series begins with 1 at least', 'next', String(next));
  return { series, year, next, account: shortText(cells, 'bank_account', 200),
    royaltor: shortText(cells, 'royaltor', 200) };
}

async function book(db: Queryable, set: SetFacts): Promise<Book> {
  const { start } = await db.one<{ start: number }>(sql`
    select fiscal_year_start_month as start from divisions where code = ${set.division}`);
  const year = String(Number(set.as_of.slice(0, 4)) + (start > 1 && Number(set.as_of.slice(5, 7)) >= start ? 1 : 0));
  const accounts = new Names<Account>();
  for (const row of await checkNumbersOf(db, set.division)) {
    for (const word of [row.name, row.ledger_code]) accounts.add(word, row);
  }
  const highest = await db.query<{ prefix: string; n: number }>(sql`
    select substring(invoice_number from '^[A-Z]+-[A-Z]+-[0-9]{4}-') as prefix,
      max(substring(invoice_number from '[0-9]+$')::numeric)::bigint as n
    from invoices where division = ${set.division} and invoice_number ~ '^[A-Z]+-[A-Z]+-[0-9]{4}-[0-9]{1,9}$'
    group by 1`);
  return { series: new Map((await seriesOf(db, set.division)).map((row) => [`${row.kind} ${row.scope}`, row])),
    accounts, royaltors: (await partiesBy(db, new Set(['royaltor']))).get('royaltor')!, year,
    highest: new Map(highest.map((row) => [row.prefix, row.n])), named: new Set() };
}

function judge(row: Row, book: Book, set: SetFacts) {
  const judged = row.series === 'check' ? ofChecks(row, book, set)
    : row.series === 'self_billing' ? ofSelfBilling(row, book, set) : ofYear(row, row.series, book, set);
  if (book.named.has(judged.label)) fail('taken', `${judged.label} are in a row before`, 'series', row.series);
  book.named.add(judged.label);
  return { subject: judged.subject, brought: { label: `${judged.label}: next is ${row.next}`, account: null,
    currency: null, amount: null, base: null } };
}

function ofChecks(row: Row, book: Book, set: SetFacts): { label: string; subject: Subject } {
  if (row.account === '') fail('missing_value', 'Name the bank account of the series', 'bank_account', '');
  const account = book.accounts.one(row.account, 'bank_account', `open bank account of ${set.division}`);
  if (account.used_through !== null) {
    fail('taken', `Checks of ${account.name} are in use through ${account.used_through}`, 'next', String(row.next));
  }
  return { label: `${NOUNS.check} of ${account.name}`, subject: { bank_account_id: account.id, next: row.next } };
}

/** Each supplier has a series of its own, as issued statements number them. */
function ofSelfBilling(row: Row, book: Book, set: SetFacts): { label: string; subject: Subject } {
  if (row.royaltor === '') fail('missing_value', 'Name the royaltor of the series', 'royaltor', '');
  const royaltor = book.royaltors.one(row.royaltor, 'royaltor', 'royaltor');
  const label = `${NOUNS.self_billing} of ${royaltor.name}`;
  const scope = String(royaltor.id);
  refuseUsed(row, label, book.series.get(`self_billing ${scope}`));
  return { label, subject: { kind: 'self_billing', scope, prefix: `SB-${set.division}-${scope}-`, next: row.next } };
}

function refuseUsed(row: Row, label: string, state: SeriesState | undefined): void {
  if (state && state.next > state.first) {
    fail('taken', `${label} are in use: the next one is ${state.next}`, 'next', String(row.next));
  }
}

function ofYear(row: Row, kind: YearSeries, book: Book, set: SetFacts):
{ label: string; subject: Subject } {
  const scope = row.year === '' ? book.year : row.year;
  const prefix = `${PREFIX[kind]}-${set.division}-${scope}-`;
  refuseUsed(row, `${NOUNS[kind]} of ${scope}`, book.series.get(`${kind} ${scope}`));
  const highest = book.highest.get(prefix);
  if (highest !== undefined && row.next <= highest) {
    fail('taken', `${prefix}${String(highest).padStart(6, '0')} is used already: the next one is ${highest + 1} at `
      + 'least', 'next', String(row.next));
  }
  return { label: `${NOUNS[kind]} of ${scope}`, subject: { kind, scope, prefix, next: row.next } };
}

export const nextNumbersKind = openingKind<Row, Book, Subject>({
  kind: 'next_numbers', read, book, judge,
  async post(ctx, set, rows) {
    const made: Made[] = [];
    for (const { row_no, subject } of rows) {
      if ('bank_account_id' in subject) {
        await startCheckNumbers(ctx, subject.bank_account_id, subject.next);
        made.push({ row_no, type: 'bank_account', id: subject.bank_account_id, transaction_id: null });
      } else {
        await startSeries(ctx.db, { division: set.division, ...subject, first: subject.next });
        const { id } = await ctx.db.one<{ id: number }>(sql`
          select id from number_series where division = ${set.division} and kind = ${subject.kind}
            and scope = ${subject.scope}`);
        made.push({ row_no, type: 'number_series', id, transaction_id: null });
      }
    }
    return made;
  },
  async inTheWay(db, set) {
    const series = await db.query<{ name: string }>(sql`
      select s.prefix || lpad((s.next - 1)::text, 6, '0') as name from opening_lines l
        join number_series s on l.document_type = 'number_series' and s.id = l.document_id
      where l.opening_set_id = ${set.id} and s.next > s.first order by l.row_no`);
    const accounts = await checkNumbersOf(db, set.division);
    const used = await idsOf(db, set);
    return [...series.map((row) => `${row.name} was given`), ...accounts.filter((row) => used.includes(row.id)
      && row.used_through !== null).map((row) => `check ${row.used_through} of ${row.name} was printed`)];
  },
  async takeBack(ctx, set) {
    const rows = await ctx.db.query<{ kind: string; scope: string; prefix: string }>(sql`
      select s.kind, s.scope, s.prefix from opening_lines l
        join number_series s on l.document_type = 'number_series' and s.id = l.document_id
      where l.opening_set_id = ${set.id} order by l.row_no`);
    for (const row of rows) await startSeries(ctx.db, { division: set.division, ...row, first: 1 });
    for (const id of await idsOf(ctx.db, set)) await startCheckNumbers(ctx, id, null);
  },
});

async function idsOf(db: Queryable, set: SetFacts): Promise<number[]> {
  return (await db.query<{ id: number }>(sql`
    select document_id as id from opening_lines where opening_set_id = ${set.id} and document_type = 'bank_account'
    order by document_id`)).map((row) => row.id);
}
