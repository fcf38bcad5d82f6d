/**
 * A receipt that the bank takes back (event 8): its allocations are inverted first, so the invoices are open again with
 * their due dates; then the posting is mirrored, the bank's charge is booked and, where wanted, billed on.
 */
import { conflict, invalidField } from '#kit/errors.ts';
import { DUE_FROM } from '#kernel/ledger/intercompany.ts';
import { bankChargeLines } from '#kernel/ledger/receivable-events.ts';
import { bankAccountFor, depositOf } from '#modules/banking/banking.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { refuseFutureMoney } from '#server/money-day.ts';
import { sql } from '#server/sql.ts';
import { lockDeposits } from '../deposits/deposit-parts.server.ts';
import { lockLicense } from '../invoices/draft-invoice.server.ts';
import { lockInvoice, refreshLicenseMoney, settleStatus } from '../invoices/invoice-store.server.ts';
import { issueInvoice } from '../invoices/issue-invoice.server.ts';
import { allocate, post, reverse, reverseOf, unallocate } from '../ledger/post.server.ts';
import { takeOff } from './apply-receipt.server.ts';
import { reverseExchange } from './exchange-receipt.server.ts';
import { creditItemOf, lockPayment, type PaymentRecord } from './payment-store.server.ts';
import { returnSetOffs } from './unapply-receipts.server.ts';

export interface ReturnInput {
  payment_id: number;
  on: string;
  reason: string;
  /** Bank charge; 0 for none. */
  fee_minor?: number;
  /** Bills the charge to the customer as an item of its own, untaxed. */
  recharge?: boolean;
}

/** Answers the mirror of the receipt's posting. 409 where it is returned already or a refund has used it. */
export async function returnReceipt(ctx: WorkContext, input: ReturnInput): Promise<{ transaction_id: number }> {
  if (input.reason.trim() === '') throw invalidField('reason', 'Reason is required');
  if ((input.fee_minor ?? 0) < 0) throw invalidField('fee_minor', 'The amount cannot be negative');
  const licenses = await ctx.db.query<{ id: number }>(sql`
    select distinct i.license_id as id from payment_allocations a join invoices i on i.id = a.invoice_id
    where a.payment_id = ${input.payment_id} and i.license_id is not null
    union select d.license_id from deposits d where d.payment_id = ${input.payment_id}
    union select license_id from payments where id = ${input.payment_id} and license_id is not null order by id`);
  for (const { id } of licenses) await lockLicense(ctx, id);
  const payment = await lockPayment(ctx, input.payment_id);
  if (payment.kind !== 'receipt' || !['posted', 'cleared'].includes(payment.status)) {
    throw conflict('payment.not_posted', `Receipt ${payment.number} is ${payment.status}.`);
  }
  if (payment.opening_set_id !== null) {
    throw conflict('payment.opening', `${payment.number} came with the opening balances; no bank returns it. Reverse `
      + 'its set instead.', { opening_set_id: payment.opening_set_id });
  }
  if (payment.account_code === DUE_FROM) {
    throw conflict('payment.collected_elsewhere', `${payment.number} was collected by another division; no bank of `
      + 'this one returns it. Reverse its intercompany entry instead.');
  }
  await refuseFutureMoney(ctx, { division: payment.division, on: input.on, field: 'on' });
  if (input.fee_minor && payment.bank_currency !== null) {
    throw invalidField('fee_minor', `Leave it empty: the bank charged it in ${payment.bank_currency}. Create the `
      + 'charge from its bank line');
  }
  if (input.on < payment.paid_on) throw invalidField('on', 'Enter the date received or later');
  if (payment.deposit_id !== null) await reopenDeposit(ctx, payment, payment.deposit_id, input.on);
  else await takeOffAll(ctx, payment, input.on);
  await reverseExchange(ctx, payment, input.on, input.reason);
  const mirror = await reverse(ctx, payment.transaction_id!, payment.id, input.on, input.reason.slice(0, 500));
  const bank = await bankOf(ctx, payment);
  if (bank.deposited) await takeFromBank(ctx, payment, bank.code, input.on);
  if (input.fee_minor) {
    await post(ctx, {
      division: payment.division, kind: 'bounce', on: input.on, currency: payment.currency,
      rate: payment.functional_rate, description: `Bank charge on receipt ${payment.number}`, payment_id: payment.id,
      source: { type: 'payment', id: payment.id, event: 'returned_fee' },
      lines: bankChargeLines(BigInt(input.fee_minor), bank.code),
    });
  }
  await ctx.db.exec(sql`
    update payments set status = 'returned', returned_on = ${input.on}, reversal_transaction_id = ${mirror},
      reversal_reason = ${input.reason}, applied_minor = 0, version = version + 1 where id = ${payment.id}`);
  await ctx.audit({ action: 'return', entity: 'payment', entity_id: payment.id, after: { ...input, mirror } });
  for (const { id } of licenses) await refreshLicenseMoney(ctx, id);
  if (input.fee_minor && input.recharge) await billCharge(ctx, payment, input.fee_minor, input.on);
  return { transaction_id: mirror };
}

/** The account that the bank takes a returned receipt from, and charges: for checks and cash the one of the deposit. */
async function bankOf(ctx: WorkContext, payment: PaymentRecord): Promise<{ code: string; deposited: boolean }> {
  const slip = await depositOf(ctx, payment.id);
  if (slip === null && payment.method !== 'check' && payment.method !== 'cash') {
    return { code: payment.account_code, deposited: false };
  }
  if (slip?.status === 'draft') {
    throw conflict('payment.on_slip', `Receipt ${payment.number} is on deposit slip ${slip.number}. Take it off first.`,
      { deposit_slip_id: slip.id });
  }
  const { code } = await bankAccountFor(ctx, { division: payment.division, currency: payment.currency,
    bank_account_id: slip?.open_account_id });
  return { code, deposited: slip !== null };
}

/**
 * A deposited check comes back from the bank account: Undeposited funds takes the bank's line, and the mirror of the
 * receipt empties it, both at the value that the receipt had.
 */
async function takeFromBank(ctx: WorkContext, payment: PaymentRecord, bank: string, on: string): Promise<void> {
  const { base } = await ctx.db.one<{ base: number }>(sql`
    select sum(base_amount_minor)::bigint as base from journal_entries
    where transaction_id = ${payment.transaction_id} and ledger_account_id = ${payment.ledger_account_id}`);
  const amount = BigInt(payment.amount_minor);
  await post(ctx, { division: payment.division, kind: 'bounce', on, currency: payment.currency,
    rate: payment.functional_rate, description: `Receipt ${payment.number} returned by the bank`,
    payment_id: payment.id, source: { type: 'payment', id: payment.id, event: 'returned_deposit' },
    bases: [BigInt(base), -BigInt(base)],
    lines: [{ account: payment.account_code, amount_minor: amount }, { account: bank, amount_minor: -amount }] });
}

async function takeOffAll(ctx: WorkContext, payment: PaymentRecord, on: string): Promise<void> {
  const invoices = await ctx.db.query<{ invoice_id: number }>(sql`
    select invoice_id from payment_allocations where payment_id = ${payment.id}
    group by invoice_id having sum(amount_minor) > 0 order by invoice_id`);
  for (const { invoice_id } of invoices) await takeOff(ctx, payment, await lockInvoice(ctx, invoice_id), on);
  await takeBackRest(ctx, payment, on);
  const current = await lockPayment(ctx, payment.id);
  if (current.applied_minor > 0) {
    throw conflict('payment.refunded', `Part of receipt ${payment.number} was refunded; it cannot be returned whole.`);
  }
}

/** The charge billed on: an invoice like any other, paid, credited (waived) and shown like any other. */
async function billCharge(ctx: WorkContext, payment: PaymentRecord, fee: number, on: string): Promise<void> {
  await issueInvoice(ctx, {
    license_id: payment.license_id, customer_id: payment.party_id, division: payment.division,
    currency: payment.currency, issued_on: on, due_on: on, deposit_ids: [],
    lines: [{ kind: 'bank_charge', description: `Bank charge, receipt ${payment.number}`, item_class: 'fee',
      net_minor: fee }],
  });
}

/** Also reopens amounts settled without cash (withheld tax, a forgiven difference). */
async function takeBackRest(ctx: WorkContext, payment: PaymentRecord, on: string): Promise<void> {
  const rows = await ctx.db.query<{ id: number; invoice_id: number; open_item_id: number; transaction_id: number;
    standing: number }>(sql`
    select id, invoice_id, open_item_id, transaction_id, amount_minor - taken_back_minor as standing
    from invoice_write_offs where payment_id = ${payment.id} order by id for update`);
  const items = [...Map.groupBy(rows, (row) => row.open_item_id).values()];
  for (const own of items) await takeBackItem(ctx, own[0]!.open_item_id, on);
  for (const row of rows.filter((one) => one.standing > 0)) {
    await ctx.db.exec(sql`update invoice_write_offs set taken_back_minor = amount_minor where id = ${row.id}`);
    await ctx.db.exec(sql`
      update invoices set written_off_minor = written_off_minor - ${row.standing} where id = ${row.invoice_id}`);
  }
  for (const invoiceId of new Set(rows.map((row) => row.invoice_id))) {
    await settleByOwnNotes(ctx, invoiceId, on);
    await settleStatus(ctx, invoiceId);
  }
  const beside = new Set(rows.map((row) => row.transaction_id).filter((id) => id !== payment.transaction_id));
  for (const id of beside) {
    await reverse(ctx, id, payment.id, await dayAfterItems(ctx, id, on), 'The receipt was returned');
  }
}

/** Settles the reopened amount of a credited invoice with the rest of its own notes. */
async function settleByOwnNotes(ctx: WorkContext, invoiceId: number, on: string): Promise<void> {
  const notes = await ctx.db.query<{ id: number; note_id: number; paid_on: string }>(sql`
    select p.id, n.id as note_id, p.paid_on from payments p join invoices n on n.id = p.credit_note_id
    where n.credits_invoice_id = ${invoiceId} and p.unapplied_minor > 0 order by p.id`);
  for (const note of notes) {
    const credit = await lockPayment(ctx, note.id);
    const invoice = await lockInvoice(ctx, invoiceId);
    const amount = Math.min(credit.unapplied_minor, invoice.balance_minor);
    if (amount <= 0) continue;
    await allocate(ctx, invoice.open_item_id!, await creditItemOf(ctx, credit), BigInt(amount),
      [on, note.paid_on, invoice.issued_on].sort().at(-1)!);
    await ctx.db.exec(sql`update invoices set credited_minor = credited_minor + ${amount} where id = ${invoiceId}`);
    await ctx.db.exec(sql`update invoices set credited_minor = credited_minor + ${amount},
      paid_minor = paid_minor - ${amount} where id = ${note.note_id}`);
    await ctx.db.exec(sql`update payments set applied_minor = applied_minor + ${amount}, version = version + 1
      where id = ${note.id}`);
    await settleStatus(ctx, note.note_id);
    await returnSetOffs(ctx, invoiceId, amount, on);
  }
}

/** The item comes off the invoice, and what recovered a part of it before is reversed. */
async function takeBackItem(ctx: WorkContext, itemId: number, on: string): Promise<void> {
  const live = await ctx.db.query<{ id: number; allocated_at: string; recovery: number | null;
    source_id: number }>(sql`
    select a.id, a.allocated_at, case when t.kind = 'write_off' then t.id end as recovery, t.source_id
    from allocations a join open_items d on d.id = a.debit_item_id join transactions t on t.id = d.transaction_id
    where a.credit_item_id = ${itemId} and a.reverses_id is null
      and not exists (select 1 from allocations b where b.reverses_id = a.id) order by a.id`);
  for (const row of live) {
    const day = on > row.allocated_at ? on : row.allocated_at;
    await unallocate(ctx, row.id, day);
    if (row.recovery === null) continue;
    await reverseOf(ctx, row.recovery, { type: 'invoice', id: row.source_id }, day, 'The receipt was returned');
  }
}

async function dayAfterItems(ctx: WorkContext, transactionId: number, on: string): Promise<string> {
  const { day } = await ctx.db.one<{ day: string }>(sql`
    select greatest(transaction_at, ${on}::date) as day from transactions where id = ${transactionId}`);
  return day;
}

async function reopenDeposit(ctx: WorkContext, payment: PaymentRecord, depositId: number, on: string): Promise<void> {
  const deposit = (await lockDeposits(ctx, { id: depositId }))[0]!;
  if (deposit.remaining_minor !== deposit.amount_minor) {
    throw conflict('deposit.disposed', 'Part of this deposit was applied, refunded or kept already.');
  }
  await ctx.db.exec(sql`
    update deposits set status = 'requested', held_at = null, payment_id = null, transaction_id = null,
      version = version + 1 where id = ${depositId}`);
  if (deposit.transaction_id === payment.transaction_id) return;
  // Held out of money on account: that posting goes back first.
  const held = await ctx.db.one<{ id: number; allocated_at: string }>(sql`
    select a.id, a.allocated_at from open_items d join allocations a on a.debit_item_id = d.id
    where d.transaction_id = ${deposit.transaction_id} and a.reverses_id is null
      and not exists (select 1 from allocations b where b.reverses_id = a.id)`);
  const day = on > held.allocated_at ? on : held.allocated_at;
  await unallocate(ctx, held.id, day);
  await reverse(ctx, deposit.transaction_id!, payment.id, day, 'The receipt was returned');
}
