/** Calls about memos: append-only notes on licences and applications. */
import { refuse } from '#kit/errors.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import type { Ctx } from '#server/context.ts';
import { listPage } from '#server/list.ts';
import { serve } from '#server/routes.ts';
import { containing, sql } from '#server/sql.ts';
import { given } from '#server/list.ts';
import { findLicense } from '../licenses/license-record.server.ts';
import { memoEndpoints, type MemoRow } from './memo.contract.ts';

type Entity = 'license' | 'license_application';

const columns = sql`t.id, t.body, t.internal, t.author_id, u.first_name || ' ' || u.last_name as author_name,
  t.created_at`;

async function check(ctx: Ctx, entity: Entity, id: number): Promise<void> {
  if (entity === 'license') {
    await findLicense(ctx.db, id);
    return;
  }
  const known = await ctx.db.maybeOne(sql`select 1 from license_applications where id = ${id}`);
  if (!known) throw refuse('not_found');
}

async function list(ctx: Ctx, entity: Entity, id: number, query: ListArgs) {
  await check(ctx, entity, id);
  return listPage<MemoRow>(ctx.db, {
    base: sql`memos t`, columns, joins: sql`join users u on u.id = t.author_id`,
    conditions: given([sql`t.entity = ${entity} and t.entity_id = ${id}`, query.search !== undefined
      && sql`search_fold(t.body) like search_fold(${containing(query.search)})`]),
    sorts: { created_at: sql`t.created_at` }, defaultSort: 'created_at', defaultDirection: 'desc',
  }, query, `/api/admin/staff/${entity}s/${id}/memos`);
}

async function add(ctx: Ctx, entity: Entity, id: number, memo: { body: string; internal: boolean }) {
  await check(ctx, entity, id);
  const row = await ctx.db.one<{ id: number }>(sql`
    insert into memos (entity, entity_id, body, internal, author_id)
    values (${entity}, ${id}, ${memo.body}, ${memo.internal}, ${ctx.user.user_id}) returning id`);
  await ctx.audit({ action: 'memo', entity, entity_id: id, after: { memo_id: row.id, internal: memo.internal } });
  return { data: await ctx.db.one<MemoRow>(sql`
    select ${columns} from memos t join users u on u.id = t.author_id where t.id = ${row.id}`) };
}

export const memoRoutes = serve(memoEndpoints, {
  ofLicense: (ctx, { params, query }) => list(ctx, 'license', params.id, query),
  addToLicense: (ctx, { params, body }) => add(ctx, 'license', params.id, body),
  ofApplication: (ctx, { params, query }) => list(ctx, 'license_application', params.id, query),
  addToApplication: (ctx, { params, body }) => add(ctx, 'license_application', params.id, body),
});
