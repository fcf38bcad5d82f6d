/** People of the staff: added, given a role, deactivated. History keeps their names; nobody is ever deleted. */
import type { BodyOf } from '#kit/endpoint.ts';
import { STAFF_ROLES } from '#kit/auth.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { activityOf } from '#server/activity.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { oneLine, queueMail } from '#server/mail.ts';
import { limit } from '#server/rate-limit.ts';
import { serve, type Route } from '#server/routes.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { contactOf, greetingOf } from '../user/mail-people.server.ts';
import { issueToken } from '../session/mail-token.server.ts';
import { removeAvatar, setAvatar } from '../user/avatar.server.ts';
import { findPerson, refuseAbove, type PersonRow } from '../user/person.server.ts';
import { grantableGroups, joinGroups, keepSystemAdministrator, mayGrantRole, refuseOneself, refuseRole }
  from './grants.server.ts';
import { staffEndpoints, type StaffRecord } from './staff.contract.ts';
import { latestStaff, ROLE_WORDS, staffList, staffRecordOf } from './staff-row.server.ts';

const HOUR = 3600;
/** Time for a new person to choose a password; afterwards "forgot password" does the same. */
const FIRST_PASSWORD_SECONDS = 7 * 24 * HOUR;

/** The person, locked, where they are staff and not above the caller. */
async function changeable(ctx: Ctx, id: number): Promise<PersonRow> {
  const person = await findPerson(ctx, id, true);
  if (!STAFF_ROLES.some((role) => role === person.role)) throw refuse('not_found');
  if (id !== ctx.user.user_id) refuseAbove(ctx.user, person);
  return person;
}

async function create(ctx: Ctx, body: BodyOf<typeof staffEndpoints.create>): Promise<StaffRecord> {
  await limit(ctx, `staff-create:${ctx.user.user_id}`, 40, HOUR);
  refuseRole(ctx.user, body.role);
  const groups = await grantableGroups(ctx, body.staff_group_ids);
  const email = body.email.toLowerCase();
  const user = await ctx.db.maybeOne<{ id: number }>(sql`
    insert into users (email, first_name, last_name, role)
    values (${email}, ${body.first_name}, ${body.last_name}, ${body.role})
    on conflict (email) do nothing returning id`);
  if (!user) throw invalidField('email', 'This address has an account already');
  await joinGroups(ctx, user.id, groups);
  const token = await issueToken(ctx, 'password_reset', { id: user.id, email }, FIRST_PASSWORD_SECONDS);
  await queueMail(ctx.db, { template: 'staff.added', to: [email], subject: 'Your account at Grand Rights',
    entity: 'user', entity_id: user.id,
    letter: { greeting: oneLine(body.first_name),
      paragraphs: [`${oneLine(`${ctx.user.first_name} ${ctx.user.last_name}`)} has created an account for you. `
        + 'Choose your password within seven days.'],
      link: { label: 'Choose your password',
        href: linkTo(ctx.ports.settings, `/password-reset/${token}?email=${encodeURIComponent(email)}`) },
      contact: await contactOf(ctx.db, ctx.user.user_id) } });
  await ctx.audit({ action: 'create', entity: 'user', entity_id: user.id,
    after: { email, first_name: body.first_name, last_name: body.last_name, role: body.role, groups } });
  return staffRecordOf(ctx, user.id);
}

/** Rights follow on the person's next request: every request reads the role anew. */
async function changeRole(ctx: Ctx, id: number, body: BodyOf<typeof staffEndpoints.role>): Promise<StaffRecord> {
  const before = await changeable(ctx, id);
  refuseOneself(ctx, id, 'Nobody changes their own role. Ask another administrator.');
  if (before.version !== body.version) throw stale(before);
  refuseRole(ctx.user, body.role);
  if (before.role === body.role) return staffRecordOf(ctx, id);
  if (before.disabled_at !== null) throw conflict('staff.inactive', 'Activate the account first.');
  if (before.role === 'system_admin') await keepSystemAdministrator(ctx, id);
  await ctx.db.exec(sql`update users set role = ${body.role}, version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'change_role', entity: 'user', entity_id: id, before: { role: before.role },
    after: { role: body.role } });
  await queueMail(ctx.db, { template: 'staff.role_changed', to: [before.email], subject: 'Your role was changed',
    entity: 'user', entity_id: id,
    letter: { greeting: await greetingOf(ctx.db, [before.email]),
      paragraphs: [`Your role at Grand Rights is now ${ROLE_WORDS[body.role][0]}. ${ROLE_WORDS[body.role][1]}`],
      contact: await contactOf(ctx.db, ctx.user.user_id) } });
  return staffRecordOf(ctx, id);
}

async function saveSettings(ctx: Ctx, id: number, body: BodyOf<typeof staffEndpoints.settings>): Promise<StaffRecord> {
  const person = await changeable(ctx, id);
  const before = await staffRecordOf(ctx, id);
  if (person.version !== body.version) throw stale(person);
  const after = { job_title: body.job_title === undefined ? before.job_title : body.job_title,
    start_page: body.start_page === undefined ? before.start_page : body.start_page };
  await ctx.db.exec(sql`
    update users set job_title = ${after.job_title}, start_page = ${after.start_page}, version = version + 1
    where id = ${id}`);
  await ctx.audit({ action: 'update_settings', entity: 'user', entity_id: id,
    before: { job_title: before.job_title, start_page: before.start_page }, after });
  return staffRecordOf(ctx, id);
}

/** X185: sessions, links (trigger users_end_links) and the invitations that this person sent die with the account. */
async function deactivate(ctx: Ctx, id: number): Promise<void> {
  const person = await changeable(ctx, id);
  refuseOneself(ctx, id, 'Nobody deactivates their own account. Ask another administrator.');
  if (person.disabled_at !== null) return;
  if (person.role === 'system_admin') await keepSystemAdministrator(ctx, id);
  const now = ctx.now().toISOString();
  await ctx.db.exec(sql`
    update users set disabled_at = ${now}, session_epoch = session_epoch + 1, version = version + 1 where id = ${id}`);
  await ctx.db.exec(sql`delete from sessions where user_id = ${id}`);
  await ctx.db.exec(sql`
    update staff_invites set revoked_at = ${now}, revoked_by_id = ${ctx.user.user_id}, version = version + 1
    where invited_by_id = ${id} and accepted_at is null and revoked_at is null`);
  await ctx.audit({ action: 'deactivate', entity: 'user', entity_id: id, before: { active: true },
    after: { active: false } });
}

async function activate(ctx: Ctx, id: number, version: number): Promise<StaffRecord> {
  const person = await changeable(ctx, id);
  if (person.version !== version) throw stale(person);
  if (person.disabled_at === null) return staffRecordOf(ctx, id);
  await ctx.db.exec(sql`update users set disabled_at = null, version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'activate', entity: 'user', entity_id: id, before: { active: false },
    after: { active: true } });
  return staffRecordOf(ctx, id);
}

async function setPicture(ctx: Ctx, id: number): Promise<{ data: StaffRecord }> {
  await setAvatar(ctx, await changeable(ctx, id));
  return { data: await staffRecordOf(ctx, id) };
}

export const staffRoutes: Route[] = serve(staffEndpoints, {
  list: (ctx, { query }) => staffList(ctx, query),
  async latest(ctx) {
    return { data: await latestStaff(ctx) };
  },
  async show(ctx, { params }) {
    return { data: await staffRecordOf(ctx, params.id) };
  },
  async create(ctx, { body }) {
    return { data: await create(ctx, body) };
  },
  async role(ctx, { params, body }) {
    return { data: await changeRole(ctx, params.id, body) };
  },
  async settings(ctx, { params, body }) {
    return { data: await saveSettings(ctx, params.id, body) };
  },
  addAvatar: (ctx, { params }) => setPicture(ctx, params.id),
  replaceAvatar: (ctx, { params }) => setPicture(ctx, params.id),
  async removeAvatar(ctx, { params }) {
    await removeAvatar(ctx, await changeable(ctx, params.id));
  },
  deactivate: (ctx, { params }) => deactivate(ctx, params.id),
  async activate(ctx, { params, body }) {
    return { data: await activate(ctx, params.id, body.version) };
  },
  async activity(ctx, { params, query }) {
    await staffRecordOf(ctx, params.id);
    return activityOf(ctx.db, { entity: 'user', entity_id: params.id }, query,
      `/api/admin/staff/users/${params.id}/activity`);
  },
  roles: async (ctx) => ({ data: STAFF_ROLES.map((value) => ({ type: 'staff' as const, value,
    name: ROLE_WORDS[value][0], description: ROLE_WORDS[value][1], grantable: mayGrantRole(ctx.user, value) })) }),
});
