/** The state of a payment in one word, for its run, its page and every list. */
export type PaymentState = 'draft' | 'approved' | 'posted' | 'settled' | 'returned' | 'void' | 'reversed';

/**
 * Refused before it was posted, it is void: the bank returned it, nobody withdrew it. Settled by the bank's answer
 * before its day, it is settled, though not posted yet.
 */
export function stateOf({ status, outcome }: { status: string; outcome: string | null }): PaymentState {
  if (status === 'returned' || (status === 'void' && outcome === 'rejected')) return 'returned';
  if (status === 'reversed' || status === 'void' || status === 'draft') return status;
  if (status === 'cleared' || outcome === 'settled') return 'settled';
  return status === 'approved' ? 'approved' : 'posted';
}

export const STATE_LABELS: Readonly<Record<PaymentState, string>> = { draft: 'To be approved', approved: 'Approved',
  posted: 'Posted', settled: 'Settled', returned: 'Returned', void: 'Withdrawn', reversed: 'Reversed' };

/** Void in a run: taken out of it. Any other void payment was withdrawn. */
export const stateLabel = (row: { status: string; outcome: string | null }, inRun: boolean): string => {
  const state = stateOf(row);
  return state === 'void' && inRun ? 'Taken out' : STATE_LABELS[state];
};
