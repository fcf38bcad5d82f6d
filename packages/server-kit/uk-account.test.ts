import { expect, test } from 'vitest';
import { ukAccountHolds } from './uk-account.ts';

/** The 34 cases of chapter 3 of "Validating account numbers", Vocalink, version 6.40, in their order. */
const CASES = ('089999 66374958 Y, 107999 88837491 Y, 202959 63748472 Y, 871427 46238510 Y, 872427 46238510 Y, '
  + '871427 09123496 Y, 871427 99123496 Y, 820000 73688637 Y, 827999 73988638 Y, 827101 28748352 Y, '
  + '134020 63849203 Y, 118765 64371389 Y, 200915 41011166 Y, 938611 07806039 Y, 938600 42368003 Y, '
  + '938063 55065200 Y, 772798 99345694 Y, 086090 06774744 Y, 309070 02355688 Y, 309070 12345668 Y, '
  + '309070 12345677 Y, 309070 99345694 Y, 938063 15764273 N, 938063 15764264 N, 938063 15763217 N, '
  + '118765 64371388 N, 203099 66831036 N, 203099 58716970 N, 089999 66374959 N, 107999 88837493 N, '
  + '074456 12345112 Y, 070116 34012583 Y, 074456 11104102 Y, 180002 00000190 Y').split(', ');

test.each(CASES)('%s', (one) => {
  const [sort_code = '', account = '', holds] = one.split(' ');
  expect(ukAccountHolds(sort_code, account)).toBe(holds === 'Y');
});

test('a sort code that no table has passes; what is not six and eight digits does not', () => {
  expect(ukAccountHolds('999999', '12345678')).toBe(true);
  expect(ukAccountHolds('08-99-99', '66374958')).toBe(false);
  expect(ukAccountHolds('089999', '6637495')).toBe(false);
});
