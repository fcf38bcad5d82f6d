import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkVatNumber } from './vat-number.server.ts';

const verdict = (text: string) => {
  const { format_valid, check_digit_valid } = checkVatNumber(text);
  return [format_valid, check_digit_valid];
};

describe('VAT numbers', () => {
  it('says of form and check digit each by itself', () => {
    // Numbers that hold, and the same with another last digit.
    expect(['DE136695976', 'DE136695977', 'IE6433435F', 'IE6433435G'].map(verdict))
      .toEqual([[true, true], [true, false], [true, true], [true, false]]);
    expect(['DE13669597', 'ZZ123456789', '', 'US12-3456789'].map(verdict))
      .toEqual([[false, false], [false, false], [false, false], [false, false]]);
  });
  it('reads the prefixes of Greece and Northern Ireland, and what people type between the digits', () => {
    expect(checkVatNumber('EL 094259216')).toMatchObject({ country_code: 'GR', check_digit_valid: true });
    expect(checkVatNumber('xi 980-7806-84')).toEqual({ country_code: 'GB', number: 'XI980780684', format_valid: true,
      check_digit_valid: true });
    expect(checkVatNumber('BE 428.759.497')).toMatchObject({ number: 'BE428759497', check_digit_valid: true });
  });

  const folder = process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../shared/data');
  const file = join(folder, 'tax/vat-number-vectors.csv');
  it.skipIf(!existsSync(file))('agrees with the numbers that python-stdnum tests its EU module with', () => {
    const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1).map((line) => line.split(','));
    const numbers = rows.filter(([country = '']) => country.startsWith('eu:')).map(([, , number = '']) => number);
    expect(numbers.length).toBeGreaterThan(300);
    expect(numbers.filter((number) => !checkVatNumber(number).check_digit_valid)).toEqual([
      // Of a seller outside the EU, without a country; too short for the Netherlands; a person of Romania.
      'EU372022452', 'NL00449544B01', 'NL4495445B01', 'RO 1630615123457']);
  });
});
