import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { averageLocalPpm, localJurisdiction, stateOfZip, zipOf } from './zip.ts';

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

test('a ZIP code names its state, the five digits before the three', () => {
  expect(['10004', '90210', '02115', '73301', '73102', '06390', '06103', '83414', '83301'].map(stateOfZip))
    .toEqual(['NY', 'CA', 'MA', 'TX', 'OK', 'NY', 'CT', 'WY', 'ID']);
  expect(['96799', '96910', '96950', '09012', '34001', '00100'].map(stateOfZip))
    .toEqual(['AS', 'GU', 'MP', null, null, null]);
});

test('the average local rate goes over the ZIP codes that charge one', () => {
  expect(averageLocalPpm([])).toBe(0);
  // Own example: 10 codes at 4 %, 5 of them at 1 % more: (10 x 4 + 5 x 1) / 10 = 4.5 %.
  expect(averageLocalPpm([{ zip_from: '10005', zip_to: '10009', rate_ppm: 10_000 },
    { zip_from: '10000', zip_to: '10009', rate_ppm: 40_000 }])).toBe(45_000);
});

const places = join(process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../shared/data'),
  'addresses/libaddressinput-subset.json');
test.skipIf(!existsSync(places))('no ZIP code is said to lie in another state than libaddressinput says', () => {
  const { US } = JSON.parse(readFileSync(places, 'utf8')) as { US: { sub_keys: string; sub_zips: string } };
  const spans = US.sub_zips.split('~').map((span) => new RegExp(`^(${span})`));
  const wrong: string[] = [];
  for (let zip = 0; zip < 100_000; zip += 10) {
    const text = String(zip).padStart(5, '0');
    const said = stateOfZip(text);
    const known = US.sub_keys.split('~').filter((_state, at) => spans[at]!.test(text));
    if (said !== null && known.length > 0 && !known.includes(said)) wrong.push(`${text} ${said} for ${known.join()}`);
  }
  expect(wrong).toEqual([]);
});
