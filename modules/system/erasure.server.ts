/**
 * X214: erasing a person (UK, EU). One administrator asks, another carries it out; both confirm who they are. The audit
 * keeps what was done and shows "erased" for whom; its chain stays whole. What books and contracts must keep stays.
 */
import type { ListArgs } from '#kit/endpoint.ts';
import { conflict, refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage, type Page } from '#server/list.ts';
import { mentions, sql } from '#server/sql.ts';
import type { ErasureRow } from './system.contract.ts';

interface Found { id: number; name: string; email: string; role: string }

export function findPeople(ctx: Ctx, query: ListArgs): Promise<Page<Found>> {
  const name = sql`t.first_name || ' ' || t.last_name`;
  return listPage<Found>(ctx.db, {
    base: sql`users t`, columns: sql`t.id, ${name} as name, t.email, t.role`, sorts: { name: sql`t.last_name` },
    defaultSort: 'name', conditions: compact([sql`t.email not like 'erased-%@invalid'`, query.search !== undefined
      && mentions(sql`${name} || ' ' || t.email`, query.search)]),
  }, query, '/api/admin/system/people');
}

export function listErasures(ctx: Ctx): Promise<ErasureRow[]> {
  return ctx.db.query<ErasureRow>(sql`
    select x.id, x.user_id, u.first_name || ' ' || u.last_name as person, u.email, x.reason,
      r.first_name || ' ' || r.last_name as requested_by, x.requested_by_id, x.requested_at,
      d.first_name || ' ' || d.last_name as done_by, x.done_at
    from erasures x join users u on u.id = x.user_id join users r on r.id = x.requested_by_id
      left join users d on d.id = x.done_by_id
    where x.cancelled_at is null order by x.id desc limit 100`);
}

export async function erase(
  ctx: Ctx, userId: number, reason: string,
): Promise<{ status: 'requested' | 'erased'; events: number }> {
  const person = await ctx.db.maybeOne<{ id: number; role: string }>(sql`
    select id, role from users where id = ${userId} for update`);
  if (!person) throw refuse('not_found');
  if (userId === ctx.user.user_id) throw conflict('erasure.oneself', 'Nobody erases themselves.');
  const asked = await ctx.db.maybeOne<{ id: number; requested_by_id: number }>(sql`
    select id, requested_by_id from erasures where user_id = ${userId} and done_at is null and cancelled_at is null`);
  if (!asked) {
    const done = await ctx.db.maybeOne(sql`select 1 from erasures where user_id = ${userId} and done_at is not null`);
    if (done) throw conflict('erasure.done', 'This person is erased already.');
    const made = await ctx.db.one<{ id: number }>(sql`
      insert into erasures (user_id, reason, requested_by_id, requested_at)
      values (${userId}, ${reason}, ${ctx.user.user_id}, ${ctx.now().toISOString()}) returning id`);
    await ctx.audit({ action: 'ask_erasure', entity: 'user', entity_id: userId,
      after: { erasure_id: made.id, reason } });
    return { status: 'requested', events: 0 };
  }
  if (asked.requested_by_id === ctx.user.user_id) {
    throw refuse('four_eyes', 'Another system administrator has to carry out what you asked for.');
  }
  await refuseLastAdmin(ctx, userId, person.role);
  const { events } = await ctx.db.one<{ events: number }>(sql`
    select erase_person(${asked.id}::bigint, ${ctx.user.user_id}::bigint, ${ctx.now().toISOString()}::timestamptz)
      as events`);
  await ctx.audit({ action: 'erase', entity: 'user', entity_id: userId, after: { erasure_id: asked.id, events } });
  return { status: 'erased', events };
}

/** A house and each of its customers keep somebody who can look after their people. */
async function refuseLastAdmin(ctx: Ctx, userId: number, role: string): Promise<void> {
  if (role === 'system_admin') {
    const other = await ctx.db.maybeOne(sql`
      select 1 from users where role = 'system_admin' and disabled_at is null and id <> ${userId} limit 1`);
    if (!other) throw conflict('erasure.last_admin', 'The last system administrator stays.');
  }
  const alone = await ctx.db.maybeOne<{ name: string }>(sql`
    select c.name from customer_users m join customers c on c.id = m.customer_id
    where m.user_id = ${userId} and m.role = 'admin' and exists (select 1 from customer_users o
      where o.customer_id = m.customer_id and o.user_id <> ${userId}) and not exists (select 1 from customer_users o
      where o.customer_id = m.customer_id and o.user_id <> ${userId} and o.role = 'admin') limit 1`);
  if (alone) throw conflict('erasure.last_admin', `${alone.name} needs another admin first.`);
}

export async function cancelErasure(ctx: Ctx, id: number): Promise<void> {
  const row = await ctx.db.maybeOne<{ user_id: number }>(sql`
    update erasures set cancelled_at = ${ctx.now().toISOString()}
    where id = ${id} and done_at is null and cancelled_at is null returning user_id`);
  if (!row) throw refuse('not_found');
  await ctx.audit({ action: 'cancel_erasure', entity: 'user', entity_id: row.user_id, after: { erasure_id: id } });
}
