/** Rate of a posting of royalties on a day: functional units per unit of its currency, as decimal text. */
import { missingRate } from '#kernel/money/exchange.ts';
import { conflict } from '#kit/errors.ts';
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { Queryable } from '#server/db.ts';
import { rateOn } from '#modules/accounting/accounting.public.server.ts';

/** '1' in the division's own currency; 409 where no rate was published on or before the day. */
export async function rateFor(db: Queryable, division: Division, currency: Currency, on: string): Promise<string> {
  const functional = FUNCTIONAL_CURRENCY[division];
  if (currency === functional) return '1';
  const rate = await rateOn(db, currency, functional, on);
  if (!rate) {
    throw conflict('fx.no_rate', missingRate(currency, functional, on));
  }
  return rate.rate;
}
