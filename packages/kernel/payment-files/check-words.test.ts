import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_MINOR } from '../money/money.ts';
import { amountInWords, micrLine, protectedAmount, wordsOnLines } from './check-words.ts';

const VALUES: Readonly<Record<string, number>> = { zero: 0, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6,
  seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11, twelve: 12, thirteen: 13, fourteen: 14, fifteen: 15, sixteen: 16,
  seventeen: 17, eighteen: 18, nineteen: 19, twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, seventy: 70,
  eighty: 80, ninety: 90 };
const SCALES: Readonly<Record<string, bigint>> = { thousand: 1000n, million: 1_000_000n, billion: 1_000_000_000n };

/** Reads words as a bank clerk does. */
function readWords(words: string): bigint {
  const [whole = '', cents = ''] = words.toLowerCase().split(' and ');
  let [total, group] = [0n, 0n];
  for (const word of whole.split(/[ -]/)) {
    const scale = SCALES[word];
    if (word === 'hundred') group *= 100n;
    else if (scale === undefined) group += BigInt(VALUES[word] ?? Number.NaN);
    else [total, group] = [total + group * scale, 0n];
  }
  return (total + group) * 100n + BigInt(cents.replace('/100', ''));
}

describe('the amount of a check', () => {
  test.each([
    [123_456n, 'One thousand two hundred thirty-four and 56/100'], [5n, 'Zero and 05/100'],
    [100n, 'One and 00/100'], [1_000_000n, 'Ten thousand and 00/100'], [2_001n, 'Twenty and 01/100'],
    [100_000_100n, 'One million one and 00/100'],
    [11_511_599n, 'One hundred fifteen thousand one hundred fifteen and 99/100'],
    [MAX_MINOR, 'Ten billion and 00/100'],
  ])('%d in words', (minor, words) => {
    expect(amountInWords(minor)).toBe(words);
  });

  test('words read back as the amount they were written from', () => {
    fc.assert(fc.property(fc.bigInt(0n, MAX_MINOR), (minor) => {
      expect(readWords(amountInWords(minor))).toBe(minor);
    }), { numRuns: 500 });
    expect(() => amountInWords(-1n)).toThrow(RangeError);
  });

  test('the figure is protected, long words go on', () => {
    expect(protectedAmount(123_456n)).toBe('**1,234.56');
    expect(wordsOnLines(amountInWords(11_511_599n), 40))
      .toEqual(['One hundred fifteen thousand one hundred', 'fifteen and 99/100']);
  });
});

describe('the MICR line', () => {
  const parts = { routing: '1210-42882', account: '45-6789 0', number: 1042 };

  test('transit, account, number', () => {
    expect(micrLine(parts).line).toBe('⑆121042882⑆ 45⑉67890⑈ 001042');
    expect(micrLine(parts, 'letters').line).toBe('A121042882A 45D67890C 001042');
  });

  test.each([[{ routing: '121042883' }, /routing number/], [{ account: 'AB12' }, /account number/],
    [{ number: 0 }, /number of a check/]])('refuses %j', (wrong, issue) => {
    expect(micrLine({ ...parts, ...wrong }).issue).toMatch(issue);
  });
});
