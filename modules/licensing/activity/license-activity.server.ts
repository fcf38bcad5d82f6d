/** What goes on with licences. */
import { given, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { containing, sql } from '#server/sql.ts';
import { licenseActivityEndpoints, type LicenseActivityRow } from './license-activity.contract.ts';

export const licenseActivityRoutes: Route[] = serve(licenseActivityEndpoints, {
  list: (ctx, { query }) => listPage<LicenseActivityRow>(ctx.db, {
    base: sql`licenses t`,
    joins: sql`join customers c on c.id = t.customer_id
      left join lateral (select e.event, e.created_at from license_events e where e.license_id = t.id
        order by e.created_at desc, e.id desc limit 1) e on true
      left join lateral (select count(*) filter (where p.status <> 'cancelled')::int as planned,
          count(*) filter (where p.status = 'performed')::int as performed
        from performances p join license_venues v on v.id = p.license_venue_id where v.license_id = t.id) p on true
      left join lateral (select count(*)::int as reports, coalesce(sum(b.gross_minor), 0)::bigint as gross,
          coalesce(sum(b.due_minor), 0)::bigint as due
        from box_office_reports b where b.license_id = t.id and b.status = 'accepted') b on true`,
    columns: sql`t.id, coalesce(t.license_number, t.number) as license_number, t.title_on_license as title,
      t.customer_id, c.name as customer_name, t.division, t.currency, t.phase, e.event as last_event,
      e.created_at as last_event_at, coalesce(p.planned, 0) as performances, coalesce(p.performed, 0) as performed,
      coalesce(b.reports, 0) as reports, coalesce(b.gross, 0) as gross_minor, coalesce(b.due, 0) as royalty_minor,
      t.updated_at`,
    conditions: given([sql`t.deleted_at is null and t.license_number is not null`,
      query.division !== undefined && sql`t.division = ${query.division}`,
      query.phase !== undefined && sql`t.phase = ${query.phase}`,
      query.search !== undefined && sql`(lower(t.title_on_license) like lower(${containing(query.search)})
        or lower(t.license_number) like lower(${containing(query.search)})
        or exists (select 1 from customers x where x.id = t.customer_id
          and x.search_text like search_fold(${containing(query.search)})))`]),
    sorts: { updated_at: sql`t.updated_at` }, defaultSort: 'updated_at', defaultDirection: 'desc',
  }, query, licenseActivityEndpoints.list.path),
});
