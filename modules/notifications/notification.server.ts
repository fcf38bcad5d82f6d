/** Notifications of the signed-in person, in the office and in the portal of one customer. */
import { refuse } from '#kit/errors.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import { LATEST_SIZE } from '#kit/endpoint.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage, type Page } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { mentions, type Sql, sql } from '#server/sql.ts';
import {
  notificationEndpoints, portalNotificationEndpoints, type NotificationCounts, type NotificationRow,
} from './notification.contract.ts';
import { liveRoutes } from './live-events.server.ts';
import { notificationSettingsRoutes } from './notification-settings.server.ts';

const columns = sql`t.id, t.kind, t.title, t.body, t.href, t.read, t.read_at, t.created_at`;

/** The office's list is what belongs to no customer; a portal's is what belongs to that one. Always one's own. */
function mine(ctx: Ctx, customerId: number | null): Sql {
  return sql`t.user_id = ${ctx.user.user_id} and t.customer_id is not distinct from ${customerId}::bigint and t.in_app`;
}

type Query = ListArgs & { read?: 'true' | 'false' | undefined; kind?: string | undefined };

function list(ctx: Ctx, customerId: number | null, query: Query, path: string): Promise<Page<NotificationRow>> {
  return listPage<NotificationRow>(ctx.db, {
    base: sql`notifications t`, columns, sorts: { created_at: sql`t.created_at` }, defaultSort: 'created_at',
    defaultDirection: 'desc',
    conditions: compact([
      mine(ctx, customerId),
      query.read === 'true' && sql`t.read_at is not null`,
      query.read === 'false' && sql`t.read_at is null`,
      query.kind !== undefined && sql`t.kind = ${query.kind}`,
      query.search !== undefined
        && mentions(sql`t.title || ' ' || t.body`, query.search),
    ]),
  }, query, path);
}

async function recent(ctx: Ctx, customerId: number | null): Promise<{ data: NotificationRow[] }> {
  return { data: await ctx.db.query<NotificationRow>(sql`
    select ${columns} from notifications t where ${mine(ctx, customerId)}
    order by t.created_at desc, t.id desc limit ${LATEST_SIZE}`) };
}

async function meta(ctx: Ctx, customerId: number | null): Promise<{ data: NotificationCounts }> {
  return { data: await ctx.db.one<NotificationCounts>(sql`
    select count(*) as total, count(*) filter (where t.read_at is null) as unread, max(t.id) as newest_id
    from notifications t
    where ${mine(ctx, customerId)}`) };
}

/** Marks one, and those beside it that are the person's own; others are left as they are. */
async function mark(
  ctx: Ctx, customerId: number | null, id: number, more: readonly number[], read: boolean,
): Promise<{ data: NotificationRow }> {
  const at = read ? ctx.now().toISOString() : null;
  await ctx.db.exec(sql`
    update notifications t set read_at = case when ${read} then coalesce(t.read_at, ${at}::timestamptz) end
    where t.id = any (${[id, ...more]}::bigint[]) and ${mine(ctx, customerId)} and (t.read_at is null) = ${read}`);
  const row = await ctx.db.maybeOne<NotificationRow>(sql`
    select ${columns} from notifications t where t.id = ${id} and ${mine(ctx, customerId)}`);
  if (!row) throw refuse('not_found');
  await ctx.audit({ action: read ? 'mark_read' : 'mark_unread', entity: 'notification', entity_id: id,
    ...(more.length > 0 ? { after: { ids: [id, ...more] } } : {}) });
  return { data: row };
}

async function markAll(ctx: Ctx, customerId: number | null, upToId: number): Promise<{ data: { marked: number } }> {
  const marked = await ctx.db.exec(sql`
    update notifications t set read_at = ${ctx.now().toISOString()}
    where ${mine(ctx, customerId)} and t.read_at is null and t.id <= ${upToId}`);
  await ctx.audit({ action: 'mark_all_read', entity: 'notification', entity_id: upToId, after: { marked } });
  return { data: { marked } };
}

const officeRoutes = serve(notificationEndpoints, {
  list: (ctx, { query }) => list(ctx, null, query, notificationEndpoints.list.path),
  meta: (ctx) => meta(ctx, null),
  recent: (ctx) => recent(ctx, null),
  markRead: (ctx, { params, body }) => mark(ctx, null, params.id, body.ids ?? [], true),
  markUnread: (ctx, { params, body }) => mark(ctx, null, params.id, body.ids ?? [], false),
  markAllRead: (ctx, { body }) => markAll(ctx, null, body.up_to_id),
});

const portalRoutes = serve(portalNotificationEndpoints, {
  list: (ctx, { params, query }) => list(ctx, params.id, query, `/api/customers/${params.id}/notifications`),
  meta: (ctx, { params }) => meta(ctx, params.id),
  recent: (ctx, { params }) => recent(ctx, params.id),
  markRead: (ctx, { params, body }) => mark(ctx, params.id, params.notificationId, body.ids ?? [], true),
  markUnread: (ctx, { params, body }) => mark(ctx, params.id, params.notificationId, body.ids ?? [], false),
  markAllRead: (ctx, { params, body }) => markAll(ctx, params.id, body.up_to_id),
});

export const notificationRoutes: Route[] = [
  ...officeRoutes, ...portalRoutes, ...notificationSettingsRoutes, ...liveRoutes,
];
