/** Signing in and out, and who is signed in. */
import type { BodyOf, ResponseOf } from '#kit/endpoint.ts';
import { AppError } from '#kit/errors.ts';
import type { Role } from '#kit/auth.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import type { Ctx } from '#server/context.ts';
import type { Principal } from '#server/principal.ts';
import { limit } from '#server/rate-limit.ts';
import { sql } from '#server/sql.ts';
import { START_PAGES } from '../staff/staff.contract.ts';
import { completeSignIn } from '../two-factor/challenge.server.ts';
import { factorsOf, hasFactor, offered } from '../two-factor/factors.server.ts';
import { avatarOf, passes, pendingEmail } from '../user/person.server.ts';
import { hashPassword, isOutdated, verifyPassword } from './password.server.ts';
import { awaitSecondFactor, endSession, type Account } from './session.server.ts';
import type { CurrentUser, sessionEndpoints } from './session.contract.ts';

type Login = ResponseOf<typeof sessionEndpoints.login>;

const MINUTE = 60;
const HOUR = 3600;

function tooManyLogins(wait: number): AppError {
  const text = `Too many login attempts. Please try again in ${wait} seconds.`;
  return new AppError('too_many_attempts', { status: 429, message: text, errors: { email: [text] } });
}

export async function signIn(ctx: Ctx, body: BodyOf<typeof sessionEndpoints.login>): Promise<Login> {
  const email = body.email.toLowerCase();
  await limit(ctx, `login:${email}|${ctx.ip}`, 5, MINUTE, tooManyLogins);
  await limit(ctx, `login-ip:${ctx.ip}`, 20, MINUTE, tooManyLogins);
  await limit(ctx, `login-account:${email}`, 100, HOUR, tooManyLogins);
  const account = await ctx.db.maybeOne<Account & { password_hash: string | null; disabled_at: string | null }>(sql`
    select id, role, password_hash, session_epoch, disabled_at from users where email = ${email}`);
  const right = await verifyPassword(body.password, account?.password_hash ?? null);
  if (!account || !right || account.disabled_at !== null) {
    ctx.ports.log('warn', 'sign-in refused', { request: ctx.actor.request_id });
    const text = 'These credentials do not match our records.';
    throw new AppError('invalid', { status: 422, message: text, errors: { email: [text] } });
  }
  if (isOutdated(account.password_hash ?? '')) {
    await ctx.db.exec(sql`update users set password_hash = ${await hashPassword(body.password)}
      where id = ${account.id}`);
  }
  const factors = await factorsOf(ctx, account.id);
  if (hasFactor(factors)) {
    await awaitSecondFactor(ctx, account);
    return { two_factor: true, methods: offered(factors) };
  }
  await completeSignIn(ctx, account, null);
  return { two_factor: false };
}

export async function signOut(ctx: Ctx): Promise<void> {
  if (ctx.principal) await ctx.audit({ action: 'sign_out', entity: 'user', entity_id: ctx.principal.user_id });
  await endSession(ctx);
}

const USER_TYPES: Partial<Record<Role, CurrentUser['user_type']>> = {
  staff_user: 'STAFF_USER', staff_admin: 'STAFF_ADMIN', system_admin: 'SYSTEM',
};

/** A page whose right was taken away since is no place to begin. */
function startPageOf(user: Principal, path: string | null): string | null {
  const page = START_PAGES.find((one) => one.path === path);
  return page && (page.needs === null || passes(user, page.needs)) ? page.path : null;
}

export async function currentUserOf(ctx: Ctx): Promise<CurrentUser> {
  const { user } = ctx;
  const row = await ctx.db.one<{
    email_verified_at: string | null; avatar_file_name: string | null; created_at: string; updated_at: string;
    phone: string | null; language: CurrentUser['language']; start_page: string | null; version: number;
    pending_email: string | null;
    group_id: number | null; group_name: string | null;
    customers: (Omit<CurrentUser['customers'][number], 'language'> & { division: string })[];
    acting: CurrentUser['acting_customer'];
  }>(sql`
    select t.email_verified_at, t.avatar_file_name, t.created_at, t.updated_at, t.phone, t.language, t.start_page,
      t.version,
      ${pendingEmail(ctx.now())} as pending_email, g.id as group_id,
      g.name as group_name,
      coalesce((select json_agg(json_build_object('id', c.id, 'name', c.name, 'role', cu.role, 'status', c.status,
        'division', c.default_division,
        'asks_details', cu.role = 'admin' and c.details_asked_at is null and c.billing_address is null)
        order by c.name) from customer_users cu join customers c on c.id = cu.customer_id
        where cu.user_id = t.id and c.deleted_at is null), '[]') as customers,
      (select json_build_object('id', c.id, 'name', c.name, 'until', s.acting_until) from sessions s
        join customers c on c.id = s.acting_customer_id
        where s.id = ${user.session_id} and c.id = ${user.acting_customer_id}) as acting
    from users t
    left join lateral (select sg.id, sg.name from staff_group_users gu join staff_groups sg on sg.id = gu.staff_group_id
      where gu.user_id = t.id order by sg.name limit 1) g on true
    where t.id = ${user.user_id}`);
  const permission_values = [...user.permissions].sort();
  return {
    id: user.user_id, email: user.email, first_name: user.first_name, last_name: user.last_name, role: user.role,
    roles: [user.role], system_admin: user.role === 'system_admin', user_type: USER_TYPES[user.role] ?? null,
    must_set_up_two_factor: user.must_set_up_two_factor,
    email_verified_at: row.email_verified_at, avatar_file_name: row.avatar_file_name,
    ...(row.group_id !== null && row.group_name !== null
      ? { staff_group: { id: row.group_id, name: row.group_name, permission_values } } : {}),
    ...avatarOf(ctx.ports.settings, { id: user.user_id, avatar_file_name: row.avatar_file_name }),
    permission_values, acting_customer: row.acting, language: row.language,
    customers: row.customers.map(({ division, ...one }) => ({ ...one, language: documentLanguage(division) })),
    phone: row.phone, start_page: startPageOf(user, row.start_page), pending_email: row.pending_email,
    version: row.version,
    created_at: row.created_at, updated_at: row.updated_at,
  };
}
