/**
 * A disputed card payment in the books (Dr 1100 / Cr 1020): the receipt comes off what it paid, the latest first, as
 * far as the dispute takes it, so that the documents are open again with their due dates. Won: all of it the other way.
 */
import { bankChargeLines, disputeLines } from '#kernel/ledger/receivable-events.ts';
import { formatMoney } from '#kernel/money/money.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { lockInvoices, refreshLicenseMoney } from '../invoices/invoice-store.server.ts';
import { allocate, openedItem, post, reverse, unallocate } from '../ledger/post.server.ts';
import { applyCash, takeOff } from '../payments/apply-receipt.server.ts';
import { creditItemOf, lockPayment, type PaymentRecord } from '../payments/payment-store.server.ts';

export interface TakenOff { invoice_id: number; amount_minor: number }

/** The receipt and the licenses of its invoices are locked by the caller. Null: the receipt stands no more. */
export async function takeAway(ctx: WorkContext, of: { receipt_id: number; amount_minor: number; dispute_id: string }):
Promise<{ payment_id: number; taken_off: TakenOff[]; attention: string } | null> {
  const receipt = await lockPayment(ctx, of.receipt_id);
  if (receipt.status !== 'posted' && receipt.status !== 'cleared') return null;
  const on = await ctx.today(receipt.division);
  const taken_off = receipt.deposit_id === null
    ? await freeFor(ctx, receipt, of.amount_minor - receipt.unapplied_minor, on) : [];
  const payment_id = await insertDispute(ctx, receipt, of, on);
  const amount = BigInt(of.amount_minor);
  const transaction = await post(ctx, { division: receipt.division, kind: 'bounce', on, currency: receipt.currency,
    rate: receipt.functional_rate, description: `Receipt ${receipt.number} disputed`, payment_id,
    license_id: receipt.license_id, source: { type: 'payment', id: payment_id, event: 'disputed' },
    lines: disputeLines(receipt.party_id, amount, receipt.account_code, on) });
  const { unapplied_minor } = await lockPayment(ctx, receipt.id);
  const covered = receipt.deposit_id === null ? Math.min(of.amount_minor, unapplied_minor) : 0;
  if (covered > 0) {
    await allocate(ctx, await openedItem(ctx, transaction, '1100', amount), await creditItemOf(ctx, receipt),
      BigInt(covered), on);
    await ctx.db.exec(sql`update payments set applied_minor = applied_minor + ${covered}, version = version + 1
      where id = ${receipt.id}`);
  }
  await ctx.db.exec(sql`
    update payments set status = 'posted', posted_at = ${ctx.now().toISOString()}, transaction_id = ${transaction},
      value_on = ${on}, applied_minor = ${covered}, version = version + 1 where id = ${payment_id}`);
  await refreshLicenses(ctx, taken_off);
  const rest = of.amount_minor - covered;
  return { payment_id, taken_off, attention: rest === 0 ? '' : `${formatMoney(rest, receipt.currency)} of it was `
    + `${receipt.deposit_id === null ? 'refunded' : 'held as a deposit'} before: the customer owes it` };
}

async function insertDispute(
  ctx: WorkContext, receipt: PaymentRecord, of: { amount_minor: number; dispute_id: string }, on: string,
): Promise<number> {
  return (await ctx.db.one<{ id: number }>(sql`
    insert into payments (number, direction, kind, status, party_type, party_id, license_id, division,
      ledger_account_id, currency, amount_minor, method, provider, paid_on, reference, functional_rate,
      functional_rate_on, memo)
    values (next_number('disbursement', ${receipt.division}, ${on}::date), 'out', 'dispute', 'approved', 'customer',
      ${receipt.party_id}, ${receipt.license_id}, ${receipt.division}, ${receipt.ledger_account_id},
      ${receipt.currency}, ${of.amount_minor}, ${receipt.method}, 'stripe', ${on}, ${of.dispute_id},
      ${receipt.functional_rate}, ${on}, ${`Receipt ${receipt.number} disputed`}) returning id`)).id;
}

/** Takes the receipt off its invoices, the latest first, until `amount` is on account; what is too much goes back. */
async function freeFor(ctx: WorkContext, receipt: PaymentRecord, amount: number, on: string): Promise<TakenOff[]> {
  const rows = await ctx.db.query<{ invoice_id: number }>(sql`
    select invoice_id from payment_allocations where payment_id = ${receipt.id} and ledger_allocation_id is not null
    group by invoice_id having sum(amount_minor) > 0 order by invoice_id desc`);
  const invoices = await lockInvoices(ctx, rows.map((row) => row.invoice_id));
  const taken: TakenOff[] = [];
  let left = amount;
  for (const { invoice_id } of rows) {
    if (left <= 0) break;
    const off = await takeOff(ctx, await lockPayment(ctx, receipt.id), invoices.get(invoice_id)!, on);
    const again = Math.max(off - left, 0);
    if (again > 0) await put(ctx, receipt.id, { invoice_id, amount_minor: again }, on);
    taken.push({ invoice_id, amount_minor: off - again });
    left -= off - again;
  }
  return taken;
}

/** Pays an invoice out of what the receipt has on account, as far as both go. */
async function put(ctx: WorkContext, receiptId: number, of: TakenOff, on: string): Promise<void> {
  const receipt = await lockPayment(ctx, receiptId);
  const invoice = (await lockInvoices(ctx, [of.invoice_id])).get(of.invoice_id)!;
  const amount_minor = Math.min(of.amount_minor, invoice.balance_minor, receipt.unapplied_minor);
  if (amount_minor <= 0 || invoice.open_item_id === null) return;
  await applyCash(ctx, receipt, { invoice, open_item_id: invoice.open_item_id, amount_minor }, on, 'amount_minor');
}

/** The dispute is won: its posting is reversed, and what it took off is paid again where it is still open. */
export async function giveBack(
  ctx: WorkContext, of: { payment_id: number; receipt_id: number; taken_off: readonly TakenOff[] },
): Promise<void> {
  const payment = await lockPayment(ctx, of.payment_id);
  const on = await ctx.today(payment.division);
  const made = await ctx.db.query<{ id: number }>(sql`
    select a.id from allocations a join open_items i on i.id = a.debit_item_id
    where i.transaction_id = ${payment.transaction_id} and a.reverses_id is null
      and not exists (select 1 from allocations b where b.reverses_id = a.id) order by a.id desc`);
  for (const { id } of made) await unallocate(ctx, id, on);
  const mirror = await reverse(ctx, payment.transaction_id!, payment.id, on, 'The dispute was won');
  await ctx.db.exec(sql`update payments set applied_minor = applied_minor - ${payment.applied_minor},
    version = version + 1 where id = ${of.receipt_id}`);
  await ctx.db.exec(sql`
    update payments set status = 'returned', applied_minor = 0, returned_on = ${on},
      reversal_transaction_id = ${mirror}, reversal_reason = 'The dispute was won', version = version + 1
    where id = ${payment.id}`);
  for (const one of of.taken_off) await put(ctx, of.receipt_id, one, on);
  await refreshLicenses(ctx, of.taken_off);
}

async function refreshLicenses(ctx: WorkContext, taken: readonly TakenOff[]): Promise<void> {
  const rows = await ctx.db.query<{ id: number }>(sql`
    select distinct license_id as id from invoices where license_id is not null
      and id = any (${taken.map((one) => one.invoice_id)}::bigint[]) order by id`);
  for (const { id } of rows) await refreshLicenseMoney(ctx, id);
}

/** The difference to the fee that is booked; a fee that comes back is booked the other way. */
export async function bookDisputeFee(
  ctx: WorkContext, of: { payment_id: number; from_minor: number; to_minor: number },
): Promise<void> {
  const payment = await lockPayment(ctx, of.payment_id);
  await post(ctx, { division: payment.division, kind: 'bounce', on: await ctx.today(payment.division),
    currency: payment.currency, rate: payment.functional_rate, description: `Fee of disputed ${payment.number}`,
    payment_id: payment.id, source: { type: 'payment', id: payment.id, event: `fee_${of.from_minor}_${of.to_minor}` },
    lines: bankChargeLines(BigInt(of.to_minor - of.from_minor), payment.account_code) });
}
