/** Holiday endpoints with their handlers. */
import type { ResponseIn } from '#kit/endpoint.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { holidayEndpoints } from './holiday.contract.ts';

type Row = ResponseIn<typeof holidayEndpoints.create>['data'];

export const holidayRoutes: Route[] = serve(holidayEndpoints, {
  list: async (ctx, { query }) => ({ data: await ctx.db.query<Row>(sql`
    select id, division, on_date as on, name from holidays where division = ${query.division}
      and (${query.year ?? null}::int is null or extract(year from on_date) = ${query.year ?? null}) order by
        on_date`) }),
  async create(ctx, { body }) {
    const row = await ctx.db.maybeOne<Row>(sql`
      insert into holidays (division, on_date, name) values (${body.division}, ${body.on}, ${body.name})
      on conflict (division, on_date) do nothing returning id, division, on_date as on, name`);
    if (!row) throw invalidField('on', 'This day is a holiday already');
    await ctx.audit({ action: 'create', entity: 'holiday', entity_id: row.id, after: row });
    return { data: row };
  },
  async remove(ctx, { params }) {
    const before = await ctx.db.maybeOne<Row>(sql`
      delete from holidays where id = ${params.id} returning id, division, on_date as on, name`);
    if (!before) throw refuse('not_found');
    await ctx.audit({ action: 'remove', entity: 'holiday', entity_id: params.id, before });
  },
});
