/**
 * One row of a box-office file as facts, or the reason why it cannot be read. Pure: titles, venues and licences are
 * found afterwards. Sources: domain.md 1.4 (blocking problems), issue "Bad input" (negative, more than two decimals).
 */
import { addDays } from '#kernel/calendar/calendar.ts';
import type { Currency } from '#kernel/money/money.ts';
import { DEDUCTION_TYPES, type DeductionType } from '#kernel/pricing/rate-card.ts';
import type { DateMeaning, ImportField } from './import-field.contract.ts';
import {
  fail, readAmount, readCount, readCurrency, readDate, readPercent, readTime, readYes, refuseRagged, Unreadable,
  type CellRules, type RowProblem,
} from './read-cell.ts';

/** Parsing rules for the rows of a box-office file. */
export interface RowRules extends CellRules {
  columns: Partial<Record<ImportField, number>>;
  constants: Partial<Record<ImportField, string>>;
  report_scope: 'performance' | 'week' | 'run';
  date_is: DateMeaning;
}

export interface ReadRow {
  period_from: string;
  /** HH:MM, or nothing. */
  time: string;
  period_to: string;
  show: string;
  venue: string;
  license_number: string;
  currency: Currency;
  gross_minor: number;
  performances: number | null;
  attendance: number | null;
  complimentary: number | null;
  capacity: number | null;
  capacity_ppm: number | null;
  tax_included: boolean;
  running_costs_minor: number | null;
  deductions: { type: DeductionType; amount_minor: number }[];
}

/** Reads one row; `cut_off` rows and rows with too many or too few cells are never guessed at. */
export function readRow(cells: readonly string[], rules: RowRules, cutOff = false): ReadRow | RowProblem {
  try {
    if (cutOff) fail('cut_off', 'The file ends inside this row', null, '');
    refuseRagged(cells, rules.width);
    return facts(cells, rules);
  } catch (error) {
    if (error instanceof Unreadable) return error.problem;
    throw error;
  }
}

export function isProblem(row: ReadRow | RowProblem): row is RowProblem {
  return 'reason_code' in row;
}

function facts(cells: readonly string[], rules: RowRules): ReadRow {
  const cell = (field: ImportField): string => {
    const at = rules.columns[field];
    const text = at === undefined ? '' : cells[at] ?? '';
    if (text.includes('\ufffd')) fail('unreadable_text', 'The cell holds a damaged character', field, text);
    return text === '' ? rules.constants[field] ?? '' : text;
  };
  const required = (field: ImportField, name: string): string => {
    const text = cell(field);
    if (text === '') fail('missing_value', `${name} is empty`, field, '');
    if (text.length > 300) fail('too_long', `${name} is longer than 300 characters`, field, text);
    return text;
  };
  const count = (field: ImportField, name: string, max: number): number | null =>
    readCount(cell(field), field, name, max, rules.decimal_style);
  const byNumber = cell('license_number') !== '';
  const named = (field: ImportField, name: string): string => byNumber ? cell(field) : required(field, name);
  const on = readDate(required('date', 'The date'), 'date', rules.date_format);
  return {
    ...periodOf(on, cell('period_from'), rules),
    time: readTime(cell('time')),
    show: named('show', 'The show'),
    venue: named('venue', 'The venue'),
    license_number: cell('license_number'),
    currency: readCurrency(required('currency', 'The currency')),
    gross_minor: readAmount(required('gross', 'The gross'), 'gross', rules),
    performances: count('performances', 'Performances', 1000),
    attendance: count('attendance', 'Attendance', 10_000_000),
    complimentary: count('complimentary', 'Complimentary', 10_000_000),
    capacity: count('capacity', 'Seats offered', 10_000_000),
    capacity_ppm: readPercent(cell('capacity_percent'), rules.decimal_style),
    tax_included: readYes(cell('tax_included')),
    running_costs_minor: cell('running_costs') === '' ? null
      : readAmount(cell('running_costs'), 'running_costs', rules),
    deductions: DEDUCTION_TYPES.flatMap((type) => {
      const amount_minor = cell(type) === '' ? 0 : readAmount(cell(type), type, rules);
      return amount_minor === 0 ? [] : [{ type, amount_minor }];
    }),
  };
}

function periodOf(on: string, first: string, rules: RowRules): { period_from: string; period_to: string } {
  if (rules.report_scope === 'performance') return { period_from: on, period_to: on };
  if (rules.report_scope === 'run') {
    if (first === '') fail('missing_value', 'The first day of the run is empty', 'period_from', '');
    const from = readDate(first, 'period_from', rules.date_format);
    if (from > on) fail('unreadable_date', 'The run ends before it starts', 'period_from', first);
    return { period_from: from, period_to: on };
  }
  return rules.date_is === 'week_start' ? { period_from: on, period_to: addDays(on, 6) }
    : { period_from: addDays(on, -6), period_to: on };
}
