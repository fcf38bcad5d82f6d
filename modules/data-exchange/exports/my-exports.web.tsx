/** Reader's exports: progress, and the file until it expires. Lists are exported from their own screens. */
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Badge, type Tone } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { exportHref } from '#web/data/export-job-button.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { jobEndpoints, type JobRow } from '../jobs/job.contract.ts';

const STATES: Readonly<Record<JobRow['status'], { label: string; tone: Tone }>> = {
  waiting: { label: 'Waiting', tone: 'neutral' }, running: { label: 'Being made', tone: 'info' },
  done: { label: 'Ready', tone: 'ok' }, failed: { label: 'Failed', tone: 'error' },
  cancelled: { label: spell`Canceled`, tone: 'outline' }, expired: { label: 'Expired', tone: 'outline' },
};
const NUMBER = new Intl.NumberFormat('en-US');
const KIB = 1024;

function sizeOf(bytes: number | null): string {
  if (bytes === null) return '';
  return bytes < KIB * KIB ? `${NUMBER.format(Math.ceil(bytes / KIB))} kB`
    : `${NUMBER.format(Math.round(bytes / KIB / KIB * 10) / 10)} MB`;
}

function rowsOf(row: JobRow): string {
  const done = NUMBER.format(row.rows_done);
  return row.status === 'running' && row.rows_total > 0
    ? `${done} of ${NUMBER.format(row.rows_total)}${row.total_is_exact ? '' : '+'}` : done;
}

const columns: readonly Column<JobRow>[] = [
  { id: 'title', header: 'List', kind: 'title', fixed: true, width: 260, cell: (row) => row.title },
  { id: 'status', header: 'Status', kind: 'badge', width: 130,
    cell: (row) => <Badge small tone={STATES[row.status].tone}>{STATES[row.status].label}</Badge> },
  { id: 'rows', header: 'Rows', kind: 'number', width: 130, cell: rowsOf },
  { id: 'format', header: 'Format', kind: 'muted', width: 90,
    cell: (row) => (row.format === 'xlsx' ? 'Excel' : 'CSV') },
  { id: 'size', header: 'Size', kind: 'number', width: 100, cell: (row) => sizeOf(row.size_bytes) },
  { id: 'created_at', header: 'Requested', kind: 'date', sort: true, width: 170, cell: (row) => row.created_at },
  { id: 'expires_at', header: 'Kept until', kind: 'date', width: 170,
    cell: (row) => (row.status === 'done' ? row.expires_at : null) },
  { id: 'failure', header: 'Note', kind: 'muted', width: 240, cell: (row) => row.failure },
  { id: 'file', header: 'File', kind: 'actions', cell: (row) => <Take row={row} /> },
];

function Take({ row }: { row: JobRow }) {
  const cancel = useAction(jobEndpoints.cancel, { done: spell`Export canceled` });
  if (row.status === 'done') {
    return <ButtonLink size="small" download="" href={exportHref(row.record_id)}>Download</ButtonLink>;
  }
  if (row.status !== 'waiting' && row.status !== 'running') return null;
  return (
    <Button size="small" pending={cancel.pending} onClick={() => void cancel.run({ params: { id: row.id } })}>
      Cancel
    </Button>
  );
}

const filters = [{ name: 'status', label: 'Status',
  options: Object.entries(STATES).map(([value, { label }]) => ({ value, label })) }];

export default function MyExports() {
  const list = useList(jobEndpoints.list, { query: { kind: 'export' } }, { filters: ['status'], views: false });
  // Most never fail: an empty column would push the file out of sight on a tablet.
  const shown = list.rows?.some((row) => row.failure) ? columns : columns.filter((column) => column.id !== 'failure');
  return (
    <>
      <PageHeader title="My exports" subtitle="Files of lists that you exported; each is kept for seven days" />
      <DataTable label="My exports" {...list} columns={shown} filters={filters} rowKey={(row) => row.id}
        searchPlaceholder="Name of the list"
        empty={{ title: 'Nothing exported yet',
          text: 'Use Export above any list. The file has its rows, columns, filters and order.' }} />
    </>
  );
}
