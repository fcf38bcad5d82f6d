/**
 * One cell of a file as a fact, or the reason why it cannot be read, in words. Shared by every kind of import. Sources:
 * issue "Bad input" (negative, more than two decimals), reliability.md 3.3.
 */
import { isIsoDate } from '#kernel/calendar/calendar.ts';
import { CURRENCIES, MAX_MINOR, type Currency } from '#kernel/money/money.ts';
import type { DateFormat, DecimalStyle } from './import-field.contract.ts';

/** Parsing rules for the cells of a file; frozen with the import. */
export interface CellRules {
  columns: Partial<Record<string, number>>;
  constants: Partial<Record<string, string>>;
  /** Cells in a row that is whole. */
  width: number;
  date_format: DateFormat;
  decimal_style: DecimalStyle;
  amount_unit: 'major' | 'minor';
}

/** Why a row is left out. */
export interface RowProblem {
  reason_code: string;
  reason: string;
  field: string | null;
  /** The cell it is about. */
  value: string;
  /** The record it may be: asked about, and told apart by a person. */
  proposed?: { id: number | null; label: string };
}

export class Unreadable extends Error {
  readonly problem: RowProblem;
  constructor(problem: RowProblem) {
    super(problem.reason);
    this.problem = problem;
  }
}

export function fail(reason_code: string, reason: string, field: string | null, value: string): never {
  throw new Unreadable({ reason_code, reason, field, value: value.slice(0, 200) });
}

/** Rows with too many or too few cells are never guessed at. */
export function refuseRagged(cells: readonly string[], width: number): void {
  if (cells.length < width || cells.slice(width).some((cell) => cell !== '')) {
    fail('ragged_row', `The row has ${cells.length} cells, the heads name ${width}`, null, '');
  }
}

const DATE_PARTS: Record<DateFormat, readonly [RegExp, number, number, number]> = {
  'YYYY-MM-DD': [/^(\d{4})-(\d{1,2})-(\d{1,2})$/, 1, 2, 3],
  'MM/DD/YYYY': [/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, 3, 1, 2],
  'DD/MM/YYYY': [/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, 3, 2, 1],
  'DD.MM.YYYY': [/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, 3, 2, 1],
};

const withoutMidnight = (text: string): string => text.replace(/[ T]00:00(:00)?(\.0+)?$/, '');

/** 2026-11-15, which means one day whatever a file does elsewhere. */
export const isIsoDay = (text: string): boolean => /^\d{4}-\d{1,2}-\d{1,2}$/.test(withoutMidnight(text));

/** The day in ISO form; null where the text is no day in this format. */
export function dateIn(text: string, format: DateFormat): string | null {
  const [shape, year, month, day] = DATE_PARTS[format];
  const match = shape.exec(withoutMidnight(text));
  const iso = match ? [match[year], match[month]!.padStart(2, '0'), match[day]!.padStart(2, '0')].join('-') : '';
  return isIsoDate(iso) && iso >= '1900-01-01' && iso <= '2200-12-31' ? iso : null;
}

export function readDate(text: string, field: string, format: DateFormat): string {
  const iso = dateIn(text, isIsoDay(text) ? 'YYYY-MM-DD' : format);
  if (iso === null) {
    fail('unreadable_date', `"${text.slice(0, 40)}" is no date in the form ${format}`, field, text);
  }
  return iso;
}

/** 19:30, 7:30 PM and 19.30 as HH:MM. */
export function readTime(text: string): string {
  if (text === '') return '';
  const match = /^(\d{1,2})[:.](\d{2})(?::00)?\s*([ap])?\.?m?\.?$/i.exec(text);
  const half = match?.[3]?.toLowerCase();
  const hour = Number(match?.[1] ?? 99) % (half ? 12 : 100) + (half === 'p' ? 12 : 0);
  if (!match || hour > 23 || Number(match[2]) > 59) {
    fail('unreadable_time', `"${text.slice(0, 40)}" is no time such as 19:30`, 'time', text);
  }
  return `${String(hour).padStart(2, '0')}:${match[2]}`;
}

export function readCurrency(text: string): Currency {
  const code = { $: 'USD', '€': 'EUR', '£': 'GBP' }[text] ?? text.toUpperCase();
  if (!(CURRENCIES as readonly string[]).includes(code)) {
    fail('unknown_currency', `"${text.slice(0, 40)}" is not a currency we keep books in`, 'currency', text);
  }
  return code as Currency;
}

/** Decimal text in one style: grouping only as groups of three. Answers digits with a point, or null. */
export function plainDecimal(text: string, style: DecimalStyle): string | null {
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

export function readAmount(
  text: string, field: string, rules: Pick<CellRules, 'decimal_style' | 'amount_unit'>,
): number {
  const shown = text.slice(0, 40);
  if (isNegative(text)) fail('negative_amount', `"${shown}" is negative; enter a positive amount`, field, text);
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

export function readCount(
  text: string, field: string, name: string, max: number, style: DecimalStyle,
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

/** 88 or 88.5% as parts per million; a percentage of nothing said is null. */
export function readPercent(text: string, style: DecimalStyle): number | null {
  if (text === '') return null;
  const plain = isNegative(text) ? null : plainDecimal(text.replace(/\s*%$/, ''), style);
  const [whole = '', fraction = ''] = (plain ?? 'x').split('.');
  if (plain === null || fraction.length > 4 || whole.length > 4) {
    fail('unreadable_number', `Capacity "${text.slice(0, 40)}" is no percentage`, 'capacity_percent', text);
  }
  return Number(whole) * 10_000 + Number(fraction.padEnd(4, '0'));
}

export function readYes(text: string): boolean {
  const word = text.toLowerCase();
  if (['', 'no', 'n', 'false', '0'].includes(word)) return false;
  if (['yes', 'y', 'true', '1'].includes(word)) return true;
  return fail('unreadable_number', `Tax included "${text.slice(0, 40)}" is neither yes nor no`, 'tax_included', text);
}
