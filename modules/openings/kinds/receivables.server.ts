/** Open invoices of customers, and what customers have on account. */
import { INCOME } from '#kernel/ledger/income-accounts.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { bringReceivables, receivablesInTheWay, takeBackReceivables, type OpeningReceivable }
  from '#modules/receivables/receivables.public.server.ts';
import type { Cells } from '#modules/data-exchange/imports/kinds/cells.ts';
import { fail } from '#modules/data-exchange/imports/read-cell.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { customersBy, type FoundCustomer } from '../find-parties.server.ts';
import { openingKind, ratesOf, valueOf, type Names, type Rates, type SetFacts } from '../opening-kind.server.ts';
import { moneyOf, neededText, shortText, type MoneyCells } from '../opening-rows.ts';

interface Row {
  customer: string; number: string; issued_on: string; due_on: string | null; money: MoneyCells; description: string;
  purchase_order: string; income_account: string;
}
interface Book {
  customers: Names<FoundCustomer>;
  /** Numbers in the product, and those of the rows before. */
  taken: Set<string>;
  series: Map<string, number>;
  income: Set<string>;
  rates: Rates;
}
type Subject = Omit<OpeningReceivable, 'row_no'>;

function read(cells: Cells, set: SetFacts): Row {
  const money = moneyOf(cells, set.functional);
  const issued_on = cells.date('issued_on') ?? fail('missing_value', 'Date is empty', 'issued_on', '');
  const due_on = cells.date('due_on');
  if (issued_on > set.as_of) {
    fail('unreadable_date', `The date is after ${dateInWords(set.as_of)}, the day of the opening balances`, 'issued_on',
      issued_on);
  }
  if (due_on !== null && due_on < issued_on) {
    fail('unreadable_date', 'The due date is before the date', 'due_on', due_on);
  }
  return { customer: neededText(cells, 'customer', 200), money, issued_on, due_on,
    number: money.amount > 0n ? neededText(cells, 'number', 60) : shortText(cells, 'number', 60),
    description: shortText(cells, 'description', 500), purchase_order: shortText(cells, 'purchase_order', 60),
    income_account: shortText(cells, 'income_account', 40) || INCOME.fees };
}

async function book(db: Queryable, set: SetFacts, rows: readonly Row[]): Promise<Book> {
  const taken = await db.query<{ number: string }>(sql`
    select invoice_number as number from invoices where division = ${set.division} and kind = 'invoice'
      and invoice_number = any (${rows.map((row) => row.number)}::text[])`);
  const series = await db.query<{ prefix: string; next: number }>(sql`
    select prefix, next from number_series where division = ${set.division} and kind = 'invoice'`);
  const income = await db.query<{ code: string }>(sql`
    select code from ledger_accounts where division = ${set.division} and class = 'income' and active
      and deleted_at is null`);
  return { customers: await customersBy(db), taken: new Set(taken.map((row) => row.number)),
    series: new Map(series.map((row) => [row.prefix, row.next])), income: new Set(income.map((row) => row.code)),
    rates: await ratesOf(db, set.functional, rows.map((row) => ({ currency: row.money.currency,
      on: row.issued_on }))) };
}

/** A number of the product's own series counts as used: the series has to begin after it. */
function refuseOwnNumber(number: string, book: Book, set: SetFacts): void {
  const own = new RegExp(`^(INV-${set.division}-\\d{4}-)(\\d+)$`).exec(number);
  if (!own || Number(own[2]) < (book.series.get(own[1]!) ?? 1)) return;
  fail('number_ahead', `The product would give ${number} to an invoice of its own. Post the next numbers first: the `
    + `next invoice comes after ${Number(own[2])}`, 'number', number);
}

function judge(row: Row, book: Book, set: SetFacts) {
  const customer = book.customers.one(row.customer, 'customer', 'customer');
  if (!book.income.has(row.income_account)) {
    fail('unknown', `${set.division} has no income account ${row.income_account}`, 'income_account',
      row.income_account);
  }
  const value = valueOf(row.money, row.issued_on, set, book.rates);
  if (row.money.amount > 0n) {
    if (book.taken.has(row.number)) {
      fail('taken', `Invoice ${row.number} is here already, or in a row before`, 'number', row.number);
    }
    refuseOwnNumber(row.number, book, set);
    book.taken.add(row.number);
  }
  const subject: Subject = { customer_id: customer.id, billing_name: customer.account_name, address: customer.address,
    vat_number: customer.vat_number, number: row.number, issued_on: row.issued_on,
    due_on: row.due_on ?? row.issued_on, currency: row.money.currency, amount: value.amount, base: value.base,
    rate: value.rate, description: row.description, purchase_order: row.purchase_order,
    income_account: row.income_account };
  const noun = value.amount > 0n ? 'Invoice' : 'Credit';
  return { subject, brought: { label: [`${noun} ${row.number}`.trim(), customer.name].join(' · '), account: '1100',
    currency: row.money.currency, amount: value.amount, base: value.base } };
}

export const receivablesKind = openingKind<Row, Book, Subject>({
  kind: 'receivables', read, book, judge,
  post: (ctx, set, rows) => bringReceivables(ctx, { ...set, set_id: set.id },
    rows.map((row) => ({ row_no: row.row_no, ...row.subject }))),
  inTheWay: (db, set) => receivablesInTheWay(db, set.id),
  takeBack: (ctx, set, reason) => takeBackReceivables(ctx, { set_id: set.id, on: set.as_of, reason }),
});
