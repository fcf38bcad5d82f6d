/** Transfers between two bank accounts of a division (A115, A116), in one currency or across two. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, isoDate, version } from '#kit/field.ts';
import { MAX_MINOR } from '#kernel/money/money.ts';

export const TRANSFER_STATUSES = ['in_transit', 'received', 'reversed'] as const;

export const transferRow = z.object({
  id: z.int(), number: z.string(), division: divisionCode, status: z.enum(TRANSFER_STATUSES),
  from_bank_account_id: z.int(), from_account: z.string(), from_currency: currencyCode,
  to_bank_account_id: z.int(), to_account: z.string(), to_currency: currencyCode,
  /** Amount sent, without the fee, in the currency of the account it left. */
  amount_minor: z.int(),
  /** Amount that arrives, in the currency of the other account. */
  received_minor: z.int(),
  fee_minor: z.int(), sent_on: z.string(), received_on: z.string().nullable(),
  sent_transaction_id: z.int().nullable(), received_transaction_id: z.int().nullable(),
  reversal_reason: z.string().nullable(), memo: z.string(), created_by_name: z.string().nullable(), version: z.int(),
  created_at: z.string(), updated_at: z.string(),
});
export type TransferRow = z.infer<typeof transferRow>;

/** Transfers in transit of a division and currency: what the ledger has on 1050, and what transfers explain. */
export const transitRow = z.object({
  division: divisionCode, currency: currencyCode, ledger_minor: z.int(), transfers_minor: z.int(),
  oldest_on: z.string().nullable(),
});
export type TransitRow = z.infer<typeof transitRow>;

const positive = z.int('Enter an amount above zero').min(1, 'Enter an amount above zero')
  .max(Number(MAX_MINOR), 'The amount is larger than 10,000,000,000.00');
const account = (words: string) => z.int(words).min(1, words);
const path = '/api/admin/staff/accounting/bank_transfers';

export const transferBody = z.strictObject({
  from_bank_account_id: account('Choose the account that pays'),
  to_bank_account_id: account('Choose the account that receives'), amount_minor: positive,
  /** Across currencies; in one currency it is what was sent. */
  received_minor: positive.nullable().default(null),
  fee_minor: z.int().min(0, 'An amount cannot be negative')
    .max(Number(MAX_MINOR), 'The amount is larger than 10,000,000,000.00').default(0), sent_on: isoDate,
  /** Absent while it is in transit. */
  received_on: isoDate.nullable().default(null), memo: z.string().trim().max(1_000).default(''),
});

export const transferEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('bank_transaction.list'), summary: 'List bank transfers',
    query: listQuery({ filters: { id: z.coerce.number().int().optional(), division: divisionCode.optional(),
      status: z.enum(TRANSFER_STATUSES).optional(), bank_account_id: z.coerce.number().int().optional(),
      sent_from: isoDate.optional(), sent_to: isoDate.optional() },
    sort: ['sent_on', 'number', 'amount_minor', 'updated_at'] }), response: many(transferRow) }),
  transit: endpoint({ method: 'GET', path: `${path}/in_transit`, auth: staff('bank_transaction.list'),
    summary: 'Transfers in transit by division and currency, against the ledger', response: all(transitRow) }),
  show: endpoint({ method: 'GET', path: `${path}/{id}`, auth: staff('bank_transaction.list'),
    summary: 'Show a bank transfer', response: one(transferRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('bank_transaction.create'), idempotent: true,
    summary: 'Transfer money between two bank accounts of a division', status: 201, response: one(transferRow),
    body: transferBody }),
  receive: endpoint({ method: 'PUT', path: `${path}/{id}/receive`, auth: staff('bank_transaction.update'),
    summary: 'Record that a transfer has arrived', response: one(transferRow),
    body: z.strictObject({ version, received_on: isoDate, received_minor: positive.nullable().default(null) }) }),
  reverse: endpoint({ method: 'PUT', path: `${path}/{id}/reverse`, auth: staff('transaction.update'),
    summary: 'Reverse a transfer', response: one(transferRow),
    body: z.strictObject({ version, reason: z.string().trim().min(1, 'Give a reason').max(500) }) }),
};
