/** Records that a customer's file may speak of: venues and show of one license, its performances and reports. */
import type { IsoDate } from '#kernel/calendar/calendar.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { ReportDetail } from './box-office.contract.ts';

export interface FilePlaces {
  currency: string;
  title: string;
  /** Venue ids of the license by the text of a cell; several where the text fits more than one. */
  venues: ReadonlyMap<string, readonly number[]>;
  /** Texts that name the show of the license. */
  own_titles: ReadonlySet<string>;
  venue_names: ReadonlyMap<number, string>;
  performances: readonly FilePerformance[];
  reports: readonly FileReport[];
}

export interface FilePerformance { id: number; license_venue_id: number; local_date: IsoDate; time: string }

export interface FileReport {
  id: number; license_venue_id: number | null; performance_id: number | null; scope: 'performance' | 'week' | 'run';
  period_from: IsoDate; period_to: IsoDate; status: ReportDetail['status']; held: boolean; gross_minor: number;
  paid_admissions: number | null; version: number;
}

/** A venue is named by its own name, the venue's, its number, an alias, or a town where no other venue is. */
export async function filePlaces(
  db: Queryable, licenseId: number, texts: { venues: readonly string[]; shows: readonly string[] },
): Promise<FilePlaces> {
  const { currency, title } = await db.one<{ currency: string; title: string }>(sql`
    select currency, title_on_license as title from licenses where id = ${licenseId}`);
  const named = await db.query<{ id: number; name: string }>(sql`
    select id, name from license_venues where license_id = ${licenseId} order by sort, id`);
  const found = await db.query<{ text: string; id: number }>(sql`
    select distinct t as text, v.id from unnest(${[...texts.venues]}::text[]) t
    join license_venues v on v.license_id = ${licenseId} left join venues n on n.id = v.venue_id
    where name_key(t) in (name_key(v.name), name_key(n.name), name_key(n.number))
      or exists (select 1 from venue_aliases a where a.venue_id = n.id and name_key(a.alias) = name_key(t))
      or (name_key(t) = name_key(n.locality) and not exists (select 1 from license_venues w
        join venues m on m.id = w.venue_id where w.license_id = v.license_id and w.id <> v.id
          and name_key(m.locality) = name_key(n.locality)))`);
  const titles = await db.query<{ text: string }>(sql`
    select t as text from unnest(${[...texts.shows]}::text[]) t, licenses l join shows s on s.id = l.show_id
    where l.id = ${licenseId} and (name_key(t) in (name_key(s.title), name_key(s.show_code),
      name_key(l.title_on_license), name_key(l.number), name_key(coalesce(l.license_number, '')))
      or exists (select 1 from show_aliases a where a.show_id = s.id and name_key(a.alias) = name_key(t)))`);
  return {
    currency, title, own_titles: new Set(titles.map((row) => row.text)),
    venue_names: new Map(named.map((row) => [row.id, row.name])),
    venues: new Map([...Map.groupBy(found, (row) => row.text)].map(([text, rows]) => [text, rows.map((r) => r.id)])),
    performances: await db.query<FilePerformance>(sql`
      select id, license_venue_id, local_date, to_char(local_time, 'HH24:MI') as time from performances
      where license_id = ${licenseId} and status in ('planned', 'performed') order by starts_at, id`),
    reports: await db.query<FileReport>(sql`
      select id, license_venue_id, performance_id, scope, period_from, period_to, status, held, gross_minor,
        paid_admissions, version from box_office_reports
      where license_id = ${licenseId} and status <> 'replaced' order by period_to - period_from, part, id`),
  };
}
