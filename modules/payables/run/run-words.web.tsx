/** Words and tones of payment runs. */
import { spell } from '#kernel/text/english.ts';
import { Badge, type Tone } from '#web/data/badge.tsx';
import { stateLabel, stateOf, type PaymentState } from '../payment/payment-state.ts';
import type { RunPayment, RunRow } from './payment-run.contract.ts';

export const RUNS = '/admin/accounts-payable/payment-runs';

type Look = Readonly<{ label: string; tone: Tone }>;
export const RUN_LOOKS: Readonly<Record<RunRow['status'], Look>> = {
  draft: { label: 'To be approved', tone: 'brass' }, approved: { label: 'Approved', tone: 'info' },
  exported: { label: 'At the bank', tone: 'violet' }, posted: { label: 'Posted', tone: 'ok' },
  void: { label: 'Withdrawn', tone: 'outline' },
};
export const METHOD_WORDS = { ach: 'ACH', wire: 'Wire', check: spell`Check`, bacs: 'BACS', sepa: 'SEPA' } as const;
/** Within a sentence. */
export const METHOD_NOUNS = { ...METHOD_WORDS, wire: 'wire', check: spell`check` } as const;

export function RunBadge({ run, small = false }: { run: Pick<RunRow, 'status'>; small?: boolean }) {
  const look = RUN_LOOKS[run.status];
  return <Badge small={small} tone={look.tone}>{look.label}</Badge>;
}

/** Nothing is called paid before it is posted, nothing settled before the bank says so. */
const TONES: Readonly<Record<PaymentState, Tone>> = { draft: 'brass', approved: 'neutral', posted: 'info',
  settled: 'ok', returned: 'error', void: 'outline', reversed: 'warn' };
function lookOf(payment: Pick<RunPayment, 'status' | 'outcome' | 'paid_anyway_on'>): Look {
  if (payment.paid_anyway_on !== null) return { label: 'Paid although taken out', tone: 'error' };
  return { label: stateLabel(payment, true), tone: TONES[stateOf(payment)] };
}

export function PaymentBadge({ payment }: { payment: Pick<RunPayment, 'status' | 'outcome' | 'paid_anyway_on'> }) {
  const look = lookOf(payment);
  return <Badge small tone={look.tone}>{look.label}</Badge>;
}

const PLACES: Readonly<Record<string, string>> = { bill: '/admin/accounting/bills',
  refund: '/admin/accounts-receivable/payments', invoice: '/admin/accounts-receivable/invoices',
  license: '/admin/licenses', statement: '/admin/sales-and-royalties/statements' };
export const PAYS_WORDS = { payables: 'Bills and refunds', royalties: 'Royalties alone' } as const;
export function paysOf(run: Pick<RunRow, 'is_batch' | 'royalty_payment_batch_id'>): string {
  if (run.is_batch) return 'Royalties';
  return run.royalty_payment_batch_id === null ? PAYS_WORDS.payables : 'Bills and royalties';
}

/** Link to a document; null if it has no page of its own. */
export function documentHref(of: { document_kind: string | null; document_id: number | null }): string | null {
  const place = of.document_kind === null ? undefined : PLACES[of.document_kind];
  return place === undefined || of.document_id === null ? null : `${place}/${of.document_id}`;
}
