/**
 * Transactions of the ledger with their lines. Documents post theirs; people write journals: draft, post, void,
 * reverse (accounting.md 1.2). Nothing posted is ever changed or deleted.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { bulk, trashing } from '#kit/bulk.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, isoDate, minor, version } from '#kit/field.ts';
import { PARTY_TYPES } from '../ledger-account/ledger-account.contract.ts';
import { transactionDocument } from './transaction-document.contract.ts';

export const TRANSACTION_STATUSES = ['draft', 'posted', 'reversed', 'void'] as const;
export const DIRECTIONS = ['in', 'out', 'neutral'] as const;
const base = '/api/admin/staff/accounting/transactions';
const item = `${base}/{id}` as const;

export const journalEntryRow = z.object({
  id: z.int(), transaction_id: z.int(), line_no: z.int(), transaction_at: z.string(), division: divisionCode,
  /** Number of the transaction, else of the document that posted it. */
  number: z.string().nullable(), status: z.enum(TRANSACTION_STATUSES), description: z.string(),
  ledger_account_id: z.int(), account_code: z.string(), account_name: z.string(), currency: z.string(),
  debit_minor: z.int(), credit_minor: z.int(), amount_minor: z.int(), base_amount_minor: z.int(),
  fx_rate: z.string().nullable(), party_type: z.string().nullable(), party_id: z.int().nullable(),
  party_name: z.string().nullable(), invoice_id: z.int().nullable(), license_id: z.int().nullable(),
  show_id: z.int().nullable(), payment_id: z.int().nullable(), memo: z.string().nullable(),
});

export const transactionRow = z.object({
  id: z.int(), division: divisionCode, kind: z.string(), kind_name: z.string(), number: z.string().nullable(),
  status: z.enum(TRANSACTION_STATUSES), transaction_at: z.string(), period: z.int(), direction: z.enum(DIRECTIONS),
  currency: z.string(), total_minor: z.int(), description: z.string(), memo: z.string(),
  source_type: z.string().nullable(), source_id: z.int().nullable(), source_event: z.string().nullable(),
  /** Document that posted it, if there is one; of a reversal, the one that posted the original. */
  document: transactionDocument.nullable(),
  /** A posting that no document stands behind: only such a one is reversed here. */
  is_reversible: z.boolean(),
  reverses_id: z.int().nullable(), reversed_by_id: z.int().nullable(), reverses_number: z.string().nullable(),
  reversed_by_number: z.string().nullable(), reversal_reason: z.string().nullable(),
  has_posting_discrepencies: z.boolean(), posted_at: z.string().nullable(), posted_by_name: z.string().nullable(),
  version: z.int(), created_at: z.string(), updated_at: z.string(),
});
/** A row of a list; its lines where the query asks with=journal_entries. */
export const transactionListRow = transactionRow.extend({ journal_entries: z.array(journalEntryRow).optional() });
export const transactionDetail = transactionRow.extend({ journal_entries: z.array(journalEntryRow),
  prepared_by_id: z.int().nullable(), prepared_by_name: z.string().nullable() });

export const journalLine = z.strictObject({
  ledger_account_id: z.int('Choose an account').min(1, 'Choose an account'),
  debit_minor: minor.min(0).default(0),
  credit_minor: minor.min(0).default(0),
  party_type: z.enum(PARTY_TYPES).optional(),
  party_id: id.optional(),
  memo: z.string().trim().max(500).optional(),
});
const journalBody = {
  /** A journal begins as a draft; posting it is a call of its own. */
  status: z.literal('draft', 'A journal is saved as a draft. Post it with its own call').optional(),
  /** Follows from the lines on cash accounts; one that says otherwise is refused. */
  direction: z.enum(DIRECTIONS).optional(),
  division: divisionCode, transaction_at: isoDate, description: z.string().trim().max(500).default(''),
  memo: z.string().trim().max(2000).default(''),
  journal_entries: z.array(journalLine).max(2000, 'A journal has at most 2,000 lines'),
};
const filters = {
  division: divisionCode.optional(), status: z.enum(TRANSACTION_STATUSES).optional(),
  direction: z.enum(DIRECTIONS).optional(), kind: z.string().max(40).optional(),
  transaction_at_from: isoDate.optional(), transaction_at_to: isoDate.optional(),
  has_posting_discrepencies: z.stringbool().optional(), license_id: z.coerce.number().int().optional(),
};
/** Names of what a row may bring along, with commas. */
const withEntries = z.string().regex(/^journal_entries$/, 'Choose journal_entries').optional();
const query = listQuery({ filters: { ...filters, with: withEntries },
  sort: ['transaction_at', 'id', 'updated_at', 'total_minor'] });
const state = z.strictObject({ version });
/** Without a status what is posted, reversed postings included; of one transaction, its lines whatever it is. */
const entryFilters = { status: z.enum(TRANSACTION_STATUSES).optional(), transaction_at_from: isoDate.optional(),
  transaction_at_to: isoDate.optional() };

export const transactionEndpoints = {
  list: endpoint({ method: 'GET', path: base, auth: staff('transaction.list'), summary: 'List transactions', query,
    response: many(transactionListRow) }),
  show: endpoint({ method: 'GET', path: item, auth: staff('transaction.view'),
    summary: 'A transaction with its lines', response: one(transactionDetail) }),
  create: endpoint({ method: 'POST', path: base, auth: staff('transaction.create'), status: 201, idempotent: true,
    summary: 'Write a journal as a draft', body: z.strictObject(journalBody), response: one(transactionDetail) }),
  update: endpoint({ method: 'PUT', path: item, auth: staff('transaction.update'), summary: 'Change a draft',
    body: z.strictObject({ ...journalBody, version }), response: one(transactionDetail) }),
  remove: endpoint({ method: 'DELETE', path: item, auth: staff('transaction.delete'),
    summary: 'Move a draft to the trash', response: null }),
  trash: endpoint({ method: 'GET', path: `${base}/trash`, auth: staff('transaction.list_trash'),
    summary: 'Drafts in the trash', query, response: many(transactionListRow) }),
  restore: endpoint({ method: 'PUT', path: `${item}/restore`, auth: staff('transaction.restore'),
    summary: 'Restore a draft', response: one(transactionDetail) }),
  purge: endpoint({ method: 'DELETE', path: `${item}/force`, auth: staff('transaction.forceDelete'),
    summary: 'Delete a draft in the trash for good', response: null }),
  post: endpoint({ method: 'POST', path: `${item}/post`, auth: staff('transaction.update'), idempotent: true,
    summary: 'Post a draft', body: state, response: one(transactionDetail) }),
  void: endpoint({ method: 'POST', path: `${item}/void`, auth: staff('transaction.update'), idempotent: true,
    summary: 'Void a draft', body: state, response: one(transactionDetail) }),
  reverse: endpoint({ method: 'POST', path: `${item}/reverse`, auth: staff('transaction.update'), idempotent: true,
    summary: 'Post the mirror of a transaction', response: one(transactionDetail),
    body: z.strictObject({ transaction_at: isoDate.optional(),
      reason: z.string().trim().min(1, 'Reason is required').max(500) }) }),
  entries: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/journal_entries',
    auth: staff('journal_entry.list'), summary: 'Lines of the journal', response: many(journalEntryRow),
    query: listQuery({ sort: ['transaction_at', 'id'], filters: { division: divisionCode.optional(),
      ledger_account_id: z.coerce.number().int().optional(), transaction_id: z.coerce.number().int().optional(),
      party_type: z.enum(PARTY_TYPES).optional(), party_id: z.coerce.number().int().optional(),
      currency: currencyCode.optional(), license_id: z.coerce.number().int().optional(), ...entryFilters } }) }),
  entry: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/journal_entries/{id}',
    auth: staff('journal_entry.view'), summary: 'One line of the journal', response: one(journalEntryRow) }),
  accountJournals: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/ledger_accounts/{id}/journals',
    auth: staff('ledger_account.view'), summary: 'Lines of one account', response: many(journalEntryRow),
    query: listQuery({ filters: { ...entryFilters }, sort: ['transaction_at', 'id'] }) }),
};

export const transactionBulk = bulk(transactionEndpoints.list, { noun: ['transaction', 'transactions'],
  href: '/admin/accounting/transactions/{id}/journal-entries?division={division}', named: ['number', 'description'] },
  [{ label: 'Post', endpoint: transactionEndpoints.post }, trashing(transactionEndpoints)]);
