/** The approvals inbox and the names of those who may approve. */
import { compact, listPage, pageOf } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { mentions, sql } from '#server/sql.ts';
import { APPROVAL_CALLS } from './approval-kinds.contract.ts';
import { approvalEndpoints, type ApprovalRow } from './approval.contract.ts';
import { waitingFor } from './waiting-approvals.server.ts';

/** Names that are handed out; the answer says how many more there are. */
const NAMES = 5;

export const approvalRoutes: Route[] = serve(approvalEndpoints, {
  async list(ctx, { query }) {
    const path = approvalEndpoints.list.path;
    const waiting = waitingFor(ctx.user, query.kind === undefined ? undefined : [query.kind]);
    if (waiting === null) return pageOf<ApprovalRow>([], 0, query, path);
    return listPage<ApprovalRow>(ctx.db, {
      base: sql`${waiting} t`,
      columns: sql`t.id, t.kind, t.entity_id, t.title, t.detail, t.division, t.currency, t.amount_minor,
        t.asked_by_id, u.first_name || ' ' || u.last_name as asked_by_name, t.asked_at, t.href, t.blocked, t.params,
        t.approve_body, t.decline_body`,
      joins: sql`left join users u on u.id = t.asked_by_id`,
      conditions: compact([
        query.division !== undefined && sql`(t.division is null or t.division = ${query.division})`,
        Boolean(query.search) && sql`(${mentions(sql`t.title`, query.search ?? '')}
          or ${mentions(sql`t.detail`, query.search ?? '')} or exists (select 1 from users p
            where p.id = t.asked_by_id and ${mentions(sql`p.first_name || ' ' || p.last_name`, query.search ?? '')}))`,
      ]),
      sorts: { asked_at: sql`t.asked_at`, amount_minor: sql`t.amount_minor`, kind: sql`t.kind` },
      defaultSort: 'asked_at',
    }, query, path);
  },
  async approvers(ctx, { query }) {
    const { auth } = APPROVAL_CALLS[query.kind].approve;
    const needed = 'permission' in auth && auth.permission !== null ? [auth.permission].flat() : [];
    const people = await ctx.db.query<{ name: string }>(sql`
      select u.first_name || ' ' || u.last_name as name from users u
      where u.disabled_at is null and u.email_verified_at is not null
        and u.id is distinct from ${query.asked_by_id ?? null}
        and (u.role in ('staff_admin', 'system_admin') or (u.role = 'staff_user' and exists (
          select 1 from staff_group_users m join staff_groups g on g.id = m.staff_group_id
          where m.user_id = u.id and g.permission_values && ${[...needed, 'super']}::text[])))
      order by u.role = 'system_admin', u.first_name collate "und-x-icu", u.id`);
    return { data: { names: people.slice(0, NAMES).map((one) => one.name),
      more: Math.max(0, people.length - NAMES) } };
  },
});
