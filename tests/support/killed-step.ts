/**
 * A step of a payment run in a process of its own, which stops where the test wants to kill it: after a number of
 * statements, before the commit, or after it. Says so by a message and waits for its end.
 */
import { join } from 'node:path';
import { answerRun } from '#modules/payables/run/answer-runs.server.ts';
import { postRun } from '#modules/payables/run/settle-run.server.ts';
import { approveRun } from '#modules/payables/run/make-run.server.ts';
import { exportRun } from '#modules/payables/run/run-file.server.ts';
import { customerEvents } from '#apps/server/src/customer-events.ts';
import { moneyEvents } from '#apps/server/src/money-events.ts';
import { openItems } from '#apps/server/src/open-items.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { fixedClock } from '#server/clock.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { createDb, type Tx } from '#server/db.ts';
import { diskFiles } from '#server/files.ts';
import { closedHub } from '#server/live.ts';
import { outboxMailer } from '#server/mail.ts';
import { readSettings } from '#server/settings.ts';

export interface KilledStep {
  step: 'approve' | 'export' | 'post' | 'answer';
  at: number | 'commit' | 'done';
  url: string; run_id: number; version: number; actor_id: number; now: string; data_dir: string; answer: string;
}

const of = JSON.parse(process.env['KILLED_STEP'] ?? '') as KilledStep;
const db = createDb({ connectionString: of.url, max: 2, onError: () => {} });
const ports: Ports = { db, limits: db, clock: fixedClock(of.now), files: diskFiles(join(of.data_dir, 'files')),
  mail: outboxMailer(), settings: { ...readSettings({}, '/'), data_dir: of.data_dir },
  wake: () => {}, log: () => {}, money: moneyEvents, customers: customerEvents, openItems, live: closedHub() };

/** Never goes on. */
function stop(): Promise<never> {
  process.send?.('here');
  return new Promise(() => { setInterval(() => {}, 60_000); });
}

let statements = 0;
async function counted<T>(work: Promise<T>): Promise<T> {
  const answer = await work;
  statements += 1;
  if (statements === of.at) await stop();
  return answer;
}

const watched = (tx: Tx): Tx => ({
  query: (statement) => counted(tx.query(statement)), one: (statement) => counted(tx.one(statement)),
  maybeOne: (statement) => counted(tx.maybeOne(statement)), exec: (statement) => counted(tx.exec(statement)),
  afterCommit: (effect) => tx.afterCommit(effect),
});

const STEPS: Readonly<Record<KilledStep['step'], (ctx: WorkContext) => Promise<unknown>>> = {
  approve: (ctx) => approveRun(ctx, of.run_id, of.version),
  export: (ctx) => exportRun(ctx, of.run_id, of.version),
  post: (ctx) => postRun(ctx, of.run_id),
  answer: (ctx) => answerRun(ctx, of.run_id, Buffer.from(of.answer)),
};

await db.tx(async (tx) => {
  await STEPS[of.step](workContext(ports, watched(tx), { ...SYSTEM_ACTOR, actor_id: of.actor_id }));
  if (of.at !== 'done') await stop();
});
await stop();
