/**
 * The staff home (RT29): the pipeline, twelve months against the year before, what is owed by age and what waits for a
 * person. Every figure leads to the list behind it; a section the person may not read is not there.
 */
import { Plus } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { SegmentedControl } from '#web/controls/field/radio-group.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { useDivision } from '#web/layout/division.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { Columns, PageContent, SideColumn } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { Activity } from './activity.web.tsx';
import { greeting } from './dashboard-words.web.ts';
import { dashboardEndpoints, type Dashboard } from './dashboard.contract.ts';
import { Pipeline } from './pipeline.web.tsx';
import { Today } from './today.web.tsx';
import styles from './dashboard.module.css';

const MonthsChart = lazy(() => import('./charts.web.tsx').then((file) => ({ default: file.MonthsChart })));
const Receivables = lazy(() => import('./charts.web.tsx').then((file) => ({ default: file.Receivables })));

const Cash = lazy(() => import('./cash.web.tsx'));

/** ms between two reads while the page is open. */
const INTERVAL = 120_000;

/** The hour of the reader's own day, 0 to 23. */
function readerHour(): number {
  return new Date().getHours();
}

export default function Home() {
  const may = useMay();
  const user = useCurrentUser();
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const all = values.get('all') === '1';
  const read = useEndpoint(dashboardEndpoints.show, { query: { division, ...(all && { all: 'true' }) } },
    { refetchInterval: INTERVAL });
  const board = read.data?.data;
  const currency = board?.currencies.find((one) => one === values.get('currency')) ?? board?.functional_currency;
  return (
    <>
      <PageHeader title={greeting(readerHour(), user?.first_name ?? '')} division
        subtitle={board ? factsOf(board) : <Skeleton width={320} />}>
        {board && board.currencies.length > 1 && (
          <div className={styles.currency}>
            <SegmentedControl label="Currency" hideLabel value={currency ?? null}
              onChange={(value) => set({ currency: value === board.functional_currency ? null : value })}
              choices={board.currencies.map((one) => ({ value: one, label: one }))} />
          </div>
        )}
        {may('license.create') && (
          <ButtonLink href={`/admin/quotes/create?division=${division}`} variant="primary"
            icon={<Glyph icon={Plus} />}>New quote</ButtonLink>
        )}
      </PageHeader>
      {read.isError && !board && <NotLoaded title="The home page could not be loaded" read={read} />}
      {!board && !read.isError && <Loading />}
      {board && currency && <Board board={board} currency={currency} />}
    </>
  );
}

function factsOf(board: Dashboard): ReactNode[] {
  const sum = (pick: 'total' | 'late') => board.todo?.counts.reduce((all, one) => all + one[pick], 0) ?? 0;
  const late = sum('late');
  const total = sum('total');
  const openings = board.openings?.total ?? 0;
  return [
    formatDay(board.today, 'weekday'),
    board.todo && (total === 0 ? 'Nothing waits for you' : `${total} ${total === 1 ? 'item' : 'items'} on the list${
      late > 0 ? `, ${late} of them late` : ''}`),
    openings > 0 && `${openings} ${openings === 1 ? 'run opens' : 'runs open'} this week`,
  ];
}

function Board({ board, currency }: { board: Dashboard; currency: Dashboard['functional_currency'] }) {
  const side = (board.todo || board.openings) && (
    <SideColumn label="Today"><Today board={board} /></SideColumn>
  );
  if (!side && !board.months && !board.receivables && !board.cash) {
    return (
      <PageContent>
        <EmptyState title="Nothing to show here yet"
          text="This page fills with what your groups may read. The navigation shows where you may go." />
      </PageContent>
    );
  }
  const main = (
    <>
      {board.pipeline && <Pipeline rows={board.pipeline} currency={currency} division={board.division} />}
      <Suspense fallback={<ChartsWaiting />}>
        {board.months && <MonthsChart board={board} months={board.months} currency={currency} />}
        {board.receivables && <Receivables board={board} receivables={board.receivables} currency={currency} />}
        {board.cash && board.cash.length > 0 && <Cash rows={board.cash} />}
        {/* With the charts: it does not stand there first, to be pushed down by them. */}
        {board.activity && <Activity rows={board.activity} />}
      </Suspense>
    </>
  );
  return side ? <Columns side={side}>{main}</Columns> : main;
}

function ChartsWaiting() {
  return [260, 150].map((height) => (
    <div key={height} className={styles.waiting}><Skeleton height={height} /></div>
  ));
}

/** The geometry of what is coming. */
function Loading() {
  return (
    <div aria-busy="true" aria-label="Loading the home page" role="status">
      <Columns side={(
        <SideColumn label="Today">
          {[150, 260, 240, 280, 250].map((width) => (
            <p key={width} className={styles.waitingRow}><Skeleton width={width} height={16} /></p>
          ))}
        </SideColumn>
      )}>
        <div className={styles.waiting}><Skeleton height={84} /></div>
        <ChartsWaiting />
      </Columns>
    </div>
  );
}
