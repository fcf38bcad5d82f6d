/**
 * Another person's sign-in. Nobody ends the sessions or takes the second factor of somebody whose rights they do not
 * hold themselves: neither of an administrator nor of a colleague with more permissions (reliability.md 2.1).
 */
import { refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { aliveSession } from '../session/session.server.ts';
import { factorsOf, hasFactor } from '../two-factor/factors.server.ts';
import { tellOfChange } from '../two-factor/security-mail.server.ts';
import { findPerson, holdsRightsOf, type PersonRow } from '../user/person.server.ts';
import { personSecurityEndpoints } from './person-security.contract.ts';

function refusal(ctx: Ctx, person: PersonRow): string | null {
  if (person.id === ctx.user.user_id) return 'Change your own sign-in on your own security page.';
  return holdsRightsOf(ctx.user, person) ? null
    : `${person.first_name} ${person.last_name} has rights that you do not have. Ask someone who has them.`;
}

async function findToChange(ctx: Ctx, id: number): Promise<PersonRow> {
  const person = await findPerson(ctx, id, true);
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
    const person = await findPerson(ctx, params.id);
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
