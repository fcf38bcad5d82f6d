/**
 * Recovery codes: the way in without telephone and passkey. Eight at a time, each good once, stored as hashes and shown
 * in the answer that makes them and never again.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { toBase32 } from './totp.server.ts';

const HOW_MANY = 8;
/** 120 bits: six groups of four letters, too many to guess, so a plain hash is enough (ASVS 6.5.2). */
const CODE_BYTES = 15;
/** Crockford's letters: none that is taken for another. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function hashCode(code: string): Buffer {
  const plain = code.toUpperCase().replace(/[^0-9A-Z]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return createHash('sha256').update(plain).digest();
}

/** A new set; the old one is worthless from now on. */
export async function makeRecoveryCodes(ctx: WorkContext, userId: number): Promise<string[]> {
  const codes = Array.from({ length: HOW_MANY }, () =>
    toBase32(randomBytes(CODE_BYTES), LETTERS).replace(/(.{4})(?=.)/g, '$1-'));
  await ctx.db.exec(sql`delete from recovery_codes where user_id = ${userId}`);
  await ctx.db.exec(sql`
    insert into recovery_codes (user_id, code_hash)
    select ${userId}, hash from unnest(${codes.map(hashCode)}::bytea[]) hash`);
  return codes;
}

/** The codes for somebody who had none so far; null where a set exists: it stays as it is. */
export async function firstRecoveryCodes(ctx: WorkContext, userId: number): Promise<string[] | null> {
  const known = await ctx.db.maybeOne(sql`select 1 from recovery_codes where user_id = ${userId} limit 1`);
  return known ? null : makeRecoveryCodes(ctx, userId);
}

/** Uses a code and returns the number left; null if the code is wrong or was used. */
export async function useRecoveryCode(ctx: WorkContext, userId: number, code: string): Promise<number | null> {
  const used = await ctx.db.exec(sql`
    update recovery_codes set used_at = ${ctx.now().toISOString()}
    where user_id = ${userId} and code_hash = ${hashCode(code)} and used_at is null`);
  if (used === 0) return null;
  const row = await ctx.db.one<{ left: number }>(sql`
    select count(*)::int as left from recovery_codes where user_id = ${userId} and used_at is null`);
  return row.left;
}
