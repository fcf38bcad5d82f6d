/** Words of entries between divisions. */
import type { IntercompanyKind } from '#kernel/ledger/intercompany.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { Badge, type Tone } from '#web/data/badge.tsx';
import type { IntercompanyRow } from './intercompany.contract.ts';

export const INTERCOMPANY = '/admin/accounting/intercompany';
export const BALANCES = `${INTERCOMPANY}/balances`;
export const LOOKS: Readonly<Record<IntercompanyRow['status'], { label: string; tone: Tone }>> = {
  waiting: { label: 'To be approved', tone: 'brass' }, posted: { label: 'Posted', tone: 'ok' },
  declined: { label: 'Declined', tone: 'outline' }, withdrawn: { label: 'Withdrawn', tone: 'outline' },
  reversed: { label: 'Reversed', tone: 'neutral' },
};
export const KIND_LABELS: Readonly<Record<IntercompanyKind, string>> = { charge: 'Charge', settlement: 'Settlement' };

export const journalHref = (id: number): string => `/admin/accounting/transactions/${id}/journal-entries`;

/** "US owes UK", "US pays UK". */
export function sidesInWords(row: Pick<IntercompanyRow, 'kind' | 'creditor' | 'debtor'>): string {
  return `${DIVISION_LABELS[row.debtor]} ${row.kind === 'charge' ? 'owes' : 'pays'} ${DIVISION_LABELS[row.creditor]}`;
}

export function IntercompanyBadge({ status }: Pick<IntercompanyRow, 'status'>) {
  return <Badge tone={LOOKS[status].tone}>{LOOKS[status].label}</Badge>;
}
