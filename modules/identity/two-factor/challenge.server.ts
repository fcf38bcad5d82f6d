/** The second step: the session remembers for ten minutes whose password was right; only this step signs in. */
import { refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { startSession, type Account } from '../session/session.server.ts';
import { checkFactor } from './factors.server.ts';
import type { Factor, FactorAnswer } from './two-factor.contract.ts';

/** Account whose second factor this session awaits; null if the first step is missing or too long ago. */
export async function challengedPerson(ctx: Ctx): Promise<Account | null> {
  if (!ctx.session) return null;
  return ctx.db.maybeOne<Account>(sql`
    select u.id, u.role, u.session_epoch from sessions s join users u on u.id = s.challenge_user_id
    where s.id = ${ctx.session.id} and s.challenge_expires_at > ${ctx.now().toISOString()}::timestamptz
      and u.disabled_at is null and u.session_epoch = s.epoch`);
}

export async function answerChallenge(ctx: Ctx, answer: FactorAnswer): Promise<void> {
  const account = await challengedPerson(ctx);
  if (!account) throw refuse('unauthenticated', 'Sign in again: the first step was too long ago.');
  await completeSignIn(ctx, account, await checkFactor(ctx, account.id, answer));
}

/** The session of somebody who is known now, with the audit row that says how. */
export async function completeSignIn(ctx: Ctx, account: Account, second_factor: Factor | null): Promise<void> {
  const session = await startSession(ctx, account, second_factor);
  ctx.actor.actor_id = account.id;
  ctx.actor.session_id = session.id;
  await ctx.audit({ action: 'sign_in', entity: 'user', entity_id: account.id,
    ...(second_factor === null ? {} : { after: { second_factor } }) });
}
