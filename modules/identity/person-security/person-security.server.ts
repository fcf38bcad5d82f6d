/**
 * Another person's sign-in. Nobody reaches above their own role: a staff_user changes nothing of an administrator, a
 * staff administrator nothing of a system administrator (reliability.md 2.1).
 */
import type { Role } from '#kit/auth.ts';
import { refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { aliveSession } from '../session/session.server.ts';
import { factorsOf, hasFactor } from '../two-factor/factors.server.ts';
import { tellOfChange } from '../two-factor/security-mail.server.ts';
import { personSecurityEndpoints } from './person-security.contract.ts';

const RANK: Record<Role, number> = { customer: 0, vendor: 0, staff_user: 1, staff_admin: 2, system_admin: 3 };

interface Person { id: number; first_name: string; last_name: string; email: string; role: Role }

async function find(ctx: Ctx, id: number): Promise<Person> {
  const person = await ctx.db.maybeOne<Person>(sql`
    select id, first_name, last_name, email, role from users where id = ${id}`);
  if (!person) throw refuse('not_found');
  return person;
}

function refusal(ctx: Ctx, person: Person): string | null {
  if (person.id === ctx.user.user_id) return 'Change your own sign-in on your own security page.';
  return RANK[person.role] > RANK[ctx.user.role] ? 'Only somebody with at least the same role may do this.' : null;
}

async function findToChange(ctx: Ctx, id: number): Promise<Person> {
  const person = await find(ctx, id);
  const reason = refusal(ctx, person);
  if (reason !== null) throw refuse('forbidden', reason);
  return person;
}

/** Ends every session of a person, half-finished sign-ins included. */
async function endSessions(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.exec(sql`update users set session_epoch = session_epoch + 1 where id = ${id}`);
  await ctx.db.exec(sql`delete from sessions where user_id = ${id} or challenge_user_id = ${id}`);
}

export const personSecurityRoutes: Route[] = serve(personSecurityEndpoints, {
  async show(ctx, { params }) {
    const person = await find(ctx, params.id);
    const factors = await factorsOf(ctx, person.id);
    const open = await ctx.db.one<{ sessions: number; last_seen_at: string | null }>(sql`
      select count(*)::int as sessions, max(s.last_seen_at) as last_seen_at
      from sessions s join users u on u.id = s.user_id
      where s.user_id = ${person.id} and ${aliveSession(ctx.now())}`);
    return { data: { ...person, ...factors, ...open, two_factor: hasFactor(factors), refused: refusal(ctx, person) } };
  },
  async endSessions(ctx, { params }) {
    const person = await findToChange(ctx, params.id);
    await endSessions(ctx, person.id);
    await ctx.audit({ action: 'end_sessions', entity: 'user', entity_id: person.id });
  },
  async removeFactors(ctx, { params }) {
    const person = await findToChange(ctx, params.id);
    await ctx.db.exec(sql`delete from totp_factors where user_id = ${person.id}`);
    await ctx.db.exec(sql`delete from passkeys where user_id = ${person.id}`);
    await ctx.db.exec(sql`delete from recovery_codes where user_id = ${person.id}`);
    await endSessions(ctx, person.id);
    await ctx.audit({ action: 'remove_factors', entity: 'user', entity_id: person.id });
    await tellOfChange(ctx, person.id, 'Two-factor sign-in was taken off your account',
      'An administrator removed your authenticator app, passkeys and recovery codes and signed you out everywhere.');
  },
});
