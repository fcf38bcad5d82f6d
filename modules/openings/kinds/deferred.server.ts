/** Income that was billed and not earned yet in the former books, with the days on which it is earned. */
import { INCOME } from '#kernel/ledger/income-accounts.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { bringDeferred, deferredInTheWay, takeBackDeferred, type OpeningDeferred }
  from '#modules/receivables/receivables.public.server.ts';
import type { Cells } from '#modules/data-exchange/imports/kinds/cells.ts';
import { fail } from '#modules/data-exchange/imports/read-cell.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { customersBy, type FoundCustomer } from '../find-parties.server.ts';
import {
  openingKind, ratesOf, valueOf, type Made, type Names, type Rates, type SetFacts,
} from '../opening-kind.server.ts';
import { moneyOf, neededText, shortText, type MoneyCells } from '../opening-rows.ts';

interface Row {
  customer: string; number: string; description: string; money: MoneyCells; from: string; to: string; account: string;
}
interface Book { customers: Names<FoundCustomer>; taken: Set<string>; income: Set<string>; rates: Rates }

function read(cells: Cells, set: SetFacts): Row {
  const money = moneyOf(cells, set.functional);
  if (money.amount < 0n) fail('negative_amount', `${cells.label('amount')} is below zero`, 'amount', '');
  const to = cells.date('release_on') ?? fail('missing_value', 'Release on is empty', 'release_on', '');
  const from = cells.date('release_from') ?? to;
  if (to <= set.as_of) {
    fail('unreadable_date', `On ${set.as_of} this is earned already. Leave the row out`, 'release_on', to);
  }
  if (from > to) fail('unreadable_date', 'The period ends before it begins', 'release_from', from);
  const number = `${neededText(cells, 'number', 50)}-DEF`;
  return { customer: neededText(cells, 'customer', 200), number, money, to,
    from: from > set.as_of ? from : addDays(set.as_of, 1),
    description: shortText(cells, 'description', 500) || `Deferred income of ${number}`,
    account: shortText(cells, 'income_account', 40) || INCOME.fees };
}

async function book(db: Queryable, set: SetFacts, rows: readonly Row[]): Promise<Book> {
  const taken = await db.query<{ number: string }>(sql`
    select invoice_number as number from invoices where division = ${set.division} and kind = 'invoice'
      and invoice_number = any (${rows.map((row) => row.number)}::text[])`);
  const income = await db.query<{ code: string }>(sql`
    select code from ledger_accounts where division = ${set.division} and class = 'income' and active
      and deleted_at is null`);
  return { customers: await customersBy(db), taken: new Set(taken.map((row) => row.number)),
    income: new Set(income.map((row) => row.code)), rates: await ratesOf(db, set.functional,
      rows.map((row) => ({ currency: row.money.currency, on: set.as_of }))) };
}

function judge(row: Row, book: Book, set: SetFacts) {
  const customer = book.customers.one(row.customer, 'customer', 'customer');
  if (!book.income.has(row.account)) {
    fail('unknown', `${set.division} has no income account ${row.account}`, 'income_account', row.account);
  }
  if (book.taken.has(row.number)) {
    fail('taken', 'Deferred income of this invoice is here already, or in a row before', 'number', row.number);
  }
  book.taken.add(row.number);
  const value = valueOf(row.money, set.as_of, set, book.rates);
  const subject: OpeningDeferred = { customer_id: customer.id, billing_name: customer.account_name,
    address: customer.address, vat_number: customer.vat_number, number: row.number, description: row.description,
    currency: row.money.currency, amount: value.amount, base: value.base, rate: value.rate, release_from: row.from,
    release_to: row.to, income_account: row.account };
  return { subject, brought: { label: `${row.number} · ${customer.name}`, account: '2100',
    currency: row.money.currency, amount: -value.amount, base: -value.base } };
}

export const deferredKind = openingKind<Row, Book, OpeningDeferred>({
  kind: 'deferred', read, book, judge,
  async post(ctx, set, rows) {
    const made: Made[] = [];
    for (const { row_no, subject } of rows) {
      made.push({ row_no, ...await bringDeferred(ctx, { ...set, set_id: set.id }, subject) });
    }
    return made;
  },
  inTheWay: (db, set) => deferredInTheWay(db, set.id),
  takeBack: (ctx, set, reason) => takeBackDeferred(ctx, { set_id: set.id, on: set.as_of, reason }),
});
