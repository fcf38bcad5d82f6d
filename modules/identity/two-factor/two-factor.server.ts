/** Setting up and taking away the authenticator app and the recovery codes. */
import { conflict, invalidField } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { limit } from '#server/rate-limit.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { answerChallenge } from './challenge.server.ts';
import { factorsOf, hasFactor, openSecret, sealSecret } from './factors.server.ts';
import { firstRecoveryCodes, makeRecoveryCodes } from './recovery-codes.server.ts';
import { tellOfChange } from './security-mail.server.ts';
import { isRequired, refuseIfLast } from './required.server.ts';
import { matchingStep, newSecret, otpauthUrl } from './totp.server.ts';
import { twoFactorEndpoints, type TwoFactorState } from './two-factor.contract.ts';

async function stateOf(ctx: Ctx): Promise<TwoFactorState> {
  const factors = await factorsOf(ctx, ctx.user.user_id);
  return { enabled: hasFactor(factors), required: await isRequired(ctx, ctx.user.role), ...factors };
}

async function start(ctx: Ctx) {
  const { user_id, email } = ctx.user;
  const secret = newSecret();
  const sealed = sealSecret(ctx, user_id, secret);
  await ctx.db.exec(sql`
    insert into totp_factors (user_id, pending_encrypted, pending_key_id)
    values (${user_id}, ${sealed.bytes}, ${sealed.key_id})
    on conflict (user_id) do update set pending_encrypted = excluded.pending_encrypted,
      pending_key_id = excluded.pending_key_id`);
  await ctx.audit({ action: 'start_two_factor', entity: 'user', entity_id: user_id });
  return { secret, otpauth_url: otpauthUrl(secret, email) };
}

async function finish(ctx: Ctx, code: string) {
  const { user_id } = ctx.user;
  await limit(ctx, `second-factor:${user_id}`, 5, 60);
  const row = await ctx.db.maybeOne<{ pending_encrypted: Buffer | null; pending_key_id: string }>(sql`
    select pending_encrypted, pending_key_id from totp_factors where user_id = ${user_id} for update`);
  if (!row?.pending_encrypted) throw conflict('two_factor.not_started', 'Start again: there is no QR code to confirm.');
  const step = matchingStep(openSecret(ctx, user_id, row.pending_encrypted, row.pending_key_id), code, ctx.now());
  if (step === null) throw invalidField('code', 'This code is not right. It changes every 30 seconds.');
  await ctx.db.exec(sql`
    update totp_factors set secret_encrypted = pending_encrypted, secret_key_id = pending_key_id,
      pending_encrypted = null, pending_key_id = null, last_step = ${step}, confirmed_at = ${ctx.now().toISOString()}
    where user_id = ${user_id}`);
  await ctx.audit({ action: 'set_up_two_factor', entity: 'user', entity_id: user_id });
  await tellOfChange(ctx, user_id, 'Two-factor sign-in is on',
    'An authenticator app was set up for your account. Signing in needs its code from now on.');
  return { recovery_codes: await firstRecoveryCodes(ctx, user_id) };
}

async function remove(ctx: Ctx): Promise<TwoFactorState> {
  const { user_id } = ctx.user;
  const factors = await factorsOf(ctx, user_id);
  if (!factors.code) throw conflict('two_factor.off', 'No authenticator app is set up.');
  await refuseIfLast(ctx, factors.passkeys === 0);
  await ctx.db.exec(sql`delete from totp_factors where user_id = ${user_id}`);
  if (factors.passkeys === 0) await ctx.db.exec(sql`delete from recovery_codes where user_id = ${user_id}`);
  await ctx.audit({ action: 'remove_two_factor', entity: 'user', entity_id: user_id });
  await tellOfChange(ctx, user_id, 'The authenticator app was removed',
    'Codes of the authenticator app are no longer asked for when you sign in.');
  return stateOf(ctx);
}

async function newCodes(ctx: Ctx) {
  const { user_id } = ctx.user;
  if (!hasFactor(await factorsOf(ctx, user_id))) {
    throw conflict('two_factor.off', 'Set up an authenticator app or a passkey first.');
  }
  const recovery_codes = await makeRecoveryCodes(ctx, user_id);
  await ctx.audit({ action: 'make_recovery_codes', entity: 'user', entity_id: user_id });
  await tellOfChange(ctx, user_id, 'New recovery codes were made', 'The recovery codes from before are void.');
  return { recovery_codes };
}

export const twoFactorRoutes: Route[] = serve(twoFactorEndpoints, {
  challenge: (ctx, { body }) => answerChallenge(ctx, body),
  show: async (ctx) => ({ data: await stateOf(ctx) }),
  start: async (ctx) => ({ data: await start(ctx) }),
  finish: async (ctx, { body }) => ({ data: await finish(ctx, body.code) }),
  remove: async (ctx) => ({ data: await remove(ctx) }),
  recoveryCodes: async (ctx) => ({ data: await newCodes(ctx) }),
});
