/** Context passed to every handler. Composed once by apps/server (ports) and once per request (the rest). */
import { writeAudit, type AuditActor, type AuditEntry } from './audit.ts';
import { localDate, type Clock } from './clock.ts';
import type { CustomerEvents } from './customer-events.ts';
import type { Db, Queryable, Tx } from './db.ts';
import type { FileStore } from './files.ts';
import type { LiveHub } from './live.ts';
import type { Mailer } from './mail.ts';
import type { MoneyEvents } from './money-events.ts';
import type { OpenItems } from './open-items.ts';
import { instantOf } from './outside.ts';
import type { Principal, Session } from './principal.ts';
import type { Settings } from './settings.ts';
import { sql } from './sql.ts';

export interface Ports {
  db: Db;
  /** For what is counted beside the request's transaction: on `db` it could wait for a connection that waits for it. */
  limits: Db;
  clock: Clock;
  files: FileStore;
  mail: Mailer;
  settings: Settings;
  /** Follow-up of money events in other contexts. */
  money: MoneyEvents<WorkContext>;
  /** Follow-up of events of customers in other contexts. */
  customers: CustomerEvents<WorkContext>;
  /** Documents that a line of the bank may settle. */
  openItems: readonly OpenItems<WorkContext>[];
  /** Open streams of this process. */
  live: LiveHub;
  /** Wakes a background job by name; the job itself finds its work in the database. */
  wake: (job: string) => void;
  log: (level: 'info' | 'warn' | 'error', message: string, facts?: Record<string, unknown>) => void;
}

export interface UploadedFile {
  field: string;
  filename: string;
  content_type: string;
  content: Buffer;
}

/** A file answer: the handler gives name, type and content; the server adds the safe headers (reliability.md 2.4). */
export interface FileAnswer {
  filename: string;
  content_type: string;
  content: Buffer | NodeJS.ReadableStream;
  /** Shown in the browser instead of being saved; only for types that cannot run script. */
  inline?: boolean;
  /** For what never changes under its address: how long the reader's own browser may keep it. */
  keep_seconds?: number;
}

/** Domain code that needs no HTTP takes this much: jobs, the scheduler and the demo season can make one. */
export interface WorkContext {
  /** The request's transaction for writes, the pool for reads. */
  db: Queryable;
  ports: Ports;
  /** Set where `db` is the portal's: the counter, for work that needs more than own rows ({@link withCounterRole}). */
  counter?: Db;
  actor: AuditActor;
  /** The same in all of a transaction. */
  now(): Date;
  /** Today's date where the division keeps its books. */
  today(division: string): Promise<string>;
  audit(entry: AuditEntry): Promise<void>;
  /** Runs after COMMIT; at once where there is no transaction. */
  afterCommit(effect: () => void | Promise<void>): void;
}

export interface Ctx extends WorkContext {
  principal: Principal | null;
  /** The signed-in person; on endpoints that need no sign-in this throws. */
  user: Principal;
  session: Session | null;
  ip: string;
  /** Port of the browser's connection; null behind a proxy, which does not say it. */
  port: number | null;
  /** The address the browser reached us at: 'https://rights.example'. */
  origin: string;
  user_agent: string | null;
  file: UploadedFile | null;
  /** `If-Match` as a version number, where the client sent one. */
  ifMatch: number | null;
  /** `Last-Event-ID` of a stream that is taken up again. */
  lastEventId: number | null;
  setCookie(name: string, value: string, options: { maxAge: number; httpOnly: boolean }): void;
  header(name: string, value: string): void;
}

/** A context for work outside a request: jobs, imports, the demo season. */
export function workContext(ports: Ports, db: Queryable | Tx, actor: AuditActor): WorkContext {
  return {
    db,
    ports,
    actor,
    now: () => instantOf(() => ports.clock.now()),
    today: (division) => todayOf(ports, db, division),
    audit: (entry) => writeAudit(db, actor, entry),
    afterCommit: (effect) => {
      if (isTx(db)) db.afterCommit(effect);
      else void effect();
    },
  };
}

/**
 * Work that a customer's read needs from the house (a price, the availability of a show), in a read-only transaction of
 * the counter. Only what `work` answers comes back: verdicts, public reasons and amounts, never the rows behind them.
 * Everywhere else it is done where the caller stands.
 */
export function withCounterRole<T>(ctx: WorkContext, work: (ctx: WorkContext) => Promise<T>): Promise<T> {
  if (!ctx.counter) return work(ctx);
  return ctx.counter.read((tx) => work(workContext(ctx.ports, tx, ctx.actor)));
}

/** Carries the answer of {@link dryRun} out of the transaction that ends with it. */
class DryRunEnd extends Error {
  readonly answer: unknown;
  constructor(answer: unknown) {
    super('undone');
    this.answer = answer;
  }
}

/**
 * Does `work` and takes back all it wrote: a preview by the very code that will do it. Inside a transaction it stays on
 * that one, behind a savepoint; a second connection could wait for ever for the locks or the pool of the first.
 */
export async function dryRun<T>(ctx: WorkContext, work: (ctx: WorkContext) => Promise<T>): Promise<T> {
  const attempt = async (db: Tx): Promise<never> => {
    throw new DryRunEnd(await work(workContext(ctx.ports, { ...db, afterCommit: () => {} }, ctx.actor)));
  };
  try {
    return await (isTx(ctx.db) ? behindSavepoint(ctx.db, attempt) : ctx.ports.db.tx(attempt));
  } catch (error) {
    if (error instanceof DryRunEnd) return error.answer as T;
    throw error;
  }
}

const isTx = (db: Queryable): db is Tx => 'afterCommit' in db;

async function behindSavepoint(db: Tx, work: (db: Tx) => Promise<never>): Promise<never> {
  await db.exec(sql`savepoint undone`);
  try {
    return await work(db);
  } finally {
    await db.exec(sql`rollback to savepoint undone`);
  }
}

const zones = new WeakMap<Db['pool'], Map<string, string>>();

/** Divisions keep their time zone in the database; it is read once per process. */
export async function todayOf(ports: Ports, db: Queryable, division: string): Promise<string> {
  const known = zones.get(ports.db.pool) ?? new Map<string, string>();
  zones.set(ports.db.pool, known);
  let zone = known.get(division);
  if (zone === undefined) {
    zone = (await db.one<{ timezone: string }>(sql`select timezone from divisions where code = ${division}`)).timezone;
    known.set(division, zone);
  }
  return localDate(instantOf(() => ports.clock.now()), zone);
}
