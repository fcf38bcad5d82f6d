/**
 * Invitations to the staff: good for seven days and once. Role and groups stand here and never in the request that
 * accepts; nobody invites someone above themselves (reliability.md 1.3, 2.1). What is known of an address is told to
 * the staff who invites, at the field, and to nobody else.
 */
import type { BodyOf } from '#kit/endpoint.ts';
import { conflict, invalid, invalidField, refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { oneLine, queueMail } from '#server/mail.ts';
import { limit } from '#server/rate-limit.ts';
import { serve, type Route } from '#server/routes.ts';
import { linkTo } from '#server/settings.ts';
import { mentions, sql } from '#server/sql.ts';
import { contactOf } from '../user/mail-people.server.ts';
import { hashToken, newToken } from '../session/session.server.ts';
import { grantableGroups, refuseRole } from '../staff/grants.server.ts';
import { ROLE_WORDS } from '../staff/staff-row.server.ts';
import { inviteEndpoints, type InviteRow } from './invite.contract.ts';

const HOUR = 3600;
const VALID_DAYS = 7;
/** Each may reach twenty people (reliability.md 1.5). */
const MOST_AN_HOUR = 20;

const statusAt = (now: string) => sql`case when t.accepted_at is not null then 'accepted'
  when t.revoked_at is not null then 'revoked' when t.expires_at <= ${now}::timestamptz then 'expired'
  else 'pending' end`;
const columnsAt = (now: string) => sql`t.id, t.email, t.role, t.note, t.sent_at, t.sent_times, t.expires_at,
  t.accepted_at, t.accepted_user_id, t.revoked_at, t.version, t.created_at, t.updated_at, ${statusAt(now)} as status,
  i.first_name || ' ' || i.last_name as invited_by_name, a.first_name || ' ' || a.last_name as accepted_user_name,
  coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name) order by lower(g.name))
    from staff_invite_groups ig join staff_groups g on g.id = ig.staff_group_id
    where ig.staff_invite_id = t.id), '[]') as groups`;
const JOINS = sql`join users i on i.id = t.invited_by_id left join users a on a.id = t.accepted_user_id`;

async function find(ctx: Ctx, id: number, lock = false): Promise<InviteRow> {
  if (lock) await ctx.db.maybeOne(sql`select 1 from staff_invites where id = ${id} for update`);
  const row = await ctx.db.maybeOne<InviteRow>(sql`
    select ${columnsAt(ctx.now().toISOString())} from staff_invites t ${JOINS} where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

const expiryOf = (ctx: Ctx): string => new Date(ctx.now().getTime() + VALID_DAYS * 24 * HOUR * 1000).toISOString();

/** Why an address cannot be invited, each in its own words; empty where all can. */
async function problemsOf(ctx: Ctx, emails: readonly string[]): Promise<string[]> {
  const rows = await ctx.db.query<{ email: string; role: string | null; active: boolean | null; invited: boolean }>(sql`
    select e as email, u.role, u.disabled_at is null as active, exists (select 1 from staff_invites i
      where i.email = e and i.accepted_at is null and i.revoked_at is null) as invited
    from unnest(${[...emails]}::text[]) e left join users u on u.email = e order by e`);
  return rows.flatMap(({ email, role, active, invited }) => {
    if (role === 'customer' || role === 'vendor') {
      return [`${email} is the sign-in of a ${role}. Invite another address of this person.`];
    }
    if (role !== null) {
      return [active ? `${email} is on the staff already.` : `${email} was on the staff. Activate the account again.`];
    }
    return invited ? [`${email} has an open invitation. Send that one again.`] : [];
  });
}

async function create(ctx: Ctx, body: BodyOf<typeof inviteEndpoints.create>): Promise<InviteRow[]> {
  const typed = [...(body.emails ?? []), ...(body.email === undefined ? [] : [body.email])];
  const field = body.email === undefined ? 'emails' : 'email';
  const emails = [...new Set(typed.map((email) => email.toLowerCase()))];
  if (emails.length === 0) throw invalidField(field, 'Enter at least one address');
  await limit(ctx, `invite-by:${ctx.user.user_id}`, MOST_AN_HOUR, HOUR);
  refuseRole(ctx.user, body.role);
  const groups = await grantableGroups(ctx, body.staff_group_ids);
  const problems = await problemsOf(ctx, emails);
  if (problems.length > 0) throw invalid({ [field]: problems });
  const made: InviteRow[] = [];
  for (const email of emails) made.push(await invite(ctx, { ...body, email, groups }));
  return made;
}

async function invite(ctx: Ctx, { email, role, note, groups }: { email: string; role: InviteRow['role']; note: string;
  groups: readonly number[] }): Promise<InviteRow> {
  const token = newToken();
  const now = ctx.now().toISOString();
  const row = await ctx.db.maybeOne<{ id: number }>(sql`
    insert into staff_invites (email, role, note, token_hash, invited_by_id, sent_at, expires_at)
    values (${email}, ${role}, ${note}, ${hashToken(token)}, ${ctx.user.user_id}, ${now}, ${expiryOf(ctx)})
    on conflict (email) where accepted_at is null and revoked_at is null do nothing returning id`);
  if (!row) throw invalidField('emails', `${email} has an open invitation. Send that one again.`);
  await ctx.db.exec(sql`
    insert into staff_invite_groups (staff_invite_id, staff_group_id)
    select ${row.id}, x from unnest(${[...groups]}::bigint[]) x`);
  const made = await find(ctx, row.id);
  await mail(ctx, made, token);
  await ctx.audit({ action: 'create', entity: 'staff_invite', entity_id: row.id,
    after: { email, role, groups, note } });
  return made;
}

async function mail(ctx: Ctx, row: InviteRow, token: string): Promise<void> {
  const inviter = oneLine(`${ctx.user.first_name} ${ctx.user.last_name}`);
  await queueMail(ctx.db, { template: 'staff.invite', to: [row.email], subject: 'Join the staff of Grand Rights',
    entity: 'staff_invite', entity_id: row.id,
    letter: { paragraphs: [
      `${inviter} invites you to join the staff of Grand Rights. Your role: ${ROLE_WORDS[row.role][0]}.`, row.note,
      'The link is valid for seven days.'],
    link: { label: 'Create your account', href: linkTo(ctx.ports.settings, `/register-staff/create/${token}`) },
    after: ['If you did not expect this invitation, you can ignore it.'],
    contact: await contactOf(ctx.db, ctx.user.user_id) } });
}

/** Also for one that has expired. Whoever sends it again must hold what it gives, as at its first sending. */
async function resend(ctx: Ctx, id: number): Promise<InviteRow> {
  const before = await find(ctx, id, true);
  refuseClosed(before);
  await limit(ctx, `invite-by:${ctx.user.user_id}`, MOST_AN_HOUR, HOUR);
  refuseRole(ctx.user, before.role);
  await grantableGroups(ctx, before.groups.map((group) => group.id));
  const token = newToken();
  await ctx.db.exec(sql`
    update staff_invites set token_hash = ${hashToken(token)}, sent_at = ${ctx.now().toISOString()},
      expires_at = ${expiryOf(ctx)}, sent_times = sent_times + 1, version = version + 1 where id = ${id}`);
  const after = await find(ctx, id);
  await mail(ctx, after, token);
  await ctx.audit({ action: 'resend', entity: 'staff_invite', entity_id: id, before: { expires_at: before.expires_at },
    after: { expires_at: after.expires_at } });
  return after;
}

async function revoke(ctx: Ctx, id: number): Promise<void> {
  const before = await find(ctx, id, true);
  if (before.status === 'revoked') return;
  refuseClosed(before);
  await ctx.db.exec(sql`
    update staff_invites set revoked_at = ${ctx.now().toISOString()}, revoked_by_id = ${ctx.user.user_id},
      version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'revoke', entity: 'staff_invite', entity_id: id, before: { email: before.email } });
}

function refuseClosed(row: InviteRow): void {
  if (row.status === 'accepted') throw conflict('staff_invite.accepted', 'This invitation was accepted already.');
  if (row.status === 'revoked') throw conflict('staff_invite.revoked', 'This invitation was revoked. Send a new one.');
}

export const inviteRoutes: Route[] = serve(inviteEndpoints, {
  list(ctx, { query }) {
    const now = ctx.now().toISOString();
    return listPage<InviteRow>(ctx.db, {
      base: sql`staff_invites t`, columns: columnsAt(now), joins: JOINS, defaultSort: 'sent_at',
      defaultDirection: 'desc',
      sorts: { sent_at: sql`t.sent_at`, email: sql`t.email`, expires_at: sql`t.expires_at` },
      conditions: compact([
        query.status !== undefined && sql`${statusAt(now)} = ${query.status}`,
        query.role !== undefined && sql`t.role = ${query.role}`,
        query.search !== undefined && mentions(sql`t.email`, query.search),
      ]),
    }, query, inviteEndpoints.list.path);
  },
  show: async (ctx, { params }) => ({ data: await find(ctx, params.id) }),
  create: async (ctx, { body }) => ({ data: await create(ctx, body) }),
  resend: async (ctx, { params }) => ({ data: await resend(ctx, params.id) }),
  revoke: (ctx, { params }) => revoke(ctx, params.id),
});
