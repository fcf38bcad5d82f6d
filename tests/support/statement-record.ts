/**
 * Record of what PostgreSQL answered to every statement of a test run, for `tools/statement-types.ts`: by the line that
 * asked, the type of each column and whether a null was seen in it. Only where STATEMENTS names a folder: the full
 * suite does.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';
import pg from 'pg';
import { afterAll } from 'vitest';

/** Type of a column as the catalogue numbers it; true once a null was seen. */
export interface SeenColumn { oid: number; null: boolean }

/** Columns by name, by `file:line` of the call, the file from the root of the repository. */
export type Statements = Record<string, Record<string, SeenColumn>>;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FRAME = /(?:file:\/\/)?(\/[^\s():]+\.tsx?)(?:\?[^:]*)?:(\d+):\d+\)?$/;
/** Folders and files that hand statements on. */
const BETWEEN = /\/node_modules\/|\/server-kit\/(db|tenant|outside)\.ts|\/tests\/support\/statement-record\.ts/;

function callSite(): string | null {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 40;
  const stack = new Error('here').stack ?? '';
  Error.stackTraceLimit = stackTraceLimit;
  for (const line of stack.split('\n').slice(1)) {
    const [, file, row] = FRAME.exec(line) ?? [];
    if (file?.startsWith(ROOT) && !BETWEEN.test(file)) return `${file.slice(ROOT.length)}:${row}`;
  }
  return null;
}

function record(into: Statements, place: string, { fields, rows }: pg.QueryResult): void {
  const columns = into[place] ??= {};
  for (const { name, dataTypeID } of fields) {
    const column = columns[name] ??= { oid: dataTypeID, null: false };
    column.null ||= rows.some((row: Record<string, unknown>) => row[name] === null);
  }
}

type Query = (...given: unknown[]) => unknown;

function observe(of: { query: Query }, into: Statements): void {
  const original = of.query;
  of.query = function query(this: unknown, ...given: unknown[]): unknown {
    const answer = original.apply(this, given);
    const statement = given[0] as { name?: string; text?: string } | string;
    if (typeof statement === 'string' || !(answer instanceof Promise)) return answer;
    const place = callSite();
    if (place === null) return answer;
    return (answer as Promise<pg.QueryResult>).then((result) => {
      if (Array.isArray(result.fields) && result.fields.length > 0) record(into, place, result);
      return result;
    });
  };
}

const folder = process.env.STATEMENTS;
const worker = globalThis as { statementsSeen?: Statements };

function observeWorker(): Statements {
  const seen: Statements = {};
  observe(pg.Client.prototype as unknown as { query: Query }, seen);
  observe(pg.Pool.prototype as unknown as { query: Query }, seen);
  return seen;
}

if (folder) {
  const seen = worker.statementsSeen ??= observeWorker();
  // After every file of the worker: nothing tells it that it has run its last.
  afterAll(() => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${process.pid}-${threadId}.json`), JSON.stringify(seen));
  });
}
