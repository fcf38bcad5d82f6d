/** Words of revaluations, and the table of what one posts. */
import { Badge, type Tone } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { formatDay } from '#web/data/date-text.tsx';
import type { RevaluationItem, RevaluationLine, RevaluationRow } from './revaluation.contract.ts';

export const REVALUATIONS = '/admin/accounting/revaluations';
export const LOOKS: Readonly<Record<RevaluationRow['status'], { label: string; tone: Tone }>> = {
  waiting: { label: 'To be approved', tone: 'brass' }, posted: { label: 'Posted', tone: 'ok' },
  declined: { label: 'Declined', tone: 'outline' }, withdrawn: { label: 'Withdrawn', tone: 'outline' },
};

export function RevaluationBadge({ status }: Pick<RevaluationRow, 'status'>) {
  return <Badge tone={LOOKS[status].tone}>{LOOKS[status].label}</Badge>;
}

const sumOf = (rows: readonly { gain_minor: number }[]): bigint =>
  rows.reduce((total, row) => total + BigInt(row.gain_minor), 0n);

export const lineKey = (row: RevaluationLine): string =>
  `${row.account} ${row.currency} ${row.party_type ?? ''} ${row.party_id ?? ''}`;

export const lineColumns = (rows: readonly RevaluationLine[], own: string): readonly Column<RevaluationLine>[] => [
  { id: 'account', header: 'Account', kind: 'title', cell: (row) => `${row.account} ${row.account_name}`, fixed: true,
    width: 230 },
  { id: 'party', header: 'Party', kind: 'muted', cell: (row) => row.party_name, width: 190 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'balance', header: 'Balance', kind: 'money', cell: (row) => BigInt(row.balance_minor), width: 130 },
  { id: 'carried', header: `Carried, ${own}`, kind: 'money', cell: (row) => BigInt(row.carried_minor), width: 130 },
  { id: 'rate', header: 'Rate', kind: 'number', cell: (row) => String(Number(row.rate)), width: 110 },
  { id: 'rate_on', header: 'Rate of', kind: 'muted', cell: (row) => formatDay(row.rate_on), width: 130,
    optional: true },
  { id: 'gain', header: `Gain or loss, ${own}`, kind: 'money', cell: (row) => BigInt(row.gain_minor), width: 140,
    total: sumOf(rows) },
];

export const itemColumns = (own: string): readonly Column<RevaluationItem>[] => [
  { id: 'document', header: 'Document', kind: 'title', fixed: true, width: 190,
    cell: (row) => row.document ?? `Transaction ${row.transaction_id}` },
  { id: 'party', header: 'Party', kind: 'muted', cell: (row) => row.party_name, width: 190 },
  { id: 'opened_on', header: 'Date', kind: 'date', cell: (row) => row.opened_on, width: 120 },
  { id: 'account', header: 'Account', kind: 'code', cell: (row) => row.account, width: 80 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'open', header: 'Open', kind: 'money', cell: (row) => BigInt(row.open_minor), width: 130 },
  { id: 'carried', header: `Carried, ${own}`, kind: 'money', cell: (row) => BigInt(row.carried_minor), width: 130 },
  { id: 'gain', header: `Gain or loss, ${own}`, kind: 'money', cell: (row) => BigInt(row.gain_minor), width: 140 },
];
