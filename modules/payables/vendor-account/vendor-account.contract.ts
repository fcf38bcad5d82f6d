/** The account of a vendor: its movements on accounts payable, and a statement of what is open as of a day. */
import * as z from 'zod';
import { AGING_BUCKETS } from '#kernel/receivables/aging.ts';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, isoDate } from '#kit/field.ts';

export const VENDOR_MOVES = ['bill', 'credit', 'payment', 'check', 'returned', 'void', 'other'] as const;
export type VendorMoveKind = (typeof VENDOR_MOVES)[number];

/** One movement, with the balance of its division and currency after it. Positive: owed to the vendor. */
export const vendorMove = z.object({
  id: z.int(), transaction_id: z.int(), division: divisionCode, currency: currencyCode, on: z.string(),
  kind: z.enum(VENDOR_MOVES), number: z.string(),
  /** The vendor's reference: its number of the bill, or the number of the check. */
  reference: z.string(), due_on: z.string().nullable(), bill_id: z.int().nullable(), check_id: z.int().nullable(),
  payment_id: z.int().nullable(), amount_minor: z.int(), balance_minor: z.int(),
});
export type VendorMove = z.infer<typeof vendorMove>;

const amountsByKind = { bill_minor: z.int(), credit_minor: z.int(), payment_minor: z.int(), check_minor: z.int(),
  returned_minor: z.int(), void_minor: z.int(), other_minor: z.int() };
/** Brought forward and each kind of movement add up to the closing balance. */
export const vendorSummary = z.object({ division: divisionCode, currency: currencyCode, opening_minor: z.int(),
  ...amountsByKind, closing_minor: z.int() });
export type VendorSummary = z.infer<typeof vendorSummary>;

const openItem = z.object({
  id: z.int(), transaction_id: z.int(), opened_on: z.string(), due_on: z.string(), document: z.string(),
  reference: z.string(), bill_id: z.int().nullable(), hold_reason: z.string().nullable(),
  original_minor: z.int(), open_minor: z.int(),
  /** Past due on the day of the statement; 0 for credits and what is not due. */
  days_late: z.int(),
});
export const vendorStatement = z.object({
  vendor_id: z.int(), vendor_name: z.string(), as_of: z.string(),
  accounts: z.array(z.object({
    division: divisionCode, currency: currencyCode,
    /** Owed and not settled; the part of it that is past due; credits and payments on account, below zero. */
    open_minor: z.int(), overdue_minor: z.int(), unapplied_minor: z.int(), total_minor: z.int(),
    ages: z.array(z.object({ bucket: z.enum(AGING_BUCKETS), count: z.int(), minor: z.int() })),
    items: z.array(openItem),
    /** The vendor's part of accounts payable in the ledger on that day. */
    ledger_minor: z.int(), ties: z.boolean(),
  })),
});
export type VendorStatement = z.infer<typeof vendorStatement>;
export type VendorAccount = VendorStatement['accounts'][number];
export type VendorOpenItem = VendorAccount['items'][number];

const path = '/api/admin/staff/accounting/accounts_payable/vendors/{id}';
const asOf = z.strictObject({ as_of: isoDate.optional() });

export const vendorAccountEndpoints = {
  transactions: endpoint({ method: 'GET', path: `${path}/transactions`, auth: staff('transaction.list'),
    summary: "Movements of a vendor's account", response: many(vendorMove).extend({
      accounts: z.array(vendorSummary) }),
    query: listQuery({ sort: ['on'], filters: { division: divisionCode.optional(), currency: currencyCode.optional(),
      kind: z.enum(VENDOR_MOVES).optional(), from: isoDate.optional(), to: isoDate.optional() } }) }),
  statement: endpoint({ method: 'GET', path: `${path}/statement`, auth: staff('bill.list'),
    summary: 'Open items of a vendor as of a day', response: one(vendorStatement), query: asOf }),
  statementDocument: endpoint({ method: 'GET', path: `${path}/statement/document`, auth: staff('bill.list'),
    summary: 'Open items of a vendor as of a day, as PDF', response: 'file', query: asOf }),
};
