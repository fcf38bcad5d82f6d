/**
 * The lists of materials and licences with ROWS rows each: first page, a page 100,000 rows deep, search, every filter
 * and every order, against the bare statement of the same rows (performance.md: page of ids, the rows themselves, the
 * count up to its cap), and whether that statement reads the table whole. Settings: ROWS (1000000), ROUNDS (15), ONLY
 * ("not active|customer": these lines alone).
 */
import type { Ctx } from '#server/context.ts';
import { COUNT_CAP } from '#server/list.ts';
import { empty, Sql, sql } from '#server/sql.ts';
import { materialRoutes } from '#modules/catalogue/material/material.server.ts';
import { licenseRoutes } from '#modules/licensing/licenses/license.server.ts';
import { benchDatabase, type BenchDatabase } from './support/database.ts';
import { fill } from './support/fill.ts';
import { load, median, say, table } from './support/measure.ts';

const ROWS = Number(process.env.ROWS ?? 1_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 15);
/** Not counted: a server that people work with has compiled its code and chosen its plans. */
const WARM = 20;
const ONLY = process.env.ONLY?.split('|');
const SHOWS = 1000;
const CUSTOMERS = 10_000;
const DEEP = Math.floor(100_000 / 20) + 1;

async function generate({ root }: BenchDatabase): Promise<void> {
  const run = (text: string) => root.exec(new Sql([text], []));
  await run(`insert into shows (show_code, type, title, sort_title) select 'BEN' || g, 'play', 'Bench ' || g,
    'Bench ' || g from generate_series(1, ${SHOWS}) g`);
  await run(`insert into customers (name, status, divisions, default_division, default_currency)
    select 'House ' || g, 'active', '{US}', 'US', 'USD' from generate_series(1, ${CUSTOMERS}) g`);
  const words = `(array['Libretto','Vocal book','Piano score','Reed','Trumpet','Violin','Guide','Track'])[1 + g % 8]`;
  await fill(root, 'materials', `insert into materials (item_number, name, show_id, category, sub_category, type,
      fulfilment, item_class, income_type, active)
    select 'BEN-' || lpad(g::text, 8, '0'), ${words} || ' ' || md5(g::text), 1 + g % ${SHOWS}, c.category_key, c.key,
      (array['rental','sale','perusal'])[1 + g % 3], 'physical', 'rental', 'rental', g % 50 <> 0
    from generate_series(1, ${ROWS}) g
    join (select key, category_key, row_number() over (order by key) - 1 as n, count(*) over () as all_of
      from material_sub_categories) c on c.n = g % c.all_of`);
  await fill(root, 'licenses', `insert into licenses (number, customer_id, show_id, show_code, show_type, category,
      division, currency, title_on_license, execution_policy, phase, updated_at, first_performance_on,
      last_performance_on, offer_version, offer_expires_at, cancelled_at, cancel_reason, decline_reason_code,
      search_text)
    select 'Q-' || g, 1 + g % ${CUSTOMERS}, 1 + g % ${SHOWS}, 'BEN' || (1 + g % ${SHOWS}), 'play',
      (array['Amateur','Pro'])[1 + g % 2], (array['US','EU','UK'])[1 + g % 3], 'USD',
      'Bench ' || (1 + g % ${SHOWS}) || ' ' || md5(g::text), 'advance_paid',
      (array['draft','sent','draft','expired','declined','cancelled','cancelled','cancelled'])[1 + g % 8],
      now() - g * interval '1 minute', date '2020-01-01' + (g % 3000), date '2020-01-05' + (g % 3000), 1,
      now() + interval '1 year', case when g % 8 >= 5 then now() end, case when g % 8 >= 5 then 'bench' end,
      case when g % 8 = 4 then 'other' end,
      'q-' || g || ' bench ' || (1 + g % ${SHOWS}) || ' ' || md5(g::text)
    from generate_series(1, ${ROWS}) g`);
  await run('vacuum analyze');
}

interface ListRequest { what: string; query: Record<string, unknown>; where: Sql; order: Sql; join?: Sql }
interface List { name: string; handler: (query: object) => Promise<unknown>; from: Sql; asked: ListRequest[] }

function lists(ctx: Ctx): List[] {
  const of = (routes: typeof materialRoutes, path: string) => {
    const { endpoint, handler } = routes.find((route) => route.endpoint.method === 'GET'
      && route.endpoint.path === path)!;
    return (query: object) =>
      handler(ctx, { params: {}, query: endpoint.query!.parse(query), body: undefined }) as Promise<unknown>;
  };
  const number = sql`t.item_number, t.id`;
  const latest = sql`t.updated_at desc, t.id desc`;
  const filter = (what: string, query: Record<string, unknown>, where: Sql, order: Sql): ListRequest =>
    ({ what, query, where, order });
  const text = (word: string) => sql`t.search_text like ${`%${word}%`}`;
  const all = sql`true`;
  return [
    { name: 'materials', from: sql`materials t`, handler: of(materialRoutes, '/api/admin/staff/materials'), asked: [
      filter('first page', {}, all, number),
      filter('100,000 rows deep', { page: DEEP, per_page: 20 }, all, number),
      filter('search, a common word', { search: 'violin' }, text('violin'), number),
      filter('search, a rare word', { search: 'c4ca4238' }, text('c4ca4238'), number),
      filter('category', { category: 'parts' }, sql`t.category = 'parts'`, number),
      filter('sub-category', { sub_category: 'brass' }, sql`t.sub_category = 'brass'`, number),
      filter('show', { show_code: 'BEN7' }, sql`t.show_id = 7`, number),
      filter('type', { type: 'sale' }, sql`t.type = 'sale'`, number),
      filter('not active', { active: 'false' }, sql`not t.active`, number),
      filter('by name', { sort_by: 'name' }, all, sql`t.name collate "und-x-icu", t.id`),
      filter('last changed', { sort_by: 'updated_at', sort_direction: 'desc' }, all, latest),
    ] },
    { name: 'licences', from: sql`licenses t`, handler: of(licenseRoutes, '/api/admin/staff/licenses'), asked: [
      filter('first page', {}, all, latest),
      filter('100,000 rows deep', { page: DEEP, per_page: 20 }, all, latest),
      filter('search, a common word', { search: 'bench 7' }, text('bench 7'), latest),
      filter('search, a rare word', { search: 'c4ca4238' }, text('c4ca4238'), latest),
      filter('phase', { phase: 'sent' }, sql`t.phase = 'sent'`, latest),
      filter('division', { division: 'EU' }, sql`t.division = 'EU'`, latest),
      filter('category', { category: 'Pro' }, sql`t.category = 'Pro'`, latest),
      filter('customer', { customer_id: 7 }, sql`t.customer_id = 7`, latest),
      filter('show', { show_id: 7 }, sql`t.show_id = 7`, latest),
      filter('by number', { sort_by: 'number' }, all, sql`t.number, t.id`),
      filter('by title', { sort_by: 'show_title' }, all, sql`t.title_on_license collate "und-x-icu", t.id`),
      filter('by first performance', { sort_by: 'first_performance_on' }, all, sql`t.first_performance_on, t.id`),
      { ...filter('by customer', { sort_by: 'customer_name' }, all, sql`c.name collate "und-x-icu", t.id`),
        join: sql`join customers c on c.id = t.customer_id` },
      filter('by total', { sort_by: 'grand_total_minor' }, all, sql`t.grand_total_minor, t.id`),
    ] },
  ];
}

function bareOf({ from }: List, { query, where, order, join = empty }: ListRequest): Sql {
  const perPage = Number(query['per_page'] ?? 10);
  const offset = (Number(query['page'] ?? 1) - 1) * perPage;
  const alive = sql`where t.deleted_at is null and ${where}`;
  return sql`with
    page as (select t.id from ${from} ${join} ${alive} order by ${order} limit ${perPage} offset ${offset}),
    counted as (select count(*) as n from (select 1 from ${from} ${alive} limit ${COUNT_CAP + 1}) c)
    select counted.n, t.* from counted left join (page join ${from} on t.id = page.id ${join}) on true
    order by ${order}`;
}

/** A search for a common word takes a second: one is enough. */
const warmOf = ({ what }: ListRequest): number => (what.includes('common word') ? 1 : WARM);

async function readsWhole(db: BenchDatabase['app'], statement: Sql): Promise<string> {
  const plan = await db.query<Record<string, string>>(sql`explain ${statement}`);
  const lines = plan.map((line) => Object.values(line)[0] ?? '');
  // The capped count reads until it has enough: one line of it is a scan that ends early.
  const scans = lines.filter((line) => /Seq Scan on/.test(line)).length;
  return scans > 1 || (scans === 1 && lines.some((line) => /Sort Key/.test(line) && !/counted/.test(line))
    && lines.some((line) => /Gather Merge/.test(line))) ? 'yes' : 'no';
}

const database = await benchDatabase({ max: 4 });
try {
  const { app } = database;
  say(`PostgreSQL ${database.version}, ${ROWS} rows of each list, medians of ${ROUNDS}, load before ${load()}`);
  await generate(database);
  say(`filled, load ${load()}`);
  const ctx = { ports: { db: app }, db: app, user: { role: 'staff_admin', permissions: new Set(['super']) },
    now: () => new Date(), today: () => Promise.resolve('2026-11-22') } as unknown as Ctx;
  for (const list of lists(ctx)) {
    const rows: (string | number)[][] = [];
    for (const asked of list.asked.filter(({ what }) => ONLY?.includes(what) ?? true)) {
      const statement = bareOf(list, asked);
      const ours: number[] = [];
      const least: number[] = [];
      for (let round = -warmOf(asked); round < ROUNDS; round += 1) {
        let started = performance.now();
        await list.handler(asked.query);
        if (round >= 0) ours.push(performance.now() - started);
        started = performance.now();
        await app.query(statement);
        if (round >= 0) least.push(performance.now() - started);
      }
      rows.push([asked.what, median(ours).toFixed(1), median(least).toFixed(1),
        (median(ours) / median(least)).toFixed(2), await readsWhole(app, statement)]);
    }
    say(list.name);
    say(table(['asked', 'list, ms', 'bare, ms', 'times bare', 'reads the table whole'], rows));
  }
  say(`load after ${load()}`);
} finally {
  await database.stop();
}
