/** No answer tells whether an address has an account, and nothing that people type breaks sign-in or a mail. */
import { describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { TEST_PASSWORD, testApp, type Answer, type Browser } from '#tests/support/app.ts';
import { naughtyTexts } from '#tests/support/naughty.ts';
import { hashPassword, verifyPassword } from './password.server.ts';

const test = testApp();

async function visitor(app = test): Promise<Browser> {
  const page = app.visitor();
  await page.get('/sanctum/csrf-cookie');
  return page;
}
/** All that an onlooker sees of an answer; ids of requests and sessions differ between any two. */
function seen({ status, body, headers }: Answer): unknown {
  const { date: _d, 'x-request-id': _i, 'set-cookie': cookies, ...rest } = headers;
  return { status, body: { ...body, error_id: '' }, headers: rest, cookies: [cookies].flat().length };
}
const register = (email: string) => ({ first_name: 'Ada', last_name: 'Reed', email, organisation: 'Fairmount School',
  password: 'seven lanterns under the bridge', password_confirmation: 'seven lanterns under the bridge' });

async function inTurn(work: () => Promise<number>): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < 5; n += 1) found.push(await work());
  return found;
}

describe('an unknown address gets the answer of a known one', () => {
  it.each([
    ['forgot-password', (email: string) => ({ email })],
    ['email/resend', (email: string) => ({ email })],
    ['login', (email: string) => ({ email, password: 'wrong wrong wrong' })],
    ['register', register],
  ] as const)('%s', async (path, bodyOf) => {
    const known = await test.signedIn('customer');
    const disabled = await test.signedIn('customer');
    await test.database.db.exec(sql`update users set disabled_at = now() where id = ${disabled.user_id}`);
    const answers = [];
    for (const email of [known.email, disabled.email, `nobody-${path.replace('/', '-')}@test.example`]) {
      answers.push(seen(await (await visitor()).post(`/api/auth/${path}`, bodyOf(email))));
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('and the work of one hash is done for nobody, too', async () => {
    const hash = await hashPassword(TEST_PASSWORD);
    const time = async (stored: string | null): Promise<number> => {
      const started = process.cpuUsage();
      await verifyPassword('wrong wrong wrong', stored);
      const { user, system } = process.cpuUsage(started);
      return user + system;
    };
    const somebody = Math.min(...await inTurn(() => time(hash)));
    const nobody = Math.min(...await inTurn(() => time(null)));
    // CPU, not the clock: without the hash it would be a thousandth.
    expect(nobody).toBeGreaterThan(somebody / 4);
  });

  it('a link goes to who has an account, an explanation to who has none, and both count as tries', async () => {
    const strict = testLimits;
    const page = await visitor(strict);
    for (let n = 0; n < 3; n += 1) {
      expect((await page.post('/api/auth/forgot-password', { email: 'nobody@test.example' })).status).toBe(200);
    }
    expect((await page.post('/api/auth/forgot-password', { email: 'nobody@test.example' })).status).toBe(429);
    const mail = await strict.database.db.query<{ template: string; body_text: string }>(sql`
      select template, body_text from mail_outbox where 'nobody@test.example' = any (recipients)`);
    expect(mail.map((one) => one.template)).toEqual(['account.unknown', 'account.unknown', 'account.unknown']);
    expect(mail.some((one) => one.body_text.includes('password-reset'))).toBe(false);
  });

  it('five wrong passwords in a minute end in a wait, known or not, in the words of the form', async () => {
    const known = await testLimits.signedIn('customer');
    for (const email of [known.email, 'nobody-else@test.example']) {
      const page = await visitor(testLimits);
      const statuses: number[] = [];
      for (let n = 0; n < 6; n += 1) {
        statuses.push((await page.post('/api/auth/login', { email, password: `wrong ${n}` })).status);
      }
      // Signing in for the test counts as well.
      expect(statuses.at(-1)).toBe(429);
      const { body, headers } = await page.post('/api/auth/login', { email, password: TEST_PASSWORD });
      expect(body.errors.email[0]).toMatch(/^Too many login attempts\. Please try again in \d+ seconds\.$/);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
  });
});

const testLimits = testApp({ rateLimits: true });

const naughty = naughtyTexts();

describe.skipIf(naughty.length === 0)('strings nobody expects', () => {
  const slow = { timeout: 300_000 };

  it('as address and password are refused or not found, never an error of ours', slow, async () => {
    const page = await visitor();
    const wrong: string[] = [];
    for (const text of naughty) {
      for (const body of [{ email: text, password: 'x' }, { email: 'a@b.example', password: text.slice(0, 256) }]) {
        const { status } = await page.post('/api/auth/login', body);
        if (status !== 422) wrong.push(`${status}: ${JSON.stringify(text)}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('as names are stored as they are or refused at their field, and reach no header of a mail', slow, async () => {
    const page = await visitor();
    const wrong: string[] = [];
    for (const [n, text] of naughty.entries()) {
      const email = `naughty-${n}@test.example`;
      const answer = await page.post('/api/auth/register',
        { ...register(email), first_name: text, last_name: text, organisation: text });
      if (answer.status === 422) {
        const fields = Object.keys(answer.body.errors as object);
        if (!fields.every((field) => ['first_name', 'last_name', 'organisation', 'password', ''].includes(field))) {
          wrong.push(`${fields.join()}: ${JSON.stringify(text)}`);
        }
      } else if (answer.status !== 202) wrong.push(`${answer.status}: ${JSON.stringify(text)}`);
    }
    expect(wrong).toEqual([]);
    const mails = await test.database.db.query<{ subject: string; recipients: string[] }>(sql`
      select subject, recipients from mail_outbox`);
    expect(mails.filter((mail) => /[\r\n]/.test(mail.subject + mail.recipients.join('')))).toEqual([]);
  });

  it.each(['Ada\r\nBcc: everybody@evil.example', 'Ada\nBcc: x@evil.example'])(
    'a line break in a name is refused: %j', async (first_name) => {
      const answer = await (await visitor()).post('/api/auth/register',
        { ...register('breaks@test.example'), first_name });
      expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([422, ['first_name']]);
    });

  it.each(['a@b.example\r\nBcc: x@evil.example', 'a@b.example, x@evil.example', '<a@b.example>', 'a@b.example\u0000'])(
    'an address that is more than one is refused: %j', async (email) => {
      expect((await (await visitor()).post('/api/auth/forgot-password', { email })).status).toBe(422);
    });
});
