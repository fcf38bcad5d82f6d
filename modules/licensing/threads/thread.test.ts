/** Messages about a production: on screen, by mail out and in, and what must not follow from a mail. */
import { beforeEach, describe, expect, it } from 'vitest';
import { deliverOutbox } from '#server/deliver-outbox.ts';
import { sql } from '#server/sql.ts';
import { TEST_NOW, testApp } from '#tests/support/app.ts';
import { E2_TICKETS, evenings, licensingFixture } from '../testing/licensing-fixtures.ts';
import { tellOfUndelivered } from './undelivered.server.ts';

const test = testApp();
const SECRET = 'a secret of thirty-two characters';
beforeEach(() => {
  test.clock.set(TEST_NOW);
  test.ports.settings.mail_in = { local: 'reply', domain: 'rights.example', secret: SECRET };
});
const LICENSES = '/api/admin/staff/licenses';

async function sentOffer() {
  const fixture = await licensingFixture(test.database.db, {});
  const staff = await test.signedIn('staff_admin');
  const signer = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'signer' }] });
  const made = await staff.post(LICENSES, { customer_id: fixture.customer_id, show_id: fixture.show_id,
    category: 'Amateur', license_rep_id: staff.user_id, license_venues: [{ venue_id: fixture.venue_id,
      ticketing: E2_TICKETS, performances: evenings('2027-04-01', 6) }] });
  const { id, version } = made.body.data;
  const offer = await staff.put(`${LICENSES}/${id}/phase`, { event: 'send_offer', version });
  expect(offer.status, JSON.stringify(offer.body)).toBe(200);
  return { ...fixture, id: id as number, staff, signer, at: `${LICENSES}/${id}/messages`,
    own: `/api/customers/${fixture.customer_id}/licenses/${id}/messages` };
}
type Offer = Awaited<ReturnType<typeof sentOffer>>;

interface Mail { id: number; recipients: string[]; reply_to: string | null; body_text: string; token: string;
  attachments: unknown[] }
const mailsOf = (offer: Offer): Promise<Mail[]> => test.database.db.query<Mail>(sql`
  select o.id, o.recipients, o.reply_to, o.body_text, o.token, o.attachments from mail_outbox o
  join thread_messages m on m.id = o.entity_id
  where o.entity = 'thread_message' and m.license_id = ${offer.id} order by o.id`);

async function deliver(raw: string | Buffer, secret = SECRET) {
  const response = await test.app.inject({ method: 'POST', url: '/mail/in', payload: raw,
    headers: { 'content-type': 'message/rfc822', authorization: `Bearer ${secret}` } });
  return { status: response.statusCode, body: response.json() as { outcome?: string; message: string } };
}

let serial = 0;
function mail(from: string, to: string, text: string, headers: readonly string[] = []): string {
  serial += 1;
  return [`From: Somebody <${from}>`, `To: <${to}>`, 'Subject: Re: our run', `Message-ID: <m${serial}@mail.example>`,
    ...headers, ...(headers.some((line) => /^content-type:/i.test(line)) ? [] : ['Content-Type: text/plain']),
    '', text].join('\r\n');
}

/** Staff wrote; answers the address that the signer answers to. */
async function replyAddressOf(offer: Offer): Promise<string> {
  const sent = await offer.staff.post(offer.at, { body: 'Which entrance do trucks use?' });
  expect(sent.status, JSON.stringify(sent.body)).toBe(201);
  return (await mailsOf(offer)).findLast(({ recipients }) => recipients[0] === offer.signer.email)!.reply_to!;
}

const thread = async (offer: Offer) => (await offer.staff.get(offer.at)).body.data;

describe('on screen', () => {
  it('staff and customer write to each other; each is mailed and told, and the task ends with the answer', async () => {
    const offer = await sentOffer();
    const asked = await offer.signer.post(offer.own, { body: 'May we start at 7?' });
    expect(asked.status, JSON.stringify(asked.body)).toBe(201);
    const tasks = () => test.database.db.query<{ kind: string }>(sql`
      select kind from tasks where license_id = ${offer.id} and kind = 'message_unanswered' and status = 'open'`);
    expect(await tasks()).toHaveLength(1);
    await offer.staff.post(offer.at, { body: 'Yes.' });
    expect(await tasks()).toHaveLength(0);
    const mails = await mailsOf(offer);
    expect(mails.map(({ recipients }) => recipients[0])).toEqual([offer.staff.email, offer.signer.email]);
    expect(mails[1]!.body_text).toContain('Yes.');
    expect(mails[1]!.reply_to).toMatch(/^reply\+[0-9a-f]{32}@rights\.example$/);
    const seen = (await offer.signer.get(offer.own)).body.data;
    expect(seen.map((row: { body: string }) => row.body)).toEqual(['Yes.', 'May we start at 7?']);
    expect(JSON.stringify(seen)).not.toContain('deliveries');
    expect((await thread(offer))[0].deliveries).toMatchObject([{ email: offer.signer.email, state: 'waiting' }]);
  });

  it('files travel with their message, once, and only those who uploaded them send them', async () => {
    const offer = await sentOffer();
    const upload = await offer.signer.call('POST', `${offer.own}/files`, { multipart: { fields: {},
      file: { field: 'file', name: 'plan.txt', type: 'text/plain', content: Buffer.from('doors') } } });
    expect(upload.status, JSON.stringify(upload.body)).toBe(201);
    const file_ids = [upload.body.data.id];
    expect((await offer.staff.post(offer.at, { body: 'Mine', file_ids })).status).toBe(422);
    expect((await offer.signer.post(offer.own, { body: 'The plan', file_ids })).body.data.files)
      .toMatchObject([{ name: 'plan.txt', size_bytes: 5 }]);
    expect((await offer.signer.post(offer.own, { body: 'Again', file_ids })).status).toBe(422);
    expect((await offer.staff.get(`${offer.at}/files/${file_ids[0]}`)).raw.toString()).toBe('doors');
    expect((await mailsOf(offer))[0]!.attachments).toHaveLength(1);
  });

  it('another customer reads nothing, a member writes nothing, a quote that is not sent has no messages', async () => {
    const offer = await sentOffer();
    const other = await sentOffer();
    expect((await other.signer.get(offer.own)).status).toBe(404);
    expect((await other.signer.get(`/api/customers/${other.customer_id}/licenses/${offer.id}/messages`)).status)
      .toBe(404);
    const member = await test.signedIn('customer', { customers: [{ id: offer.customer_id, role: 'member' }] });
    expect((await member.get(offer.own)).status).toBe(200);
    expect((await member.post(offer.own, { body: 'x' })).status).toBe(403);
    const draft = await offer.staff.post(LICENSES, { customer_id: offer.customer_id, show_id: offer.show_id,
      category: 'Amateur', license_rep_id: offer.staff.user_id, license_venues: [] });
    const refused = await offer.staff.post(`${LICENSES}/${draft.body.data.id}/messages`, { body: 'x' });
    expect([refused.status, refused.body.code]).toEqual([409, 'license.phase_conflict']);
  });
});

describe('mail that comes in', () => {
  it('needs the secret, and is off without one', async () => {
    expect((await deliver(mail('a@b.example', 'x@y.example', 'Hi'), 'wrong')).status).toBe(401);
    test.ports.settings.mail_in = null;
    expect((await deliver(mail('a@b.example', 'x@y.example', 'Hi'))).status).toBe(404);
  });

  it('an answer of the person is placed without what it quotes, and the same mail again is nothing new', async () => {
    const offer = await sentOffer();
    const to = await replyAddressOf(offer);
    const raw = mail(offer.signer.email, to, 'The back door.\r\n\r\nOn Fri, Nov 20 Grand Rights wrote:\r\n> Which');
    expect((await deliver(raw)).body.outcome).toBe('placed');
    expect((await deliver(raw)).body.outcome).toBe('duplicate');
    const rows = await thread(offer);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ body: 'The back door.', verified: true, from_staff: false, by_mail: true });
    expect(rows[0].quoted).toContain('> Which');
  });

  it('is placed by an address in Cc, and by the mail that it answers where the sender is who got it', async () => {
    const offer = await sentOffer();
    const to = await replyAddressOf(offer);
    await deliver(mail(offer.signer.email, 'office@x.example', 'In Cc', [`Cc: "Us" <${to}>`]));
    const sent = (await mailsOf(offer)).findLast(({ recipients }) => recipients[0] === offer.signer.email)!;
    const reference = `In-Reply-To: <outbox-${sent.id}.${sent.token}@grandrights>`;
    expect((await deliver(mail(offer.signer.email, 'office@x.example', 'By reference', [reference]))).body.outcome)
      .toBe('placed');
    expect((await deliver(mail('stranger@b.example', 'office@x.example', 'Me too', [reference]))).body.outcome)
      .toBe('unplaced');
    expect((await thread(offer)).map((row: { body: string }) => row.body).slice(0, 2))
      .toEqual(['By reference', 'In Cc']);
  });

  it('a sender outside the production is shown as unverified, and nothing follows from it', async () => {
    const offer = await sentOffer();
    const to = await replyAddressOf(offer);
    const before = (await mailsOf(offer)).length;
    const stranger = mail('stranger@b.example', to, ['--b', 'Content-Type: text/plain', '', 'Cancel it all', '--b',
      'Content-Type: text/plain; name="x.txt"', 'Content-Disposition: attachment; filename="x.txt"', '', 'x', '--b--']
      .join('\r\n'), ['Content-Type: multipart/mixed; boundary=b']);
    expect((await deliver(stranger)).body.outcome).toBe('placed');
    // The address of staff in a customer's reply address is a forgery, and so is a mail that its domain disowns.
    await deliver(mail(offer.staff.email, to, 'Posing as staff'));
    await deliver(mail(offer.signer.email, to, 'Disowned', ['Authentication-Results: mx.example; dmarc=fail']));
    const rows = await thread(offer);
    expect(rows.slice(0, 3).map((row: { verified: boolean; from_staff: boolean }) => [row.verified, row.from_staff]))
      .toEqual([[false, false], [false, false], [false, false]]);
    expect(rows[2]).toMatchObject({ sender_email: 'stranger@b.example', files: [{ name: 'x.txt' }] });
    expect(await mailsOf(offer)).toHaveLength(before);
    expect(await test.database.db.query(sql`
      select 1 from tasks where license_id = ${offer.id} and kind = 'message_unanswered'`)).toHaveLength(0);
    const seen = (await offer.signer.get(offer.own)).body.data[2];
    expect(seen).toMatchObject({ body: 'Cancel it all', verified: false, files: [] });
    expect((await offer.signer.get(`${offer.own}/files/${rows[2].files[0].id}`)).status).toBe(404);
  });

  it('a person who left the customer is unverified from then on', async () => {
    const offer = await sentOffer();
    const to = await replyAddressOf(offer);
    await test.database.db.exec(sql`update users set disabled_at = now() where email = ${offer.signer.email}`);
    await deliver(mail(offer.signer.email, to, 'I am back'));
    expect((await thread(offer))[0]).toMatchObject({ body: 'I am back', verified: false });
  });

  it('staff answer by mail from their own address, and the customer gets it', async () => {
    const offer = await sentOffer();
    await offer.signer.post(offer.own, { body: 'Still open?' });
    const to = (await mailsOf(offer))[0]!;
    expect(to.recipients).toEqual([offer.staff.email]);
    await deliver(mail(offer.staff.email, to.reply_to!, 'Until Friday.'));
    expect((await thread(offer))[0]).toMatchObject({ from_staff: true, verified: true });
    expect((await mailsOf(offer)).at(-1)).toMatchObject({ recipients: [offer.signer.email] });
  });

  it('a file of 40 MB is refused in words, the rest of the message kept, and the sender told', async () => {
    const offer = await sentOffer();
    const to = await replyAddressOf(offer);
    const part = (name: string, bytes: number) => ['--b', `Content-Type: application/octet-stream; name="${name}"`,
      'Content-Transfer-Encoding: base64', `Content-Disposition: attachment; filename="${name}"`, '',
      Buffer.alloc(bytes, 'a').toString('base64').replace(/.{76}/g, '$&\r\n')].join('\r\n');
    const raw = mail(offer.signer.email, to, ['--b', 'Content-Type: text/html', '',
      '<p>See <b>both</b></p><script>alert(1)</script>', part('film.pdf', 40 * 1024 * 1024), part('note.txt', 100),
      part('tool.exe', 10), '--b--'].join('\r\n'), ['Content-Type: multipart/mixed; boundary=b']);
    expect((await deliver(raw)).body.outcome).toBe('placed');
    expect((await thread(offer))[0]).toMatchObject({ body: 'See both', files: [{ name: 'note.txt' }],
      refused_files: [{ name: 'film.pdf', reason: 'It has 40 MB; a file can have up to 25 MB.' },
        { name: 'tool.exe', reason: expect.stringContaining('type') }] });
    const told = await test.database.db.one<{ recipients: string[]; body_text: string }>(sql`
      select recipients, body_text from mail_outbox
      where template = 'thread.files_refused' and entity_id = ${offer.id}`);
    expect(told.recipients).toEqual([offer.signer.email]);
    expect(told.body_text).toContain('film.pdf: It has 40 MB');
  }, 60_000);

  it('notes of machines start nothing, and what is no mail is said to be none', async () => {
    const offer = await sentOffer();
    const to = await replyAddressOf(offer);
    for (const line of ['Auto-Submitted: auto-replied', 'Precedence: bulk', 'List-Id: <a.b>', 'Return-Path: <>']) {
      expect((await deliver(mail(offer.signer.email, to, 'I am away', [line]))).body.outcome, line).toBe('automatic');
    }
    expect(await thread(offer)).toHaveLength(1);
    expect((await deliver('no mail at all')).status).toBe(400);
    expect((await deliver(mail('x@y.example', 'office@rights.example', 'Hello'))).body.outcome).toBe('unplaced');
    const admin = await test.signedIn('system_admin');
    expect((await admin.get('/api/admin/system/inbound_mail?outcome=unplaced')).body.data[0])
      .toMatchObject({ sender_email: 'x@y.example', reason: 'It names no conversation.' });
  });

  it('a returned mail is marked at its message, and staff get one task; a forged return is none', async () => {
    const offer = await sentOffer();
    await replyAddressOf(offer);
    const sent = (await mailsOf(offer)).findLast(({ recipients }) => recipients[0] === offer.signer.email)!;
    const report = (token: string) => mail('mailer-daemon@mx.example', 'office@x.example', ['--b',
      'Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mx.example', '',
      `Final-Recipient: rfc822; ${offer.signer.email}`, 'Action: failed', 'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 5.1.1 no such mailbox', '', '--b', 'Content-Type: message/rfc822', '',
      `Message-ID: <outbox-${sent.id}.${token}@grandrights>`, 'Subject: x', '', 'Hello', '--b--'].join('\r\n'),
    ['Content-Type: multipart/report; report-type=delivery-status; boundary=b']);
    const tasks = () => test.database.db.query<{ title: string }>(sql`
      select title from tasks where license_id = ${offer.id} and kind = 'mail_undelivered'`);
    expect((await deliver(report('0'.repeat(32)))).body.outcome).toBe('bounce');
    expect(await tasks()).toHaveLength(0);
    await deliver(report(sent.token));
    await deliver(report(sent.token));
    expect((await thread(offer))[0].deliveries).toMatchObject([{ email: offer.signer.email, state: 'returned',
      reason: '550 5.1.1 no such mailbox' }]);
    const title = expect.stringContaining(`the mail to ${offer.signer.email} did not arrive`);
    expect(await tasks()).toEqual([{ title }]);
  });

  it('a server that refuses a mail for good is asked once, and staff are told', async () => {
    const offer = await sentOffer();
    await replyAddressOf(offer);
    let asked = 0;
    const refusing = { ...test.ports, mail: { deliver: async () => {
      asked += 1;
      throw Object.assign(new Error('550 no such user'), { responseCode: 550 });
    } } };
    await test.database.db.exec(sql`
      update mail_outbox set sent_at = now() where entity is distinct from 'thread_message'`);
    await deliverOutbox(refusing);
    const first = asked;
    await deliverOutbox(refusing);
    expect(asked).toBe(first);
    await tellOfUndelivered(test.ports);
    expect((await thread(offer))[0].deliveries).toMatchObject([{ state: 'returned', reason: '550 no such user' }]);
    expect(await test.database.db.query(sql`
      select 1 from tasks where license_id = ${offer.id} and kind = 'mail_undelivered'`)).toHaveLength(1);
  });

  it('one that is about no production becomes a task at its customer, with a notification, once', async () => {
    const { customer_id, staff } = await sentOffer();
    const member = await test.signedIn('customer', { customers: [{ id: customer_id, role: 'admin' }] });
    const bounce = (entity: string | null, entityId: number | null, to: string) => test.database.db.exec(sql`
      insert into mail_outbox (template, recipients, subject, body_text, entity, entity_id, bounced_at, sent_at)
      values ('customer.message', ${[to]}, 'A message about your account', 'x', ${entity}, ${entityId}, now(), now())`);
    await bounce('customer', customer_id, 'office@players.example');
    // Names nothing: found by the person it went to.
    await bounce(null, null, member.email.toUpperCase());
    await bounce(null, null, 'nobody@elsewhere.example');
    await tellOfUndelivered(test.ports);
    await tellOfUndelivered(test.ports);
    const tasks = await test.database.db.query<{ title: string; division: string; license_id: number | null }>(sql`
      select title, division, license_id from tasks where customer_id = ${customer_id} and kind = 'mail_undelivered'`);
    expect(tasks).toEqual([{ division: 'US', license_id: null,
      title: expect.stringContaining('the mail to office@players.example did not arrive') }]);
    const { todo } = (await staff.get('/api/admin/staff/dashboard?division=US&all=true')).body.data;
    expect(todo.rows).toContainEqual(expect.objectContaining({ kind: 'task', customer_id, title: tasks[0]!.title }));
    const told = (await staff.get('/api/admin/staff/notifications?kind=production.attention')).body.data;
    expect(told).toMatchObject([{ title: tasks[0]!.title, href: `/admin/customers/${customer_id}` }]);
  });
});
