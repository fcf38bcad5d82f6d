/** Calls about the work list. */
import { invalidField, refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { divisionDay } from '#server/division-day.ts';
import { compact, listPage } from '#server/list.ts';
import { serve } from '#server/routes.ts';
import { mentions, type Sql, sql } from '#server/sql.ts';
import { taskEndpoints, type TaskRow } from './task.contract.ts';

/** Late by the day of the division whose work it is; the few that are of none go by the day of the US. */
const columnsOn = (now: Date): Sql => sql`t.id, t.kind, t.title, t.entity, t.entity_id, t.license_id,
  coalesce(l.license_number, l.number) as license_number,
  t.customer_id, c.name as customer_name, t.division, t.assignee_id,
  u.first_name || ' ' || u.last_name as assignee_name, t.due_on,
  coalesce(t.status = 'open' and t.due_on < ${divisionDay(now, sql`coalesce(t.division, 'US')`)}, false) as overdue,
  t.priority, t.status, t.note, t.version, t.created_at, t.updated_at`;
const joins = sql`left join licenses l on l.id = t.license_id left join customers c on c.id = t.customer_id
  left join users u on u.id = t.assignee_id`;


async function find(ctx: WorkContext, id: number): Promise<TaskRow> {
  const row = await ctx.db.maybeOne<TaskRow>(sql`
    select ${columnsOn(ctx.now())} from tasks t ${joins} where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

export const taskRoutes = serve(taskEndpoints, {
  async list(ctx, { query }) {
    return listPage<TaskRow>(ctx.db, {
      base: sql`tasks t`, columns: columnsOn(ctx.now()), joins, defaultSort: 'due_on',
      sorts: { due_on: sql`t.due_on`, created_at: sql`t.created_at`, priority: sql`t.priority` },
      conditions: compact([
        query.status !== undefined && sql`t.status = ${query.status}`,
        query.assignee_id !== undefined && sql`t.assignee_id = ${query.assignee_id}`,
        query.division !== undefined && sql`t.division = ${query.division}`,
        query.kind !== undefined && sql`t.kind = ${query.kind}`,
        query.license_id !== undefined && sql`t.license_id = ${query.license_id}`,
        query.due_before !== undefined && sql`t.due_on < ${query.due_before}`,
        query.search !== undefined && mentions(sql`t.title`, query.search),
      ]),
    }, query, '/api/admin/staff/tasks');
  },
  async update(ctx, { params, body }) {
    const before = await find(ctx, params.id);
    if (before.version !== body.version) throw stale(before);
    if (body.assignee_id !== undefined && body.assignee_id !== null) {
      const staff = await ctx.db.maybeOne(sql`select 1 from users where id = ${body.assignee_id}
        and role in ('staff_admin', 'staff_user', 'system_admin') and disabled_at is null`);
      if (!staff) throw invalidField('assignee_id', 'Choose a member of staff');
    }
    const status = body.status ?? before.status;
    const done = status === 'open' ? null : before.status === status ? undefined : ctx.now().toISOString();
    await ctx.db.exec(sql`
      update tasks set status = ${status}, note = ${body.note ?? before.note},
        assignee_id = ${body.assignee_id === undefined ? before.assignee_id : body.assignee_id},
        due_on = ${body.due_on === undefined ? before.due_on : body.due_on},
        done_at = case when ${done === undefined} then done_at else ${done ?? null}::timestamptz end,
        done_by_id = case when ${done === undefined} then done_by_id else ${done === null
          ? null : ctx.user.user_id} end,
        version = version + 1 where id = ${params.id}`);
    await ctx.audit({ action: 'update', entity: 'task', entity_id: params.id, before, after: body });
    return { data: await find(ctx, params.id) };
  },
});
