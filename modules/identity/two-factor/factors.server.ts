/** The ways to take the second step, and the checks that sign-in and confirmation share. */
import { invalidField } from '#kit/errors.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { limit } from '#server/rate-limit.ts';
import { seal, unseal } from '#server/secret.ts';
import { sql } from '#server/sql.ts';
import { checkPasskey } from '../passkey/passkey-answer.server.ts';
import type { PasskeyAnswer } from '../passkey/passkey.contract.ts';
import { tellOfChange } from './security-mail.server.ts';
import { useRecoveryCode } from './recovery-codes.server.ts';
import { matchingStep } from './totp.server.ts';
import type { Factor, FactorAnswer } from './two-factor.contract.ts';

const MINUTE = 60;
const HOUR = 3600;

export interface Factors {
  /** A code of an authenticator app is set up. */
  code: boolean;
  passkeys: number;
  recovery_codes_left: number;
}

export async function factorsOf(ctx: WorkContext, userId: number): Promise<Factors> {
  return ctx.db.one<Factors>(sql`
    select exists (select from totp_factors where user_id = ${userId} and secret_encrypted is not null) as code,
      (select count(*)::int from passkeys where user_id = ${userId}) as passkeys,
      (select count(*)::int from recovery_codes where user_id = ${userId} and used_at is null) as recovery_codes_left`);
}

export const hasFactor = (factors: Factors): boolean => factors.code || factors.passkeys > 0;

/** Factors that a screen may offer, the strongest first. */
export function offered(factors: Factors): Factor[] {
  return [
    ...(factors.passkeys > 0 ? ['passkey' as const] : []),
    ...(factors.code ? ['code' as const] : []),
    ...(hasFactor(factors) && factors.recovery_codes_left > 0 ? ['recovery_code' as const] : []),
  ];
}

const totpOwner = (userId: number): string => `user:${userId}:totp`;

export function sealSecret(ctx: WorkContext, userId: number, secret: string) {
  return seal(ctx.ports.settings, totpOwner(userId), secret);
}
export function openSecret(ctx: WorkContext, userId: number, bytes: Buffer, key_id: string): string {
  return unseal(ctx.ports.settings, totpOwner(userId), { bytes, key_id });
}

/** Guesses are counted per person over all replicas: a code has a million values and lives 90 seconds. */
async function countGuess(ctx: Ctx, userId: number): Promise<void> {
  await limit(ctx, `second-factor:${userId}`, 5, MINUTE);
  await limit(ctx, `second-factor-hour:${userId}`, 30, HOUR);
}

async function checkCode(ctx: Ctx, userId: number, code: string): Promise<void> {
  const row = await ctx.db.maybeOne<{ secret_encrypted: Buffer; secret_key_id: string }>(sql`
    select secret_encrypted, secret_key_id from totp_factors
    where user_id = ${userId} and secret_encrypted is not null`);
  const secret = row && openSecret(ctx, userId, row.secret_encrypted, row.secret_key_id);
  const step = secret === null ? null : matchingStep(secret, code, ctx.now());
  if (step === null) throw invalidField('code', 'This code is not right. It changes every 30 seconds.');
  // Of two requests with the same code one moves the step, the other finds it moved.
  const moved = await ctx.db.exec(sql`
    update totp_factors set last_step = ${step} where user_id = ${userId} and last_step < ${step}`);
  if (moved === 0) throw invalidField('code', 'This code was used already. Wait for the next one.');
}

async function checkRecoveryCode(ctx: Ctx, userId: number, code: string): Promise<void> {
  const left = await useRecoveryCode(ctx, userId, code);
  if (left === null) throw invalidField('recovery_code', 'This recovery code is not right, or it was used already.');
  await tellOfChange(ctx, userId, 'A recovery code was used',
    `Somebody signed in to your account with a recovery code. ${left} ${left === 1 ? 'is' : 'are'} left.`);
}

/** Accepts one of the person's factors and says which; anything else is a 422 at its field. */
export async function checkFactor(ctx: Ctx, userId: number, answer: FactorAnswer): Promise<Factor> {
  await countGuess(ctx, userId);
  if (answer.passkey !== undefined) {
    await checkPasskey(ctx, answer.passkey as PasskeyAnswer, userId);
    return 'passkey';
  }
  if (answer.code !== undefined) {
    await checkCode(ctx, userId, answer.code);
    return 'code';
  }
  await checkRecoveryCode(ctx, userId, answer.recovery_code ?? '');
  return 'recovery_code';
}
