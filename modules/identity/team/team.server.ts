/** Teams and their members. */
import { STAFF_ROLES } from '#kit/auth.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import { activityOf } from '#server/activity.ts';
import type { Ctx } from '#server/context.ts';
import { crud } from '#server/crud.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { staffList } from '../staff/staff-row.server.ts';
import { team, teamEndpoints } from './team.contract.ts';

const MEMBERS = sql`(select count(*)::int from team_members m where m.team_id = t.id)`;
const teams = crud(team, {
  table: 'teams', search: sql`concat_ws(' ', t.name, t.description)`,
  sorts: { name: sql`t.name collate "und-x-icu"`, members_count: MEMBERS },
  extra: { members_count: MEMBERS,
    lead_name: sql`(select u.first_name || ' ' || u.last_name from users u where u.id = t.lead_id)` },
  unique: { teams_name: ['name', 'There is a team of this name already'] },
});

async function activeStaff(ctx: Ctx, id: number, field: string): Promise<string> {
  const person = await ctx.db.maybeOne<{ name: string }>(sql`
    select first_name || ' ' || last_name as name from users
    where id = ${id} and role = any (${[...STAFF_ROLES]}) and disabled_at is null`);
  if (!person) throw invalidField(field, 'Choose someone of the staff who is active');
  return person.name;
}

async function join(ctx: Ctx, teamId: number, userId: number): Promise<boolean> {
  return await ctx.db.exec(sql`
    insert into team_members (team_id, user_id) values (${teamId}, ${userId}) on conflict do nothing`) > 0;
}

export const teamRoutes: Route[] = serve(teamEndpoints, {
  list: teams.list, show: teams.show,
  async create(ctx, { body }) {
    if (body.lead_id !== null) await activeStaff(ctx, body.lead_id, 'lead_id');
    const made = await teams.create(ctx, { body });
    const { id } = (made as { data: { id: number } }).data;
    if (body.lead_id !== null) await join(ctx, id, body.lead_id);
    return teams.show(ctx, { params: { id } });
  },
  async update(ctx, { params, body }) {
    if (typeof body.lead_id === 'number') {
      await activeStaff(ctx, body.lead_id, 'lead_id');
      await teams.update(ctx, { params, body });
      await join(ctx, params.id, body.lead_id);
      return teams.show(ctx, { params });
    }
    return teams.update(ctx, { params, body });
  },
  remove: teams.remove,
  async members(ctx, { params, query }) {
    await teams.find(ctx.db, params.id);
    const page = await staffList(ctx, { ...query, team_id: params.id });
    return page;
  },
  async addMember(ctx, { params, body }) {
    await teams.find(ctx.db, params.id, true);
    const name = await activeStaff(ctx, body.user_id, 'user_id');
    if (!(await join(ctx, params.id, body.user_id))) throw invalidField('user_id', `${name} is a member already`);
    await ctx.audit({ action: 'add_member', entity: 'team', entity_id: params.id, before: { member: null },
      after: { member: name } });
    return teams.show(ctx, { params });
  },
  async removeMember(ctx, { params }) {
    await teams.find(ctx.db, params.id, true);
    const member = await ctx.db.maybeOne<{ name: string }>(sql`
      select u.first_name || ' ' || u.last_name as name from team_members m join users u on u.id = m.user_id
      where m.team_id = ${params.id} and m.user_id = ${params.userId}`);
    if (!member) throw refuse('not_found');
    await ctx.db.exec(sql`delete from team_members where team_id = ${params.id} and user_id = ${params.userId}`);
    await ctx.db.exec(sql`
      update teams set lead_id = null, version = version + 1 where id = ${params.id} and lead_id = ${params.userId}`);
    await ctx.audit({ action: 'remove_member', entity: 'team', entity_id: params.id, before: { member: member.name },
      after: { member: null } });
  },
  async activity(ctx, { params, query }) {
    await teams.find(ctx.db, params.id);
    return activityOf(ctx.db, { entity: 'team', entity_id: params.id }, query,
      `/api/admin/staff/teams/${params.id}/activity`);
  },
});
