import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';

const test = testApp();
let staff: Browser;
let path: string;
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  const show = await staff.post('/api/admin/staff/plays', { show_code: 'CLOSED', title: 'Closed' });
  path = `/api/admin/staff/shows/${show.body.data.id}`;
});

const body = (more: object = {}) => ({ kind: 'blocked', date_from: '2027-01-01', date_to: '2027-03-31',
  country: 'GB', reason_public: 'A professional run in the West End', ...more });
async function create(more: object = {}) {
  const answer = await staff.post(`${path}/restrictions`, body(more));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data as { id: number; version: number; scope: string };
}

describe('restrictions', () => {
  it('an overlapping one for the same places is refused at its first day, the other one named', async () => {
    const row = await create();
    const over = await staff.post(`${path}/restrictions`, body({ date_from: '2027-03-31', date_to: null,
      kind: 'needs_clearance', reason_public: 'Another' }));
    expect(over.status).toBe(422);
    expect(over.body.errors.date_from).toEqual(['Overlaps the restriction "A professional run in the West End" from '
      + 'January 1, 2027 to March 31, 2027. Change that one, or choose other days.']);
    const later = await create({ date_from: '2027-04-01', date_to: '2027-04-30' });
    const moved = await staff.put(`${path}/restrictions/${later.id}`, { ...body({ date_from: '2027-03-01',
      date_to: '2027-04-30' }), version: later.version });
    expect(moved.status).toBe(422);
    await create({ country: 'US' });
    await create({ categories: ['Pro'] });
    expect((await staff.put(`${path}/restrictions/${row.id}`, { ...body({ date_to: '2027-02-28' }), version: 1 }))
      .body.data.date_to).toBe('2027-02-28');
    expect((await staff.remove(`${path}/restrictions/${later.id}`)).status).toBe(204);
    await create({ date_from: '2027-04-01', date_to: '2027-04-30' });
  });

  it('two people who write the same rule at once get one', async () => {
    const more = { country: 'FR', reason_public: 'Twice' };
    const answers = await Promise.all([1, 2].map(() => staff.post(`${path}/restrictions`, body(more))));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 422]);
  });

  it.each([
    [{ kind: 'max_n' }, 'max_n', 'Say how many licenses may stand'],
    [{ date_to: '2026-12-31' }, 'date_to', 'The last day is not before the first'],
    [{ country: null, region: 'NY' }, 'country', 'Name the country of the region'],
    [{ radius_km: 80 }, 'radius_km', 'A radius needs its centre: latitude, longitude and kilometres'],
    [{ reason_public: ' ' }, 'reason_public', 'Say why, in words a customer may read'],
    [{ starts_from: '20:00', starts_before: '18:00' }, 'starts_before', 'The end is after the beginning'],
  ])('refuse %j at its field', async (more, at, text) => {
    const answer = await staff.post(`${path}/restrictions`, body({ country: 'NZ', ...more }));
    expect(answer.status).toBe(422);
    expect(answer.body.errors[at]).toEqual([text]);
  });

  it('belong to their show', async () => {
    const row = await create({ country: 'DE' });
    const other = await staff.post('/api/admin/staff/plays', { show_code: 'OPEN', title: 'Open' });
    const foreign = `/api/admin/staff/shows/${other.body.data.id}/restrictions/${row.id}`;
    expect((await staff.remove(foreign)).status).toBe(404);
  });
});

describe('the availability calendar', () => {
  it('gives each day its verdict and the reasons behind it', async () => {
    await create({ country: 'IE', date_from: '2028-05-02', date_to: '2028-05-03' });
    await create({ country: 'IE', categories: ['Pro'], kind: 'needs_clearance', date_from: '2028-05-03',
      date_to: '2028-05-04', reason_public: 'Ask first' });
    const ask = (query: string) =>
      staff.get(`${path}/availability_calendar?from=2028-05-01&to=2028-05-05&${query}`);
    const days = (await ask('country=IE')).body.data as { verdict: string; reasons: { reason_public: string }[] }[];
    expect(days.map((day) => day.verdict)).toEqual(['clear', 'blocked', 'blocked', 'partly', 'clear']);
    expect(days[2]!.reasons.map((reason) => reason.reason_public))
      .toEqual(['A professional run in the West End', 'Ask first']);
    const pro = (await ask('country=IE&category=Pro')).body.data as { verdict: string }[];
    expect(pro.map((day) => day.verdict)).toEqual(['clear', 'blocked', 'blocked', 'needs_clearance', 'clear']);
    const elsewhere = (await ask('country=IS')).body.data as { verdict: string }[];
    expect(new Set(elsewhere.map((day) => day.verdict))).toEqual(new Set(['clear']));
    expect((await staff.get(`${path}/availability_calendar?from=2028-05-01&to=2038-05-05`)).body.errors.to)
      .toEqual(['At most 400 days at once']);
  });
});
