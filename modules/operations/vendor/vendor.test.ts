import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';

const test = testApp();
const PATH = '/api/admin/staff/vendors';
let staff: Browser;
beforeAll(async () => { staff = await test.signedIn('staff_admin'); });

const body = (name: string) => ({ name, default_currency: 'USD', divisions: ['US', 'UK'] });

describe('vendors', () => {
  it('get a number and are found by contact, accents aside', async () => {
    const made = await staff.post(PATH, { ...body('Lumière Press'), contact_name: 'Zoë Ames' });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.body.data.number).toMatch(/^VN-\d+$/);
    const found = await staff.get(`${PATH}?search=${encodeURIComponent('zoe ames')}`);
    expect(found.body.data.map((row: { id: number }) => row.id)).toEqual([made.body.data.id]);
  });

  it.each([[{ divisions: [] }, 'divisions'], [{ payment_terms_days: -1 }, 'payment_terms_days'],
    [{ email: 'nobody' }, 'email'], [{ name: ' ' }, 'name'], [{ default_currency: 'JPY' }, 'default_currency'],
    [{ tax_form_received_on: '2026-01-05' }, 'tax_form_received_on']])(
    'refuse %j at its field', async (wrong, at) => {
      const answer = await staff.post(PATH, { ...body('Refused'), ...wrong });
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors)).toEqual([at]);
    });

  it('keep what another clerk saved meanwhile', async () => {
    const { body: { data } } = await staff.post(PATH, body('Two Clerks'));
    expect((await staff.put(`${PATH}/${data.id}`, { phone: '1', version: data.version })).status).toBe(200);
    expect((await staff.put(`${PATH}/${data.id}`, { phone: '2', version: data.version })).status).toBe(412);
    expect((await staff.get(`${PATH}/${data.id}`)).body.data.phone).toBe('1');
  });

  it('go to the trash and come back', async () => {
    const { body: { data } } = await staff.post(PATH, body('Short Lease'));
    expect((await staff.remove(`${PATH}/${data.id}`)).status).toBe(204);
    expect((await staff.get(`${PATH}/trash`)).body.data.map((row: { id: number }) => row.id)).toContain(data.id);
    expect((await staff.put(`${PATH}/${data.id}/restore`)).body.data.name).toBe('Short Lease');
  });
});
