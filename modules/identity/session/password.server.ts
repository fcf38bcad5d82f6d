/**
 * Passwords: argon2id with 19 MiB and two passes, built into the runtime; at most two hashes at a time, so that a
 * flood of sign-ins cannot take the machine (reliability.md D3).
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { invalidField } from '#kit/errors.ts';

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

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', {
      message: Buffer.from(password.normalize('NFKC')), nonce: salt, parallelism: 1, tagLength: TAG_BYTES,
      memory: MEMORY_KIB, passes: PASSES,
    }, (error, tag) => { if (error) reject(error); else resolve(Buffer.from(tag)); });
  });
}

/** `argon2id$m$t$salt$tag`, salt and tag in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await hashing(() => derive(password, salt));
  return `argon2id$${MEMORY_KIB}$${PASSES}$${salt.toString('base64url')}$${tag.toString('base64url')}`;
}

const DUMMY_SALT = Buffer.alloc(SALT_BYTES, 1);

/** Verifies against `stored`; without one the same work is done, so that time tells nothing of unknown accounts. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, , , salt, tag] = (stored ?? '').split('$');
  const given = await hashing(() => derive(password, salt ? Buffer.from(salt, 'base64url') : DUMMY_SALT));
  if (!tag) return false;
  const wanted = Buffer.from(tag, 'base64url');
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

const COMMON = [
  'password', '123456', 'qwerty', 'letmein', 'welcome', 'grandrights', 'theatre', 'theater', 'iloveyou', 'admin',
];

/** Why a password is refused, in words; null where it is fine. Length and guessability only, no composition rules. */
export function passwordProblem(password: string, context: readonly string[] = []): string | null {
  if (password.length < PASSWORD_MIN) return `Use at least ${PASSWORD_MIN} characters`;
  if (password.length > PASSWORD_MAX) return `Use at most ${PASSWORD_MAX} characters`;
  const bare = password.toLowerCase().replace(/[^a-z]/g, '');
  const guessable = [...COMMON, ...context.map((word) => word.toLowerCase().replace(/[^a-z]/g, ''))]
    .filter((word) => word.length >= 4);
  const repeats = (word: string): boolean => bare === word.repeat(Math.round(bare.length / word.length));
  if (guessable.some((word) => bare === word || (bare.length > 0 && repeats(word)))) {
    return 'This password is easy to guess';
  }
  if (new Set(password).size < 5) return 'This password repeats too few characters';
  return null;
}

/** Refuses a new password at its field: too easy, or typed twice in two ways. */
export function checkNewPassword(password: string, confirmation: string, context: string[]): void {
  const problem = passwordProblem(password, context);
  if (problem) throw invalidField('password', problem);
  if (password !== confirmation) throw invalidField('password_confirmation', 'The two passwords differ');
}
