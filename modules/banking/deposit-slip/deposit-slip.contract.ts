/** Deposit slips: checks and cash of Undeposited funds are brought to the bank together, as one line there. */
import * as z from 'zod';
import { spell } from '#kernel/text/english.ts';
import { staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, isoDate, version } from '#kit/field.ts';

export const SLIP_STATUSES = ['draft', 'deposited', 'taken_back', 'discarded'] as const;
/** Receipts on one slip. */
export const SLIP_LIMIT = 200;

export const depositSlipRow = z.object({
  id: z.int(), number: z.string(), division: divisionCode, currency: currencyCode, status: z.enum(SLIP_STATUSES),
  bank_account_id: z.int(), bank_account: z.string(), deposited_on: z.string(), item_count: z.int(),
  amount_minor: z.int(), memo: z.string(), transaction_id: z.int().nullable(), reversal_reason: z.string().nullable(),
  created_by_name: z.string().nullable(), version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type DepositSlipRow = z.infer<typeof depositSlipRow>;

/** A check or cash, on a slip or waiting for one. */
export const depositItem = z.object({
  payment_id: z.int(), number: z.string(), party_name: z.string(), method: z.enum(['check', 'cash']),
  reference: z.string(), received_on: z.string(), amount_minor: z.int(), division: divisionCode,
  currency: currencyCode,
  /** Posted; returned where the bank took it back. */
  status: z.string(),
});
export type DepositItem = z.infer<typeof depositItem>;

/** By division and currency: the ledger's balance of Undeposited funds, and what receipts explain. */
export const undepositedRow = z.object({
  division: divisionCode, currency: currencyCode, ledger_minor: z.int(), receipts_minor: z.int(),
  receipt_count: z.int(), oldest_on: z.string().nullable(),
});
export type UndepositedRow = z.infer<typeof undepositedRow>;

export const depositSlipDetail = depositSlipRow.extend({ items: z.array(depositItem) });
export type DepositSlipDetail = z.infer<typeof depositSlipDetail>;

const path = '/api/admin/staff/accounting/deposit_slips';
const item = `${path}/{id}` as const;
const account = z.int('Choose the bank account').min(1, 'Choose the bank account');
const slip = {
  bank_account_id: account, deposited_on: isoDate, memo: z.string().trim().max(1_000).default(''),
  payment_ids: z.array(id).min(1, { error: () => spell`Choose a check or cash` })
    .max(SLIP_LIMIT, `At most ${SLIP_LIMIT} on one slip`),
};

export const depositSlipEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('bank_transaction.list'), summary: 'List deposit slips',
    query: listQuery({ filters: { division: divisionCode.optional(), status: z.enum(SLIP_STATUSES).optional(),
      bank_account_id: z.coerce.number().int().optional() }, sort: ['deposited_on', 'number', 'updated_at'] }),
    response: many(depositSlipRow) }),
  undeposited: endpoint({ method: 'GET', path: `${path}/undeposited`, auth: staff('bank_transaction.list'),
    summary: 'Undeposited funds by division and currency, against the ledger', response: all(undepositedRow) }),
  waiting: endpoint({ method: 'GET', path: `${path}/waiting`, auth: staff('bank_transaction.list'),
    summary: 'Checks and cash that wait to be deposited on a bank account',
    query: z.strictObject({ bank_account_id: z.coerce.number().int().min(1) }), response: all(depositItem) }),
  show: endpoint({ method: 'GET', path: item, auth: staff('bank_transaction.show'), summary: 'Show a deposit slip',
    response: one(depositSlipDetail) }),
  create: endpoint({ method: 'POST', path, auth: staff('bank_transaction.create'), idempotent: true, status: 201,
    summary: 'Put checks and cash on a deposit slip', body: z.strictObject(slip), response: one(depositSlipDetail) }),
  update: endpoint({ method: 'PUT', path: item, auth: staff('bank_transaction.update'),
    summary: 'Change a slip that is not deposited yet', body: z.strictObject({ ...slip, version }),
    response: one(depositSlipDetail) }),
  deposit: endpoint({ method: 'PUT', path: `${item}/deposit`, auth: staff('bank_transaction.update'),
    summary: 'Record that a slip was deposited', body: z.strictObject({ version, deposited_on: isoDate }),
    response: one(depositSlipDetail) }),
  discard: endpoint({ method: 'PUT', path: `${item}/discard`, auth: staff('bank_transaction.update'),
    summary: 'Discard a slip that is not deposited; its receipts wait again', body: z.strictObject({ version }),
    response: one(depositSlipDetail) }),
  takeBack: endpoint({ method: 'PUT', path: `${item}/take-back`, auth: staff('transaction.update'),
    summary: 'Take back a deposit that is not matched with a line of the bank', response: one(depositSlipDetail),
    body: z.strictObject({ version, reason: z.string().trim().min(1, 'Give a reason').max(500) }) }),
  document: endpoint({ method: 'GET', path: `${item}/document`, auth: staff('bank_transaction.show'),
    summary: 'The slip as PDF, for the bank', response: 'file' }),
};
