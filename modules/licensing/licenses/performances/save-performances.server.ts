/**
 * Writes performances and counts the run: ordinals over the whole licence, weeks, first and last day (domain.md 2.2).
 */
import { sameTime } from '#kernel/licensing/performance-series.ts';
import { invalidField } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { License } from '../license-record.server.ts';
import type { PerformanceInput } from './performance.contract.ts';

interface StoredPerformance {
  id: number;
  local_date: string;
  local_time: string;
  type: string;
  status: string;
}

/** Rows with an id are moved, rows without are new; with `replace` the venue's others are deleted (draft). */
export async function savePerformances(
  ctx: WorkContext, license: License, venueId: number, rows: readonly PerformanceInput[],
  /** `at`: the field of the rows; '' for one row whose fields are the body's own. */
  options: { replace: boolean; at: string },
): Promise<void> {
  const known = await ctx.db.query<StoredPerformance>(sql`
    select id, local_date, to_char(local_time, 'HH24:MI') as local_time, type, status from performances
    where license_venue_id = ${venueId}`);
  const own = new Map(known.map((row) => [row.id, row]));
  const foreign = rows.findIndex((row) => row.id !== undefined && !own.has(row.id));
  if (foreign >= 0) throw invalidField(`${options.at}.${foreign}.id`, 'This performance belongs to another venue');
  const kept = rows.flatMap((row) => row.id ?? []);
  refuseTwice(rows, options.replace ? [] : known.filter((row) => !kept.includes(row.id)
    && (row.status === 'planned' || row.status === 'performed')), options.at);
  if (options.replace) await deletePerformances(ctx.db, known.map((k) => k.id).filter((id) => !kept.includes(id)));
  // Two performances may swap their times: the ones that move step aside before any of them takes its new place.
  const moving = rows.filter((row) => row.id !== undefined && moves(row, own.get(row.id)!)).map((row) => row.id!);
  await ctx.db.exec(sql`update performances set status = 'postponed', ordinal = null
    where id = any (${moving}) and status = 'planned'`);
  await writeRows(ctx.db, license, venueId, rows);
}

function moves(row: PerformanceInput, before: StoredPerformance): boolean {
  return row.local_date !== before.local_date || row.local_time !== before.local_time || row.type !== before.type;
}

/** The stage holds one performance at a time: neither two of the rows nor one of them and one that stays. */
function refuseTwice(rows: readonly PerformanceInput[], stay: readonly StoredPerformance[], at: string): void {
  const twice = sameTime([...stay, ...rows]) - stay.length;
  const field = at === '' ? 'local_time' : `${at}.${twice}.local_time`;
  if (twice >= 0) throw invalidField(field, 'Another performance starts at this time');
}

async function writeRows(
  db: Queryable, license: License, venueId: number, rows: readonly PerformanceInput[],
): Promise<void> {
  const zone = (await db.one<{ time_zone: string }>(sql`
    select time_zone from license_venues where id = ${venueId}`)).time_zone;
  for (const row of rows.filter((candidate) => candidate.id !== undefined)) {
    await db.exec(sql`
      update performances set local_date = ${row.local_date}, local_time = ${row.local_time}, type = ${row.type},
        starts_at = (${row.local_date}::date + ${row.local_time}::time) at time zone ${zone}, is_free = ${row.is_free},
        expected_attendance = ${row.expected_attendance ?? null},
        status = case when status = 'postponed' then 'planned' else status end, version = version + 1
      where id = ${row.id}`);
  }
  const fresh = rows.filter((row) => row.id === undefined);
  if (fresh.length === 0) return;
  await db.exec(sql`
    insert into performances (license_id, license_venue_id, local_date, local_time, starts_at, type, is_free,
      expected_attendance, week_key)
    select ${license.id}, ${venueId}, r.d, r.t, (r.d + r.t) at time zone ${zone}, r.type, r.is_free, r.attendance, r.d
    from unnest(${fresh.map((row) => row.local_date)}::date[], ${fresh.map((row) => row.local_time)}::time[],
      ${fresh.map((row) => row.type)}::text[], ${fresh.map((row) => row.is_free)}::boolean[],
      ${fresh.map((row) => row.expected_attendance ?? null)}::int[]) as r (d, t, type, is_free, attendance)`);
}

export async function deletePerformances(db: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.exec(sql`delete from performance_tickets where performance_id = any (${[...ids]})`);
  await db.exec(sql`delete from performances where id = any (${[...ids]})`);
}

/** Ordinals, weeks, opening and closing of venues and licence follow from the performances that count. */
export async function countRun(db: Queryable, licenseId: number): Promise<void> {
  await db.exec(sql`
    update performances p set ordinal = o.n,
      week_key = p.local_date - ((extract(dow from p.local_date)::int - l.week_start + 7) % 7)
    from (select id, case when status in ('planned', 'performed') then row_number() over (
            partition by status in ('planned', 'performed') order by starts_at, id) end as n
          from performances where license_id = ${licenseId}) o,
      (select coalesce(week_start, 1) as week_start from licenses where id = ${licenseId}) l
    where o.id = p.id`);
  await db.exec(sql`
    update license_venues v set opening_on = d.first, closing_on = d.last, number_of_performances = coalesce(d.n, 0)
    from license_venues w left join (select license_venue_id, min(local_date) as first, max(local_date) as last,
        count(*) as n from performances where license_id = ${licenseId} and status in ('planned', 'performed')
        group by license_venue_id) d on d.license_venue_id = w.id
    where w.license_id = ${licenseId} and v.id = w.id`);
  await db.exec(sql`
    update licenses l set first_performance_on = d.first, last_performance_on = d.last,
      number_of_performances = coalesce(d.n, 0)
    from (select min(local_date) as first, max(local_date) as last, count(*) as n from performances
      where license_id = ${licenseId} and status in ('planned', 'performed')) d
    where l.id = ${licenseId}`);
}
