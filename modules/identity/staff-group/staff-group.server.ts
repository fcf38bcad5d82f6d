/** Groups and the people in them. A change holds on each person's next request, for every request reads the groups. */
import type { BodyOf } from '#kit/endpoint.ts';
import { STAFF_ROLES } from '#kit/auth.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { activityOf } from '#server/activity.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { mentions, sql } from '#server/sql.ts';
import { refuseValues } from '../staff/grants.server.ts';
import { staffList } from '../staff/staff-row.server.ts';
import { holderList, holdersOf, knownPermissions } from './holders.server.ts';
import { groupEndpoints, type GroupRow } from './staff-group.contract.ts';

const USERS = sql`(select count(*)::int from staff_group_users gu where gu.staff_group_id = t.id)`;
const COLUMNS = sql`t.id, t.name, t.permission_values, ${USERS} as users_count, t.version, t.created_at, t.updated_at`;

async function find(ctx: Ctx, id: number, lock = false): Promise<GroupRow> {
  if (lock) await ctx.db.maybeOne(sql`select 1 from staff_groups where id = ${id} for update`);
  const row = await ctx.db.maybeOne<GroupRow>(sql`select ${COLUMNS} from staff_groups t where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

const plain = ({ name, permission_values }: GroupRow) => ({ name, permission_values });

async function refuseSameName(ctx: Ctx, name: string, id: number | null): Promise<void> {
  const other = await ctx.db.maybeOne(sql`
    select 1 from staff_groups where lower(name) = lower(${name}) and id is distinct from ${id}`);
  if (other) throw invalidField('name', 'There is a group of this name already');
}

async function create(ctx: Ctx, body: BodyOf<typeof groupEndpoints.create>): Promise<GroupRow> {
  const values = [...new Set(body.permission_values)].sort();
  refuseValues(ctx.user, values, 'permission_values');
  await refuseSameName(ctx, body.name, null);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into staff_groups (name, permission_values) values (${body.name}, ${values}) returning id`);
  const row = await find(ctx, id);
  await ctx.audit({ action: 'create', entity: 'staff_group', entity_id: id, after: plain(row) });
  return row;
}

async function update(ctx: Ctx, id: number, body: BodyOf<typeof groupEndpoints.update>): Promise<GroupRow> {
  const before = await find(ctx, id, true);
  if (before.version !== body.version) throw stale(before);
  const values = body.permission_values === undefined ? before.permission_values
    : [...new Set(body.permission_values)].sort();
  refuseValues(ctx.user, values.filter((value) => !before.permission_values.includes(value)), 'permission_values');
  const name = body.name ?? before.name;
  await refuseSameName(ctx, name, id);
  await ctx.db.exec(sql`
    update staff_groups set name = ${name}, permission_values = ${values}, version = version + 1 where id = ${id}`);
  const after = await find(ctx, id);
  await ctx.audit({ action: 'update', entity: 'staff_group', entity_id: id, before: plain(before),
    after: plain(after) });
  return after;
}

async function remove(ctx: Ctx, id: number): Promise<void> {
  const before = await find(ctx, id, true);
  if (before.users_count > 0) {
    const people = before.users_count === 1 ? 'One person is' : `${before.users_count} people are`;
    throw conflict('staff_group.in_use', `${people} in this group. Take them out first.`);
  }
  await ctx.db.exec(sql`delete from staff_groups where id = ${id}`);
  await ctx.audit({ action: 'remove', entity: 'staff_group', entity_id: id, before: plain(before) });
}

/** The group's and the person's own history both tell it. */
async function tell(ctx: Ctx, group: GroupRow, user: { id: number; name: string }, joined: boolean): Promise<void> {
  const [person, name] = [{ person: user.name }, { group: group.name }];
  await ctx.audit({ action: joined ? 'add_person' : 'remove_person', entity: 'staff_group', entity_id: group.id,
    before: joined ? { person: null } : person, after: joined ? person : { person: null } });
  await ctx.audit({ action: joined ? 'join_group' : 'leave_group', entity: 'user', entity_id: user.id,
    before: joined ? { group: null } : name, after: joined ? name : { group: null } });
}

async function addUser(ctx: Ctx, id: number, userId: number): Promise<GroupRow> {
  const group = await find(ctx, id, true);
  refuseValues(ctx.user, group.permission_values, 'user_id');
  const user = await ctx.db.maybeOne<{ id: number; name: string }>(sql`
    select id, first_name || ' ' || last_name as name from users
    where id = ${userId} and role = any (${[...STAFF_ROLES]}) and disabled_at is null`);
  if (!user) throw invalidField('user_id', 'Choose someone of the staff who is active');
  const added = await ctx.db.exec(sql`
    insert into staff_group_users (staff_group_id, user_id) values (${id}, ${userId}) on conflict do nothing`);
  if (added === 0) throw invalidField('user_id', `${user.name} is in this group already`);
  await tell(ctx, group, user, true);
  return find(ctx, id);
}

async function removeUser(ctx: Ctx, id: number, userId: number): Promise<void> {
  const group = await find(ctx, id, true);
  const user = await ctx.db.maybeOne<{ id: number; name: string }>(sql`
    select u.id, u.first_name || ' ' || u.last_name as name from staff_group_users gu join users u on u.id = gu.user_id
    where gu.staff_group_id = ${id} and gu.user_id = ${userId}`);
  if (!user) throw refuse('not_found');
  await ctx.db.exec(sql`delete from staff_group_users where staff_group_id = ${id} and user_id = ${userId}`);
  await tell(ctx, group, user, false);
}

export const groupRoutes: Route[] = serve(groupEndpoints, {
  list: (ctx, { query }) => listPage<GroupRow>(ctx.db, {
    base: sql`staff_groups t`, columns: COLUMNS, defaultSort: 'name',
    sorts: { name: sql`t.name collate "und-x-icu"`, users_count: USERS, updated_at: sql`t.updated_at` },
    conditions: compact([query.search !== undefined
      && mentions(sql`t.name`, query.search)]),
  }, query, groupEndpoints.list.path),
  show: async (ctx, { params }) => ({ data: await find(ctx, params.id) }),
  create: async (ctx, { body }) => ({ data: await create(ctx, body) }),
  update: async (ctx, { params, body }) => ({ data: await update(ctx, params.id, body) }),
  remove: (ctx, { params }) => remove(ctx, params.id),
  async users(ctx, { params, query }) {
    await find(ctx, params.id);
    return staffList(ctx, { ...query, group_id: params.id });
  },
  addUser: async (ctx, { params, body }) => ({ data: await addUser(ctx, params.id, body.user_id) }),
  removeUser: (ctx, { params }) => removeUser(ctx, params.id, params.userId),
  async activity(ctx, { params, query }) {
    await find(ctx, params.id);
    return activityOf(ctx.db, { entity: 'staff_group', entity_id: params.id }, query,
      `/api/admin/staff/groups/${params.id}/activity`);
  },
  permissions: async () => ({ data: knownPermissions() }),
  holders: (ctx, { query }) => holderList(ctx, query),
  holdersOf: async (ctx, { params }) => ({ data: await holdersOf(ctx, params.value) }),
});
