/** Words and tones of payments, in and out. */
import { spell } from '#kernel/text/english.ts';
import type { PaymentRow } from '#modules/receivables/payments/payment.contract.ts';
import { Badge, type Tone } from '#web/data/badge.tsx';
import { stateLabel, stateOf } from './payment-state.ts';

export const PAYMENTS = '/admin/accounting/payments';
export const RECEIPTS = '/admin/accounts-receivable/payments';

export const METHOD_LABELS: Readonly<Record<PaymentRow['method'], string>> = { card: 'Card', ach: 'ACH', wire: 'Wire',
  check: spell`Check`, bacs: 'BACS', sepa: 'SEPA', cash: 'Cash', set_off: 'Set-off' };
export const KIND_LABELS: Readonly<Record<PaymentRow['kind'], string>> = { receipt: 'Receipt', credit: 'Credit',
  refund: 'Refund', dispute: 'Disputed payment', vendor: 'Vendor payment', royalty: 'Royalty payment',
  royalty_advance: 'Royalty advance', tax: 'Tax payment', reimbursement: 'Reimbursement' };
export const DIRECTION_LABELS = { in: 'In', out: 'Out' } as const;
export const PARTY_LABELS: Readonly<Record<PaymentRow['party_type'], string>> = { customer: 'Customer',
  vendor: 'Vendor', royaltor: 'Royaltor', staff: 'Staff', tax_authority: 'Tax authority' };
export const STATUS_LABELS: Readonly<Record<PaymentRow['status'], string>> = { draft: 'To be approved',
  approved: 'Approved', posted: 'Posted', cleared: 'Settled', returned: 'Returned', void: 'Withdrawn',
  reversed: 'Reversed' };
const TONES: Readonly<Record<PaymentRow['status'], Tone>> = { draft: 'brass', approved: 'info', posted: 'ok',
  cleared: 'ok', returned: 'error', void: 'outline', reversed: 'warn' };

export const isReturned = (row: Pick<PaymentRow, 'status' | 'outcome'>): boolean => stateOf(row) === 'returned';

/** A receipt is a draft only while its check waits for its day. */
export function paymentBadge(
  row: Pick<PaymentRow, 'status' | 'direction' | 'outcome' | 'payment_run'>, small = false,
) {
  const state = stateOf(row);
  const label = row.direction === 'in' && state === 'draft' ? 'Post-dated' : stateLabel(row, row.payment_run !== null);
  return <Badge tone={TONES[state === 'settled' ? 'cleared' : state]} small={small}>{label}</Badge>;
}

/** Link to the party's page; null if it has none. */
export function partyHref(row: Pick<PaymentRow, 'party_type' | 'party_id'>): string | null {
  const places: Partial<Record<PaymentRow['party_type'], string>> = {
    customer: `/admin/customers/${row.party_id}/information`, vendor: `/admin/vendors/${row.party_id}`,
    royaltor: `/admin/royaltors/${row.party_id}` };
  return places[row.party_type] ?? null;
}

/** The run, the batch or the check that a payment leaves with; null for one by itself. */
export function carrierOf(row: PaymentRow): { text: string; href: string } | null {
  if (row.check_number !== null) {
    return { text: `${spell`Check`} ${row.check_number}`, href: `/admin/checking/${row.check_id}/information` };
  }
  if (row.payment_run !== null) {
    return { text: row.payment_run, href: `/admin/accounts-payable/payment-runs/${row.payment_run_id}` };
  }
  if (row.batch_number !== null) {
    return { text: row.batch_number, href: `/admin/accounts-payable/royalty-payments/${row.batch_id}` };
  }
  return row.check_id === null ? null
    : { text: spell`Check to be printed`, href: `/admin/checking/${row.check_id}/information` };
}
