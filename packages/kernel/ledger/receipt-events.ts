/**
 * Postings of money in and back: receipts with short payment and withholding, returned payments, refunds, deposits of
 * both kinds (accounting.md 2.2 events 5 to 10, 16b). Amounts are positive minor units in the booking's currency.
 */
import { book, credit, debit, party, type Booking } from './booking.ts';
import type { TaxPart } from './income-events.ts';
import type { JournalDraft, Party } from './journal.ts';

/** '1000' the bank, '1001' its foreign-currency account, '1010' undeposited cheques and cash, or another of cash. */
export type CashAccount = string;

/** Events 5 and 6b: what arrived, what the payer withheld as tax, and a short payment inside the tolerance. */
export function receiptPosted(of: Booking & {
  customer_id: number; cash_account: CashAccount; received: bigint;
  withheld?: { amount: bigint; authority_id: number }; small_difference?: bigint;
}): JournalDraft {
  const withheld = of.withheld?.amount ?? 0n;
  const short = of.small_difference ?? 0n;
  return book('receipt', of, [
    debit(of.cash_account, of.received),
    ...(of.withheld ? [debit('1310', withheld, party('tax_authority', of.withheld.authority_id))] : []),
    debit('7090', short),
    credit('1100', of.received + withheld + short, party('customer', of.customer_id)),
  ]);
}

/** Event 7: an unapplied credit becomes a payable to the customer, paid by {@link paidByWire}. */
export function creditRefunded(of: Booking & { customer_id: number; amount: bigint }): JournalDraft {
  const customer = party('customer', of.customer_id);
  return book('refund', of, [debit('1100', of.amount, customer), credit('2000', of.amount, customer)]);
}

/**
 * Event 8 without the reversal of the receipt itself (the caller reverses that after taking its applications back):
 * the bank's charge and, where it is passed on, its own receivable.
 */
export function returnedPaymentCharged(of: Booking & {
  customer_id: number; cash_account: CashAccount; fee: bigint; recharged: bigint; due_date?: string;
}): JournalDraft {
  return book('bounce', of, [
    debit('6100', of.fee),
    debit('1100', of.recharged, {
      ...party('customer', of.customer_id), ...(of.due_date ? { due_date: of.due_date } : {}),
    }),
    credit(of.cash_account, of.fee),
    credit('6100', of.recharged),
  ]);
}

/** Event 9: a security deposit is a liability; no tax while it can be returned. */
export function securityDepositReceived(of: Booking & {
  customer_id: number; cash_account: CashAccount; amount: bigint;
}): JournalDraft {
  return book('deposit', of, [
    debit(of.cash_account, of.amount), credit('2150', of.amount, party('customer', of.customer_id)),
  ]);
}

/** Event 9b: a payment on account; its tax point is the receipt. */
export function onAccountReceived(of: Booking & {
  customer_id: number; cash_account: CashAccount; net: bigint; tax: TaxPart | null;
}): JournalDraft {
  return book('deposit', of, [
    debit(of.cash_account, of.net + (of.tax?.amount ?? 0n)),
    credit('2160', of.net, party('customer', of.customer_id)),
    ...(of.tax ? [credit(of.tax.account, of.tax.amount, taxOf(of.tax, -1n))] : []),
  ]);
}

/** Event 9b, refunded instead of set off, with a VAT credit document; paid by {@link paidByWire}. */
export function onAccountRefunded(
  of: Booking & { customer_id: number; net: bigint; tax: TaxPart | null },
): JournalDraft {
  const customer = party('customer', of.customer_id);
  return book('refund', of, [
    debit('2160', of.net, customer),
    ...(of.tax ? [debit(of.tax.account, of.tax.amount, taxOf(of.tax, 1n))] : []),
    credit('2000', of.net + (of.tax?.amount ?? 0n), customer),
  ]);
}

/**
 * Event 10: a security deposit is returned (2000, paid by {@link paidByWire}), kept for damage with the tax of its
 * cause, or applied to what the customer owes (1100).
 */
export function depositSettled(of: Booking & {
  customer_id: number; returned: bigint; forfeited?: bigint; forfeit_tax?: TaxPart | null; applied?: bigint;
}): JournalDraft {
  const customer = party('customer', of.customer_id);
  const forfeited = of.forfeited ?? 0n;
  const applied = of.applied ?? 0n;
  const tax = of.forfeit_tax ?? null;
  return book('deposit_return', of, [
    debit('2150', of.returned + forfeited + applied + (tax?.amount ?? 0n), customer),
    credit('2000', of.returned, customer),
    credit('4500', forfeited),
    ...(tax ? [credit(tax.account, tax.amount, taxOf(tax, -1n))] : []),
    credit('1100', applied, customer),
  ]);
}

/** Event 16b: a bill or a refund leaves the bank. */
export function paidByWire(of: Booking & { payee: Party; cash_account: CashAccount; amount: bigint }): JournalDraft {
  return book('payment', of, [debit('2000', of.amount, { party: of.payee }), credit(of.cash_account, of.amount)]);
}

function taxOf(tax: TaxPart, sign: bigint) {
  return {
    ...party('tax_authority', tax.authority_id),
    ...(tax.tax_code_id === undefined ? {} : { tax_code_id: tax.tax_code_id }),
    ...(tax.tax_base === undefined ? {} : { tax_base: sign * tax.tax_base }),
  };
}
