/**
 * Challenges for passkeys and the check of what they sign. A challenge belongs to one session, lives five minutes and
 * is good for one answer. The address in the answer must be ours: that is what makes a passkey proof against phishing.
 */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { randomBytes } from 'node:crypto';
import { conflict, invalidField } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { startSession } from '../session/session.server.ts';
import type { PasskeyAnswer } from './passkey.contract.ts';

const CHALLENGE_SECONDS = 5 * 60;
const REFUSED = 'This passkey was not accepted. Try again, or use another way.';

export interface Party { id: string; origins: string[] }

/** The name the passkeys are made for (host) and the origins that may use them. */
export function partyOf(ctx: Ctx): Party {
  const { app_origins } = ctx.ports.settings;
  const origins = app_origins.length > 0 ? [...app_origins] : [new URL(ctx.origin).origin];
  const id = new URL(origins[0]!).hostname;
  if (/^[\d.]+$|:/.test(id)) {
    throw conflict('passkey.address', 'Passkeys need a name in the address: open localhost instead of the number.');
  }
  return { id, origins };
}

/** A new challenge for this session; a visitor without one gets a guest's session for it. */
export async function newChallenge(ctx: Ctx): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  const session = ctx.session ?? await startSession(ctx, null, null);
  const until = new Date(ctx.now().getTime() + CHALLENGE_SECONDS * 1000).toISOString();
  await ctx.db.exec(sql`
    update sessions set passkey_challenge = ${challenge}, passkey_challenge_expires_at = ${until}
    where id = ${session.id}`);
  return challenge;
}

/** Takes the session's challenge away, so that no answer to it is accepted twice. */
export async function takeChallenge(ctx: Ctx): Promise<string> {
  const row = ctx.session && await ctx.db.maybeOne<{ passkey_challenge: string | null }>(sql`
    update sessions s set passkey_challenge = null from sessions old
    where s.id = ${ctx.session.id} and old.id = s.id
      and old.passkey_challenge_expires_at > ${ctx.now().toISOString()}::timestamptz
    returning old.passkey_challenge`);
  if (!row?.passkey_challenge) throw invalidField('passkey', 'That took too long. Try again.');
  return row.passkey_challenge;
}

interface StoredKey {
  id: number;
  user_id: number;
  credential_id: string;
  public_key: Buffer;
  sign_count: number;
}

/** Accepts the answer of a passkey of `userId` (null: of anybody) and says whose it is; else 422 at `passkey`. */
export async function checkPasskey(ctx: Ctx, answer: PasskeyAnswer, userId: number | null): Promise<number> {
  const party = partyOf(ctx);
  const challenge = await takeChallenge(ctx);
  const key = await ctx.db.maybeOne<StoredKey>(sql`
    select id, user_id, credential_id, public_key, sign_count from passkeys
    where credential_id = ${answer.id} for update`);
  if (!key || (userId !== null && key.user_id !== userId)) throw invalidField('passkey', REFUSED);
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const checked = await verifyAuthenticationResponse({
    response: answer as AuthenticationResponseJSON, expectedChallenge: challenge,
    expectedOrigin: party.origins, expectedRPID: party.id,
    requireUserVerification: true,
    credential: { id: key.credential_id, publicKey: new Uint8Array(key.public_key), counter: key.sign_count },
  }).catch((error: Error) => {
    ctx.ports.log('warn', 'passkey refused', { request: ctx.actor.request_id, reason: error.message });
    return null;
  });
  if (!checked?.verified) throw invalidField('passkey', REFUSED);
  await ctx.db.exec(sql`
    update passkeys set sign_count = ${checked.authenticationInfo.newCounter},
      backed_up = ${checked.authenticationInfo.credentialBackedUp}, last_used_at = ${ctx.now().toISOString()}
    where id = ${key.id}`);
  return key.user_id;
}
