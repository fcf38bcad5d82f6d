/** Entries between divisions: entered once, approved by another person, posted in both books (accounting.md 27). */
import * as z from 'zod';
import { INTERCOMPANY_KINDS } from '#kernel/ledger/intercompany.ts';
import { MAX_MINOR } from '#kernel/money/money.ts';
import { declineReason } from '#kit/approval.ts';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, isoDate, version } from '#kit/field.ts';

export const INTERCOMPANY_STATUSES = ['waiting', 'posted', 'declined', 'withdrawn', 'reversed'] as const;
const minor = z.int();

export const intercompanyRow = z.object({ id: z.int(), number: z.string(), kind: z.enum(INTERCOMPANY_KINDS),
  status: z.enum(INTERCOMPANY_STATUSES), dated_on: z.string(), description: z.string(), currency: currencyCode,
  amount_minor: minor,
  /** The division that is owed, its account, and the amount in its own currency. */
  creditor: divisionCode, creditor_account_id: z.int(), creditor_account: z.string(), creditor_currency: currencyCode,
  creditor_base_minor: minor,
  /** Customer of the creditor whose money the debtor took in; null: none. */
  customer_id: z.int().nullable(), customer_name: z.string().nullable(),
  /** The division that owes. */
  debtor: divisionCode, debtor_account_id: z.int(), debtor_account: z.string(), debtor_currency: currencyCode,
  debtor_base_minor: minor,
  /** Bill of the debtor that the creditor paid, and its vendor; null: none. */
  bill_id: z.int().nullable(), bill_number: z.string().nullable(),
  vendor_id: z.int().nullable(), vendor_name: z.string().nullable(),
  /** Made when it was posted: the payment of the bill, or the receipt of the customer; null: none. */
  payment_id: z.int().nullable(), payment_number: z.string().nullable(),
  requested_by_id: z.int(), requested_by_name: z.string(), requested_at: z.string(),
  decided_by_name: z.string().nullable(), decided_at: z.string().nullable(), decline_reason: z.string(),
  creditor_transaction_id: z.int().nullable(), debtor_transaction_id: z.int().nullable(),
  creditor_reversal_id: z.int().nullable(), debtor_reversal_id: z.int().nullable(),
  reversed_on: z.string().nullable(), reversed_by_name: z.string().nullable(), reversal_reason: z.string(),
  version: z.int(), created_at: z.string(), updated_at: z.string() });
export type IntercompanyRow = z.infer<typeof intercompanyRow>;

/** Balance of two divisions in one currency, by the books of each. */
export const intercompanyPair = z.object({ division: divisionCode, other: divisionCode, currency: currencyCode,
  balance_minor: minor, other_balance_minor: minor, difference_minor: minor,
  division_currency: currencyCode, base_minor: minor, other_currency: currencyCode, other_base_minor: minor,
  /** In USD, from the rates at which each has booked it; null where a rate of the day is missing. */
  exchange_minor: minor.nullable() });
export type IntercompanyPair = z.infer<typeof intercompanyPair>;

/** A line on 1500 or 2500 that no entry of both divisions stands behind. */
export const unmatchedLine = z.object({ id: z.int(), transaction_id: z.int(), transaction_at: z.string(),
  division: divisionCode, other: divisionCode, account: z.string(), currency: currencyCode, amount_minor: minor,
  description: z.string() });
export type UnmatchedLine = z.infer<typeof unmatchedLine>;

export const intercompanyBalances = z.object({ as_of: z.string(), agrees: z.boolean(),
  pairs: z.array(intercompanyPair), unmatched: z.array(unmatchedLine),
  /** Lines beyond those that are listed. */
  more_unmatched: z.int() });
export type IntercompanyBalances = z.infer<typeof intercompanyBalances>;

const account = (words: string) => z.int(words).min(1, words);
export const intercompanyBody = z.strictObject({
  kind: z.enum(INTERCOMPANY_KINDS).default('charge'), creditor: divisionCode, debtor: divisionCode,
  currency: currencyCode, dated_on: isoDate,
  amount_minor: z.int('Enter an amount above zero').min(1, 'Enter an amount above zero')
    .max(Number(MAX_MINOR), 'The amount is larger than 10,000,000,000.00'),
  creditor_account_id: account('Choose an account'), debtor_account_id: account('Choose an account'),
  /** With accounts receivable as the creditor's account: whose money it is. */
  customer_id: id.nullable().default(null),
  /** With accounts payable as the debtor's account: the bill that is paid. */
  bill_id: id.nullable().default(null),
  description: z.string().trim().min(1, 'Enter a description').max(300),
});

const path = '/api/admin/staff/accounting/intercompany_entries';
const record = `${path}/{id}` as const;

export const intercompanyEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('transaction.list'), summary: 'Entries between divisions',
    query: listQuery({ filters: { division: divisionCode.optional(), status: z.enum(INTERCOMPANY_STATUSES).optional(),
      kind: z.enum(INTERCOMPANY_KINDS).optional() }, sort: ['dated_on', 'number', 'amount_minor'] }),
    response: many(intercompanyRow) }),
  balances: endpoint({ method: 'GET', path: `${path}/balances`, auth: staff('transaction.list'),
    summary: 'What divisions owe each other by the books of each, and lines without their other side',
    query: z.strictObject({ as_of: isoDate.optional() }), response: one(intercompanyBalances) }),
  show: endpoint({ method: 'GET', path: record, auth: staff('transaction.list'),
    summary: 'An entry between divisions', response: one(intercompanyRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('transaction.update'), status: 201, idempotent: true,
    summary: 'Ask for an entry between divisions; another person posts it in both', body: intercompanyBody,
    response: one(intercompanyRow) }),
  approve: endpoint({ method: 'PUT', path: `${record}/approve`, auth: staff('transaction.update'),
    summary: 'Post an entry between divisions that somebody else asked for, in both books',
    body: z.strictObject({ version }), response: one(intercompanyRow) }),
  decline: endpoint({ method: 'PUT', path: `${record}/decline`, auth: staff('transaction.update'),
    summary: 'Decline an entry between divisions that somebody else asked for',
    body: z.strictObject({ reason: declineReason }), response: one(intercompanyRow) }),
  withdraw: endpoint({ method: 'PUT', path: `${record}/withdraw`, auth: staff('transaction.update'),
    summary: 'Withdraw an entry between divisions that one asked for', body: z.strictObject({ version }),
    response: one(intercompanyRow) }),
  reverse: endpoint({ method: 'PUT', path: `${record}/reverse`, auth: staff('transaction.update'),
    summary: 'Reverse an entry between divisions in both books', response: one(intercompanyRow),
    body: z.strictObject({ version, reversed_on: isoDate.nullable().default(null),
      reason: z.string().trim().min(1, 'Give a reason').max(500) }) }),
};
