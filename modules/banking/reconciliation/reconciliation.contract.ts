/**
 * Reconciliation of a bank account (A113, A114): one is open per account; lines are ticked by matching them; it is
 * finished at zero and does not change afterwards. Amounts are signed, in the currency of the account.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { divisionCode, id, isoDate, minor, version } from '#kit/field.ts';

export const RECONCILIATION_STATUSES = ['open', 'finished', 'undone', 'discarded'] as const;
/** Lines and entries that one answer shows; the figures are of all. */
export const SHOWN_LINES = 500;

export const reconciliationRow = z.object({
  id: z.int(), bank_account_id: z.int(), bank_account: z.string(), bank_name: z.string(), division: divisionCode,
  currency: z.string(), bank_statement_id: z.int().nullable(), statement_number: z.string().nullable(),
  to_on: z.string(), opening_minor: z.int(), closing_minor: z.int(), status: z.enum(RECONCILIATION_STATUSES),
  created_by_name: z.string().nullable(), finished_at: z.string().nullable(), finished_by_name: z.string().nullable(),
  undone_at: z.string().nullable(), undone_by_name: z.string().nullable(), undo_reason: z.string().nullable(),
  /** Only the latest finished one of its account can be undone. */
  is_latest: z.boolean(), version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type ReconciliationRow = z.infer<typeof reconciliationRow>;

/** A ledger line of the account that the bank does not have, or one that a person ticked. */
export const bookEntry = z.object({ ledger_line_id: z.int(), transaction_id: z.int(), posted_on: z.string(),
  text: z.string(), amount_minor: z.int(), is_ticked: z.boolean(), is_adjustment: z.boolean() });
export type BookEntry = z.infer<typeof bookEntry>;

const proof = z.object({ deposits_in_transit_minor: z.int(), outstanding_payments_minor: z.int(),
  timing_minor: z.int(), unmatched_minor: z.int(), expected_minor: z.int(), ledger_minor: z.int(),
  difference_minor: z.int() });

/** accounting.md 3.10, as it is printed. */
export const reconciliationReport = z.object({
  to_on: z.string(), opening_minor: z.int(), matched_minor: z.int(), ticked_minor: z.int(), closing_minor: z.int(),
  proof,
  outstanding: z.array(z.object({ posted_on: z.string(), text: z.string(), amount_minor: z.int() })),
  outstanding_count: z.int(),
  unmatched: z.array(z.object({ booked_on: z.string(), text: z.string(), amount_minor: z.int() })),
  /** Matched with the bank by the day and booked later, or the other way round. */
  timing: z.array(z.object({ text: z.string(), amount_minor: z.int() })),
});
export type ReconciliationReport = z.infer<typeof reconciliationReport>;

export const bankSideLine = z.object({ id: z.int(), booked_on: z.string(), text: z.string(), reference: z.string(),
  amount_minor: z.int(), bank_match_id: z.int().nullable(), matched_with: z.string().nullable(),
  /** The one ledger line that it can only be. */
  ledger_line_id: z.int().nullable() });
export type BankSideLine = z.infer<typeof bankSideLine>;

/** A posted payment run, to be matched as one. */
export const runSide = z.object({ kind: z.enum(['payment_run', 'payment_run_net']), id: z.int(), label: z.string(),
  value_on: z.string(), amount_minor: z.int() });
export type RunSide = z.infer<typeof runSide>;

const block = z.object({ code: z.enum(['unmatched', 'difference', 'books', 'balance_mismatch', 'gap']),
  text: z.string(), bank_statement_id: z.int().nullable() });

const account = z.object({ id: z.int(), name: z.string(), bank_name: z.string(), division: divisionCode,
  currency: z.string(), ledger_code: z.string(), bank_account_last4: z.string().nullable(),
  reconciled_to_on: z.string().nullable(), reconciled_minor: z.int() });

export const reconciliationWork = z.object({
  account,
  /** The open one; null: begin with one of the statements, or with a closing balance. */
  reconciliation: reconciliationRow.nullable(),
  statements: z.array(z.object({ id: z.int(), number: z.string().nullable(), from_on: z.string().nullable(),
    to_on: z.string(), closing_minor: z.int() })),
  figures: z.object({ matched_minor: z.int(), matched_count: z.int(), ticked_minor: z.int(), ticked_count: z.int(),
    cleared_minor: z.int(), unmatched_minor: z.int(), unmatched_count: z.int(), difference_minor: z.int() }).nullable(),
  report: reconciliationReport.nullable(), blocks: z.array(block), lines: z.array(bankSideLine),
  entries: z.array(bookEntry), entry_count: z.int(), runs: z.array(runSide),
});
export type ReconciliationWork = z.infer<typeof reconciliationWork>;

export const reconciliationDetail = reconciliationRow.extend({ report: reconciliationReport.nullable() });
export type ReconciliationDetail = z.infer<typeof reconciliationDetail>;

const base = '/api/admin/staff/accounting';
const path = `${base}/reconciliations`;
const item = `${path}/{id}` as const;
const closing = { bank_statement_id: id.nullable().default(null),
  /** Of the statement, unless entered by hand. */
  to_on: isoDate.nullable().default(null), closing_minor: minor.nullable().default(null) };
const reason = z.string().trim().min(1, 'Give a reason').max(500);

export const reconciliationEndpoints = {
  work: endpoint({ method: 'GET', path: `${base}/reconciliation`, auth: staff('bank_transaction.list'),
    summary: 'The open reconciliation of a bank account, with both sides and what keeps it from being finished',
    query: z.strictObject({ bank_account_id: z.coerce.number().int().min(1),
      statement_id: z.coerce.number().int().optional() }), response: one(reconciliationWork) }),
  match: endpoint({ method: 'POST', path: `${base}/reconciliation`, auth: staff('bank_transaction.update'),
    summary: 'Tick bank lines by matching them, or take the ticks off',
    body: z.strictObject({ bank_transaction_ids: z.array(id).min(1, 'Choose a bank line').max(SHOWN_LINES),
      is_reconciled: z.boolean(),
      /** The other side of one match; absent: each line is matched with the one entry that it can only be. */
      ledger_line_ids: z.array(id).max(SHOWN_LINES).default([]),
      /** Payment runs, each with all of its entries. */
      runs: z.array(z.strictObject({ kind: runSide.shape.kind, id })).max(100).default([]) }),
    response: one(z.object({ matched: z.int(), skipped: z.array(z.int()) })) }),
  list: endpoint({ method: 'GET', path, auth: staff('bank_transaction.list'), summary: 'Reconciliations, latest first',
    query: listQuery({ filters: { bank_account_id: z.coerce.number().int().optional(),
      division: divisionCode.optional(), status: z.enum(RECONCILIATION_STATUSES).optional() },
    sort: ['to_on', 'updated_at'] }), response: many(reconciliationRow) }),
  show: endpoint({ method: 'GET', path: item, auth: staff('bank_transaction.show'),
    summary: 'A reconciliation with its report', response: one(reconciliationDetail) }),
  start: endpoint({ method: 'POST', path, auth: staff('bank_transaction.update'), status: 201, idempotent: true,
    summary: 'Start a reconciliation of a bank account up to a day',
    body: z.strictObject({ bank_account_id: z.int('Choose the bank account').min(1, 'Choose the bank account'),
      ...closing }), response: one(reconciliationRow) }),
  update: endpoint({ method: 'PUT', path: item, auth: staff('bank_transaction.update'),
    summary: 'Change the day or the closing balance of an open reconciliation',
    body: z.strictObject({ ...closing, version }), response: one(reconciliationRow) }),
  tick: endpoint({ method: 'PUT', path: `${item}/ticks`, auth: staff('bank_transaction.update'),
    summary: 'Tick ledger lines that stand on a statement of which the lines were not imported',
    body: z.strictObject({ ledger_line_ids: z.array(id).min(1, 'Choose an entry').max(5_000), ticked: z.boolean() }),
    response: one(reconciliationRow) }),
  adjust: endpoint({ method: 'POST', path: `${item}/adjustments`, auth: staff('transaction.update'), status: 201,
    idempotent: true, summary: 'Post the difference to an account, with a reason', response: one(reconciliationRow),
    body: z.strictObject({ version, ledger_account_id: z.int('Choose an account').min(1, 'Choose an account'),
      party_id: id.nullable().default(null), reason }) }),
  finish: endpoint({ method: 'PUT', path: `${item}/finish`, auth: staff('bank_transaction.update'),
    summary: 'Finish a reconciliation: its lines and figures no longer change', body: z.strictObject({ version }),
    response: one(reconciliationDetail) }),
  discard: endpoint({ method: 'PUT', path: `${item}/discard`, auth: staff('bank_transaction.update'),
    summary: 'Discard an open reconciliation; matches stay, ticks are taken off', body: z.strictObject({ version }),
    response: one(reconciliationRow) }),
  undo: endpoint({ method: 'PUT', path: `${item}/undo`, auth: staff('transaction.update'),
    summary: 'Undo the latest finished reconciliation; it is open again as a new one',
    body: z.strictObject({ version, reason }), response: one(reconciliationRow) }),
  document: endpoint({ method: 'GET', path: `${item}/document`, auth: staff('bank_transaction.show'),
    summary: 'The reconciliation statement as PDF', response: 'file' }),
};
