/**
 * The database: pools over pg, named prepared statements, transactions.
 *
 * int8 arrives as a number (an unsafe one is an error), numeric as text, date as `YYYY-MM-DD`, instants as ISO text.
 * Reads outside a transaction run on the pool; every write of a request runs in one transaction (http.ts). A request of
 * a customer runs on pools of its own, every transaction bound to that customer (tenant.ts).
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { AmountTooLarge } from '#kernel/money/money.ts';
import { withDrawings } from './outside.ts';
import type { Sql } from './sql.ts';

/** Database as handlers and domain code see it: the pool or one transaction. */
export interface Queryable {
  query<Row>(statement: Sql): Promise<Row[]>;
  /** Exactly one row; none or more than one is an error of ours. */
  one<Row>(statement: Sql): Promise<Row>;
  maybeOne<Row>(statement: Sql): Promise<Row | null>;
  /** Number of rows touched. */
  exec(statement: Sql): Promise<number>;
}

export interface Tx extends Queryable {
  /** Runs after COMMIT; a failure is logged, never answered (mail wake-ups, events). */
  afterCommit(effect: () => void | Promise<void>): void;
}

export interface Db extends Queryable {
  /**
   * Runs `work` in one transaction, READ COMMITTED; what {@link RETRYABLE} names repeats up to 3 times, and what it has
   * to draw is drawn outside ({@link withDrawings}).
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs `work` in one read-only transaction; nobody waits for its end, since nothing can be lost. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same pool, every transaction bound to what `settings` says: set in the round trip that opens it. */
  bound(settings: Readonly<Record<string, number | null>>): Db;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

const INT8 = 20, INT8_ARRAY = 1016, DATE = 1082, DATE_ARRAY = 1182, TIMESTAMP = 1114, TIMESTAMPTZ = 1184;

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new AmountTooLarge(text);
  return value;
}

/** Connections run in UTC (createDb), so an instant ends in +00; whatever does not is taken apart. */
const isoInstant = (text: string): string => {
  if (text.endsWith('+00') && text[10] === ' ') return `${text.slice(0, 10)}T${text.slice(11, -3)}Z`;
  const [day, rest = ''] = text.split(' ');
  return `${day}T${rest.replace(/([+-]\d\d)$/, '$1:00').replace('+00:00', 'Z')}`;
};
const asText = (text: string): string => text;

const types: pg.CustomTypesConfig = {
  // pg asks for one function type per wire format; ours read text, the only format that is asked for.
  getTypeParser(oid: number, format?: unknown) {
    switch (oid) {
      case INT8: return safeInteger as never;
      case INT8_ARRAY:
        return ((text: string) => text === '{}' ? [] : text.slice(1, -1).split(',').map(safeInteger)) as never;
      case DATE: case TIMESTAMP: return asText as never;
      case DATE_ARRAY: return ((text: string) => text === '{}' ? [] : text.slice(1, -1).split(',')) as never;
      case TIMESTAMPTZ: return isoInstant as never;
      default: return pg.types.getTypeParser(oid, format as 'text') as never;
    }
  },
};

const names = new Map<string, string>();
const NAME_CACHE = 5000;
const NAMEABLE = /^\s*(select|insert|update|delete|with|values)\b/i;

function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known) return known;
  if (names.size >= NAME_CACHE || !NAMEABLE.test(text)) return undefined;
  const fresh = `q${createHash('sha256').update(text).digest('base64url').slice(0, 20)}`;
  names.set(text, fresh);
  return fresh;
}

export interface DbOptions {
  connectionString: string;
  max?: number;
  /** Role to become at connection: for a server that gives us one login only. */
  role?: string;
  /** Named statements off, for poolers that cannot keep them (performance.md 7). */
  prepare?: boolean;
  /** Statements travel without waiting for the one before: opening a transaction costs no round trip of its own. */
  pipeline?: boolean;
  applicationName?: string;
  /** ms, 15 s unless told. */
  statementTimeoutMs?: number;
  /** ms that a statement waits for a lock, 5 s unless told. */
  lockTimeoutMs?: number;
  onSlow?: (text: string, milliseconds: number) => void;
  onError?: (error: Error) => void;
}

const PLAN_CHANGED = '0A000';
const RETRYABLE = new Set(['40001', '40P01', PLAN_CHANGED]);
const SLOW_MS = 250;

type Runner = Pick<pg.ClientBase, 'query'>;

function poolOf(options: DbOptions): pg.Pool {
  const startup = [
    ...(options.role ? [`-c role=${options.role}`] : []),
    `-c statement_timeout=${options.statementTimeoutMs ?? 15_000}`,
    `-c lock_timeout=${options.lockTimeoutMs ?? 5_000}`,
    '-c idle_in_transaction_session_timeout=30000',
    '-c timezone=UTC',
    '-c search_path=public',
    '-c datestyle=ISO,MDY',
  ].join(' ');
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.max ?? 10,
    types,
    pipeline: options.pipeline ?? false,
    application_name: options.applicationName ?? 'grand-rights',
    options: startup,
  });
  pool.on('error', (error) => options.onError?.(error));
  // The pool listens only to connections that lie idle. One that is lost while in use would end the process: whoever
  // used it learns of it from the statement that fails, and the pool drops it on release.
  pool.on('connect', (client) => { client.on('error', (error) => options.onError?.(error)); });
  return pool;
}

type Run = (on: Runner, statement: Sql, inTransaction: boolean) => Promise<pg.QueryResult>;

function runnerOf(options: DbOptions): Run {
  const prepare = options.prepare ?? true;
  return async (on, statement, inTransaction) => {
    const { text, values } = statement.compile();
    const label = prepare ? statementName(text) : undefined;
    const started = performance.now();
    try {
      return await on.query({ text, values, ...(label ? { name: label } : {}) });
    } catch (error) {
      if (!inTransaction && outdated(error)) return on.query({ text, values });
      throw error;
    } finally {
      const took = performance.now() - started;
      if (took > SLOW_MS) options.onSlow?.(text, took);
    }
  };
}

export function createDb(options: DbOptions): Db {
  const pool = poolOf(options);
  const run = runnerOf(options);
  const within = transactions(pool, options.pipeline ?? false);

  async function written<T>(opening: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const effects: (() => void | Promise<void>)[] = [];
    const result = await within.write(opening, (client) => work({
      ...queryable((s) => run(client, s, true)), afterCommit: (effect) => effects.push(effect),
    }));
    for (const effect of effects) await effect();
    return result;
  }

  function database(bindings: string): Db {
    const opening = `begin${bindings}`;
    const single = (s: Sql): Promise<pg.QueryResult> => (bindings === ''
      ? run(pool as unknown as Runner, s, false) : within.write(opening, (client) => run(client, s, true)));
    return {
      ...queryable(single),
      pool,
      tx: (work) => withDrawings((attempt) => repeated(() => written(opening, (tx) => attempt(() => work(tx))))),
      read: (work) => withDrawings((attempt) => repeated(() => within.read(`begin read only${bindings}`, (client) =>
        attempt(() => work({ ...queryable((s) => run(client, s, true)), afterCommit: refuseEffect }))))),
      bound: (settings) => database(bindingsOf(settings)),
      close: () => pool.end(),
    };
  }

  return database('');
}

type Within = <T>(opening: string, work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

/** One connection for the length of `work`, in a transaction that begins with the text `opening`. */
function transactions(pool: pg.Pool, pipeline: boolean): { read: Within; write: Within } {
  /** With pipelining, the first statement of the work is sent together with the opening one. */
  async function open(client: pg.PoolClient, opening: string): Promise<void> {
    const opened = client.query(opening);
    if (!pipeline) await opened;
    // It fails only with the connection, and then so does every statement behind it.
    else opened.catch(() => undefined);
  }
  return {
    async write(opening, work) {
      const client = await pool.connect();
      let broken: Error | boolean = false;
      try {
        await open(client, opening);
        const result = await work(client);
        await client.query('commit');
        return result;
      } catch (error) {
        broken = outdated(error);
        await client.query('rollback').catch((fault: Error) => { broken = fault; });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    async read(opening, work) {
      const client = await pool.connect();
      let stale = false;
      try {
        await open(client, opening);
        return await work(client);
      } catch (error) {
        stale = outdated(error);
        throw error;
      } finally {
        client.query('rollback').then(() => client.release(stale), (fault: Error) => client.release(fault));
      }
    },
  };
}

/** A connection whose prepared statements a migration has overtaken is not kept. */
const outdated = (error: unknown): boolean => (error as { code?: string }).code === PLAN_CHANGED;

/** Serialization failures, deadlocks and overtaken statements repeat up to three times. */
async function repeated<T>(attempt: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (round >= 3 || !RETRYABLE.has((error as { code?: string }).code ?? '')) throw error;
    }
  }
}

function refuseEffect(): never {
  throw new Error('a read has nothing to do after a commit');
}

const SETTING = /^app\.[a-z_]+$/;

/** Settings of the transaction as text behind `begin`, in the same message; only whole numbers pass. */
function bindingsOf(settings: Readonly<Record<string, number | null>>): string {
  const calls = Object.entries(settings).map(([key, value]) => {
    if (!SETTING.test(key) || (value !== null && !Number.isSafeInteger(value))) throw new Error(`no setting: ${key}`);
    return `set_config('${key}', '${value ?? ''}', true)`;
  });
  return `; select ${calls.join(', ')}`;
}

function queryable(run: (statement: Sql) => Promise<pg.QueryResult>): Queryable {
  const rows = async <Row>(statement: Sql): Promise<Row[]> => (await run(statement)).rows as Row[];
  return {
    query: rows,
    async one<Row>(statement: Sql) {
      const found = await rows<Row>(statement);
      if (found.length !== 1) throw new Error(`expected one row, found ${found.length}`);
      return found[0]!;
    },
    async maybeOne<Row>(statement: Sql) {
      const found = await rows<Row>(statement);
      if (found.length > 1) throw new Error(`expected at most one row, found ${found.length}`);
      return found[0] ?? null;
    },
    async exec(statement: Sql) {
      return (await run(statement)).rowCount ?? 0;
    },
  };
}
