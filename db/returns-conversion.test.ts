/** What stood in the books before returns were counted against days, and what the migration makes of it. */
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '#server/migrate.ts';
import { testDatabase } from '#tests/support/database.ts';

const FOLDER = fileURLToPath(new URL('migrations/', import.meta.url));
const database = testDatabase();
let client: pg.Client;

/** Empties the database of this file and runs every migration below `before`. */
async function migrateBelow(before: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gr-before-'));
  const files = (await readdir(FOLDER)).filter((file) => file < before && /^\d/.test(file));
  for (const file of files) await copyFile(join(FOLDER, file), join(folder, file));
  const { rows } = await client.query<{ extname: string }>(
    `select extname from pg_extension where extname <> 'plpgsql'`);
  await client.query(`drop schema if exists pgboss cascade; drop schema public cascade;
    create schema public authorization app_migrate`);
  for (const { extname } of rows) await client.query(`create extension if not exists ${extname}`);
  await migrate(database.owner_url, folder);
  await rm(folder, { recursive: true });
}

interface OldReturn {
  license?: number; venue?: number | null; scope?: 'week' | 'run'; days: [number, number]; status?: string;
  earned?: number | null; part?: number; replaces?: number | null;
}

/** Returns as they were stored; what belongs to them elsewhere is not looked at by the conversion. */
async function insertReturn(id: number, one: OldReturn): Promise<void> {
  const { license = 1, venue = license * 10, scope = 'week', days: [from, to], status = 'accepted', part = 1 } = one;
  const earned = one.earned === undefined ? 10_000 : one.earned;
  await client.query(`
    insert into box_office_reports (id, license_id, license_venue_id, division, scope, period_from, period_to, part,
      status, currency, gross_minor, net_minor, performances_held, submitted_at, percentage_minor, minimum_minor,
      earned_minor, recouped_minor, due_minor, trace, replaces_report_id)
    overriding system value values ($1, $2, $3, 'US', $4, $5, $6, $7, $8, 'USD', 100000, 100000, 2, now(), $9, 0, $9,
      $10, $9, '[]', $11)`, [id, license, venue, scope, march(from), march(to), part, status, earned,
    earned === null ? null : 0, one.replaces ?? null]);
}

const march = (day: number): string => `2026-03-${String(day).padStart(2, '0')}`;

/** A licence with one venue (its id times ten) or more, and an evening on each day of each. */
async function insertLicense(id: number, venues: number[], days: number[], scope: string | null = null): Promise<void> {
  await client.query(`
    insert into licenses (id, number, customer_id, show_id, show_code, show_type, category, division, currency,
      title_on_license, execution_policy, guarantee_scope, fee_method, rate_ppm, week_start)
    overriding system value values ($1, $2, 1, 1, 'X', 'play', 'Pro', 'US', 'USD', 'X', 'paid_in_full',
      $3, 'greater_of', 100000, 1)`, [id, `L-${id}`, scope]);
  for (const venue of venues) {
    await client.query(`insert into license_venues (id, license_id, name) overriding system value
      values ($1, $2, 'Hall')`, [venue, id]);
    for (const day of days) {
      await client.query(`insert into performances (license_id, license_venue_id, starts_at, local_date, local_time,
        week_key) values ($1, $2, $3::date, $3, '19:30', $3)`, [id, venue, march(day)]);
    }
  }
}

interface NewReturn {
  id: number; status: string; earned: number | null; due: number | null; held: boolean; added: boolean;
  replaced_by: number | null; open: number; performances: number;
}

async function returnsOf(license: number): Promise<NewReturn[]> {
  const { rows } = await client.query<NewReturn>(`
    select id::int, status, earned_minor::int as earned, due_minor::int as due, held, added,
      replaced_by_id::int as replaced_by, open_questions::int as open,
      (select count(*)::int from box_office_performances p where p.box_office_report_id = b.id) as performances
    from box_office_reports b where license_id = $1 order by id`, [license]);
  return rows;
}

const counting = { held: false, added: false, open: 0, replaced_by: null };

async function insertOld(): Promise<void> {
  // Keys to customers and shows, and triggers that make what is not looked at, are left out.
  await client.query(`set session_replication_role = replica`);
  // A run after its two weeks.
  await insertLicense(1, [10], [3, 4, 10, 11]);
  await insertReturn(1, { days: [2, 8] });
  await insertReturn(2, { days: [9, 15] });
  await insertReturn(3, { scope: 'run', days: [2, 15], earned: 3_000 });
  // Two runs that share a part: of one venue, then of both.
  await insertLicense(2, [20, 21], [3, 4]);
  await insertReturn(11, { license: 2, days: [2, 8] });
  await insertReturn(12, { license: 2, venue: 21, days: [2, 8] });
  await insertReturn(13, { license: 2, scope: 'run', days: [2, 8], earned: 500 });
  await insertReturn(14, { license: 2, venue: null, scope: 'run', days: [1, 15], earned: 700 });
  // An accepted week that came in after another which nobody has accepted yet.
  await insertLicense(3, [30], [3, 4, 10, 11]);
  await insertReturn(21, { license: 3, days: [2, 8], status: 'submitted', earned: null });
  await insertReturn(22, { license: 3, days: [3, 9] });
  // A chain: the third meets only the second, which does not count; the last meets the third.
  await insertLicense(4, [40], [3, 4, 6, 10, 11]);
  await insertReturn(31, { license: 4, days: [2, 6] });
  await insertReturn(32, { license: 4, days: [6, 10] });
  await insertReturn(33, { license: 4, days: [10, 13] });
  await insertReturn(34, { license: 4, days: [13, 14], status: 'submitted', earned: null });
  // A second return of a week that somebody said to add.
  await insertLicense(5, [50], [3, 4]);
  await insertReturn(41, { license: 5, days: [2, 8] });
  await insertReturn(42, { license: 5, days: [2, 8], part: 2 });
  // Weeks with a minimum of the week.
  await insertLicense(6, [60], [3, 4], 'week');
  await insertReturn(51, { license: 6, days: [2, 8] });
  await client.query(`set session_replication_role = origin`);
}

describe('returns of the time before they were counted against days', () => {
  beforeAll(async () => {
    client = new pg.Client({ connectionString: database.superuser_url });
    await client.connect();
    await migrateBelow('0421');
    await insertOld();
    await migrate(database.owner_url, FOLDER);
  }, 300_000);
  afterAll(async () => { await client.end(); });

  it('a return of the run takes the place of its weeks and holds what they earned', async () => {
    expect(await returnsOf(1)).toEqual([
      { ...counting, id: 1, status: 'replaced', earned: 10_000, due: 10_000, replaced_by: 3, performances: 0 },
      { ...counting, id: 2, status: 'replaced', earned: 10_000, due: 10_000, replaced_by: 3, performances: 0 },
      expect.objectContaining({ ...counting, id: 3, status: 'accepted', earned: 23_000, performances: 4 })]);
  });

  it('of two runs that share a part one holds it, each amount stays in the books once, and the other is asked about',
    async () => {
      const rows = await returnsOf(2);
      expect(rows.map((row) => [row.id, row.status, row.replaced_by])).toEqual([[11, 'replaced', 13],
        [12, 'replaced', 14], [13, 'accepted', null], [14, 'accepted', null]]);
      const live = rows.filter((row) => row.status === 'accepted');
      expect(live.map((row) => row.earned)).toEqual([10_500, 10_700]);
      expect(live.map((row) => [row.added, row.open])).toEqual([[false, 0], [true, 1]]);
    });

  it('what is accepted counts, and an older return that nobody accepted waits for an answer', async () => {
    expect(await returnsOf(3)).toEqual([
      { ...counting, id: 21, status: 'submitted', earned: null, due: null, held: true, open: 1, performances: 0 },
      { ...counting, id: 22, status: 'accepted', earned: 10_000, due: 10_000, performances: 2 }]);
  });

  it('what meets only a return that does not count itself counts', async () => {
    const rows = await returnsOf(4);
    expect(rows.map((row) => [row.id, row.held, row.added, row.open])).toEqual([[31, false, false, 0],
      [32, false, true, 1], [33, false, false, 0], [34, true, false, 1]]);
    expect(rows.map((row) => row.performances)).toEqual([3, 0, 2, 0]);
  });

  it('a return that somebody said to add is not asked about again', async () => {
    expect((await returnsOf(5)).map((row) => [row.id, row.added, row.open])).toEqual([[41, false, 0], [42, true, 0]]);
  });

  it('a week has what it was charged', async () => {
    const { rows } = await client.query(`select box_office_report_id::int as id, week_on::text, charged_minor::int as
      charged from box_office_weeks`);
    expect(rows).toEqual([{ id: 51, week_on: '2026-03-02', charged: 10_000 }]);
  });
});
