import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';

const test = testApp();
const PATH = '/api/admin/staff/venues';
let staff: Browser;
beforeAll(async () => { staff = await test.signedIn('staff_admin'); });

async function create(name: string): Promise<{ id: number; version: number; number: string }> {
  const answer = await staff.post(PATH, { name, kind: 'theatre', address: null, time_zone: 'America/New_York',
    capacity: 400, phone: null, website: null, active: true });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

describe('venues', () => {
  it('get a number and answer to their aliases, each of which stands for one venue', async () => {
    const booth = await create('Booth Theatre');
    expect(booth.number).toMatch(/^V-\d+$/);
    const other = await create('Other Hall');
    const set = (row: { id: number; version: number }, aliases: string[]) =>
      staff.put(`${PATH}/${row.id}/aliases`, { aliases, version: row.version });
    expect((await set(booth, ['Booth', 'The Booth'])).body.data.aliases).toEqual(['Booth', 'The Booth']);
    expect((await set(other, ['bōōth'])).body.errors.aliases).toEqual(['"Booth" already stands for Booth Theatre']);
    expect((await set(other, ['booth theatre'])).body.errors.aliases, 'the name of another')
      .toEqual(['"Booth Theatre" is the name of another venue']);
    expect((await set(other, ['Other Hall'])).body.data.aliases, 'its own name').toEqual(['Other Hall']);
  });

  it('keep a ticketing preset whose prices come back to the cent', async () => {
    const venue = await create('Preset House');
    const tickets = [
      { label: 'Orchestra', number_of_seats: 150, price: 25.1, weight: 50 },
      { label: 'Balcony', number_of_seats: 200, price: 18.35, weight: 30.5 },
    ];
    const saved = await staff.put(`${PATH}/${venue.id}/tickets`, { currency: 'USD', tickets });
    const priced = tickets.map((row) => ({ ...row, currency: 'USD' }));
    expect(saved.body.data).toEqual(priced);
    expect((await staff.get(`${PATH}/${venue.id}/tickets`)).body.data).toEqual(priced);
  });

  it.each([[{ price: 1.005 }, 'tickets.0.price'], [{ number_of_seats: -1 }, 'tickets.0.number_of_seats'],
    [{ weight: -1 }, 'tickets.0.weight']])('refuse %j in the preset', async (row, at) => {
    const venue = await create(`Refused ${at}`);
    const answer = await staff.put(`${PATH}/${venue.id}/tickets`, { currency: 'USD', tickets: [row] });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([at]);
  });

  it('go to the trash and come back', async () => {
    const venue = await create('Short Run');
    expect((await staff.remove(`${PATH}/${venue.id}`)).status).toBe(204);
    expect((await staff.get(`${PATH}/${venue.id}`)).status).toBe(404);
    expect((await staff.get(`${PATH}/trash`)).body.data.map((v: { id: number }) => v.id)).toEqual([venue.id]);
    expect((await staff.put(`${PATH}/${venue.id}/restore`)).status).toBe(200);
    expect((await staff.get(`${PATH}/${venue.id}`)).status).toBe(200);
  });
});
