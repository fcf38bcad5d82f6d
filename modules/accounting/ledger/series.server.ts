/** Gapless numbers, exchange rates, periods: small questions to the ledger. */
import type { Currency } from '#kernel/money/money.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { asLedgerCall } from './ledger-error.server.ts';

export interface NumberSeries {
  division: Division;
  /** invoice, credit_note, check, self_billing. */
  kind: string;
  /** Fiscal year, bank account id or supplier id, as text. */
  scope: string;
  /** Text before the number; counts when the series is born. */
  prefix?: string;
}

/**
 * The next number of a gapless series. Take it as the LAST statement of the transaction: its row stays locked until
   the
 * end, and a rollback gives the number back (accounting.md 1.4).
 */
export async function nextNumber(db: Queryable, of: NumberSeries): Promise<{ n: number; number: string }> {
  return await asLedgerCall(db.one<{ n: number; number: string }>(sql`
    select n, number from ledger_take_number(${of.division}::text, ${of.kind}::text, ${of.scope}::text,
      ${of.prefix ?? null}::text)`));
}

/** Next number of the series; nothing is reserved. */
export async function previewNumber(db: Queryable, of: NumberSeries): Promise<string> {
  const row = await db.one<{ number: string }>(sql`
    select ledger_preview_number(${of.division}::text, ${of.kind}::text, ${of.scope}::text,
      ${of.prefix ?? null}::text) as number`);
  return row.number;
}

export interface SeriesState { kind: string; scope: string; prefix: string; next: number; first: number }

/** The gapless series of a division; none of their numbers is used where `next` is `first`. */
export function seriesOf(db: Queryable, division: Division): Promise<SeriesState[]> {
  return db.query<SeriesState>(sql`
    select kind, scope, prefix, next, first from number_series where division = ${division} order by kind, scope`);
}

/** Lets a series that is not used yet begin with `first`. 409 where one of its numbers was given. */
export async function startSeries(
  db: Queryable, of: { division: Division; kind: string; scope: string; prefix: string; first: number },
): Promise<void> {
  await asLedgerCall(db.query(sql`
    select ledger_start_number(${of.division}::text, ${of.kind}::text, ${of.scope}::text, ${of.prefix}::text,
      ${of.first}::bigint)`));
}

export interface Rate {
  /** Units of `quote` for one unit of `base`, decimal text with ten places. */
  rate: string;
  /** The day the rate is of: on or before the day asked for. */
  on_date: string;
  source: string;
}

/** The rate last published on or before a day, direct, inverted or through EUR (domain.md 2.12), if there is one. */
export async function rateOn(db: Queryable, base: Currency, quote: Currency, date: string): Promise<Rate | null> {
  const row = await db.maybeOne<{ rate: string | null; on_date: string | null; source: string | null }>(sql`
    select rate, on_date, source from rate_on(${base}::text, ${quote}::text, ${date}::date)`);
  if (!row || row.rate === null || row.on_date === null || row.source === null) return null;
  return { rate: row.rate, on_date: row.on_date, source: row.source };
}

/** Accounting periods for every day from `from` through `through`; answers how many were created. */
export async function ensurePeriods(db: Queryable, division: Division, from: string,
  through: string): Promise<number> {
  const row = await asLedgerCall(db.one<{ made: number }>(sql`
    select ensure_periods(${division}::text, ${from}::date, ${through}::date) as made`));
  return row.made;
}
