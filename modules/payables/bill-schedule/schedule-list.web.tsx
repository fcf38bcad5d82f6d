/** Recurring bills: how often each comes, its next day, and those that could not be made. */
import { DIVISION_LABELS } from '#kit/field.ts';
import { accountingTabs } from '#modules/accounting/accounting-tabs.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import type { TableFilter } from '#web/data/table-filter.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { billScheduleEndpoints, type BillScheduleRow } from './bill-schedule.contract.ts';
import { everyWords, scheduleBadge, SCHEDULE_STATE_LABELS, SCHEDULES, untilWords } from './schedule-words.web.tsx';

const columns: readonly Column<BillScheduleRow>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 220 },
  { id: 'vendor', header: 'Vendor', kind: 'text', cell: (row) => row.vendor_name, sort: true, width: 200 },
  { id: 'every', header: 'Repeats', kind: 'text', cell: everyWords, width: 150 },
  { id: 'next_on', header: 'Next bill', kind: 'date', cell: (row) => row.next_on, sort: true, width: 120 },
  { id: 'until', header: 'Ends', kind: 'muted', cell: untilWords, width: 160 },
  { id: 'net_minor', header: 'Net', kind: 'money', cell: (row) => BigInt(row.net_minor), sort: true, width: 130 },
  { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
  { id: 'status', header: 'Status', kind: 'badge', cell: (row) => scheduleBadge(row, true), width: 110 },
  { id: 'division', header: 'Division', kind: 'muted', cell: (row) => DIVISION_LABELS[row.division], hidden: true,
    width: 110 },
  { id: 'last_on', header: 'Last bill', kind: 'date', cell: (row) => row.last_on, hidden: true, width: 120 },
  { id: 'made_count', header: 'Bills made', kind: 'number', cell: (row) => row.made_count, hidden: true, width: 110 },
  { id: 'failure', header: 'Reason', kind: 'muted', cell: (row) => row.failure, hidden: true, width: 260 },
  { id: 'memo', header: 'Note', kind: 'muted', cell: (row) => row.memo, hidden: true, width: 200 },
  { id: 'created_by', header: 'Added by', kind: 'muted', cell: (row) => row.created_by_name, hidden: true,
    width: 150 },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, hidden: true,
    width: 120 },
];

const filters: readonly TableFilter[] = [
  { name: 'status', label: 'Status', options: optionsOf(SCHEDULE_STATE_LABELS) },
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
  { name: 'failed', label: 'Not made', options: optionsOf({ true: 'Yes', false: 'No' }) },
  { name: 'vendor_id', label: 'Vendor', linked: { name: null } },
];

export default function ScheduleList() {
  const may = useMay();
  const list = useList(billScheduleEndpoints.list, {}, { perPage: 25, filters: ['status', 'division', 'failed',
    'vendor_id'] });
  const add = may('bill.create') && (
    <ButtonLink variant="primary" href={`${SCHEDULES}/create`}>New recurring bill</ButtonLink>);
  return (
    <>
      <PageHeader title="Recurring bills" tabs={accountingTabs(may)}
        subtitle="A draft is made on each day; another person approves it as any bill">{add}</PageHeader>
      <DataTable label="Recurring bills" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => `${SCHEDULES}/${row.id}`} searchPlaceholder="Name, vendor or note"
        empty={{ title: 'No recurring bills yet', text: 'Open a bill that comes again, as the rent, and choose Make '
          + 'recurring. Or begin here.', action: add || undefined }} />
    </>
  );
}
