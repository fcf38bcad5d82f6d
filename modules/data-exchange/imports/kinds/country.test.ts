import { expect, test } from 'vitest';
import { countryCode } from './country.ts';

test.each([
  ['US', 'US'], ['us', 'US'], ['USA', 'US'], ['U.S.A.', 'US'], ['United States', 'US'], ['UK', 'GB'], ['GB', 'GB'],
  ['United Kingdom', 'GB'], ['England', 'GB'], ['Norway', 'NO'], ['Curaçao', 'CW'], ['Germany', 'DE'],
  ['Ireland', 'IE'], ['The Netherlands', 'NL'], ['Myanmar (Burma)', 'MM'], ['Vietnam', 'VN'],
])('%s is %s', (text, code) => {
  expect(countryCode(text)).toBe(code);
});

test.each(['', 'Narnia', 'EU', 'XX', 'ZZ', 'Germany and around'])('%j is no country', (text) => {
  expect(countryCode(text)).toBeNull();
});
