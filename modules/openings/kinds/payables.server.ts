/** Open bills of vendors, and credits of vendors. */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { billsInTheWay, bringBills, takeBackBills, type OpeningBill }
  from '#modules/payables/payables.public.server.ts';
import type { Cells } from '#modules/data-exchange/imports/kinds/cells.ts';
import { fail } from '#modules/data-exchange/imports/read-cell.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { vendorsBy, type FoundVendor } from '../find-parties.server.ts';
import { keyOf, openingKind, ratesOf, valueOf, type Names, type Rates, type SetFacts } from '../opening-kind.server.ts';
import { moneyOf, neededText, opposite, shortText, type MoneyCells } from '../opening-rows.ts';

interface Row { vendor: string; number: string; billed_on: string; due_on: string | null; money: MoneyCells;
  memo: string }
interface Book { vendors: Names<FoundVendor>; taken: Map<string, string>; rates: Rates }
type Subject = Omit<OpeningBill, 'row_no'>;

function read(cells: Cells, set: SetFacts): Row {
  const billed_on = cells.date('billed_on') ?? fail('missing_value', 'Date is empty', 'billed_on', '');
  const due_on = cells.date('due_on');
  if (billed_on > set.as_of) {
    fail('unreadable_date', `The date is after ${dateInWords(set.as_of)}, the day of the opening balances`, 'billed_on',
      billed_on);
  }
  if (due_on !== null && due_on < billed_on) {
    fail('unreadable_date', 'The due date is before the date', 'due_on', due_on);
  }
  return { vendor: neededText(cells, 'vendor', 200), number: neededText(cells, 'number', 60), billed_on, due_on,
    money: opposite(moneyOf(cells, set.functional)), memo: shortText(cells, 'memo', 500) };
}

const billKey = (vendorId: number, number: string): string =>
  `${vendorId} ${number.toLowerCase().replace(/(\W|_)+/g, '') || keyOf(number)}`;

async function book(db: Queryable, set: SetFacts, rows: readonly Row[]): Promise<Book> {
  const there = await db.query<{ vendor_id: number; vendor_number: string; number: string }>(sql`
    select vendor_id, vendor_number, number from bills where division = ${set.division} and status <> 'void'
      and deleted_at is null and vendor_number <> ''`);
  return { vendors: await vendorsBy(db),
    taken: new Map(there.map((row) => [billKey(row.vendor_id, row.vendor_number), row.number])),
    rates: await ratesOf(db, set.functional, rows.map((row) => ({ currency: row.money.currency,
      on: row.billed_on }))) };
}

function judge(row: Row, book: Book, set: SetFacts) {
  const vendor = book.vendors.one(row.vendor, 'vendor', 'vendor');
  const value = valueOf(row.money, row.billed_on, set, book.rates);
  const key = billKey(vendor.id, row.number);
  const there = book.taken.get(key);
  if (there !== undefined) {
    fail('taken', there === '' ? `${row.number} of ${vendor.name} is in a row before`
      : `${row.number} of ${vendor.name} is here already as ${there}`, 'number', row.number);
  }
  book.taken.set(key, '');
  const subject: Subject = { vendor_id: vendor.id, number: row.number, billed_on: row.billed_on,
    due_on: row.due_on ?? row.billed_on, currency: row.money.currency, amount: value.amount, base: value.base,
    rate: value.rate, memo: row.memo };
  return { subject, brought: { label: [`${value.amount < 0n ? 'Bill' : 'Credit'} ${row.number}`, vendor.name]
    .join(' · '), account: '2000', currency: row.money.currency, amount: value.amount, base: value.base } };
}

export const payablesKind = openingKind<Row, Book, Subject>({
  kind: 'payables', read, book, judge,
  post: (ctx, set, rows) => bringBills(ctx, { ...set, set_id: set.id },
    rows.map((row) => ({ row_no: row.row_no, ...row.subject }))),
  inTheWay: (db, set) => billsInTheWay(db, set.id),
  takeBack: (ctx, set, reason) => takeBackBills(ctx, { set_id: set.id, on: set.as_of, reason }),
});
