/** Bookings: what is played when, as a list and as a month; the way to the productions. */
import { CalendarDays, ChevronLeft, ChevronRight, List } from 'lucide-react';
import { useMemo } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { Badge, PhaseBadge, PHASES } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { today } from '#web/data/local-day.ts';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import type { TableFilter } from '#web/data/table-filter.tsx';
import { useDivision } from '#web/layout/division.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { AppLink, useAddress, useQueryValues, withQuery } from '#web/navigation/navigation.tsx';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { PerformanceDay, PERFORMANCE_TONES } from '../licenses/performances/performance-table.web.tsx';
import { clockWords, optionsOf, PERFORMANCE_STATUS_WORDS } from '../words.web.ts';
import { BOOKED_PHASES, bookingEndpoints, type BookingRow } from './booking.contract.ts';
import { monthOf, monthWeeks, monthWords, stepMonth } from './month.web.ts';
import styles from '../licensing.module.css';

const FILTERS: readonly TableFilter[] = [
  { name: 'from', label: 'Date', verb: 'from', kind: 'date' }, { name: 'to', label: 'Date', verb: 'until',
    kind: 'date' },
  { name: 'phase', label: 'Phase', options: BOOKED_PHASES.map((value) => ({ value, label: PHASES[value].label })) },
  { name: 'status', label: 'Status', options: optionsOf(PERFORMANCE_STATUS_WORDS) },
];
const NAMES = FILTERS.map((filter) => filter.name);

export const productionHref = (row: Pick<BookingRow, 'customer_id' | 'license_id'>) =>
  `/admin/customers/${row.customer_id}/productions/${row.license_id}`;

const columns: readonly Column<BookingRow>[] = [
  { id: 'date', header: 'Date', kind: 'date', cell: (row) => <PerformanceDay day={row.local_date} />,
    sort: 'local_date', width: 160 },
  { id: 'time', header: 'Curtain', cell: (row) => clockWords(row.local_time), width: 90 },
  { id: 'title', header: 'Title', kind: 'title', fixed: true, cell: (row) => row.title, width: 240 },
  { id: 'customer', header: 'Customer', kind: 'muted', cell: (row) => row.customer_name, width: 200 },
  { id: 'venue', header: 'Venue', kind: 'muted', cell: (row) => row.venue_name, width: 200 },
  { id: 'ordinal', header: 'No.', kind: 'number', cell: (row) => row.ordinal ?? '', width: 50 },
  { id: 'phase', header: 'Phase', kind: 'badge', cell: (row) => <PhaseBadge phase={row.phase} small />, width: 120 },
  { id: 'status', header: 'Status', kind: 'badge', width: 110, cell: (row) => (row.status === 'planned' ? null
    : <Badge small tone={PERFORMANCE_TONES[row.status]}>{PERFORMANCE_STATUS_WORDS[row.status]}</Badge>) },
  { id: 'number', header: spell`License`, kind: 'code', cell: (row) => row.license_number, width: 150 },
];

export default function Bookings() {
  const { path, query } = useAddress();
  const { values } = useQueryValues();
  const month = values.get('view') === 'month';
  const href = (view: string | null) => withQuery(path, query, { view, page: null });
  return (
    <>
      <PageHeader title="Bookings" division tabs={[
        { id: 'list', text: 'List', icon: List, href: href(null), active: !month },
        { id: 'month', text: 'Month', icon: CalendarDays, href: href('month'), active: month },
      ]} />
      {month ? <Month /> : <BookingList />}
    </>
  );
}

function BookingList() {
  const [division] = useDivision();
  const { values } = useQueryValues();
  // Without a chosen day the list starts today: what is still to come.
  const start = values.get('from') ? {} : { from: today() };
  const list = useList(bookingEndpoints.list, { query: { division, ...start } },
    { filters: NAMES, perPage: 25, sortBy: 'local_date', sortDirection: 'asc' });
  return (
    <DataTable label="Bookings" {...list} columns={columns} filters={FILTERS} rowKey={(row) => row.id}
      rowHref={productionHref}
      searchPlaceholder="Title, customer or number"
      empty={{ title: 'Nothing is booked from today on',
        text: spell`Performances stand here once their license is executed. Choose an earlier day to look back.` }} />
  );
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function Month() {
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const on = today();
  const month = monthOf(values.get('month'), on);
  const weeks = useMemo(() => monthWeeks(month), [month]);
  const from = weeks[0]?.[0] ?? on;
  const to = weeks.at(-1)?.at(-1) ?? on;
  const first = useMonthPage(division, from, to, 1);
  const second = useMonthPage(division, from, to, 2, (first.data?.meta.last_page ?? 1) > 1);
  const rows = [...(first.data?.data ?? []), ...(second.data?.data ?? [])];
  const total = first.data?.meta.total ?? 0;
  const go = (next: string | null) => set({ month: next });
  return (
    <section aria-label={monthWords(month)}>
      <div className={styles.monthBar}>
        <h2 className={styles.venueName}>{monthWords(month)}</h2>
        <span className={styles.muted}>{first.data
          ? `${total.toLocaleString('en-US')} ${total === 1 ? 'performance' : 'performances'}` : ''}</span>
        <span className={styles.grow} />
        <div className={styles.row}>
          <IconButton variant="secondary" label="Earlier month" icon={<Glyph icon={ChevronLeft} />}
            onClick={() => go(stepMonth(month, -1))} />
          <Button onClick={() => go(null)}>This month</Button>
          <IconButton variant="secondary" label="Later month" icon={<Glyph icon={ChevronRight} />}
            onClick={() => go(stepMonth(month, 1))} />
        </div>
      </div>
      {first.isError ? (
        <NotLoaded title="The month did not load" read={first} />
      ) : !first.data ? <div className={styles.monthBar} aria-busy="true"><Skeleton height={480} /></div> : (
        <>
          <table className={styles.month}>
            <caption className="gr-hidden">Performances in {monthWords(month)}</caption>
            <thead><tr>{WEEKDAYS.map((day) => <th key={day} scope="col">{day}</th>)}</tr></thead>
            <tbody>
              {weeks.map((week) => (
                <tr key={week[0]}>
                  {week.map((day) => <Day key={day} day={day} month={month} on={on}
                    rows={rows.filter((row) => row.local_date === day)} />)}
                </tr>
              ))}
            </tbody>
          </table>
          {total === 0 && (
            <p className={`${styles.monthBar} ${styles.muted}`}>Nothing is played in {monthWords(month)}.</p>
          )}
          {total > rows.length && second.data && (
            <p className={styles.monthBar}>The first {rows.length} are shown. The list shows every one of them.</p>
          )}
        </>
      )}
    </section>
  );
}

function useMonthPage(division: string, from: string, to: string, page: number, enabled = true) {
  return useEndpoint(bookingEndpoints.list, { query: { division: division as BookingRow['division'], from, to, page,
    per_page: 100,
    sort_by: 'local_date' } }, { enabled });
}

const SHOWN = 4;

function Day({ day, month, on, rows }: { day: string; month: string; on: string; rows: readonly BookingRow[] }) {
  const { path, query } = useAddress();
  return (
    <td className={styles.day} data-outside={day.slice(0, 7) !== month || undefined}
      data-today={day === on || undefined}
      data-empty={rows.length === 0 || undefined}>
      <time dateTime={day} className={styles.dayNumber}>{Number(day.slice(8))}</time>
      {rows.slice(0, rows.length > SHOWN ? SHOWN - 1 : SHOWN).map((row) => (
        <AppLink key={row.id} href={productionHref(row)} className={styles.event} data-status={row.status}
          title={`${clockWords(row.local_time)} ${row.title}, ${row.customer_name}, ${row.venue_name}`}>
          {clockWords(row.local_time).replace(':00', '')} {row.title}
          {row.status !== 'planned' && <span className="gr-hidden">, {row.status}</span>}
        </AppLink>
      ))}
      {rows.length > SHOWN && (
        <AppLink className={styles.faint} href={withQuery(path, query, { view: null, month: null, from: day, to: day,
          page: null })}>
          {rows.length - SHOWN + 1} more
        </AppLink>
      )}
    </td>
  );
}
