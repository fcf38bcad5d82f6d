/** Single-use links sent by mail. A person has one open link of a kind; a trigger ends them with the password. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { hashToken, newToken } from './session.server.ts';

export type TokenPurpose = 'password_reset' | 'email_verification';

/**
 * Stores a single-use token and answers its text, which only the mail carries; the one sent before stops working. For
 * nobody (id null) a token that opens nothing is stored, so that an unknown address is as much work as a known one.
 */
export async function issueToken(
  ctx: WorkContext, purpose: TokenPurpose, user: { id: number | null; email: string }, seconds: number,
): Promise<string> {
  const token = newToken();
  await ctx.db.exec(sql`
    insert into mail_tokens (purpose, token_hash, user_id, email, created_by, created_at, expires_at)
    values (${purpose}, ${hashToken(token)}, ${user.id}, ${user.email}, ${ctx.actor.actor_id},
      ${ctx.now().toISOString()}, ${new Date(ctx.now().getTime() + seconds * 1000).toISOString()})
    on conflict (user_id, purpose) where used_at is null and user_id is not null do update
      set token_hash = excluded.token_hash, email = excluded.email, created_by = excluded.created_by,
        created_at = excluded.created_at, expires_at = excluded.expires_at`);
  return token;
}

/** Uses a token up; null for one that is used, over or unknown. */
export async function useToken(
  ctx: WorkContext, purpose: TokenPurpose, token: string,
): Promise<{ user_id: number; email: string } | null> {
  return ctx.db.maybeOne(sql`
    update mail_tokens set used_at = ${ctx.now().toISOString()}
    where token_hash = ${hashToken(token)} and purpose = ${purpose} and used_at is null
      and expires_at > ${ctx.now().toISOString()}::timestamptz and user_id is not null
    returning user_id, email`);
}
