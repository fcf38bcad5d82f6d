/**
 * Bank transactions (A52-A58): lines of statements, which never change, and those that a person enters where the bank
 * sends no file. What a line is for in the ledger is its match; reconciled it is by a finished reconciliation.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { bulk, restoring, trashing } from '#kit/bulk.ts';
import { endpoint, listQuery, many, one, UPLOAD_LIMIT } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, isoDate, minor, oneLine, version } from '#kit/field.ts';
import { MAX_MINOR } from '#kernel/money/money.ts';

export const LINE_STATES = ['booked', 'advance', 'superseded', 'withdrawn'] as const;
export const LINE_SOURCES = ['statement', 'manual'] as const;
export const LINE_DIRECTIONS = ['in', 'out'] as const;

export const bankTransactionRow = z.object({
  id: z.int(), bank_account_id: z.int(), bank_account_name: z.string(), division: divisionCode, currency: currencyCode,
  source: z.enum(LINE_SOURCES), state: z.enum(LINE_STATES), booked_on: z.string(), value_on: z.string().nullable(),
  /** Positive: money in. */
  amount_minor: z.int(), name: z.string(), memo: z.string(), reference: z.string(), check_number: z.string().nullable(),
  /** A remark of the office. */
  note: z.string(),
  /** In an active match with the ledger. */
  is_matched: z.boolean(), bank_match_id: z.int().nullable(),
  /** Part of a finished reconciliation. */
  is_reconciled: z.boolean(), bank_reconciliation_id: z.int().nullable(),
  bank_statement_id: z.int().nullable(), statement_number: z.string().nullable(),
  statement_to_on: z.string().nullable(), file_count: z.int(), deleted_at: z.string().nullable(),
  version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type BankTransactionRow = z.infer<typeof bankTransactionRow>;

/** A line of the ledger in the match of a bank transaction. */
const matchedEntry = z.object({ id: z.int(), transaction_id: z.int(), transaction_number: z.string().nullable(),
  description: z.string(), transaction_at: z.string(), amount_minor: z.int() });
const match = z.object({ id: z.int(), made_by: z.enum(['person', 'rule', 'auto']), made_by_name: z.string().nullable(),
  created_at: z.string(), entries: z.array(matchedEntry) });
export const lineFile = z.object({ id: z.int(), name: z.string(), size_bytes: z.int(), created_at: z.string(),
  created_by_name: z.string().nullable() });
export type LineFile = z.infer<typeof lineFile>;
export const bankTransactionDetail = bankTransactionRow.extend({
  bank_reference: z.string().nullable(), end_to_end_id: z.string().nullable(), type: z.string(),
  counterparty_account: z.string().nullable(), balance_minor: z.int().nullable(),
  original: z.object({ amount: z.string(), currency: z.string() }).nullable(),
  details: z.array(z.object({ amount_minor: z.int().nullable(), name: z.string(), memo: z.string(),
    reference: z.string() })),
  created_by_name: z.string().nullable(), match: match.nullable(), files: z.array(lineFile),
});
export type BankTransactionDetail = z.infer<typeof bankTransactionDetail>;

const facts = {
  booked_on: isoDate,
  amount_minor: minor.refine((amount) => amount !== 0, 'Enter an amount other than zero'),
  name: oneLine('The name', z.string('Enter who paid or was paid').trim().min(1, 'Enter who paid or was paid')
    .max(140)),
  memo: z.string().trim().max(500).default(''), reference: z.string().trim().max(100).default(''),
  check_number: z.string().trim().max(20).nullable().default(null),
};
const note = z.string().trim().max(2_000);
/** True ticks the line in the open reconciliation of its account; there is none outside one. */
const is_reconciled = z.boolean();

const path = '/api/admin/staff/accounting/bank_transactions';
const item = `${path}/{id}` as const;
const amount = z.coerce.number().int().min(0, 'An amount cannot be negative')
  .max(Number(MAX_MINOR), 'At most 10,000,000,000.00').optional();
const query = listQuery({ filters: {
  bank_account_id: z.coerce.number().int().optional(), division: divisionCode.optional(),
  currency: currencyCode.optional(), bank_statement_id: z.coerce.number().int().optional(),
  /** Absent: booked lines, which alone count. */
  state: z.enum(LINE_STATES).optional(), source: z.enum(LINE_SOURCES).optional(),
  direction: z.enum(LINE_DIRECTIONS).optional(), matched: z.stringbool().optional(),
  is_reconciled: z.stringbool().optional(), booked_on_from: isoDate.optional(), booked_on_to: isoDate.optional(),
  /** Without the sign, both included. */
  from_minor: amount, to_minor: amount,
}, sort: ['booked_on', 'amount_minor', 'name', 'updated_at'], perPage: 25 });

export const bankTransactionEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('bank_transaction.list'), summary: 'List bank transactions', query,
    response: many(bankTransactionRow) }),
  trash: endpoint({ method: 'GET', path: `${path}/trash`, auth: staff('bank_transaction.list_trash'),
    summary: 'List bank transactions in the trash', query, response: many(bankTransactionRow) }),
  show: endpoint({ method: 'GET', path: item, auth: staff('bank_transaction.show'),
    summary: 'A bank transaction with its match and its files', response: one(bankTransactionDetail) }),
  create: endpoint({ method: 'POST', path, auth: staff('bank_transaction.create'), status: 201, idempotent: true,
    summary: 'Enter a bank transaction by hand', response: one(bankTransactionDetail),
    body: z.strictObject({ bank_account_id: z.int('Choose a bank account').min(1, 'Choose a bank account'), ...facts,
      note: note.default(''), is_reconciled: is_reconciled.default(false),
      /** A line of the same day and amount is there, and this is another one. */
      duplicate_confirmed: z.boolean().default(false) }) }),
  update: endpoint({ method: 'PUT', path: item, auth: staff('bank_transaction.update'),
    summary: 'Change an entry by hand, or the note beside any line', response: one(bankTransactionDetail),
    body: z.strictObject({ booked_on: facts.booked_on.optional(), amount_minor: facts.amount_minor.optional(),
      name: facts.name.optional(), memo: z.string().trim().max(500).optional(),
      reference: z.string().trim().max(100).optional(),
      check_number: z.string().trim().max(20).nullable().optional(), note: note.nullable().optional(),
      is_reconciled: is_reconciled.optional(), version }) }),
  remove: endpoint({ method: 'DELETE', path: item, auth: staff('bank_transaction.delete'), conditional: true,
    summary: 'Move an entry by hand to the trash', response: null }),
  restore: endpoint({ method: 'PUT', path: `${item}/restore`, auth: staff('bank_transaction.restore'),
    summary: 'Restore a bank transaction', response: one(bankTransactionDetail) }),
  purge: endpoint({ method: 'DELETE', path: `${item}/purge`, auth: staff('bank_transaction.delete'),
    summary: 'Delete a bank transaction in the trash for good', response: null }),
  attach: endpoint({ method: 'POST', path: `${item}/files`, auth: staff('bank_transaction.update'), status: 201,
    summary: 'Attach a file to a bank transaction', body: z.strictObject({}), response: one(lineFile),
    upload: { field: 'file', types: ['pdf', 'png', 'jpg', 'jpeg', 'webp', 'csv', 'txt', 'docx', 'xlsx'],
      max_bytes: UPLOAD_LIMIT } }),
  file: endpoint({ method: 'GET', path: `${item}/files/{fileId}`, auth: staff('bank_transaction.show'),
    summary: 'A file attached to a bank transaction', response: 'file' }),
  detach: endpoint({ method: 'DELETE', path: `${item}/files/{fileId}`, auth: staff('bank_transaction.update'),
    summary: 'Remove a file from a bank transaction', response: null }),
};

const WORDS = { noun: ['bank transaction', 'bank transactions'],
  href: '/admin/banking/transactions/{id}' } as const;
export const bankTransactionBulk = bulk(bankTransactionEndpoints.list, WORDS, [trashing(bankTransactionEndpoints)]);
export const bankTransactionTrashBulk = bulk(bankTransactionEndpoints.trash, { ...WORDS, href: null },
  [restoring(bankTransactionEndpoints)]);
