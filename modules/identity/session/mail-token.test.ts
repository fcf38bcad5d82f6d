/** Links sent by mail: the latest of a kind works, and none outlives the password or the account. */
import { describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { TEST_PASSWORD, testApp, type Browser } from '#tests/support/app.ts';
import { firstAdministrator } from './staff-invite.server.ts';

const test = testApp();
const NEW_PASSWORD = 'lanterns across seven bridges';

async function guest(): Promise<Browser> {
  const page = test.visitor();
  await page.get('/sanctum/csrf-cookie');
  return page;
}

/** The token in the last mail of a template to an address. */
async function mailed(template: string, to: string, path: string): Promise<string> {
  const { body_text } = await test.database.db.one<{ body_text: string }>(sql`
    select body_text from mail_outbox where template = ${template} and ${to} = any (recipients)
    order by id desc limit 1`);
  return new RegExp(`/${path}/([\\w-]{43})`).exec(body_text)![1]!;
}

async function resetLink(email: string): Promise<string> {
  expect((await (await guest()).post('/api/auth/forgot-password', { email })).status).toBe(200);
  return mailed('account.reset', email, 'password-reset');
}

const reset = async (email: string, token: string): Promise<number> =>
  (await (await guest()).post('/api/auth/reset-password', { email, token, password: NEW_PASSWORD,
    password_confirmation: NEW_PASSWORD })).status;

describe('a link to choose a new password', () => {
  it('stops working when a newer one is sent', async () => {
    const { email } = await test.signedIn('customer');
    const [older, newer] = [await resetLink(email), await resetLink(email)];
    expect([await reset(email, older), await reset(email, newer)]).toEqual([422, 200]);
  });

  it('stops working when the password is changed without it', async () => {
    const person = await test.signedIn('customer');
    const link = await resetLink(person.email);
    expect((await person.put(`/api/users/${person.user_id}/change-password`, { current_password: TEST_PASSWORD,
      password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD })).status).toBe(200);
    expect(await reset(person.email, link)).toBe(422);
    expect((await (await guest()).get(`/api/auth/password-resets/${link}`)).status).toBe(404);
  });

  it('stops working when the account is closed, and two at once cannot both stay open', async () => {
    const { email, user_id } = await test.signedIn('staff_user');
    const link = await resetLink(email);
    const { owner } = test.database;
    await expect(owner.exec(sql`insert into mail_tokens (purpose, token_hash, user_id, email, expires_at)
      values ('password_reset', sha256('x'), ${user_id}, ${email}, now() + interval '1 hour')`))
      .rejects.toMatchObject({ code: '23505' });
    await owner.exec(sql`update users set disabled_at = now() where id = ${user_id}`);
    expect(await reset(email, link)).toBe(422);
  });
});

it('a new password takes back the address that waits for its mailbox: its link changes nothing', async () => {
  const person = await test.signedIn('customer');
  await person.confirm();
  const other = `other-${person.email}`;
  expect((await person.put(`/api/users/${person.user_id}`, { email: other })).status).toBe(200);
  const link = await mailed('account.new_address', other, 'verify-email');
  expect(await reset(person.email, await resetLink(person.email))).toBe(200);
  expect((await (await guest()).post('/api/auth/email/verify', { token: link })).status).toBe(422);
});

it('a password that is only hashed anew at sign-in ends no link', async () => {
  const { email, user_id } = await test.signedIn('customer');
  const link = await resetLink(email);
  await test.database.owner.exec(sql`update users set password_hash = 'argon2id$1$1$x$y' where id = ${user_id}`);
  expect(await reset(email, link)).toBe(200);
});

it('the link of the first administrator: the latest one, and only while there is none', async () => {
  const tokenOf = (text: string | null): string => /create\/([\w-]{43})/.exec(text ?? '')![1]!;
  const { owner } = test.database;
  await owner.exec(sql`update users set disabled_at = now() where role = 'system_admin'`);
  const [older, newer] = [tokenOf(await firstAdministrator(test.ports)), tokenOf(await firstAdministrator(test.ports))];
  const accept = async (token: string, email: string): Promise<number> =>
    (await (await guest()).post('/api/auth/register-staff', { token, email, first_name: 'A', last_name: 'B',
      password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD })).status;
  expect(await accept(older, 'first@test.example')).toBe(404);
  await test.signedIn('system_admin');
  expect(await accept(newer, 'second@test.example')).toBe(404);
});

describe('whom to ask', () => {
  it('is the representative of the division of the customer; a colleague is told nobody', async () => {
    const { db } = test.database;
    const colleague = await test.signedIn('staff_user');
    const customer = await test.signedIn('customer');
    await db.exec(sql`
      update users set first_name = 'Sally', last_name = 'Ames', phone = '+1 212 555 0101'
      where id = ${colleague.user_id}`);
    await db.exec(sql`update divisions set representative_id = ${colleague.user_id} where code = 'US'`);
    for (const { email } of [customer, colleague]) await resetLink(email);
    const asked = async (to: string): Promise<boolean> => (await db.one<{ body_text: string }>(sql`
      select body_text from mail_outbox where recipients = ${[to]} order by id desc limit 1`)).body_text
      .includes(`Questions? Sally Ames, +1 212 555 0101, ${colleague.email}`);
    expect([await asked(customer.email), await asked(colleague.email)]).toEqual([true, false]);
  });
});
