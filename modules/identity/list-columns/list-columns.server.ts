/** A person's columns of lists: one row for each list, the last choice counts. */
import type { ResponseOf } from '#kit/endpoint.ts';
import { invalidField } from '#kit/errors.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { listColumnsEndpoints } from './list-columns.contract.ts';

type Columns = ResponseOf<typeof listColumnsEndpoints.keep>['data'];

/** More than the product has lists; also what one person can store. */
const MOST_LISTS = 300;

export const listColumnsRoutes: Route[] = serve(listColumnsEndpoints, {
  async list(ctx) {
    return { data: await ctx.db.query<Columns>(sql`
      select list, shown, columns as "order", pinned, widths from list_columns where user_id = ${ctx.user.user_id}
      order by list limit ${MOST_LISTS}`) };
  },
  async keep(ctx, { body }) {
    const { n } = await ctx.db.one<{ n: number }>(sql`select count(*)::int as n from list_columns
      where user_id = ${ctx.user.user_id} and list <> ${body.list}`);
    if (n >= MOST_LISTS) throw invalidField('list', `Columns of at most ${MOST_LISTS} lists are kept`);
    await ctx.db.exec(sql`
      insert into list_columns (user_id, list, shown, columns, pinned, widths)
      values (${ctx.user.user_id}, ${body.list}, ${JSON.stringify(body.shown)}, ${[...body.order]}, ${body.pinned},
        ${JSON.stringify(body.widths)})
      on conflict (user_id, list) do update set shown = excluded.shown, columns = excluded.columns,
        pinned = excluded.pinned, widths = excluded.widths`);
    await ctx.audit({ action: 'update', entity: 'list_columns', entity_id: ctx.user.user_id, after: body });
    return { data: body };
  },
});
