import fc from 'fast-check';
import { expect, it } from 'vitest';
import { atRate, parseRate } from '../money/exchange.ts';
import { abs } from '../money/money.ts';
import { checkBalanced, convert, emptyAccount, type JournalLine, type UnconvertedLine } from './journal.ts';

const line = (account: string, amount: bigint, more: Partial<UnconvertedLine> = {}): UnconvertedLine =>
  ({ account, currency: 'EUR', amount, ...more });
const usd = (account: string, amount: bigint, base = amount): JournalLine => ({ account, currency: 'USD', amount,
  base });

it('converts at a rate of ten places, half a cent away from zero', () => {
  expect(atRate(100_000n, '1.1')).toBe(110_000n);
  expect(atRate(5n, '0.1')).toBe(1n);
  expect(atRate(-5n, '0.1')).toBe(-1n);
  expect(parseRate('0.0000000001')).toBe(1n);
  for (const bad of ['0', '-1', '1.12345678901', 'abc', '', '1e3']) expect(() => parseRate(bad)).toThrow(RangeError);
});

it('puts what rounding leaves over on the largest line that is on no control account', () => {
  const lines = convert([line('1100', 100n), line('2100', -33n), line('4000', -34n), line('4100', -33n)], 'US',
    '1.5');
  expect(lines.map((l) => l.base)).toEqual([150n, -50n, -50n, -50n]);
  const odd = convert([line('1100', 3n), line('2100', -1n), line('4000', -1n), line('4100', -1n)], 'US', '1.5');
  expect(odd.map((l) => l.base)).toEqual([5n, -1n, -2n, -2n]);
  expect(odd.every((l) => l.fx_rate === '1.5')).toBe(true);
});

it('empties an account by what is left on it; the largest other line carries the cent', () => {
  const credit = convert([line('2100', 653_715n), line('4000', 305_374n), line('1100', -959_089n)], 'US', '1.05');
  expect(credit.map((l) => l.base)).toEqual([686_400n, 320_643n, -1_007_043n]);
  expect(emptyAccount(credit, '2100', 686_401n).map((l) => l.base)).toEqual([686_401n, 320_642n, -1_007_043n]);
  const whole = convert([line('2100', 3n), line('1100', -3n)], 'US', '1.5');
  expect(emptyAccount(whole, '2100', 4n).map((l) => l.base)).toEqual([4n, -4n]);
});

it('refuses what does not add up, by name', () => {
  const check = (kind: string, lines: JournalLine[]) => checkBalanced({ division: 'US', kind, lines });
  expect(check('journal', [usd('1000', 5n)])).toMatchObject({ refused: 'too_few_lines' });
  expect(check('journal', [usd('1000', 5n), usd('6200', -4n)])).toMatchObject({ refused: 'unbalanced' });
  expect(check('journal', [usd('1000', 5n, 6n), usd('6200', -6n)])).toMatchObject({ refused: 'base_amount' });
  const mixed = [usd('1000', 100n), { account: '1001', currency: 'EUR', amount: -7n, base: -100n } as const];
  expect(check('journal', mixed)).toMatchObject({ refused: 'currency_unbalanced' });
  expect(check('transfer', mixed)).toEqual({ ok: true });
});

const anyLines = fc.array(fc.record({
  account: fc.constantFrom('1100', '2100', '4000', '2210', '1000'), amount: fc.bigInt(-(10n ** 10n), 10n ** 10n),
}), { minLength: 1, maxLength: 12 }).map((found) => {
  const total = found.reduce((t, l) => t + l.amount, 0n);
  return [...found, { account: '4010', amount: -total }].map((l) => line(l.account, l.amount));
});
const anyRate = fc.bigInt(1n, 10n ** 12n).map((n) => `${n / 10n ** 10n}.${(n % 10n ** 10n).toString()
  .padStart(10, '0')}`);

it('always sums to zero in base, with every control account at its own rounded amount (property)', () => {
  fc.assert(fc.property(anyLines, anyRate, (lines, rate) => {
    const converted = convert(lines, 'US', rate);
    expect(converted.reduce((t, l) => t + l.base, 0n)).toBe(0n);
    converted.forEach((l) => {
      if (l.account === '1100') expect(l.base).toBe(atRate(l.amount, rate));
      expect(abs(l.base - atRate(l.amount, rate)) <= BigInt(lines.length)).toBe(true);
    });
  }));
});
