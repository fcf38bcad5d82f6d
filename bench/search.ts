/**
 * The search over all kinds with ROWS customers, venues, vendors and transactions, against one bare statement that
 * reads the same best rows from the same index. Says of every kind's statement whether a table was read whole.
 * Settings: ROWS (1000000), ROUNDS (30).
 */
import type { Ctx } from '#server/context.ts';
import { Sql, sql } from '#server/sql.ts';
import { SEARCH_KINDS } from '#modules/search/search.contract.ts';
import { SEARCH_PLANS, searchRoutes, searchStatement } from '#modules/search/search.server.ts';
import { searchText } from '#modules/search/search-text.ts';
import { benchDatabase, type BenchDatabase } from './support/database.ts';
import { load, median, say, table } from './support/measure.ts';

const ROWS = Number(process.env.ROWS ?? 1_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 30);

/** Names of two of 40 and one of 200 words, so that common and rare words are there. */
async function generate({ root }: BenchDatabase): Promise<void> {
  const run = (text: string) => root.query(new Sql([text], []));
  const name = `(array['The','Grand','Royal','Old','New','Little','Municipal','City','State','County'])[1 + g % 10]
    || ' ' || (array['Oak','River','Lake','Hill','Bay','Harbor','Valley','Forest','Garden','Market'])[1 + g / 10 % 10]
    || ' ' || 'W' || md5((g / 100 % 5000)::text)
    || ' ' || (array['Players','Theatre','Opera','High School','Academy'])[1 + g % 5]`;
  await run(`insert into customers (number, name, status, divisions, default_division, default_currency)
    select 'C-' || (10000000 + g), ${name}, 'active', '{US}', 'US', 'USD' from generate_series(1, ${ROWS}) g`);
  await run(`insert into venues (number, name) select 'V-' || (10000000 + g), ${name}
    from generate_series(1, ${ROWS}) g`);
  await run(`insert into vendors (number, name) select 'VN-' || (10000000 + g), ${name}
    from generate_series(1, ${ROWS}) g`);
  await run(`do $$ begin perform set_config('session_replication_role', 'replica', true);
    insert into transactions (division, kind, number, status, transaction_at, period, currency, posted_at)
      select 'US', 'journal', 'JE-US-2026-' || lpad(g::text, 7, '0'), 'posted', '2026-05-01', 202605, 'USD', now()
      from generate_series(1, ${ROWS}) g; end $$`);
  await run('vacuum analyze');
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

const bare = {
  number: (text: string) => sql`select id, number, name from customers
    where lower(number) ~>=~ ${text} and lower(number) ~<~ ${`${text}~`} and deleted_at is null
    order by lower(number) using ~<~ limit 5`,
  words: (text: string) => sql`select id, number, name from customers
    where search_text like ${`%${text}%`} and deleted_at is null limit 5`,
};

const database = await benchDatabase({ max: 4 });
try {
  const { app } = database;
  say(`PostgreSQL ${database.version}, ${ROWS} rows each of four kinds, load before ${load()}; medians of ${ROUNDS}`);
  await generate(database);
  const ctx = { ports: { db: app }, db: app, user: { role: 'staff_admin' } } as unknown as Ctx;
  const all = searchRoutes.find((route) => route.endpoint.path.endsWith('/all'))!;
  const middle = Math.floor(ROWS / 2);
  const rare = (await app.one<{ word: string }>(sql`
    select split_part(name, ' ', 3) as word from customers order by id limit 1`)).word.toLowerCase();
  const asked: [string, string, Sql][] = [
    ['one number', `c-${10_000_000 + middle}`, bare.number(`c-${10_000_000 + middle}`)],
    ['the beginning of numbers', 'je-us-2026-0', bare.number('c-1000')],
    ['a name\'s beginning', 'royal lake', bare.words('royal lake')],
    ['a rare word', rare.slice(0, 8), bare.words(rare.slice(0, 8))],
    ['a common word', 'theatre', bare.words('theatre')],
    ['two common words', 'valley opera', bare.words('valley')],
    ['two letters', 'oa', bare.words('oak')],
    ['nothing the same', `${rare.slice(0, 7)}zz${rare.slice(9)}`, bare.words('qqqqq')],
  ];
  const rows: (string | number)[][] = [];
  for (const [what, typed, statement] of asked) {
    const ours: number[] = [];
    const least: number[] = [];
    let found = 0;
    for (let round = 0; round <= ROUNDS; round += 1) {
      let started = performance.now();
      const answer = await all.handler(ctx, { params: {}, query: { search: typed }, body: undefined }) as {
        data: { groups: { rows: unknown[] }[] } };
      if (round > 0) ours.push(performance.now() - started);
      found = answer.data.groups.reduce((sum, group) => sum + group.rows.length, 0);
      started = performance.now();
      await app.read(async (db) => { await db.query(SEARCH_PLANS); await db.query(statement); });
      if (round > 0) least.push(performance.now() - started);
    }
    const p95 = ours.toSorted((a, b) => a - b)[Math.floor(ours.length * 0.95)]!;
    rows.push([what, typed, found, median(ours).toFixed(1), p95.toFixed(1), median(least).toFixed(1),
      (median(ours) / median(least)).toFixed(1), (await scans(database, typed)).length]);
  }
  say(table(['looked for', 'typed', 'rows shown', 'all kinds, ms', 'p95, ms', 'bare, one kind, ms', 'times bare',
    'tables read whole'], rows));
  for (const line of await scans(database, 'theatre')) say(line);
  say(`load after ${load()}`);
} finally {
  await database.stop();
}
