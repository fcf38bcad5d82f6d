/** Revaluations of all months, newest first. */
import { DIVISION_LABELS } from '#kit/field.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { accountingTabs } from '../accounting-tabs.ts';
import { LOOKS, REVALUATIONS, RevaluationBadge } from './revaluation-words.web.tsx';
import { revaluationEndpoints, type RevaluationRow } from './revaluation.contract.ts';

const columns: readonly Column<RevaluationRow>[] = [
  { id: 'revalued_on', header: 'Month end', kind: 'title', sort: true, fixed: true, width: 190,
    cell: (row) => formatDay(row.revalued_on) },
  { id: 'division', header: 'Division', kind: 'muted', cell: (row) => DIVISION_LABELS[row.division], width: 120 },
  { id: 'status', header: 'Status', kind: 'badge', width: 140,
    cell: (row) => <RevaluationBadge status={row.status} /> },
  { id: 'gain', header: 'Gain or loss', kind: 'money', cell: (row) => BigInt(row.gain_minor), width: 140 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'what', header: 'What', kind: 'muted', width: 120,
    cell: (row) => (row.corrects_id === null ? 'Month end' : 'Correction') },
  { id: 'requested_by', header: 'Requested by', kind: 'muted', cell: (row) => row.requested_by_name, width: 160 },
  { id: 'decided_by', header: 'Decided by', kind: 'muted', cell: (row) => row.decided_by_name, width: 160 },
];

const states = Object.fromEntries(Object.entries(LOOKS).map(([key, { label }]) => [key, label]));
const filters = [
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
  { name: 'status', label: 'Status', options: optionsOf(states) },
];

export default function RevaluationList() {
  const may = useMay();
  const list = useList(revaluationEndpoints.list, {}, { filters: ['division', 'status'] });
  const add = <ButtonLink variant="primary" href={`${REVALUATIONS}/create`}>Revalue a month</ButtonLink>;
  return (
    <>
      <PageHeader title="Revaluations" tabs={accountingTabs(may)}
        subtitle="Balances in other currencies at the rate of a month's end">{add}</PageHeader>
      <DataTable label="Revaluations" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => `${REVALUATIONS}/${row.id}`} searchPlaceholder="Day, as 2026-10-31"
        empty={{ title: 'No revaluations yet', text: 'Choose a month that is over to see what its foreign balances '
          + 'gain or lose. One person asks, another posts it.', action: add }} />
    </>
  );
}
