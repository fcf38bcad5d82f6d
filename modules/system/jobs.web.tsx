/** Background jobs: what runs, what waits, what failed and why; a failed one is run again. */
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Badge, type Tone } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Columns } from '#web/layout/page-content.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Drawer } from '#web/layout/overlay.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { systemEndpoints, type JobRow } from './system.contract.ts';
import { SystemHead } from './system-head.web.tsx';
import styles from './system.module.css';

const STATES: Record<JobRow['status'], { label: string; tone: Tone }> = {
  created: { label: 'Waits', tone: 'neutral' }, retry: { label: 'Tries again', tone: 'warn' },
  active: { label: 'Runs', tone: 'info' }, completed: { label: 'Done', tone: 'ok' },
  cancelled: { label: spell`Canceled`, tone: 'outline' }, failed: { label: 'Failed', tone: 'error' },
};

/** 'deliver-mail' as 'Deliver mail'. */
function words(kind: string): string {
  const text = kind.replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const columns: readonly Column<JobRow>[] = [
  { id: 'kind', header: 'Job', kind: 'title', fixed: true, width: 220, cell: (row) => words(row.kind) },
  { id: 'status', header: 'Status', kind: 'badge', width: 110,
    cell: (row) => <Badge tone={STATES[row.status].tone} small>{STATES[row.status].label}</Badge> },
  { id: 'created_at', header: 'Asked for', kind: 'date', sort: true, width: 190, cell: (row) => row.created_at },
  { id: 'seconds', header: 'Took', kind: 'number', width: 90,
    cell: (row) => (row.seconds === null ? null : `${row.seconds.toFixed(1)} s`) },
  { id: 'retries', header: 'Tried again', kind: 'number', width: 100, cell: (row) => row.retries || null },
  { id: 'failure', header: 'Failure', kind: 'muted', width: 320, cell: (row) => row.failure?.slice(0, 120) },
];

export default function JobsPage() {
  const list = useList(systemEndpoints.jobs, {}, { filters: ['status', 'kind'], refetchInterval: 15_000 });
  const kinds = useEndpoint(systemEndpoints.jobKinds, {});
  const [open, setOpen] = useState<string | null>(null);
  const job = list.rows?.find((row) => row.id === open);
  const filters = [
    { name: 'status', label: 'Status',
      options: Object.entries(STATES).map(([value, { label }]) => ({ value, label })) },
    { name: 'kind', label: 'Job', options: (kinds.data?.data ?? []).map((one) =>
      ({ value: one.kind, label: words(one.kind) })) },
  ];
  return (
    <>
      <SystemHead title="Jobs" here="/jobs" subtitle="Background work of every server on this database" />
      <Columns side={job && <JobDrawer key={job.id} job={job} onClose={() => setOpen(null)} />}>
        <DataTable label="Jobs" {...list} exportOf={undefined} columns={columns} filters={filters}
          rowKey={(row) => row.id} onOpen={(row) => setOpen(row.id)} current={open} searchPlaceholder="Name of the job"
          empty={{ title: 'No job has run yet', text: 'Jobs begin with the server: mail, clocks, checks, imports.' }} />
      </Columns>
    </>
  );
}

function JobDrawer({ job, onClose }: { job: JobRow; onClose: () => void }) {
  const retry = useAction(systemEndpoints.retryJob, { refresh: [systemEndpoints.jobs], done: 'It runs again' });
  const again = job.status === 'failed' || job.status === 'cancelled';
  return (
    <Drawer open title={words(job.kind)} onClose={onClose} width={396} footer={again && (
      <Button icon={<Glyph icon={RotateCcw} size={15} />} pending={retry.pending}
        onClick={() => void retry.run({ params: { id: job.id } })}>Run again</Button>
    )}>
      <div className={styles.stack}>
        <KeyValue layout="rows" facts={[
          { label: 'Status', value: <Badge tone={STATES[job.status].tone} small>{STATES[job.status].label}</Badge> },
          { label: 'Asked for', value: <DateText value={job.created_at} /> },
          { label: 'Begun', value: <DateText value={job.started_at} /> },
          { label: 'Ended', value: <DateText value={job.finished_at} /> },
          { label: 'Tried again', value: `${job.retries} of ${job.retry_limit}` },
        ]} />
        {job.failure && <Callout tone="error" title="Why it failed"><pre className={styles.text}>{job.failure}</pre>
        </Callout>}
      </div>
    </Drawer>
  );
}
