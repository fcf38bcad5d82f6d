/**
 * A receipt whose bank account has another currency than the documents it pays. The receipt posts in the currency of
 * the documents against Transfers in transit; the bank's amount takes it from there on the same day, each side at the
 * rate of the day, and the bank's margin is a realized exchange difference (accounting.md 2.2, events 18b and 19).
 */
import type { Division } from '#kernel/money/division.ts';
import { atRate, missingRate } from '#kernel/money/exchange.ts';
import { abs, formatMinor, type Currency } from '#kernel/money/money.ts';
import { transferReceivedLines } from '#kernel/ledger/bank-transfer.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { rateFor, reverse } from '../ledger/post.server.ts';
import type { PaymentRecord } from './payment-store.server.ts';

export const IN_TRANSIT = '1050';
const EXCHANGED = 'exchanged';
/** A bank's rate and its fee come to less; more is a wrong amount. */
const MOST_APART = 5n;

/** Value of `amount_minor` in another currency at the rate of the day; null without a rate. */
export async function atRateOf(
  ctx: Pick<WorkContext, 'db'>, of: { from: string; to: string; on: string; amount_minor: number },
): Promise<bigint | null> {
  const { rate } = await ctx.db.one<{ rate: string | null }>(sql`
    select rate from rate_on(${of.from}, ${of.to}, ${of.on}::date)`);
  return rate === null ? null : atRate(BigInt(of.amount_minor), rate);
}

/** 422 at `field` where the two amounts are more than a fifth apart at the rate of the day; 409 without a rate. */
export async function refuseFarApart(ctx: WorkContext, of: {
  currency: string; amount_minor: number; bank_currency: string; bank_minor: number; on: string; field: string;
}): Promise<void> {
  const expected = await atRateOf(ctx, { from: of.currency, to: of.bank_currency, on: of.on,
    amount_minor: of.amount_minor });
  if (expected === null) {
    throw conflict('fx.no_rate', missingRate(of.currency, of.bank_currency, of.on));
  }
  if (abs(expected - BigInt(of.bank_minor)) * MOST_APART <= expected) return;
  throw invalidField(of.field, `${of.currency} ${formatMinor(BigInt(of.amount_minor))} is ${of.bank_currency} ${
    formatMinor(expected)} at the rate of the day. Correct the amount paid or the bank amount`);
}

/** Posts the bank's amount; the receipt itself stands on Transfers in transit. */
export async function postExchange(ctx: WorkContext, payment: PaymentRecord): Promise<number> {
  const division = payment.division as Division;
  const side = async (currency: string, amount: number) => {
    const { rate, functional } = await rateFor(ctx, division, currency, payment.paid_on);
    return { currency: currency as Currency, amount: BigInt(amount), rate: functional ? null : rate };
  };
  const { transaction_id } = await postJournal(ctx.db, { division, kind: 'transfer', transaction_at: payment.paid_on,
    description: `Receipt ${payment.number} in ${payment.bank_currency!}`,
    source: { type: 'payment', id: payment.id, event: EXCHANGED, attempt: 1 },
    lines: transferReceivedLines(division, {
      sent: { account: IN_TRANSIT, ...await side(payment.currency, payment.amount_minor) },
      to: { account: payment.account_code, ...await side(payment.bank_currency!, payment.bank_amount_minor!) } }) },
  ctx.actor.actor_id);
  return transaction_id;
}

/** The posting that has the line on the bank account: of a receipt in another currency its exchange. */
export async function bankPostingOf(ctx: WorkContext, paymentId: number): Promise<number> {
  const { id } = await ctx.db.one<{ id: number }>(sql`
    select coalesce((select t.id from transactions t where t.source_type = 'payment' and t.source_id = p.id
      and t.source_event = ${EXCHANGED}), p.transaction_id) as id from payments p where p.id = ${paymentId}`);
  return id;
}

/** Mirrors the bank's amount, before the receipt itself. */
export async function reverseExchange(ctx: WorkContext, payment: PaymentRecord, on: string, reason: string):
Promise<void> {
  if (payment.bank_currency === null) return;
  await reverse(ctx, await bankPostingOf(ctx, payment.id), payment.id, on, reason.slice(0, 500));
}
