/** Applications: what customers ask for, and until when they were promised an answer (domain.md 1.2). */
import { CirclePause } from 'lucide-react';
import { lazy, useMemo } from 'react';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { dayOf, today } from '#web/data/local-day.ts';
import type { TableFilter } from '#web/data/table-filter.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { useViews, type ListView } from '../list-views.web.tsx';
import { OPEN_APPLICATIONS } from '../open-items-filter.web.ts';
import { APPLICATION_LOOKS, CATEGORY_CHOICES, dueWords, UNANSWERED } from '../words.web.ts';
import { StatusBadge } from './application-status.web.tsx';
import { applicationBulk, applicationEndpoints, type ApplicationRow } from './application.contract.ts';
import styles from '../licensing.module.css';

const ApplicationPeek = lazy(() => import('./application-peek.web.tsx'));

const FILTERS: readonly TableFilter[] = [
  { name: 'status', label: 'Status',
    options: Object.entries(APPLICATION_LOOKS).map(([value, look]) => ({ value, label: look.label })) },
  { name: 'category', label: 'Category', options: CATEGORY_CHOICES },
];
const NAMES = FILTERS.map((filter) => filter.name);

function viewsOf(userId: number | undefined): readonly ListView[] {
  return [
    { id: 'open', text: 'All open', query: { status: OPEN_APPLICATIONS } },
    ...(userId === undefined ? [] : [{ id: 'mine', text: 'Mine', query: { status: OPEN_APPLICATIONS,
      license_rep_id: String(userId) } }]),
    { id: 'new', text: 'New', query: { status: 'submitted' } },
    { id: 'review', text: 'In review', query: { status: 'in_review' } },
    { id: 'waiting', text: 'Waiting for the customer', query: { status: 'info_requested' } },
    { id: 'clearance', text: 'Awaiting clearance', query: { status: 'clearance' } },
    { id: 'decided', text: 'Decided', query: { status: 'converted,declined,withdrawn,expired' } },
  ];
}

/** When the promised answer is due: late in red, resting while the customer is asked. */
export function SlaDue({ row, on }: { row: Pick<ApplicationRow, 'sla_due_at' | 'sla_paused' | 'status'>; on: string }) {
  if (!row.sla_due_at || !UNANSWERED.includes(row.status)) return null;
  if (row.sla_paused) return <Badge small tone="outline" icon={CirclePause}
    title="The clock is paused until the customer answers">Paused</Badge>;
  const words = dueWords(row.sla_due_at, on);
  return <span className={words.endsWith('late') ? styles.late : words === 'Today' ? styles.soon
    : undefined}>{words}</span>;
}

function columnsOf(on: string): readonly Column<ApplicationRow>[] {
  return [
    { id: 'number', header: 'Application', kind: 'code', cell: (row) => row.number, sort: true, width: 140 },
    { id: 'shows', header: 'Shows', kind: 'title', cell: (row) => row.show_titles, fixed: true, width: 260 },
    { id: 'customer', header: 'Customer', kind: 'muted', cell: (row) => row.customer_name, sort: 'customer_name',
      width: 200 },
    { id: 'status', header: 'Status', kind: 'badge', cell: (row) => <StatusBadge status={row.status} small />,
      width: 150 },
    { id: 'sla', header: 'Reply due', cell: (row) => <SlaDue row={row} on={on} />, sort: 'sla_due_at', width: 100 },
    { id: 'first', header: 'First date', kind: 'date', cell: (row) => row.first_performance_on,
      sort: 'first_performance_on', width: 112 },
    { id: 'performances', header: 'Perfs', kind: 'number', cell: (row) => row.number_of_performances || '', width: 60 },
    { id: 'rep', header: 'Rep', kind: 'muted', cell: (row) => row.license_rep_name, width: 140 },
    { id: 'venues', header: 'Venue', kind: 'muted', cell: (row) => row.venue_names, hidden: true },
    { id: 'category', header: 'Category', cell: (row) => row.category, hidden: true, width: 100 },
    { id: 'submitted', header: 'Submitted', kind: 'date', cell: (row) => dayOf(row.submitted_at),
      sort: 'submitted_at', hidden: true },
  ];
}

export default function ApplicationList() {
  const user = useCurrentUser();
  const [division] = useDivision();
  const on = today();
  const views = useViews(applicationEndpoints.list, viewsOf(user?.id), { division });
  const list = useList(applicationEndpoints.list, { query: { division, ...views.query } },
    { filters: NAMES, perPage: 25, sortBy: 'sla_due_at', sortDirection: 'asc', bulk: applicationBulk });
  const columns = useMemo(() => columnsOf(on), [on]);
  return (
    <>
      <PageHeader title="Applications" division tabs={views.tabs} />
      <DataTable label="Applications" {...list} columns={columns} filters={FILTERS} rowKey={(row) => row.id}
        rowHref={(row) => `/admin/applications/${row.id}`}
        peek={ApplicationPeek} searchPlaceholder="Number, show or customer"
        empty={{ title: 'No applications here',
          text: 'Customers apply in the portal. New applications appear here at once.' }} />
    </>
  );
}
