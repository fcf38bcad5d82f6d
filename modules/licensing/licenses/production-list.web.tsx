/** Productions: everything that is licensed or was, by phase; one row a production where Bookings has its nights. */
import { lazy, useMemo } from 'react';
import { formatRate } from '#kernel/money/money.ts';
import { spell } from '#kernel/text/english.ts';
import { Badge, PhaseBadge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import type { TableFilter } from '#web/data/table-filter.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { useViews, type ListView } from '../list-views.web.tsx';
import { OPEN_PRODUCTIONS } from '../open-items-filter.web.ts';
import { CATEGORY_CHOICES, derivedStatus, derivedTone, optionsOf, POLICY_WORDS } from '../words.web.ts';
import { productionBulk, licenseEndpoints, type LicenseRow } from './license.contract.ts';
import { licenseHref } from './license-place.web.ts';
import { pageSum } from './quote/quote-list.web.tsx';

const LicensePeek = lazy(() => import('./license-peek.web.tsx'));

const FILTERS: readonly TableFilter[] = [
  { name: 'category', label: 'Category', options: CATEGORY_CHOICES },
  { name: 'show_code', label: 'Show code', kind: 'text' },
  { name: 'first_performance_from', label: 'Opening', verb: 'from', kind: 'date' },
  { name: 'first_performance_to', label: 'Opening', verb: 'until', kind: 'date' },
  { name: 'execution_policy', label: 'Executed when', options: optionsOf(POLICY_WORDS) },
  { name: 'on_hold', label: 'On hold', options: [{ value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }] },
];
const NAMES = FILTERS.map((filter) => filter.name);

/** A phase is a view of its own, so the address says what is shown and the tab how many there are. */
export function productionViews(userId: number | undefined): readonly ListView[] {
  return [
    { id: 'running', text: 'Not closed', query: { phase: OPEN_PRODUCTIONS } },
    ...(userId === undefined ? [] : [
      { id: 'mine', text: 'Mine', query: { phase: OPEN_PRODUCTIONS, license_rep_id: String(userId) } }]),
    { id: 'licensed', text: 'To open', query: { phase: 'licensed' } },
    { id: 'in_production', text: 'On stage', query: { phase: 'in_production' } },
    { id: 'settlement', text: 'In settlement', query: { phase: 'settlement' } },
    { id: 'closed', text: 'Closed', query: { phase: 'closed' } },
    { id: 'cancelled', text: spell`Canceled`, query: { phase: 'cancelled' } },
  ];
}

function Derived({ row }: { row: LicenseRow }) {
  const words = row.on_hold ? 'On hold' : row.dispute ? 'Dispute' : derivedStatus(row.phase, row.status);
  if (!words) return null;
  return <Badge small tone={row.dispute && !row.on_hold ? 'error' : derivedTone(words)}>{words}</Badge>;
}

const columns: readonly Column<LicenseRow>[] = [
  { id: 'number', header: spell`License`, kind: 'code', cell: (row) => row.license_number ?? row.number, width: 140 },
  { id: 'quote', header: 'Quote', kind: 'code', cell: (row) => row.number, sort: 'number', hideLast: true, width: 140 },
  { id: 'title', header: 'Title', kind: 'title', fixed: true, width: 230, sort: 'show_title',
    cell: (row) => row.title_on_license || row.show_title },
  { id: 'customer', header: 'Customer', kind: 'muted', hideLast: true, cell: (row) => row.customer_name,
    sort: 'customer_name', width: 200 },
  { id: 'phase', header: 'Phase', kind: 'badge', cell: (row) => <PhaseBadge phase={row.phase} small />, sort: 'phase',
    width: 120 },
  { id: 'status', header: 'Status', kind: 'badge', cell: (row) => <Derived row={row} />, width: 100 },
  { id: 'opening', header: 'Opening', kind: 'date', cell: (row) => row.first_performance_on,
    sort: 'first_performance_on', width: 112 },
  { id: 'last', header: 'Closing', kind: 'date', cell: (row) => row.last_performance_on, width: 112 },
  { id: 'performances', header: 'Perfs', kind: 'number', cell: (row) => row.number_of_performances || '', width: 60 },
  { id: 'total', header: 'Total', kind: 'money', cell: (row) => row.grand_total_minor, sort: 'grand_total_minor',
    width: 108 },
  { id: 'percentage', header: 'Plus', kind: 'muted', width: 96, cell: (row) => (row.percentage_ppm === null ? ''
    : `${formatRate(BigInt(row.percentage_ppm))} of gross`) },
  { id: 'balance', header: 'Balance', kind: 'money', cell: (row) => row.balance_minor, sort: 'balance_minor',
    width: 108 },
  { id: 'category', header: 'Category', cell: (row) => row.category, hidden: true, width: 100 },
  { id: 'venues', header: 'Venue', kind: 'muted', cell: (row) => row.venue_names, hidden: true },
  { id: 'rep', header: 'Rep', kind: 'muted', cell: (row) => row.license_rep_name, hidden: true },
  { id: 'settlement', header: 'Settlement due', kind: 'date', cell: (row) => row.settlement_due_on, hidden: true },
];

export default function ProductionList() {
  const user = useCurrentUser();
  const [division] = useDivision();
  const wanted = useMemo(() => productionViews(user?.id), [user?.id]);
  const views = useViews(licenseEndpoints.list, wanted, { division });
  const coming = ['running', 'licensed', 'mine'].includes(views.current?.id ?? '');
  const list = useList(licenseEndpoints.list, { query: { division, ...views.query } }, { filters: NAMES, perPage: 25,
    sortBy: 'first_performance_on', sortDirection: coming ? 'asc' : 'desc', bulk: productionBulk });
  return (
    <>
      <PageHeader title="Productions" division tabs={views.tabs} />
      <DataTable label="Productions" {...list} columns={columns} filters={FILTERS} rowKey={(row) => row.id}
        rowHref={licenseHref} peek={LicensePeek}
        summary={pageSum(list.rows)} searchPlaceholder="Number, title or customer"
        empty={{ title: 'No productions here',
          text: 'A quote becomes a production when it is signed and what is due first has been paid.' }} />
    </>
  );
}
