/** Signing: whose name, which version, one executed copy with the same bytes for both sides. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { textOfPages } from '#server/pdf-pages.ts';
import { sql, type Sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { PAPER } from '#tests/support/paper-file.ts';
import { E2_TICKETS, evenings, licensingFixture, payWhatIsAsked, type Fixture }
  from '../../testing/licensing-fixtures.ts';

const test = testApp();
const LICENSES = '/api/admin/staff/licenses';

interface Sent { staff: SignedIn; fixture: Fixture; license: Answer['body']; home: string }

async function sentOffer(division = 'US'): Promise<Sent> {
  const staff = await test.signedIn('staff_admin');
  const fixture = await licensingFixture(test.database.db, { division });
  const made = await staff.post(LICENSES, { customer_id: fixture.customer_id, show_id: fixture.show_id,
    category: 'Amateur', division, license_venues: [{ venue_id: fixture.venue_id, ticketing: E2_TICKETS,
      performances: evenings('2027-04-01', 4) }] });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const sent = await staff.put(`${LICENSES}/${made.body.data.id}/phase`, { event: 'send_offer',
    version: made.body.data.version });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  return { staff, fixture, license: sent.body.data,
    home: `/api/customers/${fixture.customer_id}/licenses/${made.body.data.id}` };
}

const signer = (at: Sent, role = 'signer'): Promise<SignedIn> =>
  test.signedIn('customer', { customers: [{ id: at.fixture.customer_id, role }] });
const nameOf = async (person: SignedIn): Promise<string> => (await test.database.db.one<{ name: string }>(sql`
  select first_name || ' ' || last_name as name from users where id = ${person.user_id}`)).name;
const signaturesOf = (at: Sent) => test.database.db.query<{ signer_name: string; account_name: string }>(sql`
  select signer_name, account_name from signatures where license_id = ${at.license.id} and voided_at is null`);

async function bodyFor(at: Sent, person: SignedIn, more: object = {}) {
  const quote = (await person.get(`${at.home}/quote`)).body.data;
  return { offer_version: quote.offer_version, hash: quote.hash, signer_name: await nameOf(person),
    signer_title: 'Principal', accept: true, ...more };
}

interface Paper { id: number; type: string; origin: string; status: string; description: string }
const executedOf = (papers: Paper[]): Paper => papers.find((one) => one.type === 'signed_contract'
  && one.origin === 'generate' && one.status === 'signed')!;

describe('the executed copy', () => {
  it('is the contract and a certificate page, the same bytes for staff, customer and mail', async () => {
    const at = await sentOffer();
    const person = await signer(at);
    const quote = (await person.get(`${at.home}/quote`)).body.data;
    const signed = await person.post(`${at.home}/sign`, await bodyFor(at, person));
    expect(signed.status, JSON.stringify(signed.body)).toBe(200);
    const copy = executedOf(signed.body.data.documents);
    const theirs = await person.get(`${at.home}/documents/${copy.id}`);
    const ours = await at.staff.get(`${LICENSES}/${at.license.id}/license_documents/${copy.id}/file`);
    const mail = await test.database.db.one<{ attachments: { storage_key: string }[]; body_text: string }>(sql`
      select attachments, body_text from mail_outbox where entity_id = ${at.license.id}
        and template = 'contract.signed_copy'`);
    const mailed = await test.ports.files.get(mail.attachments[0]!.storage_key);
    expect(theirs.raw.equals(ours.raw) && theirs.raw.equals(mailed)).toBe(true);

    const contract = (signed.body.data.documents as Paper[]).find((one) => one.type === 'production_contract')!;
    const bytes = (await person.get(`${at.home}/documents/${contract.id}`)).raw;
    const hash = createHash('sha256').update(bytes).digest('hex');
    const pages = await textOfPages(mailed);
    const certificate = pages.at(-1)!.replace(/\s+/g, ' ');
    expect(quote.document_sha256).toBe(hash);
    expect(pages.slice(0, -1)).toEqual(await textOfPages(bytes));
    expect(certificate).toContain(`SHA-256 of the signed file: ${hash}`);
    const name = await nameOf(person);
    for (const part of [`Name ${name}`, 'Title Principal', `Account ${name}, ${person.email}`,
      'IP address 127.0.0.1', 'Organization Springfield Players', `Issued by ${await nameOf(at.staff)}`,
      'Organization Grand Rights, Inc.']) expect(certificate).toContain(part);
    expect(certificate).toMatch(/Signed at November 20, 2026, \d{1,2}:\d\d [AP]M E[SD]T \(2026-11-20 [\d:]{8} UTC\)/);
  });

  it('the license certificate names both signers', async () => {
    const system = await test.signedIn('system_admin');
    const [division] = (await system.get('/api/admin/system/divisions')).body.data.filter(
      (row: { code: string }) => row.code === 'US');
    const named = await system.put('/api/admin/system/divisions/US', { version: division.version,
      signatory_name: 'Sally Signatory', signatory_title: 'Director of Licensing' });
    expect(named.status, JSON.stringify(named.body)).toBe(200);
    const at = await sentOffer();
    const person = await signer(at);
    await person.post(`${at.home}/sign`, await bodyFor(at, person));
    await payWhatIsAsked(test.ports, at.license.id);
    const papers = (await person.get(at.home)).body.data.documents as Paper[];
    const certificate = papers.find((one) => one.type === 'execution_certificate')!;
    const text = (await textOfPages((await person.get(`${at.home}/documents/${certificate.id}`)).raw)).join(' ')
      .replace(/\s+/g, ' ');
    expect(text).toContain(`Signed for Licensee ${await nameOf(person)}, Principal, Springfield Players`);
    expect(text).toContain('Signed for Licensor Sally Signatory, Director of Licensing, Grand Rights');
  });

  it('every paper and mail of a production without a representative names the one of its division', async () => {
    const system = await test.signedIn('system_admin');
    const rep = await test.signedIn('staff_user');
    await test.database.db.exec(sql`update users set phone = '+44 20 7946 0101' where id = ${rep.user_id}`);
    const [division] = (await system.get('/api/admin/system/divisions')).body.data.filter(
      (row: { code: string }) => row.code === 'US');
    const path = '/api/admin/system/divisions/US';
    const person = await test.signedIn('customer');
    const refused = await system.put(path, { version: division.version, representative_id: person.user_id });
    expect(refused.body.errors).toHaveProperty('representative_id');
    const named = await system.put(path, { version: division.version, representative_id: rep.user_id });
    expect(named.body.data).toMatchObject({ representative_id: rep.user_id, representative_name: await nameOf(rep) });
    const at = await sentOffer();
    const reader = await signer(at);
    await reader.post(`${at.home}/sign`, await bodyFor(at, reader));
    await payWhatIsAsked(test.ports, at.license.id);
    const { documents, license_rep: shown } = (await reader.get(at.home)).body.data;
    expect(shown).toMatchObject({ name: await nameOf(rep), phone: '+44 20 7946 0101', email: rep.email });
    const whom = `${await nameOf(rep)}, +44 20 7946 0101, ${rep.email}`;
    for (const type of ['quote_letter', 'execution_certificate']) {
      const paper = (documents as Paper[]).find((one) => one.type === type)!;
      const text = (await textOfPages((await reader.get(`${at.home}/documents/${paper.id}`)).raw)).join(' ');
      expect(text.replace(/\s+/g, ' '), type).toContain(`Questions ${whom}`);
    }
    const { data: invoices } = (await reader.get(`/api/customers/${at.fixture.customer_id}/invoices`)).body;
    const invoice = await reader.get(`/api/customers/${at.fixture.customer_id}/invoices/${invoices[0].id}/document`);
    expect((await textOfPages(invoice.raw)).join(' ').replace(/\s+/g, ' ')).toContain(`Questions ${whom}`);
    const [mail] = await test.database.db.query<{ body_text: string }>(sql`
      select body_text from mail_outbox where entity = 'license' and entity_id = ${at.license.id} order by id limit 1`);
    expect(mail!.body_text).toContain(`Questions? ${whom}`);
  });

  it('is sealed in the database: neither the copy nor the name under it changes', async () => {
    const at = await sentOffer();
    const person = await signer(at);
    const { document_sha256: read } = (await person.get(`${at.home}/quote`)).body.data;
    await person.post(`${at.home}/sign`, await bodyFor(at, person));
    expect(await test.database.db.query(sql`
      select document_sha256 from signatures where license_id = ${at.license.id}`))
      .toEqual([{ document_sha256: read }]);
    const change = (to: Sql) => test.database.db.exec(sql`
      update signatures set ${to} where license_id = ${at.license.id}`);
    await expect(change(sql`executed_file_id = null, document_sha256 = null`)).rejects.toThrow(/sealed/);
    await expect(change(sql`signer_name = 'Somebody Else'`)).rejects.toThrow(/permission denied/);
  });
});

describe('the name', () => {
  it('of another than the account is asked about, and stands beside the account when confirmed', async () => {
    const at = await sentOffer();
    const person = await signer(at);
    const body = await bodyFor(at, person, { signer_name: 'Dana Drama' });
    const asked = await person.post(`${at.home}/sign`, body);
    expect(asked.body).toMatchObject({ code: 'license.signer_differs', errors: { confirm_name: [
      `You signed as Dana Drama; your account is ${await nameOf(person)}. Correct the name, or confirm that it is `
      + 'yours and that you have the right to sign.'] } });
    expect(await signaturesOf(at)).toEqual([]);
    expect((await person.post(`${at.home}/sign`, { ...body, confirm_name: true })).status).toBe(200);
    expect(await signaturesOf(at)).toEqual([{ signer_name: 'Dana Drama',
      account_name: `${await nameOf(person)}, ${person.email}` }]);
  });

  it('is taken as typed by hand: small letters, spaces and accents do not matter', async () => {
    const at = await sentOffer();
    const person = await signer(at);
    const typed = (await nameOf(person)).toLowerCase().replace('test', ' t\u00e9st');
    const body = await bodyFor(at, person, { signer_name: typed });
    expect((await person.post(`${at.home}/sign`, body)).status).toBe(200);
  });

  it('of a person who left signs nothing', async () => {
    const at = await sentOffer();
    const person = await signer(at);
    const body = await bodyFor(at, person);
    await test.database.db.exec(sql`delete from customer_users where user_id = ${person.user_id}`);
    expect((await person.post(`${at.home}/sign`, body)).status).toBe(404);
    expect(await signaturesOf(at)).toEqual([]);
  });
});

describe('an offer that moves', () => {
  it('is refused with what changed since it was read', async () => {
    const at = await sentOffer();
    const person = await signer(at);
    const body = await bodyFor(at, person);
    const move = async (event: string) => {
      const now = (await at.staff.get(`${LICENSES}/${at.license.id}`)).body.data;
      const moved = await at.staff.put(`${LICENSES}/${at.license.id}/phase`, { event, version: now.version,
        reason: 'One more evening' });
      expect(moved.status, JSON.stringify(moved.body)).toBe(200);
    };
    await move('revise');
    const venues = (await at.staff.get(`${LICENSES}/${at.license.id}/license_venues`)).body.data;
    const added = await at.staff.post(`${LICENSES}/${at.license.id}/performances`, { license_venue_id: venues[0].id,
      rows: [{ local_date: '2027-04-08', local_time: '19:30' }] });
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    await move('send_offer');
    const refused = await person.post(`${at.home}/sign`, body);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ unmet: [{ guard: 'same_version' }], offer_version: 2, changes: [
      'Price: USD 4,925.00 (before: USD 3,940.00)', 'Performance added: April 8, 2027, 7:30 PM, ' + venues[0].name,
      'Payment plan'] });
    expect(await signaturesOf(at)).toEqual([]);
  });

  it('is signed once when two people sign at the same moment', async () => {
    const at = await sentOffer();
    const people = [await signer(at), await signer(at, 'admin')];
    const bodies = await Promise.all(people.map((person) => bodyFor(at, person)));
    const answers = await Promise.all(people.map((person, k) => person.post(`${at.home}/sign`, bodies[k]!)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await signaturesOf(at)).toHaveLength(1);
    const copies = await test.database.db.one<{ copies: number; mails: number }>(sql`
      select (select count(*) from license_documents where license_id = ${at.license.id} and origin = 'generate'
          and type = 'signed_contract') as copies,
        (select count(*) from mail_outbox where entity_id = ${at.license.id}
          and template = 'contract.signed_copy') as mails`);
    expect(copies).toEqual({ copies: 1, mails: 1 });
  });
});

describe('a contract on paper', () => {
  const record = async (at: Sent, fields: object, content = PAPER, name = 'signed.pdf') => {
    const now = (await at.staff.get(`${LICENSES}/${at.license.id}`)).body.data;
    return at.staff.call('POST', `${LICENSES}/${at.license.id}/sign`, { multipart: { fields: {
      version: String(now.version), offer_version: String(now.offer_version), signer_name: 'Chris Contact',
      signed_on: '2026-11-20', ...fields }, file: { field: 'document', name, type: 'application/pdf', content } } });
  };

  it('is executed as the upload with the certificate page behind it', async () => {
    const at = await sentOffer('UK');
    expect((await record(at, { signer_title: 'Bursar' })).status).toBe(200);
    const path = `${LICENSES}/${at.license.id}/license_documents`;
    const papers = (await at.staff.get(`${path}?per_page=50`)).body.data as Paper[];
    const pages = await textOfPages((await at.staff.get(`${path}/${executedOf(papers).id}/file`)).raw);
    expect(pages).toHaveLength(2);
    const certificate = pages[1]!.replace(/\s+/g, ' ');
    for (const part of ['Signature On paper', 'Date on paper 20 November 2026', 'Name Chris Contact', 'Title Bursar',
      `Recorded by ${await nameOf(at.staff)}`, createHash('sha256').update(PAPER).digest('hex')]) {
      expect(certificate).toContain(part);
    }
  });

  it('is refused where it cannot be opened, is dated outside the offer, or names a stranger', async () => {
    const at = await sentOffer();
    expect((await record(at, {}, Buffer.from('%PDF-1.7 nothing'))).body.errors).toHaveProperty('document');
    expect((await record(at, { signed_on: '2026-11-19' })).body.errors.signed_on[0]).toContain('November 20, 2026');
    expect((await record(at, { signed_on: '2026-11-21' })).body.errors).toHaveProperty('signed_on');
    expect((await record(at, { signer_name: 'A Stranger' })).body.errors).toHaveProperty('confirm_name');
    expect(await signaturesOf(at)).toEqual([]);
    expect((await record(at, { signer_name: 'A Stranger', confirm_name: 'true' })).status).toBe(200);
  });

  it('may be a photograph', async () => {
    const at = await sentOffer();
    // cspell:disable-next-line
    const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E'
      // cspell:disable-next-line
      + 'rkJggg==', 'base64');
    const answer = await record(at, {}, pixel, 'signed.png');
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  });
});
