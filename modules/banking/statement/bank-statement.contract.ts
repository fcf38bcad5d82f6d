/**
 * Statements of bank accounts (A110-A112): a file is previewed, then the previewed file is imported whole or not at
 * all. How the columns of a CSV file are read is asked once and kept with the account.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one, UPLOAD_LIMIT, type UploadRule } from '#kit/endpoint.ts';

/** Endings that banks give their files. What a file is, is told by its content. */
export const STATEMENT_FILE_TYPES = ['ofx', 'qfx', 'qbo', 'qif', 'csv', 'tsv', 'txt', 'dat', 'xml', 'sta', 'mt940',
  '940', 'mt942', '942', 'swi', 'fin', 'bai', 'bai2', 'xlsx'] as const;
const STATEMENT_FILE: UploadRule = { field: 'file', types: STATEMENT_FILE_TYPES, max_bytes: UPLOAD_LIMIT };

export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const;
export const DECIMAL_MARKS = ['.', ','] as const;

const column = z.union([z.string().min(1).max(200), z.int().min(0).max(999)]);
const marks = z.array(z.string().max(40)).min(1).max(20);
/** Of one account: saved with it when a file is imported. */
export const sheetMapping = z.strictObject({
  header_row: z.int().min(1).max(1000).nullable(), footer_rows: z.int().min(0).max(100),
  date_order: z.enum(DATE_ORDERS).nullable(), decimal_mark: z.enum(DECIMAL_MARKS).nullable(),
  amount: z.union([
    z.strictObject({ kind: z.literal('signed'), amount: column, inverted: z.boolean() }),
    z.strictObject({ kind: z.literal('in_and_out'), money_in: column, money_out: column,
      out_is_negative: z.boolean() }),
    z.strictObject({ kind: z.literal('marked'), amount: column, mark: column, out_marks: marks, in_marks: marks }),
  ]),
  columns: z.strictObject({ booked: column, value: column.optional(), name: column.optional(),
    memo: z.array(column).max(10).optional(), reference: column.optional(), bank_id: column.optional(),
    check_number: column.optional(), counterparty_account: column.optional(), currency: column.optional(),
    account: column.optional(), balance: column.optional(), status: column.optional() }),
});

const flag = z.object({ flag: z.string(), count: z.int(), message: z.string() });
const statementFacts = { kind: z.enum(['statement', 'advance']), number: z.string().nullable(),
  from_on: z.string().nullable(), to_on: z.string().nullable(), opening_minor: z.int().nullable(),
  closing_minor: z.int().nullable(), net_minor: z.int(), line_count: z.int(), new_count: z.int(),
  flags: z.array(flag) };

export const bankStatementRow = z.object({ id: z.int(), bank_account_id: z.int(), bank_account_name: z.string(),
  division: z.string(), currency: z.string(), ...statementFacts, format: z.string(), file_name: z.string(),
  /** The import was a mistake: its lines count nowhere, and the file can be imported again. */
  taken_back_at: z.string().nullable(), taken_back_by_name: z.string().nullable(),
  take_back_reason: z.string().nullable(), created_at: z.string() });
export type BankStatementRow = z.infer<typeof bankStatementRow>;

const lineFacts = { booked_on: z.string(), amount_minor: z.int(), name: z.string(), memo: z.string(),
  reference: z.string() };
export const statementLine = z.object({ id: z.int(), position: z.int(),
  state: z.enum(['booked', 'advance', 'superseded', 'withdrawn']), ...lineFacts, value_on: z.string().nullable(),
  counterparty_account: z.string().nullable(), balance_minor: z.int().nullable(),
  details: z.array(z.object({ amount_minor: z.int().nullable(), name: z.string(), memo: z.string(),
    reference: z.string() })) });
export type StatementLine = z.infer<typeof statementLine>;

export const statementPreview = z.object({
  sha256: z.string(), currency: z.string(), format: z.string().nullable(),
  /** The same file is here already: importing it brings nothing. */
  is_known_file: z.boolean(),
  refusal: z.object({ code: z.string(), message: z.string(), advice: z.string(), line: z.int().nullable(),
    suggestion: z.string().nullable() }).nullable(),
  /** Settings to choose before the file can be read, with the rows to choose by. */
  sheet: z.object({ rows: z.array(z.array(z.string())), mapping: sheetMapping }).nullable(),
  statements: z.array(z.object({ account: z.string().nullable(), known_count: z.int(), ...statementFacts })),
  lines: z.array(z.object({ ...lineFacts, state: z.enum(['new', 'known', 'probable']) })),
  /** All of them; `at` is the place of the line in the file, by which it is answered. */
  probable: z.array(z.object({ at: z.int(), line: z.object(lineFacts),
    here: z.object({ id: z.int(), ...lineFacts }) })),
  probable_count: z.int(),
});
export type StatementPreview = z.infer<typeof statementPreview>;

const counts = { statement_ids: z.array(z.int()), new_count: z.int(), known_count: z.int(), skipped_count: z.int() };
/** A large file on its way. `result` once it is imported, `failure` where it was not. */
export const statementImport = z.object({ id: z.int(), bank_account_id: z.int(),
  status: z.enum(['waiting', 'running', 'finished', 'failed']), lines_total: z.int(), lines_done: z.int(),
  result: z.object(counts).nullable(), failure: z.string().nullable() });
export type StatementImport = z.infer<typeof statementImport>;

const path = '/api/admin/staff/accounting/bank_statements';
const source = { bank_account_id: z.coerce.number().int().min(1, 'Choose a bank account'),
  /** JSON of a mapping, where the saved one does not fit the file. */
  mapping: z.string().max(20_000).optional(), date_order: z.enum(DATE_ORDERS).optional(),
  decimal_mark: z.enum(DECIMAL_MARKS).optional(),
  /** A person has looked: the file is of this bank account, although its number is written in another way. */
  account_confirmed: z.enum(['true', 'false']).optional() };
/** Same line as one here: left out; or a line of its own. */
const PROBABLE_ANSWERS = ['skip', 'import'] as const;
export type ProbableAnswer = (typeof PROBABLE_ANSWERS)[number];
/** By the place of the line in the file. */
export const probableAnswers = z.record(z.string().regex(/^\d{1,7}$/), z.enum(PROBABLE_ANSWERS));

export const bankStatementEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('bank_transaction.list'), summary: 'Statements, latest first',
    query: listQuery({ filters: { bank_account_id: z.coerce.number().int().optional(),
      kind: z.enum(['statement', 'advance']).optional(),
      taken_back: z.enum(['true', 'false']).optional() }, sort: ['to_on', 'created_at'], perPage: 25 }),
    response: many(bankStatementRow) }),
  show: endpoint({ method: 'GET', path: `${path}/{id}`, auth: staff('bank_transaction.show'),
    summary: 'A statement with its balances and what was wrong with its file', response: one(bankStatementRow) }),
  lines: endpoint({ method: 'GET', path: `${path}/{id}/lines`, auth: staff('bank_transaction.show'),
    summary: 'Lines of a statement that its file brought first', query: listQuery({ filters: {}, sort: ['position'],
      perPage: 50 }), response: many(statementLine) }),
  preview: endpoint({ method: 'POST', path: `${path}/preview`, auth: staff('bank_transaction.create'),
    summary: 'Read a file of a bank; nothing is stored', readOnly: true, upload: STATEMENT_FILE,
    body: z.strictObject(source), response: one(statementPreview) }),
  create: endpoint({ method: 'POST', path, auth: staff('bank_transaction.create'), status: 201,
    summary: 'Import the previewed file, whole or not at all', upload: STATEMENT_FILE,
    body: z.strictObject({ ...source,
      sha256: z.string().regex(/^[0-9a-f]{64}$/, 'Preview the file first'),
      /** For lines that are probably here already: leave them out, or import them as lines of their own. */
      probable: z.enum(PROBABLE_ANSWERS).optional(),
      /** JSON of answers line by line, which go before the one for all. */
      probable_lines: z.string().max(200_000).optional() }),
    response: one(z.object({ ...counts,
      /** Lines that were matched at once, beyond doubt. */
      matched_count: z.int(),
      /** A large file is imported in the background: nothing is here yet. */
      import_id: z.int().nullable() })) }),
  takeBack: endpoint({ method: 'PUT', path: `${path}/{id}/take_back`, auth: staff('bank_transaction.delete'),
    summary: 'Take back an import while none of its lines is matched; the same file can be imported again',
    body: z.strictObject({ reason: z.string().trim().min(1, 'Give a reason').max(500) }),
    response: one(bankStatementRow) }),
  progress: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/bank_statement_imports/{id}',
    auth: staff('bank_transaction.create'), summary: 'Progress of importing a large file',
    response: one(statementImport) }),
};
