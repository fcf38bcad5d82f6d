import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { unseal } from '#server/secret.ts';
import { sql } from '#server/sql.ts';

const test = testApp();
const PATH = '/api/admin/staff/royaltors';
let staff: SignedIn;
let second: SignedIn;
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  second = await test.signedIn('staff_admin');
});

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
    [{ wht_override_ppm: 1_000_001 }, 'wht_override_ppm', 'At most 100 %'],
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

describe('bank details', () => {
  it('are sealed, never answered, never audited, and verified by another person', async () => {
    const row = await create('Payee');
    const account = 'GB29 NWBK 6016 1331 9268 19';
    const early = await staff.put(`${PATH}/${row.id}/bank_details`, { account, version: 1 });
    expect([early.status, early.body.code]).toEqual([423, 'confirmation_required']);
    await staff.confirm();
    const set = await staff.put(`${PATH}/${row.id}/bank_details`, { account, routing: '60-16-13', version: 1 });
    expect(set.body.data).toMatchObject({ bank_account_last4: '6819', bank_verified_at: null, version: 2 });
    expect(JSON.stringify(set.body)).not.toContain('NWBK');
    const stored = await test.database.db.one<{ bytes: Buffer; key_id: string }>(sql`
      select bank_account_encrypted as bytes, bank_key_id as key_id from royaltors where id = ${row.id}`);
    expect(stored.bytes.toString('latin1')).not.toContain('NWBK');
    expect(unseal(test.ports.settings, `royaltor:${row.id}:bank_account`, stored)).toBe(account);
    const leaked = await test.database.db.query(sql`
      select 1 from audit_events where after::text like '%NWBK%' or before::text like '%NWBK%'`);
    expect(leaked).toEqual([]);
    const own = await staff.put(`${PATH}/${row.id}/bank_details/verify`, { version: 2 });
    expect([own.status, own.body.code]).toEqual([409, 'four_eyes']);
    await second.confirm();
    const verified = await second.put(`${PATH}/${row.id}/bank_details/verify`, { version: 2 });
    expect(verified.body.data.bank_verified_at).not.toBeNull();
    const again = await staff.put(`${PATH}/${row.id}/bank_details`, { account: '12345678', version: 3 });
    expect(again.body.data).toMatchObject({ bank_account_last4: '5678', bank_verified_at: null });
    const cleared = await staff.put(`${PATH}/${row.id}/bank_details`, { account: null, version: 4 });
    expect(cleared.body.data.bank_account_last4).toBeNull();
  });

  it('a tax id is sealed the same way', async () => {
    const row = await create('Taxed');
    await staff.confirm();
    const set = await staff.put(`${PATH}/${row.id}/tax_id`, { tin: '12-3456789', version: 1 });
    expect(set.body.data.tin_last4).toBe('6789');
    expect((await staff.put(`${PATH}/${row.id}/tax_id`, { tin: '1', version: 2 })).status).toBe(422);
  });
});
