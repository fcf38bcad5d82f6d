// cspell:ignore acadmy
/**
 * The search over all kinds with ROWS customers, venues, vendors and transactions: 30 searches, each beside the same
 * search of the same rows in SQLite's FTS5, an index made for the purpose. Says how long a first page takes at the
 * 95th percentile, on the clock and in CPU, and of every kind's statement whether a table was read whole.
 * Settings: ROWS (1000000), ROUNDS (30).
 */
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Ctx } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { SEARCH_KINDS } from '#modules/search/search.contract.ts';
import { SEARCH_PLANS, searchRoutes, searchStatement } from '#modules/search/search.server.ts';
import { searchText } from '#modules/search/search-text.ts';
import { benchDatabase, type BenchDatabase } from './support/database.ts';
import { fill } from './support/fill.ts';
import { SearchIndex } from './support/search-index.ts';
import { load, median, say, table } from './support/measure.ts';

const ROWS = Number(process.env.ROWS ?? 1_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 30);

/** Names of two of 40 and one of 200 words, so that common and rare words are there. */
async function generate({ root }: BenchDatabase): Promise<void> {
  const name = `(array['The','Grand','Royal','Old','New','Little','Municipal','City','State','County'])[1 + g % 10]
    || ' ' || (array['Oak','River','Lake','Hill','Bay','Harbor','Valley','Forest','Garden','Market'])[1 + g / 10 % 10]
    || ' ' || 'W' || md5((g / 100 % 5000)::text)
    || ' ' || (array['Players','Theatre','Opera','High School','Academy'])[1 + g % 5]`;
  const rows = `from generate_series(1, ${ROWS}) g`;
  await fill(root, 'customers', `
    insert into customers (number, name, status, divisions, default_division, default_currency)
    select 'C-' || (10000000 + g), ${name}, 'active', '{US}', 'US', 'USD' ${rows}`);
  await fill(root, 'venues', `insert into venues (number, name) select 'V-' || (10000000 + g), ${name} ${rows}`);
  await fill(root, 'vendors', `insert into vendors (number, name) select 'VN-' || (10000000 + g), ${name} ${rows}`);
  await fill(root, 'transactions', `
    insert into transactions (division, kind, number, status, transaction_at, period, currency, posted_at)
    select 'US', 'journal', 'JE-US-2026-' || lpad(g::text, 7, '0'), 'posted', '2026-05-01', 202605, 'USD', now()
    ${rows}`);
  await root.pool.query('vacuum analyze');
}

/** Kinds whose statement reads a table from end to end; tables of a few rows count too. */
async function scans({ app }: BenchDatabase, typed: string): Promise<string[]> {
  const question = { text: searchText(typed), depth: 100, limit: 5, offset: 0, trash: false };
  return app.read(async (db) => {
    await db.query(SEARCH_PLANS);
    const found: string[] = [];
    for (const kind of SEARCH_KINDS) {
      const statement = searchStatement(kind, question);
      if (statement === null) continue;
      const plan = await db.query<Record<string, string>>(sql`explain ${statement}`);
      const lines = plan.map((line) => Object.values(line)[0] ?? '').filter((line) => /Seq Scan/.test(line));
      found.push(...lines.map((line) => `${kind}: ${line.trim()}`));
    }
    return found;
  });
}

/** Search texts by kind; `rare` are words of one row in 5,000. */
function searches([rare, other]: readonly string[]): [string, string][] {
  const middle = Math.floor(ROWS / 2);
  const of = (what: string, ...typed: string[]): [string, string][] => typed.map((text) => [what, text]);
  return [
    ...of('one number', `c-${10_000_000 + middle}`, `v-${10_000_007 + middle}`, `je-us-2026-${
      String(middle).padStart(7, '0')}`),
    ...of('the beginning of numbers', 'je-us-2026-0', 'vn-1000'),
    ...of('a name\'s beginning', 'royal lake', 'the oak', 'county market'),
    ...of('a common word', 'theatre', 'opera', 'players', 'academy', 'school', 'grand', 'valley', 'municipal', 'the'),
    ...of('two common words', 'valley opera', 'river theatre', 'high school', 'harbor players'),
    ...of('two that never meet', 'grand opera', 'old academy'),
    ...of('a rare word', rare!.slice(0, 8), other!.slice(0, 10)),
    ...of('a rare and a common word', `${rare!.slice(0, 8)} theatre`),
    ...of('two letters', 'oa', 'hi'),
    ...of('misspelled', `${rare!.slice(0, 7)}zz${rare!.slice(9)}`, 'acadmy'),
  ];
}

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!;

interface Timed { every: number[]; median: number; p95: number; cpu: number; rows: number }

/** One search again and again: ms on the clock, and ms of CPU of this process and the server for each. */
async function timed(database: BenchDatabase, search: () => number | Promise<number>): Promise<Timed> {
  let rows = await search();
  const every: number[] = [];
  const own = process.cpuUsage();
  const server = database.serverCpu();
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    rows = await search();
    every.push(performance.now() - started);
  }
  const spent = process.cpuUsage(own);
  const cpu = (spent.user + spent.system) / 1000 + (database.serverCpu() - server) * 1000;
  return { every, median: median(every), p95: percentile(every, 0.95), cpu: cpu / ROUNDS, rows };
}

async function measure(database: BenchDatabase, index: SearchIndex): Promise<void> {
  const { app } = database;
  const ctx = { ports: { db: app }, db: app, user: { role: 'staff_admin' } } as unknown as Ctx;
  const all = searchRoutes.find((route) => route.endpoint.path.endsWith('/all'))!;
  const rare = (await app.query<{ word: string }>(sql`
    select split_part(name, ' ', 3) as word from customers where id in (1, 101) order by id`))
    .map(({ word }) => word.toLowerCase());
  const lines: (string | number)[][] = [];
  const measured: { ours: Timed; theirs: Timed }[] = [];
  for (const [what, typed] of searches(rare)) {
    const ours = await timed(database, async () => {
      const { data } = await all.handler(ctx, { params: {}, query: { search: typed }, body: undefined }) as {
        data: { groups: { rows: unknown[] }[] } };
      return data.groups.reduce((sum, group) => sum + group.rows.length, 0);
    });
    const theirs = await timed(database, () => index.search(typed));
    measured.push({ ours, theirs });
    lines.push([what, typed, ours.rows, ours.median.toFixed(1), ours.p95.toFixed(1), ours.cpu.toFixed(1), theirs.rows,
      theirs.median.toFixed(2), theirs.p95.toFixed(1), (ours.median / theirs.median).toFixed(1),
      (await scans(database, typed)).length]);
  }
  say(table(['searched for', 'typed', 'rows', 'ours, ms', 'p95', 'CPU, ms', 'rows of FTS5', 'FTS5, ms', 'p95',
    'times FTS5', 'tables read whole'], lines));
  const whole = (of: 'ours' | 'theirs'): string => {
    const every = measured.flatMap((one) => one[of].every);
    const cpu = measured.map((one) => one[of].cpu);
    const both = (values: number[]): string =>
      `median ${median(values).toFixed(1)} ms, 95th percentile ${percentile(values, 0.95).toFixed(1)} ms`;
    return `${both(every)}; CPU ${both(cpu)}`;
  };
  say(`all ${lines.length} searches: ${whole('ours')}`);
  say(`FTS5: ${whole('theirs')}`);
}

const database = await benchDatabase({ max: 4 });
const folder = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'bench-fts-'));
try {
  say(`PostgreSQL ${database.version}, ${ROWS} rows each of four kinds, load before ${load()}; medians of ${ROUNDS}`);
  await generate(database);
  const index = await SearchIndex.of(database.app, join(folder, 'index.sqlite'));
  await measure(database, index);
  for (const line of await scans(database, 'theatre')) say(line);
  index.close();
  say(`load after ${load()}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
  await database.stop();
}
