/** Reader's own bulk actions on lists; each links to its report. */
import { Badge, type Tone } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useList } from '#web/query/use-endpoint.ts';
import { jobEndpoints, type JobRow } from '../jobs/job.contract.ts';

export const RUN_STATES: Readonly<Record<JobRow['status'], { label: string; tone: Tone }>> = {
  waiting: { label: 'Waiting', tone: 'neutral' }, running: { label: 'At work', tone: 'info' },
  done: { label: 'Done', tone: 'ok' }, failed: { label: 'Failed', tone: 'error' },
  cancelled: { label: 'Stopped', tone: 'outline' }, expired: { label: 'Expired', tone: 'outline' },
};

const columns: readonly Column<JobRow>[] = [
  { id: 'title', header: 'Action', kind: 'title', fixed: true, width: 280, cell: (row) => row.title },
  { id: 'status', header: 'Status', kind: 'badge', width: 120,
    cell: (row) => <Badge small tone={RUN_STATES[row.status].tone}>{RUN_STATES[row.status].label}</Badge> },
  { id: 'rows_total', header: 'Rows', kind: 'number', width: 100,
    cell: (row) => row.rows_total.toLocaleString('en-US') },
  { id: 'done', header: 'Done', kind: 'number', width: 100,
    cell: (row) => (row.rows_done - row.rows_refused).toLocaleString('en-US') },
  { id: 'rows_refused', header: 'Refused', kind: 'number', width: 100,
    cell: (row) => row.rows_refused.toLocaleString('en-US') },
  { id: 'created_at', header: 'Requested', kind: 'date', sort: true, width: 170, cell: (row) => row.created_at },
];

const filters = [{ name: 'status', label: 'Status',
  options: Object.entries(RUN_STATES).filter(([value]) => value !== 'expired')
    .map(([value, { label }]) => ({ value, label })) }];

export default function BulkRuns() {
  const list = useList(jobEndpoints.list, { query: { kind: 'bulk' } }, { filters: ['status'], views: false });
  return (
    <>
      <PageHeader title="My bulk actions"
        subtitle="Your bulk actions; reports are kept for 30 days" />
      <DataTable label="My bulk actions" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => `/admin/bulk/${row.record_id}`} searchPlaceholder="Action or list"
        empty={{ title: 'Nothing done to many rows yet',
          text: 'Choose rows in a list, or all that match, and say what is to be done with them.' }} />
    </>
  );
}
