/** The close checklist over HTTP. */
import { refuse } from '#kit/errors.ts';
import { serve, type Route } from '#server/routes.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { closeChecklistEndpoints, type CloseChecklist } from './close-checklist.contract.ts';
import type { Month } from './close-doers.server.ts';
import { closeItems } from './close-items.server.ts';

/** Titles of the checks of a month that are to be done. */
export async function openChecks(db: Queryable, month: Month): Promise<string[]> {
  const items = await closeItems(db, month, month.ends);
  return items.filter((item) => item.state === 'open').map((item) => item.title);
}

type Period = Omit<CloseChecklist, 'division' | 'items' | 'open' | 'periods'>;

export const closeChecklistRoutes: Route[] = serve(closeChecklistEndpoints, {
  async read(ctx, { query: { division, period } }) {
    const today = await ctx.today(division);
    const periods = await ctx.db.query<Period>(sql`
      select p.period, p.starts, p.ends, p.state, p.closed_at, c.first_name || ' ' || c.last_name as closed_by_name,
        f.first_name || ' ' || f.last_name as confirmed_by_name,
        q.first_name || ' ' || q.last_name as requested_by_name
      from periods p left join users c on c.id = p.closed_by left join users f on f.id = p.confirmed_by
        left join period_requests r on r.division = p.division and r.period = p.period and r.state = 'closed'
        left join users q on q.id = r.requested_by
      where p.division = ${division} and p.starts <= ${today} order by p.period desc limit 60`);
    const closed = periods.findIndex((one) => one.state === 'closed');
    const next = periods.slice(0, closed === -1 ? undefined : closed).filter((one) => one.ends < today);
    const chosen = period !== undefined ? periods.find((one) => one.period === period)
      : (closed === -1 ? next[0] : next.at(-1)) ?? periods[0];
    if (!chosen) throw refuse('not_found', 'The division has no such month.');
    const items = await closeItems(ctx.db, { ...chosen, division }, ctx.now().toISOString());
    return { data: { division, ...chosen, items, open: items.filter((item) => item.state === 'open').length,
      periods: periods.map((one) => one.period) } };
  },
});
