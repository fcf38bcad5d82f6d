/** Receivables aging by customer, amount and age (A109), a customer's money (A151), statement of account (X113). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { formatMinor } from '#kernel/money/money.ts';
import { AGING_BUCKETS } from '#kernel/receivables/aging.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, isoDate } from '#kit/field.ts';

export const agingAmounts = {
  current_minor: z.int(), days_1_30_minor: z.int(), days_31_60_minor: z.int(), days_61_90_minor: z.int(),
  days_91_minor: z.int(), unapplied_minor: z.int(), total_minor: z.int(),
};
export const agingRow = z.object({ customer_id: z.int(), customer_name: z.string(), currency: currencyCode,
  ...agingAmounts, total_base_minor: z.int() });
export const agingReport = z.object({
  division: divisionCode, as_of: z.string(), functional_currency: currencyCode,
  rows: z.array(agingRow),
  totals: z.array(z.object({ currency: currencyCode, ...agingAmounts })),
  /** Base at document rate against the control account (accounting.md 3.6). */
  checks: z.array(z.object({ name: z.string(), expected_minor: z.int(), actual_minor: z.int(), ok: z.boolean() })),
});
export type AgingReport = z.infer<typeof agingReport>;

export const MOVE_KINDS = ['invoice', 'credit_note', 'receipt', 'returned', 'refund', 'deposit', 'write_off', 'other'
] as const;
export const statementLine = z.object({
  on: z.string(), kind: z.enum(MOVE_KINDS), number: z.string().nullable(),
  document_id: z.int().nullable(), due_on: z.string().nullable(), amount_minor: z.int(), balance_minor: z.int(),
  /** Of an invoice: what was paid on account before and is taken off it; the amount is what is left. */
  set_off_minor: z.int(),
});
export const DEPOSIT_MOVES = ['received', 'applied', 'refund_due', 'refunded', 'kept'] as const;
/**
 * A movement of the deposits that are held: received adds, everything else takes away. `refund_due` until the refund is
 * approved and paid.
 */
export const depositLine = z.object({ on: z.string(), kind: z.enum(DEPOSIT_MOVES), number: z.string().nullable(),
  amount_minor: z.int(), balance_minor: z.int() });
export type DepositLine = z.infer<typeof depositLine>;
export const accountStatement = z.object({
  customer_id: z.int(), customer_name: z.string(), from: z.string(), to: z.string(),
  accounts: z.array(z.object({ division: divisionCode, currency: currencyCode, opening_minor: z.int(),
    closing_minor: z.int(), lines: z.array(statementLine),
    /** Money of the customer that the house holds: beside the balance, never in it. */
    deposits: z.object({ opening_minor: z.int(), closing_minor: z.int(), lines: z.array(depositLine) }) })),
});
export type AccountStatement = z.infer<typeof accountStatement>;
/** One movement of the account, with the balance of its division and currency after it. */
export const accountLine = statementLine.extend({
  id: z.int(), transaction_id: z.int(), division: divisionCode, currency: currencyCode,
  license_id: z.int().nullable(), license_title: z.string().nullable(),
});
export type AccountLine = z.infer<typeof accountLine>;
export const accountSummary = z.object({
  division: divisionCode, currency: currencyCode, opening_minor: z.int(), invoiced_minor: z.int(),
  credited_minor: z.int(), received_minor: z.int(), returned_minor: z.int(), refunded_minor: z.int(),
  deposits_minor: z.int(), written_off_minor: z.int(), other_minor: z.int(), closing_minor: z.int(),
  /** Paid on account and taken off invoices: in neither the movements nor the balance. */
  set_off_minor: z.int(),
  /** Open pro formas and deposits: asked for, no debt yet, and no part of the balance. */
  requested_minor: z.int(),
});
export type AccountSummary = z.infer<typeof accountSummary>;
/**
 * The figures of an account as they are named everywhere: invoiced - credited - paid - written off + other is the
 * balance. Paid is money: received, less what the bank took back and what was refunded, with deposits that paid, also
 * those that were taken off an invoice before it was posted, so that invoiced is the sum of the invoices' totals.
 */
export function figuresOf(sums: Omit<AccountSummary, 'division' | 'currency'>) {
  return {
    invoiced_minor: sums.invoiced_minor + sums.set_off_minor, credited_minor: 0 - sums.credited_minor,
    paid_minor: sums.set_off_minor
      - (sums.received_minor + sums.returned_minor + sums.refunded_minor + sums.deposits_minor),
    written_off_minor: 0 - sums.written_off_minor, other_minor: sums.other_minor,
    requested_minor: sums.requested_minor,
  };
}
/** '2,359.62 less 247.00 paid on account', of an invoice that took money off; '' of everything else. */
export function setOffWords({ amount_minor, set_off_minor }: Pick<AccountLine, 'amount_minor' | 'set_off_minor'>):
string {
  return set_off_minor === 0 ? '' : `${formatMinor(BigInt(amount_minor + set_off_minor))} less ${
    formatMinor(BigInt(set_off_minor))} paid on account`;
}
/** A page of movements, and what the accounts come to between the days that were asked for. */
export const accountLines = many(accountLine).extend({ accounts: z.array(accountSummary) });
export const accountQuery = listQuery({ sort: ['on'], filters: {
  division: divisionCode.optional(), currency: currencyCode.optional(), kind: z.enum(MOVE_KINDS).optional(),
  from: isoDate.optional(), to: isoDate.optional() } });

export const customerFinance = z.object({
  customer_id: z.int(), credit_hold: z.boolean(), credit_hold_reason: z.string().nullable(),
  credit_limit_minor: z.int().nullable(), payment_terms_days: z.int(),
  accounts: z.array(z.object({ division: divisionCode, currency: currencyCode, open_minor: z.int(),
    overdue_minor: z.int(), on_account_minor: z.int(), deposits_held_minor: z.int(), invoiced_minor: z.int(),
    credited_minor: z.int(), paid_minor: z.int(), written_off_minor: z.int(), other_minor: z.int(),
    requested_minor: z.int(),
    /** Open invoices by days past due, youngest first, every age. */
    ages: z.array(z.object({ bucket: z.enum(AGING_BUCKETS), count: z.int(), minor: z.int() })) })),
  deposits: z.array(z.object({ id: z.int(), license_id: z.int(), license_number: z.string(), title: z.string(),
    kind: z.enum(['security', 'on_account']), status: z.enum(['requested', 'held', 'settled', 'cancelled']),
    currency: currencyCode, amount_minor: z.int(), remaining_minor: z.int() })),
});
export type CustomerFinance = z.infer<typeof customerFinance>;

export const agingEndpoints = {
  aging: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/accounts_receivable/aging',
    auth: staff('invoice.list'), summary: 'Receivables by age as of a day', response: one(agingReport),
    query: z.strictObject({ division: divisionCode.default('US'), as_of: isoDate.optional() }) }),
  finance: endpoint({ method: 'GET', path: '/api/admin/staff/customers/{id}/finance', auth: staff('invoice.list'),
    summary: 'Balance, payments and credit on account of a customer', response: one(customerFinance) }),
  transactions: endpoint({ method: 'GET', path: '/api/admin/staff/customers/{id}/transactions',
    auth: staff('transaction.list'), summary: "Movements of a customer's account", query: accountQuery,
    response: accountLines }),
  statement: endpoint({ method: 'GET', path: '/api/admin/staff/customers/{id}/statement', auth: staff('invoice.list'),
    summary: 'Statement of account', response: one(accountStatement),
    query: z.strictObject({ from: isoDate.optional(), to: isoDate.optional() }) }),
  statementDocument: endpoint({ method: 'GET', path: '/api/admin/staff/customers/{id}/statement/document',
    auth: staff('invoice.list'), summary: 'Statement of account as PDF', response: 'file',
    query: z.strictObject({ from: isoDate.optional(), to: isoDate.optional() }) }),
};
