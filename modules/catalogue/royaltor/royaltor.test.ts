import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type SignedIn } from '#tests/support/app.ts';

const test = testApp();
const PATH = '/api/admin/staff/royaltors';
let staff: SignedIn;
beforeAll(async () => { staff = await test.signedIn('staff_admin'); });

async function create(name: string, more: object = {}) {
  const answer = await staff.post(PATH, { name, currency: 'USD', ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data as { id: number; version: number; number: string };
}

describe('royaltors', () => {
  it('get a number, are found by their pen name, go to the trash and come back', async () => {
    const row = await create('Ada Quill', { pen_name: 'Théo Marsh' });
    expect(row.number).toMatch(/^RY-\d+$/);
    expect((await staff.get(`${PATH}?search=theo%20marsh`)).body.data[0].id).toBe(row.id);
    expect((await staff.remove(`${PATH}/${row.id}`)).status).toBe(204);
    expect((await staff.get(`${PATH}/trash`)).body.data[0].id).toBe(row.id);
    expect((await staff.put(`${PATH}/${row.id}/restore`)).status).toBe(200);
  });

  it.each([
    [{ vat_status: 'registered' }, 'vat_no', 'A registered payee has a VAT number'],
    [{ self_billing_from: '2026-01-01' }, 'self_billing_expires_on',
      'A self-billing agreement has a first and a last day'],
    [{ wht_override_ppm: 1_000_001 }, 'wht_override_ppm', 'At most 100%'],
    [{ agent_royaltor_id: 999_999 }, 'agent_royaltor_id', 'This royaltor does not exist'],
    [{ divisions: [] }, 'divisions', 'Choose at least one division'],
  ])('refuse %j at its field', async (more, at, text) => {
    const answer = await staff.post(PATH, { name: 'Refused', currency: 'USD', ...more });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[at]).toEqual([text]);
  });

  it('are nobody his own agent', async () => {
    const row = await create('Self');
    const answer = await staff.put(`${PATH}/${row.id}`, { agent_royaltor_id: row.id, version: 1 });
    expect(answer.body.errors.agent_royaltor_id).toEqual(['Nobody is his own agent']);
  });
});
