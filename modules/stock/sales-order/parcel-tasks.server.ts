/** Orders whose day to leave is near or past and that have not left: work for the home of staff. */
import { addDays } from '#kernel/calendar/calendar.ts';
import { sql, type Sql } from '#server/sql.ts';
import { todoColumns } from '#server/todo-columns.ts';

/** Days ahead in which a parcel is picked and packed. */
const AHEAD = 7;

export function parcelTasks({ division, today, user_id: user }: {
  division: string; today: string; user_id: number;
}): Sql[] {
  return [sql`select ${todoColumns({ kind: 'parcel', id: sql`o.id`, title: sql`'Ship ' || o.number || ': '
      || l.title_on_license`, detail: sql`c.name`, due_on: sql`o.ship_on`,
    mine: sql`coalesce(l.license_rep_id = ${user}, false)`, entity: sql`'sales_order'`, entity_id: sql`o.id`,
    href: sql`'/admin/sales-and-royalties/sales-orders/' || o.id` })}
    from sales_orders o join licenses l on l.id = o.license_id join customers c on c.id = o.customer_id
    where l.division = ${division} and o.status in ('draft', 'released', 'picking', 'packed')
      and o.ship_on <= ${addDays(today, AHEAD)}`];
}
