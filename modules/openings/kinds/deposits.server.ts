/** Deposits that the former books held, each for its license. */
import { spell } from '#kernel/text/english.ts';
import { bringDeposit, depositsInTheWay, takeBackDeposits, type OpeningDeposit }
  from '#modules/receivables/receivables.public.server.ts';
import type { Cells } from '#modules/data-exchange/imports/kinds/cells.ts';
import { fail } from '#modules/data-exchange/imports/read-cell.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { Names, openingKind, ratesOf, valueOf, type Made, type Rates, type SetFacts } from '../opening-kind.server.ts';
import { moneyOf, neededText, type MoneyCells } from '../opening-rows.ts';

interface Row { license: string; kind: OpeningDeposit['kind']; hasCurrency: boolean; money: MoneyCells }
interface License {
  id: number; customer_id: number; name: string; number: string; license_number: string | null;
  currency: OpeningDeposit['currency']; customer: string;
}
interface Book { licenses: Names<License>; rates: Rates }

function read(cells: Cells, set: SetFacts): Row {
  const money = moneyOf(cells, set.functional);
  if (money.amount < 0n) fail('negative_amount', `${cells.label('amount')} is below zero`, 'amount', '');
  return { license: neededText(cells, 'license', 60), hasCurrency: cells.text('currency').trim() !== '', money,
    kind: cells.choice('kind', ['security', 'on_account'], 'security') };
}

async function book(db: Queryable, set: SetFacts): Promise<Book> {
  const licenses = new Names<License>();
  const rows = await db.query<License>(sql`
    select l.id, l.customer_id, coalesce(l.license_number, l.number) as name, l.number, l.license_number, l.currency,
      c.name as customer
    from licenses l join customers c on c.id = l.customer_id
    where l.division = ${set.division} and l.deleted_at is null`);
  for (const row of rows) for (const word of [row.number, row.license_number ?? '']) licenses.add(word, row);
  return { licenses, rates: await ratesOf(db, set.functional, rows.map((row) => ({ currency: row.currency,
    on: set.as_of }))) };
}

function judge(row: Row, { licenses, rates }: Book, set: SetFacts) {
  const license = licenses.one(row.license, 'license', spell`license`);
  if (row.hasCurrency && row.money.currency !== license.currency) {
    fail('unknown_currency', spell`The license is in ${license.currency}`, 'currency', row.money.currency);
  }
  const value = valueOf({ ...row.money, currency: license.currency }, set.as_of, set, rates);
  const subject: OpeningDeposit = { license_id: license.id, customer_id: license.customer_id, license: license.name,
    kind: row.kind, currency: license.currency, amount: value.amount, base: value.base, rate: value.rate };
  return { subject, brought: { label: `${license.name} · ${license.customer}`,
    account: row.kind === 'security' ? '2150' : '2160', currency: license.currency, amount: -value.amount,
    base: -value.base } };
}

export const depositsKind = openingKind<Row, Book, OpeningDeposit>({
  kind: 'deposits', read, book, judge,
  async post(ctx, set, rows) {
    const made: Made[] = [];
    for (const { row_no, subject } of rows) {
      made.push({ row_no, ...await bringDeposit(ctx, { ...set, set_id: set.id }, subject) });
    }
    return made;
  },
  inTheWay: (db, set) => depositsInTheWay(db, set.id),
  takeBack: (ctx, set, reason) => takeBackDeposits(ctx, { set_id: set.id, on: set.as_of, reason }),
});
