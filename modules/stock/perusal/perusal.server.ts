/** Perusals of staff: the list, one of them, a request on behalf of a customer, and what is done with it. */
import type { QueryOf } from '#kit/endpoint.ts';
import { activityOf } from '#server/activity.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql } from '#server/sql.ts';
import { askPerusal, optionsOf } from './ask-perusal.server.ts';
import { movePerusal } from './move-perusal.server.ts';
import { PERUSAL_COLUMNS, PERUSAL_JOINS, perusalDetail } from './perusal-rows.server.ts';
import { perusalEndpoints, type PerusalRow } from './perusal.contract.ts';

function list(ctx: Ctx, query: QueryOf<typeof perusalEndpoints.list>) {
  const found = query.search;
  return listPage<PerusalRow>(ctx.db, {
    base: sql`perusals t`, joins: PERUSAL_JOINS, columns: PERUSAL_COLUMNS,
    conditions: compact([
      query.status !== undefined && sql`t.status = ${query.status}`,
      query.format !== undefined && sql`t.format = ${query.format}`,
      query.division !== undefined && sql`t.division = ${query.division}`,
      query.customer_id !== undefined && sql`t.customer_id = ${query.customer_id}`,
      query.show_id !== undefined && sql`t.show_id = ${query.show_id}`,
      found !== undefined && sql`(${matches(sql`t.search_text`, found)}
        or exists (select 1 from customers x where x.id = t.customer_id and ${matches(sql`x.search_text`, found)})
        or exists (select 1 from shows x where x.id = t.show_id and ${matches(sql`x.search_text`, found)}))`]),
    sorts: { updated_at: sql`t.updated_at`, number: sql`t.id`, expires_at: sql`t.expires_at`,
      due_back_on: sql`t.due_back_on` },
    defaultSort: 'updated_at', defaultDirection: 'desc',
  }, query, perusalEndpoints.list.path);
}

export const perusalRoutes: Route[] = serve(perusalEndpoints, {
  list: (ctx, { query }) => list(ctx, query),
  options: async (ctx, { query }) => ({ data: await optionsOf(ctx.db, query.customer_id, query.show_id) }),
  show: async (ctx, { params }) => ({ data: await perusalDetail(ctx.db, params.id) }),
  async create(ctx, { body }) {
    const id = await askPerusal(ctx, body, { user_id: ctx.user.user_id, staff: true });
    return { data: await perusalDetail(ctx.db, id) };
  },
  async status(ctx, { params, body }) {
    await movePerusal(ctx, params.id, body);
    return { data: await perusalDetail(ctx.db, params.id) };
  },
  async activity(ctx, { params, query }) {
    await perusalDetail(ctx.db, params.id);
    return activityOf(ctx.db, { entity: 'perusal', entity_id: params.id }, query,
      `${perusalEndpoints.list.path}/${params.id}/activity`);
  },
});
