/** Labels of amendments. */
import { spell } from '#kernel/text/english.ts';
import type { Tone } from '#web/data/badge.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { clockWords } from '../words.web.ts';
import type { AmendmentPreview, AmendmentRow, Differences } from './amendment.contract.ts';

const STATES: Readonly<Record<AmendmentRow['status'], { label: string; tone: Tone }>> = {
  requested: { label: 'Asked for', tone: 'warn' }, approved: { label: 'Granted', tone: 'ok' },
  applied: { label: 'In force', tone: 'ok' }, refused: { label: 'Refused', tone: 'outline' },
  withdrawn: { label: 'Taken back', tone: 'outline' },
};

/** 'In force' is a change; a cancellation that was carried out is 'Cancelled'. */
export function amendmentLook(row: Pick<AmendmentRow, 'kind' | 'status'>): { label: string; tone: Tone } {
  return row.kind === 'cancel_request' && row.status === 'applied' ? { label: spell`Canceled`, tone: 'error' }
    : STATES[row.status];
}

export function amendmentTitle(row: Pick<AmendmentRow, 'kind' | 'version_no'>): string {
  if (row.kind === 'cancel_request') return 'Cancellation';
  return row.version_no === null ? 'Change' : `Version ${row.version_no}`;
}

export function nightWords(night: Differences['added'][number]): string {
  const time = night.local_time === '' ? '' : `, ${clockWords(night.local_time)}`;
  return `${formatDay(night.local_date, 'weekday')}${time}`;
}

/** Effects of the change on money, in sentences that need no knowledge of the ledger. */
export function billingWords(billing: AmendmentPreview['billing'], currency: string): string[] {
  const { invoice_minor: more, credit_minor: less, planned_minor: planned } = billing;
  return [
    more > 0 && `An invoice for ${formatAmount(more, currency)} is issued at once.`,
    less > 0 && `A credit note for ${formatAmount(less, currency)} is issued at once. What is unpaid is owed no more; `
      + 'what was paid stands to the credit of the customer until it is used or refunded.',
    planned > 0 && spell`${formatAmount(planned, currency)} is added to installments that are not billed yet.`,
    planned < 0 && spell`${formatAmount(-planned, currency)} is taken off installments that are not billed yet.`,
  ].filter((text) => text !== false);
}
