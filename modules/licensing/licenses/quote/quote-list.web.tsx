/** Quotes: every offer that is not a production yet, by phase, with what the ones shown add up to (picture 03). */
import { Plus } from 'lucide-react';
import { lazy, useMemo, type ReactNode } from 'react';
import { addDays, diffDays } from '#kernel/calendar/calendar.ts';
import { formatRate } from '#kernel/money/money.ts';
import { PhaseBadge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { dayOf, today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import type { TableFilter } from '#web/data/table-filter.tsx';
import { useDivision } from '#web/layout/division.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { useViews, type ListView } from '../../list-views.web.tsx';
import { OPEN_QUOTES } from '../../open-items-filter.web.ts';
import { CATEGORY_CHOICES, dueWords, optionsOf, POLICY_WORDS } from '../../words.web.ts';
import { licenseBulk, licenseEndpoints, type LicenseRow } from '../license.contract.ts';
import { licenseHref } from '../license-place.web.ts';
import styles from '../../licensing.module.css';

const LicensePeek = lazy(() => import('../license-peek.web.tsx'));

const FILTERS: readonly TableFilter[] = [
  { name: 'category', label: 'Category', options: CATEGORY_CHOICES },
  { name: 'execution_policy', label: 'Executed when', options: optionsOf(POLICY_WORDS) },
  { name: 'show_code', label: 'Show code', kind: 'text' },
  { name: 'first_performance_from', label: 'Opening', verb: 'from', kind: 'date' },
  { name: 'first_performance_to', label: 'Opening', verb: 'until', kind: 'date' },
  { name: 'on_hold', label: 'On hold', options: [{ value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }] },
];
const NAMES = FILTERS.map((filter) => filter.name);

/** The saved views of the list; each is a phase filter, so the address says what is shown. */
function viewsOf(userId: number | undefined, on: string): readonly ListView[] {
  return [
    { id: 'open', text: 'All open', query: { phase: OPEN_QUOTES } },
    ...(userId === undefined ? [] : [
      { id: 'mine', text: 'My quotes', query: { phase: OPEN_QUOTES, license_rep_id: String(userId) } }]),
    { id: 'draft', text: 'Drafts', query: { phase: 'draft' } },
    { id: 'sent', text: 'Awaiting signature', query: { phase: 'sent' } },
    { id: 'expiring', text: 'Expiring in 14 days', query: { phase: 'sent', expires_before: addDays(on, 14) } },
    { id: 'accepted', text: 'Accepted', query: { phase: 'accepted' } },
    { id: 'ended', text: 'Expired or declined', query: { phase: 'expired,declined' } },
  ];
}

function Expires({ row, on }: { row: LicenseRow; on: string }) {
  if (row.phase !== 'sent' || !row.offer_expires_on) return null;
  const words = dueWords(row.offer_expires_on, on);
  const soon = diffDays(on, row.offer_expires_on) <= 3;
  return <span className={words.endsWith('late') ? styles.late : soon ? styles.soon : undefined}>{words}</span>;
}

function columnsOf(on: string): readonly Column<LicenseRow>[] {
  return [
    { id: 'number', header: 'Quote', kind: 'code', cell: (row) => row.number, sort: true, width: 140 },
    { id: 'title', header: 'Title', kind: 'title', fixed: true, width: 240, sort: 'show_title',
      cell: (row) => row.title_on_license || row.show_title },
    { id: 'customer', header: 'Customer', kind: 'muted', cell: (row) => row.customer_name, sort: 'customer_name',
      width: 200 },
    { id: 'phase', header: 'Phase', kind: 'badge', cell: (row) => <PhaseBadge phase={row.phase} small />, sort: 'phase',
      width: 112 },
    { id: 'opening', header: 'Opening', kind: 'date', cell: (row) => row.first_performance_on,
      sort: 'first_performance_on', width: 112 },
    { id: 'performances', header: 'Perfs', kind: 'number', cell: (row) => row.number_of_performances || '', width: 60 },
    { id: 'total', header: 'Total', kind: 'money', cell: (row) => (row.priced_at === null ? null
      : row.grand_total_minor),
      sort: 'grand_total_minor', width: 108 },
    { id: 'percentage', header: 'Plus', kind: 'muted', width: 96, cell: (row) => (row.percentage_ppm === null ? ''
      : `${formatRate(BigInt(row.percentage_ppm))} of gross`) },
    { id: 'expires', header: 'Expires', cell: (row) => <Expires row={row} on={on} />, sort: 'offer_expires_at',
      width: 90 },
    { id: 'category', header: 'Category', cell: (row) => row.category, hidden: true, width: 100 },
    { id: 'rep', header: 'Rep', kind: 'muted', cell: (row) => row.license_rep_name, hidden: true },
    { id: 'venues', header: 'Venue', kind: 'muted', cell: (row) => row.venue_names, hidden: true },
    { id: 'version', header: 'Offer version', kind: 'number', cell: (row) => row.offer_version || '', hidden: true },
    { id: 'sent', header: 'Sent on', kind: 'date', cell: (row) => dayOf(row.offer_sent_at), hidden: true },
    { id: 'balance', header: 'Balance', kind: 'money', cell: (row) => row.balance_minor, sort: 'balance_minor',
      hidden: true },
  ];
}

/** Totals of the rows on screen, per currency. */
export function pageSum(rows: readonly LicenseRow[] | undefined): ReactNode {
  if (!rows || rows.length === 0) return null;
  const sums = new Map<string, bigint>();
  for (const row of rows) sums.set(row.currency, (sums.get(row.currency) ?? 0n) + BigInt(row.grand_total_minor));
  const text = [...sums].map(([currency, sum]) => formatAmount(sum, currency)).join(', ');
  return <>Total of {rows.length === 1 ? 'this one' : `these ${rows.length}`} <strong>{text}</strong></>;
}

export default function QuoteList() {
  const may = useMay();
  const user = useCurrentUser();
  const [division] = useDivision();
  const on = today();
  const views = useViews(licenseEndpoints.list, viewsOf(user?.id, on), { division });
  const list = useList(licenseEndpoints.list, { query: { division, ...views.query } },
    { filters: NAMES, perPage: 25, sortBy: 'updated_at', sortDirection: 'desc', bulk: licenseBulk });
  const columns = useMemo(() => columnsOf(on), [on]);
  const create = may('license.create') && (
    <ButtonLink href={`/admin/quotes/create?division=${division}`} variant="primary" icon={<Glyph
      icon={Plus} />}>New quote</ButtonLink>
  );
  return (
    <>
      <PageHeader title="Quotes" division tabs={views.tabs}>{create}</PageHeader>
      <DataTable label="Quotes" {...list} columns={columns} filters={FILTERS} rowKey={(row) => row.id}
        rowHref={licenseHref} peek={LicensePeek}
        summary={pageSum(list.rows)} searchPlaceholder="Number, title or customer"
        empty={{ title: 'No quotes here', action: create || undefined,
          text: 'A quote starts here, or from an application that is approved.' }} />
    </>
  );
}
