/** Statements with several columns: comparatives, months, parts by show or class of customer; as data and as files. */
import * as z from 'zod';
import { COMPARISONS, MOST_COLUMNS, type Comparison } from '#kernel/ledger/statement-columns.ts';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { divisionCode, isoDate } from '#kit/field.ts';
import { ledgerPart, reportCheck } from './report.contract.ts';

export const STATEMENTS = ['profit_loss', 'balance_sheet', 'cash_flows', 'trial_balance'] as const;
export type StatementName = (typeof STATEMENTS)[number];
const BASES = ['accrual', 'cash'] as const;
export const SCOPES = ['division', 'group'] as const;
export const PARTS = ['none', 'show', 'customer_class'] as const;

/** Settings of a statement as its screen words them. */
export const COMPARE_WORDS: Readonly<Record<Comparison, string>> = { none: 'Nothing',
  previous_period: 'The period before', last_year: 'The same days last year', periods: 'Several periods before',
  months: 'Its months' };
export const BASIS_WORDS: Readonly<Record<(typeof BASES)[number], string>> = { accrual: 'Accrual', cash: 'Cash' };
export const SCOPE_WORDS: Readonly<Record<(typeof SCOPES)[number], string>> = { division: 'This division',
  group: 'All, in USD' };
export const PART_WORDS: Readonly<Record<(typeof PARTS)[number], string>> = { none: 'Account', show: 'Show',
  customer_class: 'Class of customer' };

/** A choice; an address that was changed by hand is answered in the words of the screen. */
const choiceOf = <const Values extends readonly string[]>(
  values: Values, words: Readonly<Record<Values[number], string>>,
) => z.enum(values, { error: `Choose one of: ${values.map((value: Values[number]) => words[value]).join('; ')}` });

const minor = z.int();

const statementQuery = {
  statement: z.enum(STATEMENTS).default('profit_loss'), division: divisionCode.default('US'),
  from: isoDate.optional(), to: isoDate.optional(), compare: choiceOf(COMPARISONS, COMPARE_WORDS).default('none'),
  /** `group`: all divisions in USD, with eliminations. */
  scope: choiceOf(SCOPES, SCOPE_WORDS).default('division'),
  /** Of `compare=periods`, the one that is asked for included. */
  periods: z.coerce.number().int().min(2).max(MOST_COLUMNS).default(4),
  /** Of profit and loss: `cash` counts income and expense when they are paid. */
  basis: choiceOf(BASES, BASIS_WORDS).default('accrual'),
  /** Of profit and loss: one row for each show or class of customer. */
  by: choiceOf(PARTS, PART_WORDS).default('none'),
  /** Of profit and loss: only what belongs to it; 0: what belongs to none. */
  show_id: ledgerPart.optional(), customer_class_id: ledgerPart.optional(),
};

export const statementTable = z.object({
  statement: z.enum(STATEMENTS), title: z.string(), division: divisionCode, scope: z.enum(SCOPES),
  currency: z.string(), from: z.string(), to: z.string(), basis: z.enum(BASES),
  /** The show or class of customer that it is limited to. */
  part: z.string().nullable(),
  columns: z.array(z.object({ key: z.string(), title: z.string(), from: z.string(), to: z.string(),
    measure: z.string(), total: z.boolean(),
    /** Of all divisions: the one whose figures these are, in USD. */
    division: divisionCode.nullable(),
    /** Of a balance sheet: where the fiscal year of the day begins. */
    fiscal_year_from: z.string().nullable(),
    /** Of a balance sheet: a closing entry of that year moved its result, or part of it, to retained earnings. */
    has_closing_entry: z.boolean() })),
  rows: z.array(z.object({ kind: z.enum(['group', 'line', 'sum', 'result']), key: z.string(), title: z.string(),
    code: z.string().nullable(),
    /** Of a row for a show or a class of customer. */
    part_id: z.int().nullable(),
    amounts: z.array(minor), change_minor: minor.nullable(), change_permille: z.int().nullable() })),
  /** True where two columns are compared. */
  has_change: z.boolean(),
  checks: z.array(reportCheck),
  /** Notes a reader needs to understand the figures. */
  notes: z.array(z.string()),
});
export type StatementTable = z.infer<typeof statementTable>;

const path = '/api/admin/staff/accounting/reports/statements';

export const statementEndpoints = {
  read: endpoint({ method: 'GET', path, auth: staff('ledger_account.list'),
    summary: 'A statement with comparatives, by month, by show or class of customer, or of all divisions in USD; a '
      + 'trial balance needs ledger_account.view too',
    query: z.strictObject(statementQuery), response: one(statementTable) }),
  file: endpoint({ method: 'GET', path: `${path}/file`, auth: staff('ledger_account.list'),
    summary: 'The same statement as PDF or as a workbook', response: 'file',
    query: z.strictObject({ ...statementQuery, format: z.enum(['pdf', 'xlsx']).default('pdf') }) }),
};
