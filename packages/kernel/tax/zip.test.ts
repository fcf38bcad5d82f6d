import { expect, test } from 'vitest';
import { localJurisdiction, zipOf } from './zip.ts';

test('a ZIP code is five digits: ZIP+4 is cut, a lost zero is put back', () => {
  expect(['11106', '11106-2231', ' 11106 2231', '111062231'].map(zipOf)).toEqual(['11106', '11106', '11106', '11106']);
  expect(['2115', '2115-1203', '501'].map(zipOf)).toEqual(['02115', '02115', '00501']);
  expect(['', null, undefined, 'LS1 1AA', '12', '123456', 'NY 11106'].map(zipOf))
    .toEqual([null, null, null, null, null, null, null]);
});

test('a local jurisdiction names state, county and level, a hyphen in a name aside', () => {
  expect(localJurisdiction('FL', 'Miami-Dade', 'county')).toBe('US-FL-Miami Dade');
  expect(localJurisdiction('NY', 'Queens', 'district')).toBe('US-NY-Queens-district');
});
