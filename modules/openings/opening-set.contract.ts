/**
 * Opening balances (X92 to X96): a set of a division and kind is read from a file, looked at, posted once and, until
 * the first close, reversed by two people.
 */
import * as z from 'zod';
import { declineBody } from '#kit/approval.ts';
import { staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one, UPLOAD_LIMIT } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, isoDate, version } from '#kit/field.ts';
import { OPENING_KINDS } from '#kernel/ledger/opening-sets.ts';
import { spell } from '#kernel/text/english.ts';
import { DATE_FORMATS, DECIMAL_STYLES } from '#modules/data-exchange/imports/import-field.contract.ts';

export const OPENING_STATUSES = ['draft', 'posted', 'reversed'] as const;
export const OPENING_FILE_TYPES = ['csv', 'tsv', 'txt', 'xlsx'] as const;
/** Rows of one set. */
export const OPENING_LIMIT = 50_000;

export const KIND_LABELS: Readonly<Record<(typeof OPENING_KINDS)[number], string>> = {
  ledger: 'Trial balance', receivables: 'Open invoices', payables: 'Open bills', deposits: 'Deposits held',
  deferred: 'Deferred income', royaltors: 'Royalties owed', reserves: 'Royalty reserves',
  advances: 'Advances to royaltors', banks: 'Bank balances', next_numbers: 'Next numbers',
};

/** Opening set in its division. */
export const openingSetRow = z.object({
  id: z.int(), division: divisionCode, kind: z.enum(OPENING_KINDS), as_of: z.string(),
  status: z.enum(OPENING_STATUSES), file_name: z.string(), row_count: z.int(), problem_count: z.int(),
  created_by_name: z.string().nullable(), created_at: z.string(), posted_by_name: z.string().nullable(),
  posted_at: z.string().nullable(), reversal_asked: z.boolean(), version: z.int(), updated_at: z.string(),
});
export type OpeningSetRow = z.infer<typeof openingSetRow>;

/** Total the set brings to an account, + debit. */
const total = z.object({ account: z.string(), account_name: z.string(), currency: currencyCode, line_count: z.int(),
  amount_minor: z.int(), base_minor: z.int(),
  /** A line of the trial balance that other sets bring by their documents. */
  is_carried: z.boolean() });
/** An account whose balance documents bring: what the trial balance says, and what the posted sets brought. */
const control = z.object({ account: z.string(), account_name: z.string(), kind: z.enum(OPENING_KINDS),
  trial_minor: z.int().nullable(), documents_minor: z.int(), difference_minor: z.int() });
export type OpeningControl = z.infer<typeof control>;

export const openingSetDetail = openingSetRow.extend({
  functional_currency: currencyCode, transaction_id: z.int().nullable(),
  date_format: z.string(), decimal_style: z.string(),
  /** Heads of the file that nothing was read from. */
  unused: z.array(z.string()),
  totals: z.array(total),
  /** In which currencies a trial balance is off, and by how much. */
  imbalances: z.array(z.object({ currency: currencyCode, by_minor: z.int() })),
  controls: z.array(control),
  /** Balance of 3999 in the division, now and once this set is posted. */
  opening_minor: z.int(), opening_after_minor: z.int(),
  /** Why it cannot be posted; null where it can. */
  blocked: z.string().nullable(),
  reversal_asked_by_id: z.int().nullable(), reversal_asked_by_name: z.string().nullable(),
  reversal_asked_at: z.string().nullable(), reversal_reason: z.string().nullable(),
  reversed_by_name: z.string().nullable(), reversed_at: z.string().nullable(),
});
export type OpeningSetDetail = z.infer<typeof openingSetDetail>;

export const openingProblem = z.object({ field: z.string().nullable(), column: z.string().nullable(),
  text: z.string(), value: z.string() });
export const openingLine = z.object({
  id: z.int(), row_no: z.int(), label: z.string(), account: z.string().nullable(), currency: currencyCode.nullable(),
  amount_minor: z.int().nullable(), base_minor: z.int().nullable(), problems: z.array(openingProblem),
  cells: z.array(z.string()),
  document: z.object({ kind: z.string(), id: z.int(), number: z.string().nullable() }).nullable(),
  transaction_id: z.int().nullable(),
});
export type OpeningLine = z.infer<typeof openingLine>;

const path = '/api/admin/staff/accounting/opening_balances';
const item = `${path}/{id}` as const;
const reason = z.string().trim().min(1, 'Give a reason').max(500);

export const openingSetEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('transaction.list'),
    summary: 'Sets of opening balances', response: many(openingSetRow),
    query: listQuery({ filters: { division: divisionCode.optional(), kind: z.enum(OPENING_KINDS).optional(),
      status: z.enum(OPENING_STATUSES).optional() }, sort: ['as_of', 'kind', 'updated_at'] }) }),
  controls: endpoint({ method: 'GET', path: `${path}/controls`, auth: staff('transaction.list'),
    summary: 'Accounts that documents bring: trial balance against documents', response: all(control),
    query: z.strictObject({ division: divisionCode.default('US') }) }),
  create: endpoint({ method: 'POST', path, auth: staff('transaction.create'), status: 201, idempotent: true,
    summary: 'Read a set of opening balances from a file; nothing is posted yet',
    upload: { field: 'file', types: OPENING_FILE_TYPES, max_bytes: UPLOAD_LIMIT },
    body: z.strictObject({ division: divisionCode, as_of: isoDate, kind: z.enum(OPENING_KINDS, 'Choose what it holds'),
      /** Needed if the cells are ambiguous. */
      date_format: z.enum(DATE_FORMATS).optional(), decimal_style: z.enum(DECIMAL_STYLES).optional() }),
    response: one(openingSetDetail) }),
  show: endpoint({ method: 'GET', path: item, auth: staff('transaction.view'),
    summary: 'A set: its totals, what it would post, and what is wrong with it', response: one(openingSetDetail) }),
  lines: endpoint({ method: 'GET', path: `${item}/lines`, auth: staff('transaction.view'),
    summary: 'Rows of a set with what is wrong with each', response: many(openingLine),
    query: listQuery({ filters: { has_problems: z.enum(['true', 'false']).optional() }, sort: ['row_no'],
      perPage: 50 }) }),
  post: endpoint({ method: 'PUT', path: `${item}/post`, auth: staff('transaction.create'),
    summary: 'Post a set, whole or not at all', body: z.strictObject({ version }), response: one(openingSetDetail) }),
  reverse: endpoint({ method: 'PUT', path: `${item}/reverse`, auth: staff('transaction.update'),
    summary: 'Ask to reverse a posted set, or confirm what another person asked for',
    body: z.strictObject({ version, reason }), response: one(openingSetDetail) }),
  declineReversal: endpoint({ method: 'PUT', path: `${item}/decline_reversal`, auth: staff('transaction.update'),
    summary: 'Decline to reverse a set, or withdraw the request', response: one(openingSetDetail),
    body: declineBody }),
  remove: endpoint({ method: 'DELETE', path: item, auth: staff('transaction.delete'), response: null,
    summary: 'Remove a set that is not posted' }),
  template: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/opening_balance_templates/{kind}',
    auth: staff('transaction.list'), summary: spell`The columns of a kind of opening balances with an example, as CSV`,
    params: z.object({ kind: z.enum(OPENING_KINDS) }), response: 'file' }),
};
