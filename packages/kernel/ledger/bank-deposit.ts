/** Checks and cash brought to the bank: Undeposited funds to the bank account (accounting.md 2.2, event 5). */
import type { Currency } from '../money/money.ts';
import type { JournalLine } from './journal.ts';

export interface DepositedReceipt {
  payment_id: number;
  number: string;
  amount: bigint;
  /** As the receipt carries it: a deposit makes no exchange difference. */
  base: bigint;
}

/** The bank's line first, then what each receipt had on `from`. */
export function bankDepositLines(
  of: { bank: string; from: string; currency: Currency }, receipts: readonly DepositedReceipt[],
): JournalLine[] {
  const sum = (pick: (receipt: DepositedReceipt) => bigint) => receipts.reduce((all, one) => all + pick(one), 0n);
  return [
    { account: of.bank, currency: of.currency, amount: sum((one) => one.amount), base: sum((one) => one.base) },
    ...receipts.map((one): JournalLine => ({ account: of.from, currency: of.currency, amount: -one.amount,
      base: -one.base, refs: { payment_id: one.payment_id }, memo: one.number })),
  ];
}
