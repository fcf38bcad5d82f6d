/** One row of a file as facts or as a reason. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMinor } from '#kernel/money/money.ts';
import { FIELD_FACTS, matchHeads } from './import-field.contract.ts';
import { isProblem, readRow, type RowRules } from './read-row.ts';

const rules: RowRules = {
  columns: { date: 0, show: 1, venue: 2, gross: 3, performances: 4, capacity_percent: 5 },
  constants: { currency: 'USD' }, width: 6, date_format: 'YYYY-MM-DD', decimal_style: 'point', amount_unit: 'major',
  report_scope: 'week', date_is: 'week_end',
};
const cells = (change: Record<number, string> = {}): string[] =>
  ['2016-08-14', 'Hamilton', 'Richard Rodgers', '2,045,095.10', '8', '101'].map((cell, n) => change[n] ?? cell);
const reasonOf = (row: readonly string[], own: Partial<RowRules> = {}): string => {
  const read = readRow(row, { ...rules, ...own });
  return isProblem(read) ? `${read.field}: ${read.reason_code}` : 'read';
};

describe('a row that can be read', () => {
  test('a week that ends on its date, amounts in cents, percentages in parts per million', () => {
    expect(readRow(cells(), rules)).toMatchObject({ period_from: '2016-08-08', period_to: '2016-08-14',
      gross_minor: 204_509_510, performances: 8, capacity_ppm: 1_010_000, currency: 'USD', tax_included: false });
  });

  test.each([
    ['YYYY-MM-DD', '2016-8-4'], ['MM/DD/YYYY', '8/4/2016'], ['DD/MM/YYYY', '4/8/2016'], ['DD.MM.YYYY', '04.08.2016'],
  ] as const)('dates as %s', (date_format, text) => {
    expect(readRow(cells({ 0: text }), { ...rules, date_format })).toMatchObject({ period_to: '2016-08-04' });
  });

  test.each([['point', '$1,234.5', 123_450], ['comma', '1.234,50 €', 123_450], ['comma', '1 234,5', 123_450],
    ['point', 'USD 12', 1200], ['point', '12.500', 1250],
  ] as const)('amounts with a decimal %s: %s', (style, text, minor) => {
    expect(readRow(cells({ 3: text }), { ...rules, decimal_style: style })).toMatchObject({ gross_minor: minor });
  });

  test('every amount we print reads back as itself', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), (minor) => {
      expect(readRow(cells({ 3: formatMinor(BigInt(minor)) }), rules)).toMatchObject({ gross_minor: minor });
    }));
  });

  test('a licence number stands for show and venue', () => {
    const own = { columns: { ...rules.columns, license_number: 1, show: undefined, venue: undefined } } as object;
    expect(readRow(cells({ 1: 'L-US-2026-000001' }), { ...rules, ...own })).toMatchObject({ show: '', venue: '',
      license_number: 'L-US-2026-000001' });
  });
});

describe('a row that is left out names its cell', () => {
  test.each([
    ['date: unreadable_date', { 0: '2016-02-30' }], ['date: unreadable_date', { 0: '8/14/2016' }],
    ['date: missing_value', { 0: '' }], ['show: missing_value', { 1: '' }], ['venue: missing_value', { 2: '' }],
    ['gross: unreadable_amount', { 3: 'n/a' }], ['gross: unreadable_amount', { 3: '1,23.00' }],
    ['gross: unreadable_amount', { 3: '1e5' }], ['gross: negative_amount', { 3: '-12.00' }],
    ['gross: negative_amount', { 3: '(12.00)' }], ['gross: too_many_decimals', { 3: '12.005' }],
    ['gross: amount_too_large', { 3: '99999999999999' }], ['performances: unreadable_number', { 4: '8.5' }],
    ['performances: negative_amount', { 4: '-1' }], ['performances: unreadable_number', { 4: '1001' }],
    ['capacity_percent: unreadable_number', { 5: 'full' }],
  ] as const)('%s', (reason, change) => {
    expect(reasonOf(cells(change))).toBe(reason);
  });

  test('a currency we keep no books in', () => {
    expect(reasonOf(cells(), { constants: { currency: 'CAD' } })).toBe('currency: unknown_currency');
  });

  test('too few or too many cells are never guessed at', () => {
    expect(reasonOf(cells().slice(0, 5))).toBe('null: ragged_row');
    expect(reasonOf([...cells(), 'more'])).toBe('null: ragged_row');
    expect(reasonOf([...cells(), ''])).toBe('read');
    expect(readRow([], rules, true)).toMatchObject({ reason_code: 'cut_off' });
  });
});

describe('columns find their fields', () => {
  test('by the names of a template first, then by the words of the trade, each once', () => {
    expect(matchHeads(['Capacity', 'WEEK-ENDING', 'Théâtre', 'Title', 'Takings']))
      .toEqual({ capacity_percent: 0, date: 1, venue: 2, show: 3, gross: 4 });
    expect(matchHeads(['A', 'B', 'Gross'], FIELD_FACTS, { gross: 'b', show: 'A' })).toEqual({ show: 0, gross: 1 });
  });
});
