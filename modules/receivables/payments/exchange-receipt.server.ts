/**
 * A payment whose bank account has another currency than the documents it settles. It posts in the currency of the
 * documents against Transfers in transit; the bank's amount meets it there on the same day, each side at the rate of
 * the day, and the bank's margin is a realized exchange difference (accounting.md 2.2, events 18b and 19).
 */
import type { Division } from '#kernel/money/division.ts';
import { atRate, missingRate } from '#kernel/money/exchange.ts';
import { abs, formatMinor, type Currency } from '#kernel/money/money.ts';
import { transferReceivedLines } from '#kernel/ledger/bank-transfer.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import type { SettledPart, Settlement } from '#server/open-items.ts';
import { sql } from '#server/sql.ts';
import { rateFor, reverse } from '../ledger/post.server.ts';

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

/** Rates of the day from other currencies into the account's, those that are known. */
export async function ratesInto(db: Queryable, to: string, from: readonly string[], on: string):
Promise<Map<string, string>> {
  const others = [...new Set(from)].filter((one) => one !== to);
  if (others.length === 0) return new Map();
  const known = await db.query<{ code: string; rate: string }>(sql`
    select c as code, r.rate from unnest(${others}::text[]) c, lateral rate_on(c, ${to}, ${on}::date) r
    where r.rate is not null`);
  return new Map(known.map(({ code, rate }) => [code, rate]));
}

/** A document in another currency needs the bank's amount, near the one at the rate of the day. */
export async function refuseCurrency(
  ctx: WorkContext, of: Settlement, part: SettledPart, { currency }: { currency: string }, field: string,
): Promise<void> {
  const isForeign = currency !== of.account.currency;
  if (isForeign && part.bank_minor === null) {
    throw invalidField(field,
      `The document is in ${currency}. Enter the bank amount in ${of.account.currency} as well`);
  }
  if (!isForeign && part.bank_minor !== null) {
    throw invalidField(field, `The document is in ${currency}, as the bank account is. Enter one amount`);
  }
  if (isForeign) {
    await refuseFarApart(ctx, { currency, amount_minor: part.amount_minor, bank_currency: of.account.currency,
      bank_minor: part.bank_minor!, on: of.on, field });
  }
}

interface Exchange {
  division: string;
  on: string;
  description: string;
  source: { type: 'payment' | 'transaction'; id: number };
  /** Signed as at the bank: below zero leaves. */
  document: { currency: string; amount_minor: number };
  bank: { account: string; currency: string; amount_minor: number };
}

/** Posts the bank's amount against what a document left on Transfers in transit. */
export async function postExchange(ctx: WorkContext, of: Exchange): Promise<number> {
  const division = of.division as Division;
  const side = async (currency: string, amount: number) => {
    const { rate, functional } = await rateFor(ctx, division, currency, of.on);
    return { currency: currency as Currency, amount: BigInt(amount), rate: functional ? null : rate };
  };
  const { transaction_id } = await postJournal(ctx.db, { division, kind: 'transfer', transaction_at: of.on,
    description: of.description, source: { ...of.source, event: EXCHANGED, attempt: 1 },
    lines: transferReceivedLines(division, {
      sent: { account: IN_TRANSIT, ...await side(of.document.currency, of.document.amount_minor) },
      to: { account: of.bank.account, ...await side(of.bank.currency, of.bank.amount_minor) } }) },
  ctx.actor.actor_id);
  return transaction_id;
}

/** Posting of the bank's amount for a payment, or for a transaction without one; null where there is none. */
export async function exchangeOf(ctx: Pick<WorkContext, 'db'>, source: Exchange['source']): Promise<number | null> {
  return (await ctx.db.maybeOne<{ id: number }>(sql`
    select id from transactions where source_type = ${source.type} and source_id = ${source.id}
      and source_event = ${EXCHANGED}`))?.id ?? null;
}

/** The posting that has the line on the bank account: of a payment in another currency its exchange. */
export async function bankPostingOf(ctx: WorkContext, paymentId: number): Promise<number> {
  return await exchangeOf(ctx, { type: 'payment', id: paymentId }) ?? (await ctx.db.one<{ id: number }>(sql`
    select transaction_id as id from payments where id = ${paymentId}`)).id;
}

/** Mirrors the bank's amount, before the payment itself. */
export async function reverseExchange(
  ctx: WorkContext, payment: { id: number; bank_currency: string | null }, on: string, reason: string,
): Promise<void> {
  if (payment.bank_currency === null) return;
  await reverse(ctx, await bankPostingOf(ctx, payment.id), payment.id, on, reason.slice(0, 500));
}
