/**
 * Opening position with a royaltor when an agreement is entered in the books (accounting.md 2.2 row 29): the balance
 * owed goes to 2200, the unrecouped advance to 1150, both against 3999, which the division's opening balances together
 * bring to zero. Amounts are in the agreement's currency, with the division's own at the rate of the day.
 * Worked example: 1,250.00 owed and 3,000.00 unrecouped: Dr 3999 1,250.00, Cr 2200 1,250.00, Dr 1150 3,000.00,
 * Cr 3999 3,000.00.
 */
import { atRate } from '../money/exchange.ts';

export interface OpeningLine {
  readonly account: '2200' | '1150' | '3999';
  /** Debits positive. */
  readonly amount_minor: bigint;
  readonly functional_minor: bigint;
  readonly memo: string;
}

/** `balance_minor` is what we owe, negative where the royaltor owes us; `rate` functional units per unit. */
export function openingLines(
  { balance_minor, unrecouped_minor, rate }: { balance_minor: bigint; unrecouped_minor: bigint; rate: string },
): OpeningLine[] {
  const line = (account: OpeningLine['account'], amount_minor: bigint, memo: string): OpeningLine =>
    ({ account, amount_minor, functional_minor: atRate(amount_minor, rate), memo });
  return [
    line('3999', balance_minor, 'Royalties owed'), line('2200', -balance_minor, 'Royalties owed'),
    line('1150', unrecouped_minor, 'Advance not recouped'), line('3999', -unrecouped_minor, 'Advance not recouped'),
  ].filter((one) => one.amount_minor !== 0n);
}
