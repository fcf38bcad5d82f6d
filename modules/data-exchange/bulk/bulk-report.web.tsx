/** Result of each row of a bulk action: done, refused and why, still to come; undone or stopped from here. */
import { useEffect, useRef } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Badge, type Tone } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatInstant } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { Progress } from '#web/data/progress.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { jobEndpoints } from '../jobs/job.contract.ts';
import { bulkEndpoints, type BulkRun, type BulkRunRow } from './bulk.contract.ts';
import { RUN_STATES } from './bulk-runs.web.tsx';

const AGAIN_MS = 1000;
const NUMBER = new Intl.NumberFormat('en-US');
const OUTCOMES: Readonly<Record<BulkRunRow['outcome'], { label: string; tone: Tone }>> = {
  done: { label: 'Done', tone: 'ok' }, refused: { label: 'Refused', tone: 'error' },
  waiting: { label: 'Not done', tone: 'neutral' },
};

const columns: readonly Column<BulkRunRow>[] = [
  { id: 'row_no', header: 'No.', kind: 'code', width: 70, cell: (row) => row.row_no },
  { id: 'label', header: 'Row', kind: 'title', fixed: true, sort: true, width: 280, cell: (row) => row.label },
  { id: 'outcome', header: 'Outcome', kind: 'badge', width: 110,
    cell: (row) => <Badge small tone={OUTCOMES[row.outcome].tone}>{OUTCOMES[row.outcome].label}</Badge> },
  { id: 'reason', header: 'Why', kind: 'muted', width: 420, cell: (row) => row.reason },
  { id: 'address', header: 'Address', kind: 'code', hidden: true, width: 220, cell: (row) => row.href },
];
const filters = [{ name: 'outcome', label: 'Outcome',
  options: Object.entries(OUTCOMES).map(([value, { label }]) => ({ value, label })) }];

export default function BulkReport() {
  const id = useIdParam('bulkRunId');
  const read = useEndpoint(bulkEndpoints.show, { params: { id } }, { refetchInterval: AGAIN_MS, staleTime: 0 });
  const run = read.data?.data;
  if (read.error && !run) {
    return (
      <RecordProblem noun="report" list="/admin/bulk" error={read.error} onRetry={() => void read.refetch()} />
    );
  }
  if (!run) {
    return (
      <>
        <PageHeader title="Report" back="/admin/bulk" />
        <PageContent record><div aria-busy="true"><Skeleton width={320} height={18} /></div></PageContent>
      </>
    );
  }
  return <Report run={run} />;
}

function Report({ run }: { run: BulkRun }) {
  const atWork = run.status === 'waiting' || run.status === 'running';
  const state = RUN_STATES[run.status];
  return (
    <>
      <PageHeader title={`${run.label}: ${NUMBER.format(run.rows_total)} ${run.noun}`} back="/admin/bulk"
        badges={<Badge tone={state.tone}>{state.label}</Badge>}
        subtitle={[`requested ${formatInstant(run.created_at)}`,
          ...(run.finished_at ? [`finished ${formatInstant(run.finished_at)}`] : [])]}>
        <Verbs run={run} atWork={atWork} />
      </PageHeader>
      {run.failure !== null && <Callout tone="error" live title="It stopped">{run.failure}</Callout>}
      {atWork ? <Progress label={run.label} done={run.rows_done} total={run.rows_total} unit={run.noun} />
        : <Figures run={run} />}
      <Rows run={run} atWork={atWork} />
    </>
  );
}

function Verbs({ run, atWork }: { run: BulkRun; atWork: boolean }) {
  const { go } = useNavigation();
  const stop = useAction(jobEndpoints.cancel, { done: 'Stopped', refresh: [bulkEndpoints.show] });
  const undo = useAction(bulkEndpoints.create, { onDone: (answer) => go(`/admin/bulk/${answer.data.id}`) });
  return (
    <>
      {atWork && (
        <Button pending={stop.pending} onClick={() => void stop.run({ params: { id: run.job_id } })}>Stop</Button>
      )}
      {run.undo && (
        <Button pending={undo.pending} onClick={() => void undo.run({
          body: { endpoint: run.undo!.endpoint, undo_of: run.id } })}>{`Undo: ${run.undo.label}`}</Button>
      )}
    </>
  );
}

function Figures({ run }: { run: BulkRun }) {
  const left = run.rows_total - run.rows_done;
  return (
    <StatStrip plain label="Results by row" stats={[
      { label: 'Rows', value: NUMBER.format(run.rows_total) },
      { label: 'Done', value: NUMBER.format(run.rows_done - run.rows_refused), sign: '=', tone: 'ok', strong: true },
      { label: 'Refused', value: NUMBER.format(run.rows_refused), sign: '+',
        tone: run.rows_refused > 0 ? 'error' : undefined },
      ...(left > 0 ? [{ label: 'Not done', value: NUMBER.format(left), sign: '+' as const }] : []),
    ]} />
  );
}

function Rows({ run, atWork }: { run: BulkRun; atWork: boolean }) {
  const { exportOf: _file, ...list } = useList(bulkEndpoints.rows, { params: { id: run.id } },
    { filters: ['outcome'], views: false, perPage: 25, ...(atWork ? { refetchInterval: AGAIN_MS } : {}) });
  const { page: _page, per_page: _size, ...query } = list.search.query;
  const { onRetry: readAgain } = list;
  // Rows read while the last ones were being processed still say that they wait.
  const working = useRef(atWork);
  useEffect(() => {
    if (working.current && !atWork) readAgain();
    working.current = atWork;
  });
  return (
    <DataTable label={`${run.label} report`} {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
      rowHref={(row) => row.href ?? undefined} searchPlaceholder="Name or number"
      // A file of one's own report needs no right to export lists.
      readPage={async (page, signal) => {
        const { data, meta } = await call(bulkEndpoints.rows, { params: { id: run.id },
          query: { ...query, page, per_page: 100 } }, { signal });
        return { rows: data, pages: meta.last_page, total: meta.total };
      }}
      empty={{ title: 'No rows' }} />
  );
}
