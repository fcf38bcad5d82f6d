import { expect, test } from 'vitest';
import { irsCountry } from './irs-countries.ts';

// IRS, Instructions for Form 1042-S (2003), country codes A to D: read in an archive of the instructions of that year.
test.each([['AU', 'AS'], ['AT', 'AU'], ['BA', 'BK'], ['BE', 'BE'], ['BS', 'BF'], ['CA', 'CA'], ['CG', 'CF'],
  ['CD', 'CG'], ['CN', 'CH'], ['CR', 'CS'], ['CZ', 'EZ'], ['DK', 'DA'], ['DZ', 'AG'], ['AG', 'AC']])(
  'the IRS names %s %s', (iso, irs) => {
    expect(irsCountry(iso)).toBe(irs);
  });

test('each country has a code of its own; one that is not listed has none', () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  const codes = letters.flatMap((a) => letters.map((b) => irsCountry(a + b))).filter((code) => code !== '');
  expect(codes.length).toBeGreaterThan(230);
  expect(new Set(codes).size).toBe(codes.length);
  expect([irsCountry('ZZ'), irsCountry(null)]).toEqual(['', '']);
  expect(['DE', 'GB', 'IE', 'GM'].map(irsCountry)).toEqual(['GM', 'UK', 'EI', 'GA']);
});
