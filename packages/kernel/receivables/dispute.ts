/** Card payments that the cardholder disputes: how a dispute stands, and what it has taken by the processor. Pure. */
import { sum } from '../money/money.ts';

/**
 * An `inquiry` moves no money. The bank of the card decides what `needs_response` or is `under_review`: `won` puts the
 * money back. An inquiry that ended is `closed`.
 */
export const DISPUTE_STATES = ['inquiry', 'needs_response', 'under_review', 'won', 'lost', 'closed'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

const STATES: Readonly<Record<string, DisputeState>> = {
  warning_needs_response: 'inquiry', warning_under_review: 'inquiry', warning_closed: 'closed', prevented: 'closed',
  needs_response: 'needs_response', appeal_needs_response: 'needs_response', under_review: 'under_review',
  appeal_under_review: 'under_review', won: 'won', lost: 'lost',
};

/** By the processor's word for it; a word that is not known here is one to look at. */
export const disputeState = (status: string): DisputeState => STATES[status] ?? 'needs_response';

/** While it is open nothing of the payment is given back: the bank may take the same money again. */
export const isOpenDispute = (state: DisputeState): boolean => state === 'needs_response' || state === 'under_review';

/** A line of the processor's balance: what a dispute took is below zero, its fee above. */
export interface DisputeLine { readonly amount_minor: bigint; readonly fee_minor: bigint }

/** Amount taken by the dispute so far, and its fee; money that came back is off both. */
export function disputeMoney(lines: readonly DisputeLine[]): { taken_minor: bigint; fee_minor: bigint } {
  const taken = -sum(lines.map((line) => line.amount_minor));
  return { taken_minor: taken > 0n ? taken : 0n, fee_minor: sum(lines.map((line) => line.fee_minor)) };
}
