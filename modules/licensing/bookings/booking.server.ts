/** Performances of licensed productions by day, read along the calendar index. */
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql } from '#server/sql.ts';
import { BOOKED_PHASES, bookingEndpoints, type BookingRow } from './booking.contract.ts';

const booked = sql`l.phase = any (${[...BOOKED_PHASES]}) and l.deleted_at is null`;

export const bookingRoutes: Route[] = serve(bookingEndpoints, {
  list: ({ db }, { query }) => {
    return listPage<BookingRow>(db, {
      base: sql`performances t`,
      columns: sql`t.id, t.license_id, coalesce(l.license_number, l.number) as license_number, l.phase, l.division,
        l.title_on_license as title, l.customer_id, c.name as customer_name, v.name as venue_name, v.time_zone,
        t.local_date::text, to_char(t.local_time, 'HH24:MI') as local_time, t.ordinal, t.type, t.status`,
      joins: sql`join licenses l on l.id = t.license_id join customers c on c.id = l.customer_id
        join license_venues v on v.id = t.license_venue_id`,
      conditions: compact([
        query.from !== undefined && sql`t.local_date >= ${query.from}`,
        query.to !== undefined && sql`t.local_date <= ${query.to}`,
        query.status !== undefined && sql`t.status = ${query.status}`,
        sql`exists (select 1 from licenses l where l.id = t.license_id and ${booked}
          and (${query.division ?? null}::text is null or l.division = ${query.division ?? null})
          and (${query.phase ?? null}::text is null or l.phase = ${query.phase ?? null})
          and (${query.customer_id ?? null}::bigint is null or l.customer_id = ${query.customer_id ?? null}))`,
        Boolean(query.search) && sql`exists (select 1 from licenses l
          where l.id = t.license_id and ${matches(sql`l.search_text`, query.search ?? '')})`,
      ]),
      sorts: { local_date: sql`t.local_date` },
      defaultSort: 'local_date',
    }, query, bookingEndpoints.list.path);
  },
});
