/**
 * Passwords: argon2id with 19 MiB and two passes, built into the runtime; at most two hashes at a time, so that a
 * flood of sign-ins cannot take the machine (reliability.md D3).
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { invalidField } from '#kit/errors.ts';
import { isGuessable } from './guessable.server.ts';

const MEMORY_KIB = 19_456;
const PASSES = 2;
const TAG_BYTES = 32;
const SALT_BYTES = 16;
const MOST_AT_ONCE = 2;

export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 256;

let running = 0;
const waiting: (() => void)[] = [];

async function hashing<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

interface Cost { memory: number; passes: number }
const COST: Cost = { memory: MEMORY_KIB, passes: PASSES };

function derive(password: string, salt: Buffer, { memory, passes }: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', {
      message: Buffer.from(password.normalize('NFKC')), nonce: salt, parallelism: 1, tagLength: TAG_BYTES,
      memory, passes,
    }, (error, tag) => { if (error) reject(error); else resolve(Buffer.from(tag)); });
  });
}

/** `argon2id$m$t$salt$tag`, salt and tag in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await hashing(() => derive(password, salt, COST));
  return `argon2id$${MEMORY_KIB}$${PASSES}$${salt.toString('base64url')}$${tag.toString('base64url')}`;
}

const DUMMY_SALT = Buffer.alloc(SALT_BYTES, 1);

/** Verifies against `stored`; without one the same work is done, so that time tells nothing of unknown accounts. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, salt, tag] = (stored ?? '').split('$');
  const cost = memory && passes ? { memory: Number(memory), passes: Number(passes) } : COST;
  const given = await hashing(() => derive(password, salt ? Buffer.from(salt, 'base64url') : DUMMY_SALT, cost));
  if (!tag) return false;
  const wanted = Buffer.from(tag, 'base64url');
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

/** Whether a hash was made with another cost than today's: it is made anew at the next sign-in. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(`argon2id$${MEMORY_KIB}$${PASSES}$`);
}

/** Why a password is refused, in words; null where it is fine. Length and guessability only, no composition rules. */
export function passwordProblem(password: string, context: readonly string[] = []): string | null {
  // Counted as it is hashed, in characters of Unicode.
  const length = Array.from(password.normalize('NFKC')).length;
  if (length < PASSWORD_MIN) return `Use at least ${PASSWORD_MIN} characters`;
  if (length > PASSWORD_MAX) return `Use at most ${PASSWORD_MAX} characters`;
  if (isGuessable(password, context)) return 'This password is easy to guess';
  if (new Set(password).size < 5) return 'This password repeats too few characters';
  return null;
}

/** Refuses a new password at its field: too easy, or typed twice in two ways. */
export function checkNewPassword(password: string, confirmation: string, context: string[]): void {
  const problem = passwordProblem(password, context);
  if (problem) throw invalidField('password', problem);
  if (password !== confirmation) throw invalidField('password_confirmation', 'The two passwords differ');
}
