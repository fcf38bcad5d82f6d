/** Mail that named no conversation: listed, placed by hand as unverified, or dismissed with a reason; once. */
import { expect, test } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { makeLicense } from '#tests/support/receivables.ts';

const app = testApp();
const path = '/api/admin/staff/unplaced_mail';
const SECRET = 'a secret of thirty-two characters';

async function deliver(subject: string, from: string): Promise<void> {
  app.ports.settings.mail_in = { local: 'reply', domain: 'rights.example', secret: SECRET };
  const answer = await app.app.inject({ method: 'POST', url: '/mail/in',
    headers: { 'content-type': 'message/rfc822', authorization: `Bearer ${SECRET}` },
    payload: [`From: Dana <${from}>`, 'To: <office@rights.example>', `Subject: ${subject}`,
      `Message-ID: <${subject.replaceAll(' ', '-')}@mail.example>`, 'Content-Type: text/plain', '',
      'May we add a matinee?'].join('\r\n') });
  expect(answer.json()).toMatchObject({ outcome: 'unplaced' });
}

test('a mail without a conversation waits on Home and is placed once, as of an unverified sender', async () => {
  const staff = await app.signedIn('staff_admin');
  const license = await makeLicense(app.database.db, 'US');
  await app.database.db.exec(sql`
    insert into customer_contacts (customer_id, name, email) values (${license.customer_id}, 'Dana',
      'dana@school.example')`);
  await deliver('Matinee in May', 'dana@school.example');
  await deliver('Cheap watches', 'noise@spam.example');
  const found = (await staff.get(`${path}?search=matinee`)).body.data;
  expect(found).toMatchObject([{ subject: 'Matinee in May', sender_email: 'dana@school.example', outcome: 'unplaced',
    body: expect.stringContaining('May we add a matinee?') }]);
  const home = async () => (await staff.get('/api/admin/staff/dashboard?division=US')).body.data.todo.rows
    .filter((row: { kind: string }) => row.kind === 'unplaced_mail');
  expect(await home()).toMatchObject([{ title: '2 emails without a production' }]);

  const [{ id }] = found;
  expect((await staff.post(`${path}/${id}/place`, { license_id: 999_999 })).body.errors).toHaveProperty('license_id');
  const place = () => staff.post(`${path}/${id}/place`, { license_id: license.id });
  const answers = await Promise.all([place(), place()]);
  expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409]);
  expect(answers.find((one) => one.status === 409)!.body.code).toBe('inbound_mail.decided');
  expect((await staff.get(`/api/admin/staff/licenses/${license.id}/messages`)).body.data).toMatchObject([{
    body: 'Matinee in May\n\nMay we add a matinee?', verified: false, sender_email: 'dana@school.example' }]);

  const spam = (await staff.get(`${path}?outcome=unplaced`)).body.data[0];
  expect((await staff.post(`${path}/${spam.id}/dismiss`, { reason: '' })).body.errors).toHaveProperty('reason');
  const dismissed = await staff.post(`${path}/${spam.id}/dismiss`, { reason: 'Advertising' });
  expect(dismissed.body.data).toMatchObject({ outcome: 'dismissed', reason: 'Advertising' });
  expect(dismissed.body.data.decided_by_name).not.toBeNull();
  expect(await home()).toEqual([]);
  const kept = await app.database.db.query<{ action: string }>(sql`
    select action from audit_events where entity = 'inbound_mail' order by id`);
  expect(kept.map((row) => row.action)).toEqual(['place', 'dismiss']);
});

test('its files wait with it, and go along with the message, to be read by staff', async () => {
  const staff = await app.signedIn('staff_admin');
  const license = await makeLicense(app.database.db, 'US');
  app.ports.settings.mail_in = { local: 'reply', domain: 'rights.example', secret: SECRET };
  const part = (name: string, type: string, text: string): string[] => ['--cut', `Content-Type: ${type}`,
    `Content-Disposition: attachment; filename="${name}"`, '', text];
  await app.app.inject({ method: 'POST', url: '/mail/in',
    headers: { 'content-type': 'message/rfc822', authorization: `Bearer ${SECRET}` },
    payload: ['From: Dana <dana@school.example>', 'To: <office@rights.example>', 'Subject: Seating plan',
      'Message-ID: <plan@mail.example>', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="cut"', '',
      '--cut', 'Content-Type: text/plain', '', 'The plan is attached.', ...part('plan.txt', 'text/plain', 'Row A'),
      ...part('plan.exe', 'application/octet-stream', 'MZ'), '--cut--', ''].join('\r\n') });
  const [mail] = (await staff.get(`${path}?search=seating`)).body.data;
  expect(mail).toMatchObject({ files: [{ name: 'plan.txt' }], refused_files: [{ name: 'plan.exe' }] });
  const kept = await staff.get(`${path}/${mail.id}/files/${mail.files[0].id}`);
  expect(kept.raw.toString()).toContain('Row A');
  expect((await staff.post(`${path}/${mail.id}/place`, { license_id: license.id })).status).toBe(200);
  const messages = `/api/admin/staff/licenses/${license.id}/messages`;
  const [message] = (await staff.get(messages)).body.data;
  expect(message).toMatchObject({ files: [{ name: 'plan.txt' }], refused_files: [{ name: 'plan.exe' }] });
  expect((await staff.get(`${messages}/files/${message.files[0].id}`)).raw.equals(kept.raw)).toBe(true);
});

test('who may only read licenses decides nothing', async () => {
  const reader = await app.signedIn('staff_user', { permissions: ['license.list'] });
  expect((await reader.get(path)).status).toBe(200);
  expect((await reader.post(`${path}/1/dismiss`, { reason: 'x' })).status).toBe(403);
});
