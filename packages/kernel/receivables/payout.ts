/**
 * Components of a payout of the card processor, and its postings: the bank gets the net, the fees are an expense, and
 * Card clearing is credited with the gross booked on it. Pure.
 */
import { sum } from '../money/money.ts';

/** A line of the processor's balance that the payout settles; `net_minor` is amount less fee. */
export interface BalanceLine {
  readonly id: string;
  readonly type: string;
  readonly amount_minor: bigint;
  readonly fee_minor: bigint;
  readonly net_minor: bigint;
}

export interface PayoutPart {
  readonly line_id: string;
  readonly type: string;
  /** Off Card clearing, below zero onto it. */
  readonly cleared_minor: bigint;
  /** Expense, below zero given back. */
  readonly fee_minor: bigint;
}

export interface PayoutSums {
  readonly parts: readonly PayoutPart[];
  readonly cleared_minor: bigint;
  readonly fee_minor: bigint;
  /** Why it cannot be posted by itself; null: it can. */
  readonly problem: string | null;
}

/** Money of customers: booked gross with the receipt, its fee only here. */
const CHARGES = new Set(['charge', 'payment']);
/** Booked on Card clearing with their own fee when they happened, or moved there and back without one. */
const BOOKED = new Set(['adjustment', 'refund', 'payment_refund', 'refund_failure', 'payment_failure_refund',
  'payout_failure']);
const FEES = new Set(['stripe_fee', 'stripe_fx_fee', 'tax_fee']);

function partOf(line: BalanceLine): PayoutPart | null {
  const { id: line_id, type } = line;
  if (CHARGES.has(type)) return { line_id, type, cleared_minor: line.amount_minor, fee_minor: line.fee_minor };
  if (FEES.has(type)) return { line_id, type, cleared_minor: 0n, fee_minor: -line.net_minor };
  return BOOKED.has(type) ? { line_id, type, cleared_minor: line.net_minor, fee_minor: 0n } : null;
}

/** The parts of a payout of `paid_minor`; a line of a kind that nobody books here, or a rest, is a problem by name. */
export function payoutSums(paid_minor: bigint, lines: readonly BalanceLine[]): PayoutSums {
  const own = lines.filter((line) => line.type !== 'payout');
  const strange = own.filter((line) => partOf(line) === null);
  const parts = own.flatMap((line) => partOf(line) ?? []);
  const cleared_minor = sum(parts.map((part) => part.cleared_minor));
  const fee_minor = sum(parts.map((part) => part.fee_minor));
  const rest = paid_minor - (cleared_minor - fee_minor);
  const problem = strange.length > 0 ? `It holds lines of a kind that is not booked here: ${
    [...new Set(strange.map((line) => line.type))].join(', ')}`
    : rest !== 0n ? `Its lines come to ${cleared_minor - fee_minor}, the payout to ${paid_minor}` : null;
  return { parts, cleared_minor, fee_minor, problem };
}

export interface PayoutLine { readonly account: string; readonly amount_minor: bigint }

/** Dr bank, Dr 6100 / Cr 1020. */
export function payoutLines(of: { bank: string; paid_minor: bigint; fee_minor: bigint }): PayoutLine[] {
  return [{ account: of.bank, amount_minor: of.paid_minor }, { account: '6100', amount_minor: of.fee_minor },
    { account: '1020', amount_minor: -(of.paid_minor + of.fee_minor) }].filter((line) => line.amount_minor !== 0n);
}

/** The bank sent the payout back: its net is with the processor again, the fees stay paid. */
export function returnedPayoutLines(of: { bank: string; paid_minor: bigint }): PayoutLine[] {
  return [{ account: '1020', amount_minor: of.paid_minor }, { account: of.bank, amount_minor: -of.paid_minor }];
}
