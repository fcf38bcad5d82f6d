/** Steps of a single payment of a run, and the answers of banks that a run can read. */
import type { PayoutMethod } from '#kernel/receivables/payout-methods.ts';
import { spell } from '#kernel/text/english.ts';
import type { RunDetail, RunPayment } from './payment-run.contract.ts';

export type PaymentAct = 'cancel' | 'reject' | 'decide';
export type Acts = Readonly<Record<PaymentAct, boolean>>;
interface Step { act: PaymentAct; label: string }

/** Before the value date the bank may refuse what it has: that is another step than taking it out. */
export function stepsOf(row: Pick<RunPayment, 'status' | 'paid_anyway_on'>, run: Pick<RunDetail, 'status'>, acts: Acts):
Step[] {
  if (row.paid_anyway_on !== null) return acts.decide ? [{ act: 'decide', label: 'Decide' }] : [];
  if (row.status === 'approved') {
    return [...(acts.cancel ? [{ act: 'cancel', label: 'Take out' } as const] : []),
      ...(acts.reject && run.status === 'exported' ? [{ act: 'reject', label: 'Rejected by bank' } as const] : [])];
  }
  return ['posted', 'cleared'].includes(row.status) && acts.reject ? [{ act: 'reject', label: 'Record return' }] : [];
}

/** Files that answer a run of the method; null: the bank sends none, its word is entered at the payment. */
export const ANSWER_WORDS: Readonly<Record<PayoutMethod, string | null>> = {
  ach: 'A file of returns and notices of change (NACHA), or a notification (camt.054).',
  sepa: 'A status report (pain.002) or a notification (camt.054).',
  bacs: spell`A notification (camt.054). Enter a rejection of the input report or of ARUCS at its payment:
    “Rejected by bank”.`,
  wire: null, check: null,
};
