/**
 * Sessions: a row per browser, only the SHA-256 of its 256-bit token stored, looked up on every request so that
 * revocation holds at once on every replica (reliability.md 1.5). Idle 2 hours; absolute 12 hours for staff, 24 for
 * customers.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { CustomerRole, Role } from '#kit/auth.ts';
import type { Ctx } from '#server/context.ts';
import type { Db, Queryable } from '#server/db.ts';
import type { Clock } from '#server/clock.ts';
import type { SessionPort } from '#server/http.ts';
import type { Principal, Session } from '#server/principal.ts';
import { sql, type Sql } from '#server/sql.ts';

export const SESSION_COOKIE = 'app_session';
export const SECURE_SESSION_COOKIE = '__Host-session';
const TOKEN_BYTES = 32;
const IDLE_SECONDS = 2 * 3600;
const STAFF_SECONDS = 12 * 3600;
const CUSTOMER_SECONDS = 24 * 3600;
/** last_seen_at is written at most this often: a read request writes nothing. */
const TOUCH_SECONDS = 60;
/** Lifetime of a confirmation. */
const CONFIRMED_SECONDS = 15 * 60;
/** Time limit for the second step of signing in. */
const CHALLENGE_SECONDS = 10 * 60;

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

interface SessionRow extends PersonRow {
  csrf_token: string;
  seen_seconds: number;
  confirmed: boolean;
}

interface PersonRow {
  /** Of the session; 0 of a person without one. */
  id: number;
  user_id: number | null;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  role: Role | null;
  email_verified: boolean | null;
  must_set_up_two_factor: boolean | null;
  acting_customer_id: number | null;
  permissions: string[];
  customers: { customer_id: number; role: CustomerRole }[];
}

/** Looks a session up by its cookie; touches it unless the request is a background one. */
export function sessionPort(db: Db, clock: Clock, cookieName: string): SessionPort {
  return {
    cookieName,
    cookieSeconds: IDLE_SECONDS,
    async load(token, background) {
      if (!token || token.length > 100) return null;
      const now = clock.now().toISOString();
      const row = await db.maybeOne<SessionRow>(sessionQuery(hashToken(token), now));
      if (!row) return null;
      if (!background && row.seen_seconds > TOUCH_SECONDS) {
        await db.exec(sql`update sessions set last_seen_at = ${now} where id = ${row.id}`);
      }
      return { id: row.id, csrf_token: row.csrf_token, confirmed: row.confirmed, principal: principalOf(row) };
    },
  };
}

/** Columns of a principal, over `users u`. */
const person = sql`u.id as user_id, u.email, u.first_name, u.last_name, u.role,
    u.email_verified_at is not null as email_verified,
    case when u.role in ('staff_user', 'staff_admin', 'system_admin')
      and (select require_staff_two_factor from security_policy) then not has_two_factor(u.id) else false end
      as must_set_up_two_factor,
    case when u.role = 'staff_user' then coalesce((
      select array_agg(distinct value) from staff_group_users gu join staff_groups g on g.id = gu.staff_group_id,
        unnest(g.permission_values) value where gu.user_id = u.id), '{}') else '{}' end as permissions,
    case when u.role = 'customer' then coalesce((
      select json_agg(json_build_object('customer_id', cu.customer_id, 'role', cu.role))
      from customer_users cu where cu.user_id = u.id), '[]'::json) else '[]'::json end as customers`;

const sessionQuery = (hash: Buffer, now: string) => sql`
  select s.id, s.csrf_token, extract(epoch from ${now}::timestamptz - s.last_seen_at)::float8 as seen_seconds,
    coalesce(s.confirmed_at > ${now}::timestamptz - make_interval(secs => ${CONFIRMED_SECONDS}), false) as confirmed,
    ${person},
    case when s.acting_until > ${now}::timestamptz then s.acting_customer_id end as acting_customer_id
  from sessions s left join users u on u.id = s.user_id
  where s.token_hash = ${hash} and ${aliveSession(new Date(now))}`;

/** Whether session `s`, perhaps of person `u`, still opens something: neither over, idle, revoked nor disabled. */
export const aliveSession = (at: Date): Sql => sql`
  s.expires_at > ${at.toISOString()}::timestamptz
    and s.last_seen_at > ${at.toISOString()}::timestamptz - make_interval(secs => ${IDLE_SECONDS})
    and (s.user_id is null or (u.disabled_at is null and u.session_epoch = s.epoch))`;

/** The rights a person has now, for work that goes on without a request of theirs; null where they cannot sign in. */
export async function principalOfPerson(db: Queryable, userId: number): Promise<Principal | null> {
  const row = await db.maybeOne<PersonRow>(sql`
    select 0 as id, null::bigint as acting_customer_id, ${person} from users u
    where u.id = ${userId} and u.disabled_at is null`);
  return row && principalOf(row);
}

function principalOf(row: PersonRow): Principal | null {
  if (row.user_id === null || row.role === null) return null;
  return {
    user_id: row.user_id,
    email: row.email ?? '',
    first_name: row.first_name ?? '',
    last_name: row.last_name ?? '',
    role: row.role,
    email_verified: row.email_verified ?? false,
    must_set_up_two_factor: row.must_set_up_two_factor ?? false,
    permissions: new Set(row.permissions),
    customers: new Map(row.customers.map((c) => [c.customer_id, c.role])),
    session_id: row.id,
    acting_customer_id: row.acting_customer_id,
  };
}

export interface Account { id: number; role: Role; session_epoch: number }

/** A new session with a new id and token, replacing the one of the request: nobody can fix an id beforehand. */
export async function startSession(
  ctx: Ctx, user: Account | null, second_factor: 'code' | 'recovery_code' | 'passkey' | null,
): Promise<Session> {
  const token = newToken();
  const csrf = newToken();
  const now = ctx.now();
  const seconds = user === null ? IDLE_SECONDS : user.role === 'customer' ? CUSTOMER_SECONDS : STAFF_SECONDS;
  if (ctx.session) await ctx.db.exec(sql`delete from sessions where id = ${ctx.session.id}`);
  const row = await ctx.db.one<{ id: number }>(sql`
    insert into sessions (token_hash, user_id, csrf_token, epoch, ip, user_agent, second_factor, created_at,
      last_seen_at, expires_at)
    values (${hashToken(token)}, ${user?.id ?? null}, ${csrf}, ${user?.session_epoch ?? 1}, ${ctx.ip},
      ${ctx.user_agent}, ${second_factor}, ${now.toISOString()}, ${now.toISOString()},
      ${new Date(now.getTime() + seconds * 1000).toISOString()})
    returning id`);
  ctx.setCookie(cookieName(ctx), token, { maxAge: seconds, httpOnly: true });
  ctx.setCookie('XSRF-TOKEN', csrf, { maxAge: IDLE_SECONDS, httpOnly: false });
  return { id: row.id, csrf_token: csrf, confirmed: false, principal: null };
}

/** A guest's session that awaits the second factor of somebody whose password was right, for ten minutes. */
export async function awaitSecondFactor(ctx: Ctx, account: Account): Promise<void> {
  const session = await startSession(ctx, null, null);
  const until = new Date(ctx.now().getTime() + CHALLENGE_SECONDS * 1000).toISOString();
  await ctx.db.exec(sql`
    update sessions set challenge_user_id = ${account.id}, epoch = ${account.session_epoch},
      challenge_expires_at = ${until}
    where id = ${session.id}`);
}

/** Marks the session as confirmed, under a new token. */
export async function confirmSession(ctx: Ctx): Promise<void> {
  await ctx.db.exec(sql`
    update sessions set confirmed_at = ${ctx.now().toISOString()} where id = ${ctx.user.session_id}`);
  await renewToken(ctx);
}

/** The session goes on under a new token: who copied the old one gains nothing (reliability.md 1.5). */
export async function renewToken(ctx: Ctx): Promise<void> {
  const token = newToken();
  const row = await ctx.db.one<{ expires_at: string }>(sql`
    update sessions set token_hash = ${hashToken(token)} where id = ${ctx.user.session_id} returning expires_at`);
  const left = Math.ceil((Date.parse(row.expires_at) - ctx.now().getTime()) / 1000);
  ctx.setCookie(cookieName(ctx), token, { maxAge: left, httpOnly: true });
}

/** Ends the request's session and clears its cookie. */
export async function endSession(ctx: Ctx): Promise<void> {
  if (ctx.session) await ctx.db.exec(sql`delete from sessions where id = ${ctx.session.id}`);
  ctx.setCookie(cookieName(ctx), '', { maxAge: 0, httpOnly: true });
  ctx.header('Clear-Site-Data', '"cache", "cookies"');
}

function cookieName(ctx: Ctx): string {
  return ctx.ports.settings.production ? SECURE_SESSION_COOKIE : SESSION_COOKIE;
}
