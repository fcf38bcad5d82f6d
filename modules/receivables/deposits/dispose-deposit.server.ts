/** Disposes of a deposit (event 10, invariant I7): applied to an invoice, refunded through the payment run, kept. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { divHalfAway, formatMinor, PPM, sum } from '#kernel/money/money.ts';
import type { ItemClass, LineKind } from '#kernel/money/priced-line.ts';
import { splitByWeight } from '#kernel/money/split.ts';
import {
  depositAppliedLines, depositForfeitedLines, depositRefundLines, type TaxOwed,
} from '#kernel/ledger/receivable-events.ts';
import { determineTax, taxAuthority } from '#modules/taxation/taxation.public.server.ts';
import { applyReceipt } from '#kernel/pricing/receipt-application.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { lockLicense } from '../invoices/draft-invoice.server.ts';
import { dated, lockInvoice, refreshLicenseMoney, settleStatus, taxAccount } from '../invoices/invoice-store.server.ts';
import { allocate, openedItem, post } from '../ledger/post.server.ts';
import { openLines } from '../payments/payment-store.server.ts';
import { insertRefund } from '../payments/refund.server.ts';
import { chargeToRefund } from '../payments/refund-to-card.server.ts';
import { lockDeposits, partOf, type DepositPart, type DepositRecord } from './deposit-parts.server.ts';
import { cashOnLines, disposed } from './set-off.server.ts';

export interface Disposition {
  type: 'apply' | 'refund' | 'forfeit';
  amount_minor: number;
  invoice_id?: number | null;
  /** Kept for a supply (a hire that ran late): its tax is inside the amount; null: damage, outside the scope. */
  taxed_as?: ItemClass | null;
  /** Account a refund is paid from; absent: the account that received the deposit, else the default. */
  bank_account_id?: number | null | undefined;
  reason?: string;
}

/** Disposes of parts, in order, all or none. 422 at `dispositions.n` beyond what remains. */
export async function disposeDeposit(ctx: WorkContext, input: {
  license_id: number; deposit_id: number; dispositions: readonly Disposition[]; on: string; version?: number;
}): Promise<void> {
  await lockLicense(ctx, input.license_id);
  let [deposit] = await lockDeposits(ctx, { id: input.deposit_id });
  if (!deposit || deposit.license_id !== input.license_id) throw refuse('not_found');
  if (input.version !== undefined && deposit.version !== input.version) throw refuse('stale');
  if (deposit.status !== 'held') throw conflict('deposit.not_held', `This deposit is ${deposit.status}.`);
  for (const [k, disposition] of input.dispositions.entries()) {
    const at = `dispositions.${k}`;
    refuseWrong(deposit, disposition, at);
    const amount = BigInt(disposition.amount_minor);
    const part = await partOf(ctx, deposit, amount);
    if (disposition.type === 'apply') await applyToInvoice(ctx, deposit, part, disposition, input.on, at);
    else if (disposition.type === 'refund') await refund(ctx, deposit, part, disposition, input.on);
    else await forfeit(ctx, deposit, part, disposition, input.on);
    deposit = (await lockDeposits(ctx, { id: input.deposit_id }))[0]!;
  }
  await refreshLicenseMoney(ctx, input.license_id);
}

function refuseWrong(deposit: DepositRecord, disposition: Disposition, at: string): void {
  if (!Number.isSafeInteger(disposition.amount_minor) || disposition.amount_minor <= 0) {
    throw invalidField(`${at}.amount_minor`, 'Enter an amount above zero');
  }
  if (disposition.amount_minor > deposit.remaining_minor) {
    throw invalidField(`${at}.amount_minor`, `Only ${formatMinor(BigInt(deposit.remaining_minor))} is still held`);
  }
  if (disposition.type === 'forfeit' && !disposition.reason?.trim()) {
    throw invalidField(`${at}.reason`, 'Say why the deposit is kept');
  }
  if (disposition.type === 'forfeit' && deposit.kind === 'on_account') {
    throw invalidField(`${at}.type`, 'A payment on account is applied or refunded, not kept');
  }
}

function posting(deposit: DepositRecord, part: DepositPart, on: string) {
  return { customer_id: deposit.customer_id, kind: deposit.kind, on, net_minor: part.net_minor, tax: part.tax };
}

/** Source with a distinct event for each part, made from the amount of the deposit used so far. */
function source(deposit: DepositRecord, type: string) {
  return { type: 'deposit', id: deposit.id, event: `${type}_${deposit.amount_minor - deposit.remaining_minor}` };
}

async function applyToInvoice(
  ctx: WorkContext, deposit: DepositRecord, part: DepositPart, disposition: Disposition, on: string, at: string,
): Promise<void> {
  if (!disposition.invoice_id) throw invalidField(`${at}.invoice_id`, 'Choose the invoice');
  const chosen = await lockInvoice(ctx, disposition.invoice_id);
  const amount = BigInt(disposition.amount_minor);
  if (chosen.customer_id !== deposit.customer_id || chosen.currency !== deposit.currency
    || chosen.division !== deposit.division || chosen.open_item_id === null) {
    throw invalidField(`${at}.invoice_id`, 'This invoice cannot take the deposit');
  }
  const invoice = { ...dated(chosen), open_item_id: chosen.open_item_id };
  if (amount > BigInt(invoice.balance_minor)) {
    throw invalidField(`${at}.amount_minor`,
      `Only ${formatMinor(BigInt(invoice.balance_minor))} is open on the invoice`);
  }
  const day = on > invoice.issued_on ? on : invoice.issued_on;
  const transactionId = await post(ctx, {
    division: deposit.division, kind: 'deposit_return', on: day, currency: deposit.currency,
    rate: deposit.functional_rate ?? '1', description: `Deposit applied to ${invoice.invoice_number ?? 'an invoice'}`,
    invoice_id: invoice.id,
    license_id: deposit.license_id, payment_id: deposit.payment_id, source: source(deposit, 'apply'),
    lines: depositAppliedLines(posting(deposit, part, day)),
  });
  await settleHeld(ctx, deposit, part, transactionId, day);
  const credit = await openedItem(ctx, transactionId, '1100', -amount);
  await allocate(ctx, invoice.open_item_id, credit, amount, day);
  await ctx.db.exec(sql`update invoices set paid_minor = paid_minor + ${amount} where id = ${invoice.id}`);
  await cashOnLines(ctx, invoice, deposit, applyReceipt(amount, await openLines(ctx, invoice.id)).lines, day);
  await settleStatus(ctx, invoice.id);
  await disposed(ctx, deposit, 'apply', amount, { invoice_id: invoice.id, transaction_id: transactionId,
    reason: disposition.reason ?? '' });
}

async function refund(
  ctx: WorkContext, deposit: DepositRecord, part: DepositPart, disposition: Disposition, on: string,
): Promise<void> {
  const received = await ctx.db.one<{ received_on: number; method: string }>(sql`
    select ledger_account_id as received_on, method from payments where id = ${deposit.payment_id}`);
  const charge = deposit.payment_id === null ? null : await chargeToRefund(ctx, deposit.payment_id, disposition);
  const paymentId = await insertRefund(ctx, { charge,
    customer_id: deposit.customer_id, license_id: deposit.license_id, division: deposit.division,
    currency: deposit.currency, amount_minor: disposition.amount_minor, on, ...received,
    bank_account_id: disposition.bank_account_id,
    memo: `Deposit returned${disposition.reason ? `: ${disposition.reason}` : ''}` });
  const transactionId = await post(ctx, {
    division: deposit.division, kind: 'deposit_return', on, currency: deposit.currency,
    rate: deposit.functional_rate ?? '1', description: 'Deposit to be returned', license_id: deposit.license_id,
    payment_id: paymentId, source: { type: 'payment', id: paymentId, event: 'refund_due' },
    lines: depositRefundLines(posting(deposit, part, on)),
  });
  await settleHeld(ctx, deposit, part, transactionId, on);
  await disposed(ctx, deposit, 'refund', BigInt(disposition.amount_minor), { payment_id: paymentId,
    transaction_id: transactionId, reason: disposition.reason ?? '' });
}

async function forfeit(
  ctx: WorkContext, deposit: DepositRecord, part: DepositPart, disposition: Disposition, on: string,
): Promise<void> {
  const transactionId = await post(ctx, {
    division: deposit.division, kind: 'deposit_return', on, currency: deposit.currency,
    rate: deposit.functional_rate ?? '1', description: 'Deposit kept', license_id: deposit.license_id,
    payment_id: deposit.payment_id, source: source(deposit, 'forfeit'),
    lines: depositForfeitedLines(posting(deposit, part, on), await causeTaxes(ctx, deposit, disposition, on)),
  });
  await settleHeld(ctx, deposit, part, transactionId, on);
  await disposed(ctx, deposit, 'forfeit', BigInt(disposition.amount_minor), { transaction_id: transactionId,
    reason: disposition.reason ?? '' });
}

const KIND_OF_CLASS: Partial<Record<ItemClass, LineKind>> = {
  performing_licence: 'royalty', rental: 'rental', shipping: 'shipping', fee: 'fee',
};

/** The tax of what the deposit is kept for, inside the amount: 120.00 at 20% is 100.00 + 20.00 (domain.md 2.7). */
async function causeTaxes(ctx: WorkContext, deposit: DepositRecord, disposition: Disposition, on: string):
Promise<TaxOwed[]> {
  const cause = disposition.taxed_as ?? null;
  if (cause === null) return [];
  const amount = BigInt(disposition.amount_minor);
  const [line] = await determineTax(ctx, { division: deposit.division, customer_id: deposit.customer_id, on,
    lines: [{ kind: KIND_OF_CLASS[cause] ?? 'sale', item_class: cause, net_minor: disposition.amount_minor }] });
  const rates = (line?.parts ?? []).filter((part) => part.rate_ppm > 0);
  const rate = sum(rates.map((part) => BigInt(part.rate_ppm)));
  if (rate === 0n) return [];
  const tax = divHalfAway(amount * rate, PPM + rate);
  const shares = splitByWeight(tax, rates.map((part) => BigInt(part.rate_ppm)));
  const { kind } = await ctx.db.one<{ kind: string }>(sql`select kind from tax_codes where id = ${line!.tax_code_id}`);
  return Promise.all(rates.map(async (part, k): Promise<TaxOwed> => ({
    account: taxAccount(kind), authority_id: await taxAuthority(ctx, part.jurisdiction),
    tax_code_id: part.tax_code_id, tax_minor: shares[k]!, base_minor: amount - tax,
  })));
}

/** 2150 keeps items: the debit of the disposal meets the credit of the receipt. 2160 keeps none. */
async function settleHeld(
  ctx: WorkContext, deposit: DepositRecord, part: DepositPart, transactionId: number, on: string,
): Promise<void> {
  if (deposit.kind !== 'security') return;
  const debit = await openedItem(ctx, transactionId, '2150', part.net_minor);
  const held = await openedItem(ctx, deposit.transaction_id!, '2150', -BigInt(deposit.amount_minor));
  await allocate(ctx, debit, held, part.net_minor, on);
}
