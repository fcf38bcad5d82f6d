/** The currency a royaltor is paid in, and what a debt of another one becomes in it (domain.md 3.2, 3.5 step 12). */
import { missingRate } from '#kernel/money/exchange.ts';
import { conflict } from '#kit/errors.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { rateOn } from '#modules/accounting/accounting.public.server.ts';

/** The payee's currency where the division has a bank account in it, else the division's own. */
export function paymentCurrency(division: Sql, payee: Sql): Sql {
  return sql`coalesce((select r.currency from royaltors r where r.id = ${payee} and exists (select 1
      from bank_accounts c where c.division = ${division} and c.closed_on is null and c.deleted_at is null
        and c.currency = r.currency)),
    (select functional_currency from divisions where code = ${division}))`;
}

export interface Conversion {
  /** Units of the payment's currency per unit of the debt's. */
  rate: string;
  rate_on: string;
}

/** The rate of a day, or the last one published before it; 409 where there is none. */
export async function conversionOf(
  db: Queryable, division: Division, from: Currency, to: Currency, on: string,
): Promise<Conversion> {
  if (from === to) return { rate: '1', rate_on: on };
  const found = await rateOn(db, from, to, on);
  if (!found) {
    throw conflict('fx.no_rate', `${division} pays this in ${to}. ${missingRate(from, to, on)}`);
  }
  return { rate: found.rate, rate_on: found.on_date };
}

/** Totals of a batch in the currency it pays in: what is paid, and what is withheld beside it; what was taken out of
 * it does not count, unless all of it was. */
export async function sumBatch(
  db: Queryable, batchId: number,
): Promise<{ payment_count: number; total_minor: number; withheld_minor: number }> {
  return db.one(sql`
    update royalty_payment_batches b set payment_count = m.n, total_minor = m.paid, withheld_minor = m.withheld
    from (select count(distinct p.id) as n, coalesce(sum(x.paid_minor), 0) as paid,
        coalesce(sum(x.withheld_minor), 0) as withheld
      from payments p join royalty_payment_conversions x on x.payment_id = p.id
      where p.royalty_payment_batch_id = ${batchId} and (p.status <> 'void' or not exists (select 1 from payments y
        where y.royalty_payment_batch_id = ${batchId} and y.status <> 'void'))) m
    where b.id = ${batchId} returning b.payment_count, b.total_minor, b.withheld_minor`);
}
