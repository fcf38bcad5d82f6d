// cspell:disable
/** Acceptance and storage of passwords (ASVS 6.2). */
import { argon2Sync, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { TEST_PASSWORD, testApp } from '#tests/support/app.ts';
import { hashPassword, isOutdated, passwordProblem, verifyPassword } from './password.server.ts';

/** From the heads of lists of stolen passwords, those of twelve and more characters, and their usual disguises. */
const COMMON = ['123456789012', '1234567890123', '111111111111', '000000000000', 'qwertyuiop12', 'qwerty123456',
  'qwertyuiop[]', '1q2w3e4r5t6y', 'q1w2e3r4t5y6', 'zaq12wsxcde3', '1qaz2wsx3edc', 'qazwsxedcrfv', 'asdfghjkl123',
  'abcdefghijkl', 'abcd12345678', 'abc123456789', 'password1234', 'Password123!', 'P@ssw0rd1234', 'p4ssw0rdp4ss',
  'passwordpassword', 'password2026', 'adminadmin12', 'administrator', 'administrator1', 'welcome12345', 'Welcome2026!',
  'letmein12345', 'iloveyou1234', 'iloveyouforever', 'changeme1234', 'unbelievable', 'jesuschrist1', 'liverpoolfc1',
  'manchesterunited', 'chelseafc123', 'sunshine1234', 'princess1234', 'superman1234', 'footballfootball',
  'November2026!', 'summer2026!!', 'qwertyqwerty', 'aaaaaaaaaaaa', 'trustno1trustno1', 'computer1234',
  'grandrights1', 'GrandRights2026', 'theghostlight', 'theatre12345', '11/20/2026 11', '2026-11-20 12', '!!!!!!!!!!!!'];

describe('a password', () => {
  it.each(COMMON)('%s is easy to guess', (text) => {
    expect(passwordProblem(text)).not.toBeNull();
  });

  it.each([
    ['eleven chars is one too few', 'xk9 vmq twzr'.slice(0, 11), 'Use at least 12 characters'],
    ['twelve are enough', 'xk9 vmq twzr', null],
    ['a sentence', 'the curtain fell before the second oboe', null],
    ['256 characters are accepted', `${'wq'.repeat(60)}${'zx7 '.repeat(34)}`, null],
    ['257 are not', `x${'wq'.repeat(60)}${'zx7 '.repeat(34)}`, 'Use at most 256 characters'],
    ['other scripts', 'призрачный свет на сцене', null],
    ['and pictures', '🎭🎪🎟️ дом 舞台 lighthouse', null],
    ['blanks at the ends count and stay', '   kq vz tmp   ', null],
    ['eleven characters that look longer in UTF-16', '😀😁😂😃😄😅😆😇😈😉😊', 'Use at least 12 characters'],
    ['a ligature counts as what it is hashed as', 'ﬁﬁﬁﬁ kvz q', null],
  ])('%s', (_, text, problem) => {
    expect(passwordProblem(text)).toBe(problem);
  });

  it.each([
    ['ada lovelace 1815', ['Ada', 'Lovelace']], ['Lovelace!!2026', ['Ada', 'Lovelace']],
    ['adalovelace123', ['Ada', 'Lovelace', 'ada']],
  ])('made of what is known of the person is refused: %s', (text, context) => {
    expect(passwordProblem(text, context)).toBe('This password is easy to guess');
    expect(passwordProblem('a lantern under seven bridges', context)).toBeNull();
  });
});

describe('a password is kept', () => {
  it('as argon2id of its NFKC form, whichever way it was typed', async () => {
    const hash = await hashPassword('Ünïcödé ﬁnale at the Savoy');
    expect(hash).toMatch(/^argon2id\$19456\$2\$/);
    expect(await verifyPassword('Ünïcödé finale at the Savoy'.normalize('NFD'), hash)).toBe(true);
    expect(await verifyPassword('Ünïcödé finale at the Savoy ', hash)).toBe(false);
  });

  it('and hashed anew at the next sign-in where the cost has changed', async () => {
    const salt = randomBytes(16);
    const tag = argon2Sync('argon2id', { message: Buffer.from(TEST_PASSWORD), nonce: salt, parallelism: 1,
      tagLength: 32, memory: 8192, passes: 1 });
    const old = `argon2id$8192$1$${salt.toString('base64url')}$${Buffer.from(tag).toString('base64url')}`;
    expect(isOutdated(old)).toBe(true);
    const person = await test.signedIn('customer');
    const { db } = test.database;
    await db.exec(sql`update users set password_hash = ${old} where id = ${person.user_id}`);
    const page = test.visitor();
    await page.get('/sanctum/csrf-cookie');
    expect((await page.post('/api/auth/login', { email: person.email, password: TEST_PASSWORD })).status).toBe(200);
    const row = await db.one<{ password_hash: string }>(sql`
      select password_hash from users where id = ${person.user_id}`);
    expect(isOutdated(row.password_hash)).toBe(false);
    expect(await verifyPassword(TEST_PASSWORD, row.password_hash)).toBe(true);
  });
});

const test = testApp();
