/**
 * The Big List of Naughty Strings through the texts of people's records: each is stored and comes back letter by letter
 * (without the blanks around it), or is refused at its field; nothing else, and never an error of ours.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { naughtyTexts } from '#tests/support/naughty.ts';
import { makeCustomer } from '#tests/support/principals.ts';

const naughty = naughtyTexts();
const STAFF = '/api/admin/staff';
const test = testApp();
let admin: SignedIn, house = 0, ruth = '';
beforeAll(async () => {
  admin = await test.signedIn('system_admin');
  await admin.confirm();
  house = await makeCustomer(test, 'Naughty Players');
  ruth = (await test.signedIn('customer', { customers: [{ id: house, role: 'admin' }] })).email;
});

type Send = (text: string, n: number) => Promise<Answer>;
const versions = new Map<string, number>();
/** Changes the same record again and again, with the version of the answer before. */
const change = (path: () => string, field: string): Send => async (text) => {
  const at = path();
  const version = versions.get(at) ?? (await admin.get(at)).body.data.version;
  const answer = await admin.put(at, { [field]: text, version });
  if (answer.status === 200) versions.set(at, answer.body.data.version);
  return answer;
};

const TEXTS: [string, string, Send][] = [
  ['one\'s own first name', 'first_name', (text) => admin.put(`/api/users/${admin.user_id}`, { first_name: text })],
  ['the name of a group', 'name', (text, n) => admin.post(`${STAFF}/groups`, { name: unique(text, n) })],
  ['the name of a team', 'name', (text, n) => admin.post(`${STAFF}/teams`, { name: unique(text, n) })],
  ['the name of a saved view', 'name', async (text) => {
    await test.database.db.exec(sql`delete from saved_views`);
    return admin.post('/api/users/me/views', { page_key: '/admin/shows', name: text, search: {} });
  }],
  ['the name of a customer', 'name', change(() => `${STAFF}/customers/${house}`, 'name')],
  ['the reason why a customer sleeps', 'reason', (text) => admin.put(`${STAFF}/customers/${house}/deactivate`,
    { reason: text })],
  ['the note of an invitation', 'note', async (text, n) => {
    const answer = await admin.post(`${STAFF}/invites`,
      { email: `n-${n}@test.example`, role: 'staff_user', note: text });
    return answer.status === 201 ? { ...answer, body: { data: answer.body.data[0] } } : answer;
  }],
  ['the subject of a message', 'subject', (text) => admin.post(`${STAFF}/customers/${house}/messages`,
    { subject: text, body: 'The scripts are on their way.', recipients: [ruth] })],
  ['the words of a message', 'body', (text) => admin.post(`${STAFF}/customers/${house}/messages`,
    { subject: 'Scripts', body: text, recipients: [ruth] })],
];
/** Names of groups and teams are unique without regard to case. */
const unique = (text: string, n: number): string => text.trim() === '' ? text : `${text} ${n}`;

describe.skipIf(naughty.length === 0)('strings nobody expects', () => {
  it.each(TEXTS)('as %s come back as they are or are refused at their field', { timeout: 300_000 },
    async (_, field, send) => {
      const wrong: string[] = [];
      let stored = 0;
      for (const [n, text] of naughty.entries()) {
        const { status, body } = await send(text, n);
        const back = (body as { data?: Record<string, unknown> } | null)?.data?.[field];
        if (status === 200 || status === 201 || status === 204) {
          stored += 1;
          const sent = field === 'name' && back !== text ? unique(text, n) : text;
          if (back !== undefined && ![text.trim(), sent.trim()].includes(String(back))) {
            wrong.push(`${JSON.stringify(text)} came back as ${JSON.stringify(back)}`);
          }
        } else if (status !== 422 || Object.keys((body as { errors?: object }).errors ?? {}).join() !== field) {
          wrong.push(`${status} ${JSON.stringify(body)}: ${JSON.stringify(text)}`);
        }
      }
      expect(wrong).toEqual([]);
      expect(stored).toBeGreaterThan(naughty.length / 2);
    });

  it('in names and subjects reach no header of a mail', async () => {
    const mails = await test.database.db.query<{ subject: string; recipients: string[] }>(sql`
      select subject, recipients from mail_outbox`);
    expect(mails.filter((mail) => /[\r\n]/.test(mail.subject + mail.recipients.join('')))).toEqual([]);
  });
});
