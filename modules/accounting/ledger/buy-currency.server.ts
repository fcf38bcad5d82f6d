/** Buys another currency with the money of a division, before it pays in it (accounting.md 2.2, event 18b). */
import { currencyPurchaseLines } from '#kernel/ledger/currency-purchase.ts';
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import type { Division } from '#kernel/money/division.ts';
import { atRate } from '#kernel/money/exchange.ts';
import { applyPpm, type Currency } from '#kernel/money/money.ts';
import { conflict } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { postJournals } from './post.server.ts';
import { rateOn } from './series.server.ts';

export interface CurrencyOrder {
  division: Division;
  currency: Currency;
  bought_minor: number;
  /** How much more than the ledger's rate of the day the bank takes. */
  spread_ppm: number;
  /** In the division's own currency. */
  fee_minor: number;
  on: string;
}

/** Posts the two legs of the purchase on one day; 409 where no rate or no bank account in the currency is known. */
export async function buyCurrency(ctx: WorkContext, of: CurrencyOrder): Promise<void> {
  const own = FUNCTIONAL_CURRENCY[of.division];
  const rate = await rateOn(ctx.db, of.currency, own, of.on);
  if (!rate) {
    throw conflict('fx.no_rate', `Enter the rate of ${of.currency} in ${own} for ${of.on} or a day before it.`);
  }
  const accounts = await ctx.db.query<{ code: string; currency: string }>(sql`
    select code, currency from ledger_accounts where division = ${of.division} and is_cash and active
      and deleted_at is null and system_key in ('bank', 'bank_foreign')`);
  const from = accounts.find((account) => account.currency === own);
  const to = accounts.find((account) => account.currency === of.currency);
  if (!from || !to) {
    throw conflict('receivables.no_bank_account', `${of.division} has no bank account in ${to ? own : of.currency}.`);
  }
  const atLedgerRate = atRate(BigInt(of.bought_minor), rate.rate);
  const sold = atLedgerRate + applyPpm(atLedgerRate, BigInt(of.spread_ppm));
  const legs = currencyPurchaseLines({ division: of.division, from_account: from.code, to_account: to.code,
    currency: of.currency, bought: BigInt(of.bought_minor), sold, rate: rate.rate, fee: BigInt(of.fee_minor) });
  const posting = { division: of.division, kind: 'transfer', transaction_at: of.on, source: null };
  await postJournals(ctx.db, [
    { ...posting, description: `${of.currency} bought: paid`, lines: legs.out },
    { ...posting, description: `${of.currency} bought: received`, lines: legs.in },
  ], ctx.actor.actor_id);
}
