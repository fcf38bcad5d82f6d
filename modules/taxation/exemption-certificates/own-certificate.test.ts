/** Certificates that customers upload: they change no tax before staff verify them, and none after their last day. */
import { describe, expect, it } from 'vitest';
import { determineTax } from '#modules/taxation/taxation.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { PAPER } from '#tests/support/paper-file.ts';
import { makeCustomer } from '#tests/support/receivables.ts';

const test = testApp();
const pdf = { field: 'file', name: 'st-120.pdf', type: 'application/pdf', content: PAPER };
const FACTS = { jurisdiction: 'US-NY', number: 'ST-119', kind: 'school', valid_from: '2026-01-01' };

async function school() {
  const id = await makeCustomer(test.database.db, 'US');
  const admin = await test.signedIn('customer', { customers: [{ id, role: 'admin' }] });
  const path = `/api/customers/${id}/exemption_certificates`;
  return { id, admin, path, staff: await test.signedIn('staff_admin'),
    office: `/api/admin/staff/customers/${id}/exemption_certificates`,
    upload: (fields: object = {}, file: typeof pdf | null = pdf) => admin.call('POST', path, {
      multipart: { fields: { ...FACTS, ...fields }, ...(file ? { file } : {}) } as never }) };
}

async function taxOf(customer_id: number, on: string) {
  const [line] = await determineTax(test.ports, { customer_id, division: 'US', on, venue: null, ship_to: null,
    lines: [{ kind: 'rental', item_class: 'rental', net_minor: 100_000, tax_free: false }] } as never);
  return { tax: line!.tax_minor, problem: line!.problem, reason: line!.reason };
}

describe('an exemption certificate of a customer', () => {
  it('counts for tax only once staff verified it, and until its last day', async () => {
    const { id, path, office, admin, staff, upload } = await school();
    const made = await upload({ expires_on: '2026-12-31' });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.body.data).toMatchObject({ state: 'pending', file_name: 'st-120.pdf' });
    expect((await taxOf(id, '2026-06-01')).tax).toBe(8_875);
    const inbox = await staff.get('/api/admin/staff/approvals?kind=exemption_certificate&per_page=100');
    const row = inbox.body.data.find((one: { params: { id: number } }) => one.params.id === id);
    expect(row.detail).toContain('New York, ST-119, from Jan 1, 2026 to Dec 31, 2026');
    const verify = `${office}/${row.params.certificateId}/verify`;
    expect((await staff.put(verify, { version: 7 })).status).toBe(412);
    expect((await staff.put(verify, row.approve_body)).body.data).toMatchObject({ status: 'verified' });
    const [mail] = await test.database.db.query<{ text: string }>(sql`
      select body_text as text from mail_outbox where template = 'customer.certificate_verified'
        and ${admin.email} = any (recipients)`);
    expect(mail!.text).toContain('Invoices in New York are without sales tax');
    expect(await taxOf(id, '2026-06-01')).toMatchObject({ tax: 0, problem: null });
    expect(await taxOf(id, '2027-01-01')).toMatchObject({ tax: 8_875,
      problem: 'Exemption certificate ST-119 expired on 2026-12-31.' });
    const after = (await admin.get(path)).body.data[0];
    expect(after.state).not.toBe('pending');
    expect((await admin.put(`${path}/${after.id}/withdraw`, { version: after.version })).body.code)
      .toBe('exemption_certificate.decided');
    expect((await admin.get(`${path}/${after.id}/document`)).status).toBe(200);
  });

  it('is refused with a reason that the customer reads, and may be uploaded again', async () => {
    const { id, path, office, admin, staff, upload } = await school();
    const { data } = (await upload()).body;
    expect((await staff.put(`${office}/${data.id}/refuse`, { version: data.version, reason: '' })).status).toBe(422);
    await staff.put(`${office}/${data.id}/refuse`, { version: data.version, reason: 'The signature is missing' });
    expect((await admin.get(path)).body.data[0]).toMatchObject({ state: 'refused',
      refused_reason: 'The signature is missing' });
    expect((await taxOf(id, '2026-06-01')).tax).toBe(8_875);
    const [mail] = await test.database.db.query<{ subject: string }>(sql`
      select subject from mail_outbox where template = 'customer.certificate_refused' and ${admin.email} = any
        (recipients)`);
    expect(mail).toBeDefined();
    expect((await upload()).body.data).toMatchObject({ id: data.id, state: 'pending', refused_reason: '' });
    expect((await upload()).body.errors).toHaveProperty('number');
  });

  it('renews under the same number from another day; the invoice names the one of its day', async () => {
    const { id, office, staff, upload } = await school();
    for (const fields of [{ expires_on: '2026-12-31' }, { valid_from: '2027-01-01' }]) {
      const { data } = (await upload(fields)).body;
      await staff.put(`${office}/${data.id}/verify`, { version: data.version });
    }
    expect(await taxOf(id, '2026-12-31')).toMatchObject({ tax: 0 });
    expect(await taxOf(id, '2027-01-01')).toMatchObject({ tax: 0, problem: null });
  });

  it('needs its file, days in order and a day that is still to come', async () => {
    const { upload } = await school();
    expect((await upload({}, null)).body.errors).toHaveProperty('file');
    expect((await upload({ expires_on: '2025-12-31' })).body.errors).toHaveProperty('expires_on');
    expect((await upload({ valid_from: '2020-01-01', expires_on: '2020-12-31' })).body.errors)
      .toHaveProperty('expires_on');
  });

  it('is neither read nor withdrawn by another customer', async () => {
    const [ours, theirs] = [await school(), await school()];
    const { data } = (await theirs.upload()).body;
    for (const path of [ours.path, theirs.path]) {
      expect((await ours.admin.get(`${path}/${data.id}/document`)).status).toBe(404);
      expect((await ours.admin.put(`${path}/${data.id}/withdraw`, { version: data.version })).status).toBe(404);
    }
  });
});
