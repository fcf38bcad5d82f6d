/**
 * Money that goes back through the card processor: how a refund stands by what the processor says of it, and how much
 * of a charge may still go back. Pure.
 */
import { sum } from '../money/money.ts';

/**
 * `waiting` for a second person, `approved` to be sent, `sent` and not answered yet; the others are over, but that a
 * refund which went out can still come back (`succeeded` to `failed`).
 */
export const REFUND_STATES = ['waiting', 'approved', 'sent', 'succeeded', 'failed', 'withdrawn'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** By the processor's word for it; a word that is not known here waits to be read again. */
export function refundState(status: string | null): 'sent' | 'succeeded' | 'failed' {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'sent';
}

export interface PartOfCharge { readonly amount_minor: bigint; readonly status: RefundState }

/** Part of a charge that no refund has taken or is about to take; never below zero. */
export function refundableMinor(charged_minor: bigint, refunds: readonly PartOfCharge[]): bigint {
  const left = charged_minor - sum(refunds.filter(({ status }) => status !== 'failed' && status !== 'withdrawn')
    .map((part) => part.amount_minor));
  return left > 0n ? left : 0n;
}
