/**
 * Over a list while rows are chosen (U11): how many, all that match, what can be done with them; then how far it is and
 * what was refused. The work itself is a job: who leaves the page is told at the bell.
 */
import { useState } from 'react';
import { BULK_LIMIT, type BulkAction } from '#kit/bulk.ts';
import type { BulkOffer } from '#web/query/bulk-offer.ts';
import { useBulkRun, type BulkChoice, type BulkJob, type BulkRunning } from '#web/query/use-bulk-run.ts';
import { BulkQuestionDialog } from './bulk-question.tsx';
import { BulkRefusals } from './bulk-refusals.tsx';
import { FloatingBar } from './floating-bar.tsx';
import { toast, UNDO_DURATION } from './toast.tsx';
import type { TablePage } from './table-footer.tsx';
import styles from './data-table.module.css';

const NUMBER = new Intl.NumberFormat('en-US');
const told = (error: unknown): void => {
  toast(error instanceof Error ? error.message : 'It could not be started.', { tone: 'error' });
};

export interface BulkBarProps {
  offer: BulkOffer;
  /** Keys of the chosen rows of this page. */
  selected: readonly number[];
  /** Every row of the page is chosen. */
  wholePage: boolean;
  page: TablePage | undefined;
  clear: () => void;
}

/** 'all' belongs to the filter that was shown when it was chosen: another filter, another choice. */
function useEvery(offer: BulkOffer): [boolean, (every: boolean) => void] {
  const key = JSON.stringify(offer.source);
  const [every, setEvery] = useState<string | null>(null);
  return [every === key, (on) => setEvery(on ? key : null)];
}

export function BulkBar({ offer, selected, wholePage, page, clear }: BulkBarProps) {
  const [every, setEvery] = useEvery(offer);
  const [asked, setAsked] = useState<BulkAction | null>(null);
  const [reading, setReading] = useState(false);
  const run = useBulkRun(offer, (running, job) => finished(running, job));
  const all = every && wholePage;
  const choice: BulkChoice = { ids: all ? null : selected, page: page?.current_page ?? 1, perPage: page?.per_page ?? 10,
    count: all ? page?.total ?? selected.length : selected.length };
  const drop = () => { setEvery(false); clear(); };

  function finished(running: BulkRunning, job: BulkJob): void {
    const done = job.rows_done - job.rows_refused;
    if (job.status === 'failed') toast(job.failure ?? 'It could not be done.', { tone: 'error' });
    if (job.status !== 'done' || job.rows_refused > 0) return;
    run.forget();
    toast(`${running.call.label}: ${countOf(offer, done)}`, running.undo ? { duration: UNDO_DURATION,
      action: { label: 'Undo', run: () => void run.takeBack().catch(told) } } : {});
  }
  async function begin(action: BulkAction, answer: unknown): Promise<void> {
    setAsked(null);
    try {
      await run.start(action, choice, answer);
      drop();
    } catch (error) {
      told(error);
    }
  }
  const question = asked && (
    <BulkQuestionDialog action={asked} count={choice.count} all={all} noun={offer.list.noun}
      onCancel={() => setAsked(null)} onConfirm={(answer) => void begin(asked, answer)} />
  );
  if (run.running) {
    const { running, job, over } = run;
    return (
      <>
        <FloatingBar closing="Close" onClose={run.forget}
          words={over ? resultOf(running, job!) : progressOf(running, job)}>
          {!over && <button type="button" onClick={() => void run.stop()}>Stop</button>}
          {over && job!.rows_refused > 0 && <button type="button" onClick={() => setReading(true)}>See why</button>}
          {over && running.undo && job!.rows_done > job!.rows_refused && (
            <button type="button" onClick={() => void run.takeBack().catch(told)}>Undo</button>
          )}
        </FloatingBar>
        {reading && (
          <BulkRefusals runId={running.id} label={running.call.label} onClose={() => setReading(false)} />
        )}
      </>
    );
  }
  if (selected.length === 0) return null;
  const rest = wholePage && page !== undefined && page.total > selected.length;
  return (
    <>
      <FloatingBar closing="Clear selection" onClose={drop}
        words={all ? `All ${NUMBER.format(choice.count)} selected` : `${NUMBER.format(choice.count)} selected`}>
        {rest && !all && <SelectAll page={page} onSelect={() => setEvery(true)} />}
        {offer.actions.map((action) => (
          <button key={action.label} type="button" onClick={() => {
            if (all || action.danger || action.asks || !action.undo) setAsked(action);
            else void begin(action, undefined);
          }}>{action.label}</button>
        ))}
      </FloatingBar>
      {question}
    </>
  );
}

function SelectAll({ page, onSelect }: { page: TablePage; onSelect: () => void }) {
  if (page.total_is_exact === false || page.total > BULK_LIMIT) {
    const limit = NUMBER.format(BULK_LIMIT);
    return <span className={styles.bulkNote}>More than {limit} match: narrow the list to take all</span>;
  }
  return <button type="button" onClick={onSelect}>Select all {NUMBER.format(page.total)} that match</button>;
}

export function countOf({ list }: BulkOffer, count: number): string {
  return `${NUMBER.format(count)} ${list.noun[count === 1 ? 0 : 1]}`;
}

const refusedWords = ({ rows_refused: refused }: BulkJob): string =>
  refused === 0 ? '' : `, ${NUMBER.format(refused)} refused`;

function progressOf(running: BulkRunning, job: BulkJob | undefined): string {
  if (!job || job.rows_total === 0) return `${running.call.label} …`;
  const { rows_done: done, rows_total: total } = job;
  return `${running.call.label}: ${NUMBER.format(done)} of ${NUMBER.format(total)}${refusedWords(job)}`;
}

function resultOf(running: BulkRunning, job: BulkJob): string {
  const done = NUMBER.format(job.rows_done - job.rows_refused);
  const left = job.rows_total - job.rows_done;
  return `${running.call.label}: ${done} done${refusedWords(job)}${left > 0 ? `, ${NUMBER.format(left)} left` : ''}`;
}
