/** The cells of one row by the names of its fields: each reader answers a fact or leaves the row out with a reason. */
import type * as z from 'zod';
import { CURRENCIES, type Currency } from '#kernel/money/money.ts';
import { optionOf, type FieldSet } from '../import-field.contract.ts';
import { countryCode } from './country.ts';
import { fail, readAmount, readCount, readCurrency, readDate, type CellRules } from '../read-cell.ts';

const LONGEST = 10_000;

export class Cells {
  readonly cells: readonly string[];
  readonly rules: CellRules;
  readonly fields: FieldSet;

  constructor(cells: readonly string[], rules: CellRules, fields: FieldSet) {
    this.cells = cells;
    this.rules = rules;
    this.fields = fields;
  }

  label(field: string): string {
    return this.fields[field]?.label ?? field;
  }

  /** The cell, the file's constant where it is empty, or nothing. */
  text(field: string): string {
    const at = this.rules.columns[field];
    const own = at === undefined ? '' : this.cells[at] ?? '';
    const text = own === '' ? this.rules.constants[field] ?? '' : own;
    if (text.length > LONGEST) fail('too_long', `${this.label(field)} is longer than 10,000 characters`, field, text);
    if (text.includes('\ufffd')) fail('unreadable_text', `${this.label(field)} holds a damaged character`, field, text);
    if (text.includes('\u0000')) fail('unreadable_text', `${this.label(field)} holds a NUL byte`, field, text);
    return text;
  }

  /** Whether the cell itself says it, and not a constant for the whole file. */
  says(field: string): boolean {
    const at = this.rules.columns[field];
    return at !== undefined && (this.cells[at] ?? '') !== '';
  }

  optional(field: string): string | null {
    return this.text(field) || null;
  }

  required(field: string): string {
    return this.text(field) || fail('missing_value', `${this.label(field)} is empty`, field, '');
  }

  count(field: string, max: number): number | null {
    return readCount(this.text(field), field, this.label(field), max, this.rules.decimal_style);
  }

  amount(field: string): number | null {
    const text = this.text(field);
    return text === '' ? null : readAmount(text, field, this.rules);
  }

  date(field: string): string | null {
    const text = this.text(field);
    return text === '' ? null : readDate(text, field, this.rules.date_format);
  }

  currency(field: string): Currency {
    return readCurrency(this.text(field) || CURRENCIES[0]);
  }

  /** An amount that may be owed either way: below zero with a minus before it. */
  balance(field: string): number | null {
    const text = this.text(field);
    const below = /^[-−]\s*(?=\S)/.exec(text);
    if (text === '') return null;
    const amount = readAmount(below ? text.slice(below[0].length) : text, field, this.rules);
    return below && amount !== 0 ? -amount : amount;
  }

  /** A percentage with up to four decimals as parts per million. */
  ppm(field: string): number {
    return this.rate(field, this.required(field));
  }

  optionalPpm(field: string): number | null {
    const text = this.text(field);
    return text === '' ? null : this.rate(field, text);
  }

  /** A percentage that stands in a cell beside others. */
  rate(field: string, text: string): number {
    const shown = text.replace(/\s*%$/, '');
    const plain = this.rules.decimal_style === 'comma' ? shown.replace(',', '.') : shown;
    const match = /^(\d{1,3})(?:\.(\d{0,4}))?$/.exec(plain);
    if (!match) {
      fail('unreadable_number', `"${text.slice(0, 40)}" is no percentage with up to four decimals`, field, text);
    }
    return Number(match[1]) * 10_000 + Number((match[2] ?? '').padEnd(4, '0'));
  }

  /** A number with up to two decimals as hundredths: points of a royalty pool. */
  hundredths(field: string): number | null {
    const text = this.text(field);
    if (text === '') return null;
    const plain = this.rules.decimal_style === 'comma' ? text.replace(',', '.') : text;
    const match = /^(\d{1,5})(?:\.(\d{0,2}))?$/.exec(plain);
    if (!match) fail('unreadable_number', `"${text.slice(0, 40)}" is no number with up to two decimals`, field, text);
    return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  }

  yes(field: string, otherwise: boolean): boolean {
    const word = this.text(field).toLowerCase();
    if (word === '') return otherwise;
    if (['no', 'n', 'false', '0'].includes(word)) return false;
    if (['yes', 'y', 'true', '1', 'x'].includes(word)) return true;
    return fail('unreadable_choice', `"${word.slice(0, 40)}" is neither yes nor no`, field, word);
  }

  /** A country by its code or name, as two capital letters. */
  country(field: string): string {
    const text = this.required(field);
    return countryCode(text)
      ?? fail('unreadable_choice', `"${text.slice(0, 40)}" is no country we know`, field, text);
  }

  /** One of the words, however it is written ("School hall" is school_hall). */
  choice<const T extends string>(field: string, options: readonly T[], otherwise: T | null = null): T {
    const text = this.text(field);
    if (text === '' && otherwise !== null) return otherwise;
    return this.option(field, options, text) ?? fail('unreadable_choice', text === '' ? `${this.label(field)} is empty`
      : `"${text.slice(0, 40)}" is none of ${options.join(', ').replaceAll('_', ' ')}`, field, text);
  }

  private option<const T extends string>(field: string, options: readonly T[], word: string): T | null {
    return optionOf({ ...this.fields[field], options }, word) as T | null;
  }

  choices<const T extends string>(field: string, options: readonly T[]): T[] {
    // None of these words has a comma in it, and that is how lists of ours show several.
    return [...new Set(this.list(field).flatMap((word) => word.split(',')).map((word) => word.trim()).map((word) =>
      this.option(field, options, word)
      ?? fail('unreadable_choice', `"${word.slice(0, 40)}" is none of ${options.join(', ').replaceAll('_', ' ')}`,
        field, word)))];
  }

  /** Texts between semicolons, each once. */
  list(field: string): string[] {
    return [...new Set(this.text(field).split(';').map((text) => text.trim()).filter((text) => text !== ''))];
  }

  /**
   * Checks these values like the resource's own form, with errors at the field of the file they came from. Fields of an
   * input that the file does not have are named by `from`.
   */
  checked<T extends z.ZodType>(schema: T, input: unknown, from: Readonly<Record<string, string>> = {}): z.output<T> {
    const parsed = schema.safeParse(input);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0]!;
    const names = issue.path.map(String);
    const own = [...names, names.join('_')].toReversed().find((name) => name in this.fields) ?? from[names[0] ?? ''];
    return fail('not_allowed', issue.message, own ?? null, own === undefined ? '' : this.text(own));
  }
}
