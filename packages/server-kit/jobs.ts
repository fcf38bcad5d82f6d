/**
 * Background work on the same PostgreSQL (pg-boss). A job carries no data: its row in the database says what to do, so
 * a repeated or lost wake-up does no harm, and every effect is idempotent (reliability.md I8).
 */
import { PgBoss } from 'pg-boss';
import type { Ports } from './context.ts';

export interface JobDefinition {
  /** kebab-case, e.g. `deliver-mail`. */
  name: string;
  /** Cron expression in UTC for work that is looked for regularly. */
  cron?: string;
  work: (ports: Ports) => Promise<void>;
}

export interface Jobs {
  wake(name: string): void;
  stop(): Promise<void>;
}

const POLL_SECONDS = 1;
const STOP_MS = 5000;

/** Starts the workers of this process; several processes share the queue. */
export async function startJobs(
  connectionString: string, definitions: readonly JobDefinition[], ports: Ports,
): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString, schema: 'pgboss', createSchema: false, application_name: 'grand-rights jobs', max: 3,
    reindex: false, monitorVacuum: false,
  });
  boss.on('error', (error: Error) => ports.log('warn', 'job queue', { error: error.message }));
  await boss.start();
  for (const job of definitions) {
    // One waiting wake-up is enough: the policy drops the ones that would queue behind it.
    await boss.createQueue(job.name, { policy: 'short', retryLimit: 3, retryBackoff: true });
    await boss.work(job.name, { pollingIntervalSeconds: POLL_SECONDS }, async () => {
      try {
        await job.work(ports);
      } catch (error) {
        ports.log('error', 'job failed', { job: job.name, error: (error as Error).stack });
        throw error;
      }
    });
    if (job.cron) await boss.schedule(job.name, job.cron);
  }
  return {
    wake: (name) => {
      boss.send(name, {}).catch((error: Error) => ports.log('warn', 'job not woken', { name, error: error.message }));
    },
    stop: () => boss.stop({ graceful: true, timeout: STOP_MS }),
  };
}
