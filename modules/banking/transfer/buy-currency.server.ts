/** Buys another currency with the money of a division, before it pays in it (accounting.md 2.2, event 18b). */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { currencyPurchaseLines } from '#kernel/ledger/currency-purchase.ts';
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import type { Division } from '#kernel/money/division.ts';
import { atRate } from '#kernel/money/exchange.ts';
import { applyPpm, type Currency } from '#kernel/money/money.ts';
import { conflict } from '#kit/errors.ts';
import { postJournals, rateOn } from '#modules/accounting/accounting.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { bankAccountFor } from '../bank-account/find-account.server.ts';

export interface CurrencyOrder {
  division: Division;
  currency: Currency;
  bought_minor: number;
  /** How much more than the ledger's rate of the day the bank takes. */
  spread_ppm: number;
  /** In the division's own currency. */
  fee_minor: number;
  on: string;
  /** Accounts that pay and receive; the defaults of their currencies where absent. */
  from_bank_account_id?: number | null;
  to_bank_account_id?: number | null;
}

/** Posts the two legs of the purchase on one day; 409 where no rate or no bank account in the currency is known. */
export async function buyCurrency(ctx: WorkContext, of: CurrencyOrder): Promise<void> {
  const own = FUNCTIONAL_CURRENCY[of.division];
  const rate = await rateOn(ctx.db, of.currency, own, of.on);
  if (!rate) {
    throw conflict('fx.no_rate', `Enter the rate of ${of.currency} in ${own} for ${dateInWords(of.on)} or a day `
      + 'before it.');
  }
  const from = await bankAccountFor(ctx, { division: of.division, currency: own,
    bank_account_id: of.from_bank_account_id }, 'from_bank_account_id');
  const to = await bankAccountFor(ctx, { division: of.division, currency: of.currency,
    bank_account_id: of.to_bank_account_id }, 'to_bank_account_id');
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
