/**
 * One row of a box-office file as facts, or the reason why it cannot be read. Pure: titles, venues and licences are
 * found afterwards. Sources: domain.md 1.4 (blocking problems), issue "Bad input" (negative, more than two decimals).
 */
import { addDays, isIsoDate } from '#kernel/calendar/calendar.ts';
import { CURRENCIES, MAX_MINOR, type Currency } from '#kernel/money/money.ts';
import type { DateFormat, DateMeaning, DecimalStyle, ImportField } from './import-field.contract.ts';

/** How the cells of a file are read; frozen with the import. */
export interface RowRules {
  columns: Partial<Record<ImportField, number>>;
  constants: Partial<Record<ImportField, string>>;
  /** Cells in a row that is whole. */
  width: number;
  date_format: DateFormat;
  decimal_style: DecimalStyle;
  amount_unit: 'major' | 'minor';
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
}

/** Why a row is left out. */
export interface RowProblem {
  reason_code: string;
  reason: string;
  field: ImportField | null;
  /** The cell it is about. */
  value: string;
}

class Unreadable extends Error {
  readonly problem: RowProblem;
  constructor(problem: RowProblem) {
    super(problem.reason);
    this.problem = problem;
  }
}

function fail(reason_code: string, reason: string, field: ImportField | null, value: string): never {
  throw new Unreadable({ reason_code, reason, field, value: value.slice(0, 200) });
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

function refuseRagged(cells: readonly string[], width: number): void {
  if (cells.length < width || cells.slice(width).some((cell) => cell !== '')) {
    fail('ragged_row', `The row has ${cells.length} cells, the heads name ${width}`, null, '');
  }
}

function facts(cells: readonly string[], rules: RowRules): ReadRow {
  const cell = (field: ImportField): string => {
    const at = rules.columns[field];
    const text = at === undefined ? '' : cells[at] ?? '';
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

const DATE_PARTS: Record<DateFormat, readonly [RegExp, number, number, number]> = {
  'YYYY-MM-DD': [/^(\d{4})-(\d{1,2})-(\d{1,2})$/, 1, 2, 3],
  'MM/DD/YYYY': [/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, 3, 1, 2],
  'DD/MM/YYYY': [/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, 3, 2, 1],
  'DD.MM.YYYY': [/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, 3, 2, 1],
};

function readDate(text: string, field: ImportField, format: DateFormat): string {
  const [shape, year, month, day] = DATE_PARTS[format];
  const match = shape.exec(text.replace(/[ T]00:00(:00)?(\.0+)?$/, ''));
  const iso = match ? [match[year], match[month]!.padStart(2, '0'), match[day]!.padStart(2, '0')].join('-') : '';
  if (!isIsoDate(iso) || iso < '1900-01-01' || iso > '2200-12-31') {
    fail('unreadable_date', `"${text.slice(0, 40)}" is no date in the form ${format}`, field, text);
  }
  return iso;
}

/** 19:30, 7:30 PM and 19.30 as HH:MM. */
function readTime(text: string): string {
  if (text === '') return '';
  const match = /^(\d{1,2})[:.](\d{2})(?::00)?\s*([ap])?\.?m?\.?$/i.exec(text);
  const half = match?.[3]?.toLowerCase();
  const hour = Number(match?.[1] ?? 99) % (half ? 12 : 100) + (half === 'p' ? 12 : 0);
  if (!match || hour > 23 || Number(match[2]) > 59) {
    fail('unreadable_time', `"${text.slice(0, 40)}" is no time such as 19:30`, 'time', text);
  }
  return `${String(hour).padStart(2, '0')}:${match[2]}`;
}

function readCurrency(text: string): Currency {
  const code = { $: 'USD', '€': 'EUR', '£': 'GBP' }[text] ?? text.toUpperCase();
  if (!(CURRENCIES as readonly string[]).includes(code)) {
    fail('unknown_currency', `"${text.slice(0, 40)}" is not a currency we keep books in`, 'currency', text);
  }
  return code as Currency;
}

/** Decimal text in one style: grouping only as groups of three. Answers digits with a point, or null. */
function plainDecimal(text: string, style: DecimalStyle): string | null {
  const bare = text
    .replace(/^(?:USD|EUR|GBP|[$£€])\s*|\s*(?:USD|EUR|GBP|[$£€])$/gi, '').replace(/[\u00a0\u202f ]/g, '');
  const shape = style === 'point' ? /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/
    : /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d+))?$/;
  const match = shape.exec(bare);
  if (!match) return null;
  return `${match[1]!.replace(/[.,]/g, '')}.${match[2] ?? ''}`;
}

function isNegative(text: string): boolean {
  return /^\s*\(.*\)\s*$/.test(text) || /^\s*[-−]|^\s*[$£€]\s*[-−]|[-−]\s*$/.test(text);
}

function readAmount(text: string, field: ImportField, rules: RowRules): number {
  const shown = text.slice(0, 40);
  if (isNegative(text)) fail('negative_amount', `"${shown}" is negative; takings are not`, field, text);
  const plain = plainDecimal(text, rules.decimal_style);
  if (plain === null) fail('unreadable_amount', `"${shown}" is no amount`, field, text);
  const [whole = '', fraction = ''] = plain.split('.');
  const kept = fraction.replace(/0+$/, '');
  const places = rules.amount_unit === 'minor' ? 0 : 2;
  if (kept.length > places) {
    fail('too_many_decimals', places === 2 ? `"${shown}" has more than two decimals`
      : `"${shown}" is no whole number of cents`, field, text);
  }
  const minor = BigInt(whole) * (places === 2 ? 100n : 1n) + (places === 2 ? BigInt(kept.padEnd(2, '0')) : 0n);
  if (minor > MAX_MINOR) fail('amount_too_large', `"${shown}" is more than the product keeps`, field, text);
  return Number(minor);
}

function readCount(
  text: string, field: ImportField, name: string, max: number, style: DecimalStyle,
): number | null {
  if (text === '') return null;
  if (isNegative(text)) fail('negative_amount', `${name} "${text.slice(0, 40)}" is negative`, field, text);
  const plain = plainDecimal(text, style);
  const [whole = '', fraction = ''] = (plain ?? 'x').split('.');
  if (plain === null || /[1-9]/.test(fraction) || Number(whole) > max) {
    fail('unreadable_number', `${name} "${text.slice(0, 40)}" is no whole number up to ${max}`, field, text);
  }
  return Number(whole);
}

/** 88 or 88.5 % as parts per million; a percentage of nothing said is null. */
function readPercent(text: string, style: DecimalStyle): number | null {
  if (text === '') return null;
  const plain = isNegative(text) ? null : plainDecimal(text.replace(/\s*%$/, ''), style);
  const [whole = '', fraction = ''] = (plain ?? 'x').split('.');
  if (plain === null || fraction.length > 4 || whole.length > 4) {
    fail('unreadable_number', `Capacity "${text.slice(0, 40)}" is no percentage`, 'capacity_percent', text);
  }
  return Number(whole) * 10_000 + Number(fraction.padEnd(4, '0'));
}

function readYes(text: string): boolean {
  const word = text.toLowerCase();
  if (['', 'no', 'n', 'false', '0'].includes(word)) return false;
  if (['yes', 'y', 'true', '1'].includes(word)) return true;
  return fail('unreadable_number', `Tax included "${text.slice(0, 40)}" is neither yes nor no`, 'tax_included', text);
}
