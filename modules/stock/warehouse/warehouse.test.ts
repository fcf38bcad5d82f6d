import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';

const test = testApp();
const PATH = '/api/admin/staff/warehouses';
let staff: Browser;
beforeAll(async () => { staff = await test.signedIn('staff_admin'); });

const body = (code: string, more: object = {}) => ({ code, name: `Store ${code}`, division: 'US', ...more });

describe('warehouses', () => {
  it('have a code that nobody else has and that stays', async () => {
    const made = await staff.post(PATH, body('ALB', { carriers: ['UPS', 'FedEx'], ship_cutoff: '15:30' }));
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.body.data).toMatchObject({ carriers: ['UPS', 'FedEx'], item_count: 0 });
    const second = await staff.post(PATH, body('ALB'));
    expect(second.body.errors.code).toEqual(['Another warehouse has this code, perhaps in the trash']);
    const changed = await staff.put(`${PATH}/${made.body.data.id}`, { code: 'ALX', version: 1 });
    expect(changed.body.errors.code).toEqual(['Code cannot be changed']);
  });

  it('ship for one division by default each', async () => {
    expect((await staff.post(PATH, body('UK1', { division: 'UK', default_for_division: true }))).status).toBe(201);
    const second = await staff.post(PATH, body('UK2', { division: 'UK', default_for_division: true }));
    expect(second.body.errors.default_for_division)
      .toEqual(['Another warehouse ships for this division already']);
  });

  it.each([[{ ship_cutoff: '25:00' }, 'ship_cutoff'], [{ return_lead_days: 61 }, 'return_lead_days'],
    [{ code: 'no blanks' }, 'code'], [{ division: 'MARS' }, 'division']])('refuse %j', async (wrong, at) => {
    const answer = await staff.post(PATH, body('REF', wrong));
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([at]);
  });
});
