/**
 * The items of a background job: each in a transaction of its own. One that fails is counted and logged, and the others
 * go on; the next run of the job tries it again. Every job of apps/server/src/jobs.ts works its items with these.
 */
import { AppError } from '#kit/errors.ts';
import { SYSTEM_ACTOR } from './audit.ts';
import { workContext, type Ports, type WorkContext } from './context.ts';

export interface BatchRun {
  /** Sum of what the items answered; an item that answers nothing counts one. */
  done: number;
  failed: number;
}

interface Batch<T> {
  /** Name of the job, for the log. */
  job: string;
  items: readonly T[];
  /** Facts to log about a failed item: its ids, never its content. */
  facts: (item: T) => Record<string, unknown>;
}

/** Works every item in a transaction of its own, as the system. */
export function runBatch<T>(
  ports: Ports, batch: Batch<T>, work: (ctx: WorkContext, item: T) => Promise<number | void>,
): Promise<BatchRun> {
  return runEach(ports, batch, (item) => ports.db.tx((tx) => work(workContext(ports, tx, SYSTEM_ACTOR), item)));
}

/** As {@link runBatch}, for items that open their transactions themselves. */
export async function runEach<T>(
  ports: Pick<Ports, 'log'>, { job, items, facts }: Batch<T>, work: (item: T) => Promise<number | void>,
): Promise<BatchRun> {
  const run: BatchRun = { done: 0, failed: 0 };
  for (const item of items) {
    try {
      run.done += await work(item) ?? 1;
    } catch (error) {
      run.failed += 1;
      // A refusal has its reason in words; everything else needs the place where it happened.
      const refused = error instanceof AppError;
      ports.log(refused ? 'warn' : 'error', 'job item failed', { job, ...facts(item),
        error: refused ? error.message : (error as Error).stack ?? String(error) });
    }
  }
  return run;
}
