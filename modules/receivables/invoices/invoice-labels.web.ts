/** Words and tones of receivables on screen. */
import { spell } from '#kernel/text/english.ts';
import type { Tone } from '#web/data/badge.tsx';
import type { PaymentRow } from '../payments/payment.contract.ts';
import type { InvoiceItemRow, InvoiceRow } from './invoice.contract.ts';

export const KIND_LABELS: Record<InvoiceRow['kind'], string> = {
  invoice: 'Invoice', proforma: 'Pro forma', credit_note: 'Credit note',
};
export const STATUS_LABELS: Record<InvoiceRow['status'], string> = {
  draft: 'Draft', proforma: 'Pro forma', issued: 'Open', part_paid: 'Part paid', paid: 'Paid', credited: 'Credited',
  written_off: 'Written off', void: 'Void',
};
export const STATUS_TONES: Record<InvoiceRow['status'], Tone> = {
  draft: 'neutral', proforma: 'brass', issued: 'info', part_paid: 'violet', paid: 'ok', credited: 'neutral',
  written_off: 'warn', void: 'outline',
};
export const METHOD_LABELS: Record<PaymentRow['method'], string> = {
  card: 'Card', ach: 'ACH', wire: 'Wire', check: spell`Check`, bacs: 'BACS', sepa: 'SEPA', cash: 'Cash',
    set_off: 'Set-off',
};
export const PAYMENT_LABELS: Record<PaymentRow['status'], string> = {
  draft: 'To be approved', approved: 'Approved', posted: 'Posted', cleared: 'Cleared', returned: 'Returned',
  void: 'Withdrawn', reversed: 'Reversed',
};
/** A receipt is a draft only while its check waits for its day. */
export function paymentLabel(row: Pick<PaymentRow, 'status' | 'direction'>): string {
  return row.direction === 'in' && row.status === 'draft' ? 'Post-dated' : PAYMENT_LABELS[row.status];
}
/** Noun for a row among the receipts; the remainder of a credit note is listed there as well. */
export function paymentNoun(row: Pick<PaymentRow, 'kind' | 'direction'>): string {
  if (row.kind === 'credit') return 'Credit';
  if (row.kind === 'dispute') return 'Disputed payment';
  return row.direction === 'in' ? 'Receipt' : 'Refund';
}
export const PAYMENT_TONES: Record<PaymentRow['status'], Tone> = {
  draft: 'brass', approved: 'info', posted: 'ok', cleared: 'ok', returned: 'error', void: 'outline', reversed: 'warn',
};
export const RELEASE_LABELS: Record<InvoiceItemRow['release_rule'], string> = {
  performances: 'By performance', opening: 'At the opening', as_recouped: 'As recouped',
  straight_line: 'By days of rental', shipment: 'When shipped', access: 'When access is given', at_once: 'At once',
};
/** Kinds that a person bills by hand. */
export const ITEM_LABELS: Record<Exclude<InvoiceItemRow['kind'], 'bank_charge' | 'late_interest'>, string> = {
  royalty: spell`License fee`, minimum: 'Minimum', advance: 'Advance', overage: 'Royalty above', rental: 'Rental',
  extra_week: 'Extra week', sale: 'Sale', digital: 'Digital', add_on: 'Add-on', shipping: 'Delivery', fee: 'Fee',
};
export const CLASS_LABELS: Record<InvoiceItemRow['item_class'], string> = {
  performing_licence: spell`License to perform`, rental: 'Rental materials', printed_script: 'Printed scripts',
  printed_music: 'Printed music', e_publication: 'E-publications', digital_music: 'Digital music', tracks: 'Tracks',
  logo: 'Logos', merchandise: 'Merchandise', shipping: 'Delivery', fee: 'Fees',
};
export const DUE_LABELS = {
  current: 'Not yet due', days_1_30: '1 to 30 days late', days_31_60: '31 to 60 days late',
  days_61_90: '61 to 90 days late', days_91: 'Over 90 days late', overdue: 'Overdue',
};

export function choicesOf<K extends string>(labels: Record<K, string>): { value: K; label: string }[] {
  return (Object.keys(labels) as K[]).map((value) => ({ value, label: labels[value] }));
}

/** Tabs that all pages of accounts receivable share. */
export function receivablesTabs(may: (permission: 'invoice.list' | 'payment.list') => boolean) {
  const base = '/admin/accounts-receivable';
  return [
    ...(may('invoice.list') ? [{ id: 'invoices', text: 'Invoices', href: `${base}/invoices` }] : []),
    ...(may('payment.list') ? [{ id: 'payments', text: 'Receipts', href: `${base}/payments` }] : []),
    ...(may('payment.list') ? [{ id: 'card-payments', text: 'Card payments', href: `${base}/card-payments` }] : []),
    ...(may('payment.list') ? [{ id: 'disputes', text: 'Disputes', href: `${base}/disputes` }] : []),
    ...(may('payment.list') ? [{ id: 'payouts', text: 'Payouts', href: `${base}/payouts` }] : []),
    ...(may('invoice.list') ? [{ id: 'aging', text: spell`Aging`, href: `${base}/aging` }] : []),
  ];
}
