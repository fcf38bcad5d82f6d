/** A person's views of lists; shared ones are read by all staff, changed by who made them. */
import { STAFF_ROLES } from '#kit/auth.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql, type Sql } from '#server/sql.ts';
import { savedViewEndpoints } from './saved-view.contract.ts';

type View = ResponseOf<typeof savedViewEndpoints.create>['data'];

/** More would be a list of lists that nobody reads; also what one person can store. */
const MOST_VIEWS = 200;

function rows(ctx: Ctx, condition: Sql): Promise<View[]> {
  return ctx.db.query<View>(sql`
    select v.id, v.page_key, v.name, v.search, v.columns, v.shared,
      v.is_default and v.user_id = ${ctx.user.user_id} as is_default, v.user_id = ${ctx.user.user_id} as mine,
      u.first_name || ' ' || u.last_name as owner_name, v.version, v.created_at, v.updated_at
    from saved_views v join users u on u.id = v.user_id
    where ${condition} order by v.user_id <> ${ctx.user.user_id}, lower(v.name), v.id limit ${MOST_VIEWS * 2}`);
}

async function own(ctx: Ctx, id: number): Promise<View> {
  const [row] = await rows(ctx, sql`v.id = ${id} and v.user_id = ${ctx.user.user_id}`);
  if (!row) throw refuse('not_found');
  return row;
}

async function refuseSecondName(ctx: Ctx, page: string, name: string, except: number | null): Promise<void> {
  const taken = await ctx.db.maybeOne(sql`select 1 from saved_views where user_id = ${ctx.user.user_id}
    and page_key = ${page} and lower(name) = lower(${name}) and id is distinct from ${except}`);
  if (taken) throw invalidField('name', 'You have a view of this name already');
}

/** One view of a list opens by itself: the former one no longer does. */
async function forgetDefault(ctx: Ctx, page: string): Promise<void> {
  await ctx.db.exec(sql`update saved_views set is_default = false, version = version + 1
    where user_id = ${ctx.user.user_id} and page_key = ${page} and is_default`);
}

const isStaff = (ctx: Ctx): boolean => STAFF_ROLES.some((role) => role === ctx.user.role);

function refuseSharing(ctx: Ctx, shared: boolean | undefined): void {
  if (shared && !isStaff(ctx)) throw invalidField('shared', 'Only staff share views');
}

export const savedViewRoutes: Route[] = serve(savedViewEndpoints, {
  async list(ctx, { query }) {
    const readable = isStaff(ctx)
      ? sql`(v.user_id = ${ctx.user.user_id} or v.shared)` : sql`v.user_id = ${ctx.user.user_id}`;
    const page = query.page_key === undefined ? sql`true` : sql`v.page_key = ${query.page_key}`;
    return { data: await rows(ctx, sql`${readable} and ${page}`) };
  },
  async create(ctx, { body }) {
    refuseSharing(ctx, body.shared);
    // Two tabs that save at once are put in a row by the person's own record.
    await ctx.db.exec(sql`select 1 from users where id = ${ctx.user.user_id} for no key update`);
    const { n } = await ctx.db.one<{ n: number }>(sql`
      select count(*)::int as n from saved_views where user_id = ${ctx.user.user_id}`);
    if (n >= MOST_VIEWS) throw invalidField('name', `At most ${MOST_VIEWS} views: remove one first`);
    await refuseSecondName(ctx, body.page_key, body.name, null);
    if (body.is_default) await forgetDefault(ctx, body.page_key);
    const { id } = await ctx.db.one<{ id: number }>(sql`
      insert into saved_views (user_id, page_key, name, search, columns, shared, is_default)
      values (${ctx.user.user_id}, ${body.page_key}, ${body.name}, ${JSON.stringify(body.search)},
        ${JSON.stringify(body.columns)}, ${body.shared}, ${body.is_default}) returning id`);
    const row = await own(ctx, id);
    await ctx.audit({ action: 'create', entity: 'saved_view', entity_id: id, after: row });
    return { data: row };
  },
  async update(ctx, { params, body }) {
    refuseSharing(ctx, body.shared);
    await ctx.db.exec(sql`select 1 from users where id = ${ctx.user.user_id} for no key update`);
    const before = await own(ctx, params.id);
    if (before.version !== body.version) throw stale(before);
    const next = { ...before, ...body };
    if (body.name !== undefined) await refuseSecondName(ctx, before.page_key, body.name, params.id);
    if (body.is_default && !before.is_default) await forgetDefault(ctx, before.page_key);
    await ctx.db.exec(sql`
      update saved_views set name = ${next.name}, search = ${JSON.stringify(next.search)},
        columns = ${JSON.stringify(next.columns)}, shared = ${next.shared}, is_default = ${next.is_default},
        version = version + 1 where id = ${params.id}`);
    const after = await own(ctx, params.id);
    await ctx.audit({ action: 'update', entity: 'saved_view', entity_id: params.id, before, after });
    return { data: after };
  },
  async remove(ctx, { params }) {
    const before = await own(ctx, params.id);
    await ctx.db.exec(sql`delete from saved_views where id = ${params.id}`);
    await ctx.audit({ action: 'delete', entity: 'saved_view', entity_id: params.id, before });
  },
});
