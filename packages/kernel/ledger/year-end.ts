/**
 * The closing entry of a fiscal year (accounting.md 2.2, event 28): every account of income and expense goes to zero,
 * their sum to retained earnings. Example: licence income 1,000.00 and expense 900.00 give Dr 4000 1,000.00,
 * Cr 6200 900.00, Cr 3100 100.00.
 */
import { sum } from '../money/money.ts';

/** Balance, debit positive. */
export interface YearEndBalance { account: string; minor: bigint }

/** Empty where nothing is to be closed. */
export function yearEndLines(balances: readonly YearEndBalance[], retainedEarnings: string): YearEndBalance[] {
  const lines = balances.filter((one) => one.minor !== 0n).map(({ account, minor }) => ({ account, minor: -minor }));
  const result = -sum(lines.map((line) => line.minor));
  return result === 0n ? lines : [...lines, { account: retainedEarnings, minor: result }];
}
