/**
 * What leaves the bank for a payee (accounting.md 2.2, events 16b and 17), and which items it settles. Credits of the
 * payee are set off first; the cash and the discounts settle what is left, in the order of the parts.
 */
import { sum } from '../money/money.ts';
import type { Party } from './journal.ts';
import type { ReceivableLine } from './receivable-events.ts';

export interface PaidPart {
  /** Item on accounts payable. */
  item_id: number;
  /** Above zero pays what is owed; below zero sets off a credit of the payee. */
  amount_minor: bigint;
  discount_minor: bigint;
}

export const DISCOUNTS_TAKEN = '7080';

/** Dr accounts payable of the party for cash and discounts, Cr the bank, Cr discounts taken. */
export function disbursementLines(of: {
  party: Party; bank: string; on: string; parts: readonly PaidPart[];
}): ReceivableLine[] {
  const cash = sum(of.parts.map((part) => part.amount_minor));
  const discount = sum(of.parts.map((part) => part.discount_minor));
  return [
    { account: '2000', amount_minor: cash + discount, party: of.party, due_on: of.on },
    { account: of.bank, amount_minor: -cash },
    { account: DISCOUNTS_TAKEN, amount_minor: -discount },
  ].filter((line) => line.amount_minor !== 0n);
}

export interface Application {
  /** A credit of the payee that is set off; null: the payment itself. */
  debit_item_id: number | null;
  credit_item_id: number;
  amount_minor: bigint;
}

/** How each item is settled, none for more than its part. Throws where credits exceed what is paid. */
export function applicationsOf(parts: readonly PaidPart[]): Application[] {
  const cash = sum(parts.map((part) => part.amount_minor + part.discount_minor));
  if (cash < 0n) throw new RangeError('credits exceed what is paid');
  const sources = [
    ...parts.filter((part) => part.amount_minor < 0n)
      .map((part) => ({ id: part.item_id as number | null, left: -part.amount_minor })),
    { id: null, left: cash },
  ];
  const made: Application[] = [];
  for (const part of parts.filter((one) => one.amount_minor > 0n)) {
    let due = part.amount_minor + part.discount_minor;
    while (due > 0n) {
      const source = sources.find((one) => one.left > 0n)!;
      const amount = source.left < due ? source.left : due;
      made.push({ debit_item_id: source.id, credit_item_id: part.item_id, amount_minor: amount });
      source.left -= amount;
      due -= amount;
    }
  }
  return made;
}
