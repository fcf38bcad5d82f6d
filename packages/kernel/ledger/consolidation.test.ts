import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byAccount, eliminate, isExplained, translate, type Amount, type DivisionBooks, type GroupAccount }
  from './consolidation.ts';
import type { DueBalance } from './intercompany.ts';

const account = (code: string, kind: GroupAccount['class']): GroupAccount =>
  ({ code, name: code, class: kind, section: kind });
const amount = (code: string, kind: GroupAccount['class'], minor: bigint, rate: string, late: boolean): Amount =>
  ({ ...account(code, kind), minor, rate, late });

/** accounting.md 3.11: UK, GBP 1,000 at 1.25, a result of 200 at 1.27, closing at 1.30. */
const uk: DivisionBooks = { division: 'UK', closing: '1.3', opening: '1.25',
  balances: [{ ...account('1000', 'asset'), minor: 120_000n }],
  equity: [amount('3000', 'equity', -100_000n, '1.25', false)],
  results: [amount('4000', 'income', -20_000n, '1.27', true)] };

const sum = (rows: readonly { minor: bigint }[]): bigint => rows.reduce((total, row) => total + row.minor, 0n);

describe('a division in the currency of the group', () => {
  it('has the translation difference of the worked example: 56.00 = 50.00 + 6.00', () => {
    const books = translate(uk);
    expect(books.accounts.map((row) => [row.code, row.minor])).toEqual([['1000', 156_000n], ['3000', -125_000n]]);
    expect(books.results.map((row) => row.minor)).toEqual([-25_400n]);
    expect(books.difference).toBe(5_600n);
    expect(books.roll_forward).toEqual({ opening: 0n, on_net_assets: 5_000n, on_result: 600n, on_equity: 0n,
      rounding: 0n, closing: 5_600n });
  });

  it('carries the difference of earlier years and of capital paid in the year', () => {
    // own example: 1,000 paid in at 1.20, earned 100 at 1.22 last year; opening 1.25; 500 paid in at 1.28; closing 1.30
    const books = translate({ ...uk, balances: [{ ...account('1000', 'asset'), minor: 160_000n }],
      equity: [amount('3000', 'equity', -100_000n, '1.2', false), amount('3000', 'equity', -50_000n, '1.28', true)],
      results: [amount('4000', 'income', -10_000n, '1.22', false)] });
    // opening 1,100 x 1.25 = 1,375 against 1,200 + 122; then 1,100 x 0.05 and 500 x 0.02
    expect(books.roll_forward).toEqual({ opening: 5_300n, on_net_assets: 5_500n, on_result: 0n, on_equity: 1_000n,
      rounding: 0n, closing: 11_800n });
    expect(books.results_before.map((row) => row.minor)).toEqual([-12_200n]);
    // 1,600 x 1.30 = 2,080 = 1,200 + 640 + 122 + 118
    expect(books.difference).toBe(208_000n - 120_000n - 64_000n - 12_200n);
  });

  it('has none in its own currency', () => {
    const books = translate({ ...uk, division: 'US', closing: '1', opening: '1',
      equity: uk.equity.map((row) => ({ ...row, rate: '1' })),
      results: uk.results.map((row) => ({ ...row, rate: '1' })) });
    expect([books.difference, books.roll_forward.on_net_assets, books.roll_forward.rounding]).toEqual([0n, 0n, 0n]);
  });
});

describe('eliminations', () => {
  const owed = (division: 'US' | 'UK', code: string, minor: bigint, rate: string) => translate({ division,
    closing: rate, opening: null, balances: [{ ...account(code, code === '1500' ? 'asset' : 'liability'), minor }],
    equity: [], results: [] });
  const due = (us: bigint, uk2: bigint): DueBalance[] => [
    { division: 'US', other: 'UK', currency: 'USD', balance: us, base: us },
    { division: 'UK', other: 'US', currency: 'USD', balance: uk2, base: uk2 * 8n / 10n }];

  it('take both sides off; what rates leave is exchange, what one side lacks is unmatched', () => {
    // own example: US is owed USD 100.00; the UK carries GBP 80.00, at 1.30 USD 104.00
    const books = [owed('US', '1500', 10_000n, '1'), owed('UK', '2500', -8_000n, '1.3')];
    const taken = eliminate(books, due(10_000n, -10_000n), () => '1');
    expect(taken.accounts.map((row) => [row.code, row.minor])).toEqual([['1500', -10_000n], ['2500', 10_400n]]);
    expect([taken.unmatched, taken.exchange]).toEqual([0n, -400n]);
    // the UK has only USD 90.00 of it, GBP 72.00 and USD 93.60
    const apart = eliminate([books[0]!, owed('UK', '2500', -7_200n, '1.3')], due(10_000n, -9_000n), () => '1');
    expect([apart.unmatched, apart.exchange]).toEqual([1_000n, -360n]);
  });
});

describe('random books of three divisions', () => {
  const rate = fc.integer({ min: 5_000, max: 20_000 }).map((n) => (n / 10_000).toFixed(4));
  const minor = fc.bigInt(-100_000_000n, 100_000_000n);
  const amounts = (code: string, kind: GroupAccount['class'], most: number) => fc.array(fc.record({ minor, rate,
    late: fc.boolean() }).map((one) => ({ ...account(code, kind), ...one })), { maxLength: most });
  const books = (division: 'US' | 'EU' | 'UK') => fc.record({ equity: amounts('3000', 'equity', 4),
    income: amounts('4000', 'income', 24), expense: amounts('6200', 'expense', 24), owed: minor, owing: minor,
    closing: rate, opening: rate }).map(({ income, expense, owed, owing, ...rest }): DivisionBooks => {
    const results = [...income, ...expense];
    // the bank is what balances the books
    const bank = -(owed + owing + sum(rest.equity) + sum(results));
    return { ...rest, division, results, balances: [{ ...account('1000', 'asset'), minor: bank },
      { ...account('1500', 'asset'), minor: owed }, { ...account('2500', 'liability'), minor: owing }] };
  });

  it('assets equal liabilities and equity, and the roll-forward explains the translation difference', () => {
    fc.assert(fc.property(books('US'), books('EU'), books('UK'), minor, (us, eu, british, balance) => {
      const all = [us, eu, british].map(translate);
      const taken = eliminate(all, [{ division: 'US', other: 'UK', currency: 'USD', balance, base: balance }],
        () => '1');
      const rows = byAccount([...all.flatMap((one) => [...one.accounts, ...one.results_before, ...one.results]),
        ...taken.accounts]);
      const difference = all.reduce((total, one) => total + one.difference, 0n);
      expect(sum(rows) - difference + taken.unmatched + taken.exchange).toBe(0n);
      expect(rows.filter((row) => ['1500', '2500'].includes(row.code)).map((row) => row.minor)).toEqual([0n, 0n]);
      expect(taken.unmatched).toBe(balance);
      for (const { roll_forward: roll, figures } of all) {
        expect(roll.opening + roll.on_net_assets + roll.on_result + roll.on_equity + roll.rounding).toBe(roll.closing);
        expect(isExplained({ roll_forward: roll, figures })).toBe(true);
      }
    }));
  });
});
