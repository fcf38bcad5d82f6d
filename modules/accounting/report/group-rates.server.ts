/**
 * Rates in USD for all divisions together: of a day, and the average of a month. None is guessed: what is missing is
 * collected and refused by name.
 */
import { dateInWords, startOfMonth, type IsoDate } from '#kernel/calendar/calendar.ts';
import { isRateOf, RATE_AGE_DAYS } from '#kernel/ledger/revaluation.ts';
import type { Currency } from '#kernel/money/money.ts';
import { conflict } from '#kit/errors.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { rateOn } from '../ledger/series.server.ts';

export const GROUP_CURRENCY: Currency = 'USD';

export interface MonthAsked { month: IsoDate; through: IsoDate }

export class GroupRates {
  readonly #db: Queryable;
  readonly #days = new Map<string, string>();
  readonly #missing = new Map<string, { currency: Currency; on: IsoDate }>();

  constructor(db: Queryable) {
    this.#db = db;
  }

  #miss(currency: Currency, on: IsoDate): string {
    this.#missing.set(`${currency} ${on}`, { currency, on });
    return '1';
  }

  /** USD per unit on a day; published on it or up to five days before. */
  async onDay(currency: Currency, on: IsoDate): Promise<string> {
    if (currency === GROUP_CURRENCY) return '1';
    const known = this.#days.get(`${currency} ${on}`);
    if (known !== undefined) return known;
    const found = await rateOn(this.#db, currency, GROUP_CURRENCY, on);
    if (found === null || !isRateOf(on, found.on_date)) return this.#miss(currency, on);
    this.#days.set(`${currency} ${on}`, found.rate);
    return found.rate;
  }

  /** USD per unit in each month: its published average, else the mean of the rates in force on its days. */
  async ofMonths(currency: Currency, months: readonly MonthAsked[]): Promise<Map<IsoDate, string>> {
    if (currency === GROUP_CURRENCY || months.length === 0) return new Map(months.map(({ month }) => [month, '1']));
    const rows = await this.#db.query<{ month: IsoDate; through: IsoDate; rate: string | null }>(sql`
      select m.month, m.through, coalesce(
        (select r.rate from rate_on(${currency}::text, ${GROUP_CURRENCY}::text, m.through, 'month_average') r
          where r.on_date >= m.month),
        (select round(avg(r.rate), 10) from generate_series(m.month::timestamp, m.through::timestamp, '1 day') d,
            rate_on(${currency}::text, ${GROUP_CURRENCY}::text, d::date) r
          where r.on_date >= d::date - ${RATE_AGE_DAYS}::int))::text as rate
      from unnest(${months.map((one) => one.month)}::date[], ${months.map((one) => one.through)}::date[])
        m (month, through)`);
    return new Map(rows.map((row) => [row.month, row.rate ?? this.#miss(currency, row.through)]));
  }

  /** 409 where a rate was asked for that nobody has entered. */
  refuseMissing(): void {
    const missing = [...this.#missing.values()].toSorted((a, b) => (a.on < b.on ? 1 : -1));
    if (missing.length === 0) return;
    const named = missing.slice(0, 3).map(({ currency, on }) => `${currency} for ${dateInWords(on)}`);
    const more = missing.length - named.length;
    throw conflict('consolidation.rate_missing', `Enter the exchange rate to ${GROUP_CURRENCY} of ${named.join('; ')}${
      more === 0 ? '' : `; and ${more} more`}.`, { missing });
  }
}

/** Months of amounts, each through its end or the last day asked for. */
export const monthThrough = (month: IsoDate, ends: IsoDate, to: IsoDate): MonthAsked =>
  ({ month: startOfMonth(month), through: ends < to ? ends : to });
