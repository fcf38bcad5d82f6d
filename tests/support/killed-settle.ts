/**
 * The job that settles card payments, in a process of its own that stops after a number of statements, so that a test
 * can kill it there. Says so by a message and waits for its end; says `over` where it came to its end before.
 */
import { customerEvents } from '#apps/server/src/customer-events.ts';
import { moneyEvents } from '#apps/server/src/money-events.ts';
import { openItems } from '#apps/server/src/open-items.ts';
import { settleOnlinePayments } from '#modules/receivables/receivables.public.server.ts';
import { fixedClock } from '#server/clock.ts';
import type { Ports } from '#server/context.ts';
import { createDb, type Tx } from '#server/db.ts';
import { diskFiles } from '#server/files.ts';
import { closedHub } from '#server/live.ts';
import { outboxMailer } from '#server/mail.ts';
import { readSettings } from '#server/settings.ts';

export interface KilledSettle { at: number; url: string; now: string; data_dir: string; api_url: string; key: string }

const of = JSON.parse(process.env['KILLED_SETTLE'] ?? '') as KilledSettle;

/** Never goes on. */
function stop(word: 'here' | 'over'): Promise<never> {
  process.send?.(word);
  return new Promise(() => { setInterval(() => {}, 60_000); });
}

let statements = 0;
async function counted<T>(work: Promise<T>): Promise<T> {
  const answer = await work;
  statements += 1;
  if (statements === of.at) await stop('here');
  return answer;
}

const watched = (tx: Tx): Tx => ({
  query: (statement) => counted(tx.query(statement)), one: (statement) => counted(tx.one(statement)),
  maybeOne: (statement) => counted(tx.maybeOne(statement)), exec: (statement) => counted(tx.exec(statement)),
  afterCommit: (effect) => tx.afterCommit(effect),
});

const own = createDb({ connectionString: of.url, max: 2, onError: () => {} });
const db = { ...own, tx: <T>(work: (tx: Tx) => Promise<T>) => own.tx((tx) => work(watched(tx))) };
const ports: Ports = { db, limits: db, clock: fixedClock(of.now), files: diskFiles(of.data_dir),
  mail: outboxMailer(), settings: { ...readSettings({}, '/'), data_dir: of.data_dir, stripe: { api_url: of.api_url,
    keys: new Map([['US', of.key]]), webhook_secrets: new Map([['US', ['none']]]) } },
  wake: () => {}, log: () => {}, money: moneyEvents, customers: customerEvents, openItems, live: closedHub() };

await settleOnlinePayments(ports);
await stop('over');
