/** One import: its columns and preview before it is worked, then progress, what is asked, what was left out (RT33). */
import { Play } from 'lucide-react';
import { useState } from 'react';
import { countOf } from '#kernel/text/count.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatInstant } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { Progress } from '#web/data/progress.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { AppLink, useIdParam } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { HELD_KINDS } from '#modules/licensing/box-office/box-office.contract.ts';
import { importEndpoints, type ImportDetail } from './import.contract.ts';
import { StatusBadge } from './import-list.web.tsx';
import { ImportPlan } from './import-plan.web.tsx';
import { ProblemGroups } from './import-problems.web.tsx';
import { RecordTable } from './import-records.web.tsx';
import { formatCount, reasonLabel, TASK_LABEL } from './import-words.web.tsx';
import styles from './import.module.css';

const AGAIN_MS = 1000;

export default function ImportScreen() {
  const id = useIdParam('importId');
  const [working, setWorking] = useState(false);
  const read = useEndpoint(importEndpoints.show, { params: { id } }, working ? { refetchInterval: AGAIN_MS } : {});
  const row = read.data?.data;
  const isWorking = row?.status === 'processing';
  if (isWorking !== working) setWorking(isWorking);
  if (read.error && !row) {
    return (
      <RecordProblem noun="import" list="/admin/imports/history" error={read.error}
        onRetry={() => void read.refetch()} />
    );
  }
  if (!row) {
    return (
      <>
        <PageHeader title="Import" back="/admin/imports/history" />
        <PageContent record>
          <div aria-busy="true"><Skeleton width={320} height={18} /></div>
        </PageContent>
      </>
    );
  }
  const planned = row.status === 'uploaded' || row.status === 'previewed';
  return (
    <>
      <PageHeader title={row.file_name} back="/admin/imports/history" badges={<StatusBadge row={row} />}
        activity={{ entity: 'import', id: row.id }}
        subtitle={[row.template_name, countOf(row.rows_total, 'row'),
          row.created_by_name ? `uploaded by ${row.created_by_name}` : 'uploaded', formatInstant(row.created_at)]}>
        <Actions row={row} planned={planned} />
      </PageHeader>
      {planned ? <ImportPlan key={row.version} row={row} /> : <Worked row={row} />}
    </>
  );
}

function Actions({ row, planned }: { row: ImportDetail; planned: boolean }) {
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const cancel = useAction(importEndpoints.cancel, { done: 'Import stopped' });
  const process = useAction(importEndpoints.process);
  const params = { id: row.id };
  const left = row.rows_done < row.rows_total ? 'Import the rest'
    : row.rows_refused > 0 ? `Process again: ${countOf(row.rows_refused, 'row')} left` : null;
  const stoppable = planned || row.status === 'processing';
  if (!may('import.process')) return null;
  return (
    <>
      {stoppable && row.status === 'processing' && <Button onClick={() => setAsking(true)}>Cancel</Button>}
      {planned && (
        <ActionMenu label="More actions" actions={[{ label: 'Discard this upload', danger: true,
          onSelect: () => setAsking(true) }]} />
      )}
      {!stoppable && left && (
        <Button variant="primary" pending={process.pending} icon={<Play size={14} aria-hidden="true" />}
          onClick={() => void process.run({ params })}>{left}</Button>
      )}
      <ConfirmDialog open={asking} title={planned ? 'Discard this upload?' : 'Stop this import?'}
        text={planned ? 'Nothing of it was imported.'
          : 'Rows already imported stay. The rest can be imported later.'}
        confirm={planned ? 'Discard' : 'Stop'} cancel="Go on" danger onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void cancel.run({ params }); }} />
    </>
  );
}

function Worked({ row }: { row: ImportDetail }) {
  return (
    <>
      {row.status === 'processing' ? (
        <div className={styles.strip}>
          <Progress label={TASK_LABEL[row.task]} done={row.task_done} total={row.task_total}
            unit={row.task === 'answers' ? 'reports' : 'rows'} />
        </div>
      ) : <Figures row={row} />}
      <Notes row={row} />
      {row.rows_refused > 0 && row.status !== 'processing' && <ProblemGroups row={row} />}
      <RecordTable row={row} />
    </>
  );
}

function Figures({ row }: { row: ImportDetail }) {
  const open = row.rows_total - row.rows_done;
  return (
    <StatStrip plain label="Results by row" stats={[
      { label: 'Rows', value: formatCount(row.rows_total),
        note: open > 0 ? `${formatCount(open)} not worked` : undefined },
      { label: 'Imported', value: formatCount(row.rows_imported), sign: '=', tone: 'ok', strong: true,
        note: row.rows_questioned > 0 ? `${formatCount(row.rows_questioned)} with a question`
          : row.changes.applied > 0 ? `${countOf(row.changes.applied, 'record')} changed` : undefined },
      { label: row.model_name === 'box_office_reports' ? 'Duplicates skipped' : 'Already there',
        value: formatCount(row.rows_duplicate), sign: '+',
        note: row.changes.left > 0 ? `${formatCount(row.changes.left)} different, left as they are` : undefined },
      { label: 'Left out', value: formatCount(row.rows_refused), sign: '+',
        tone: row.rows_refused > 0 ? 'error' : undefined },
    ]} />
  );
}

function Notes({ row }: { row: ImportDetail }) {
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const answer = useAction(importEndpoints.answer);
  const isHold = (kind: string): boolean => (HELD_KINDS as readonly string[]).includes(kind);
  const held = row.open_questions.filter((one) => isHold(one.kind));
  const asked = row.open_questions.filter((one) => !isHold(one.kind));
  const waiting = asked.reduce((all, one) => all + one.count, 0);
  const asks = waiting > 0 && row.status !== 'processing';
  if (row.failure === null && !asks && held.length === 0) return null;
  return (
    <div className={styles.notes}>
      {row.failure !== null && <Callout tone="error" live title="The import stopped">{row.failure}</Callout>}
      {asks && (
        <Callout tone="warn" title={`${countOf(waiting, 'question')} open`} action={may('license.update') && (
          <Button pending={answer.pending} onClick={() => setAsking(true)}>Answer all “as reported”</Button>
        )}>
          {asked.map((one) => `${reasonLabel(one.kind)}: ${formatCount(one.count)}`).join(' · ')}.
          {' '}The percentage is posted; every minimum waits for the answer.
        </Callout>
      )}
      {held.length > 0 && (
        <Callout tone="warn" title="Some reports are on hold">
          {held.map((one) => `${reasonLabel(one.kind)}: ${formatCount(one.count)}`).join(' · ')}.
          {' '}They are not counted until someone reviews them.
          {' '}<AppLink className="gr-link" href="/admin/royalties/box-office?flag=held">View reports on hold</AppLink>
        </Callout>
      )}
      <ConfirmDialog open={asking} title={`Answer ${countOf(waiting, 'question')} “as reported”?`}
        text="The figures of the file are taken as they are. Minimums are computed from them and what is new is billed."
        confirm="Answer as reported" cancel="Not yet" onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void answer.run({ params: { id: row.id }, body: { answer: 'as_reported' } });
        }} />
    </div>
  );
}
