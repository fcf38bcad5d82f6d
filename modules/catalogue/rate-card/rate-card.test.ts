import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';
import { sql } from '#server/sql.ts';

const test = testApp();
const PATH = '/api/admin/staff/rate_cards';
let author: Browser & { user_id: number };
let second: Browser;
let showId: number;

beforeAll(async () => {
  author = await test.signedIn('staff_user', { permissions: ['show.show', 'show.update', 'show.create'] });
  second = await test.signedIn('staff_admin');
  const show = await second.post('/api/admin/staff/musicals', { show_code: 'RATES', title: 'Rates' });
  showId = show.body.data.id;
});

const body = (more: object = {}) => ({
  show_id: showId, category: 'Amateur', division: 'US', currency: 'USD', effective_from: '2026-01-01',
  fee_method: 'percent_potential', rate_ppm: 125_000, min_per_performance_minor: 9_500, round_up_to_minor: 500,
  execution_policy: 'paid_in_full', ...more,
});

async function draft(more: object = {}) {
  const answer = await author.post(PATH, body(more));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data as { id: number; version: number; in_words: string[] };
}
const approve = (who: Browser, row: { id: number; version: number }) =>
  who.put(`${PATH}/${row.id}/approve`, { version: row.version });
const dates = async (id: number) => {
  const { status, effective_from: from, effective_to: to } = (await second.get(`${PATH}/${id}`)).body.data;
  return { status, from, to };
};

describe('rate cards', () => {
  it('are drafted with all their rows and say in words what they cost', async () => {
    const row = await draft({ fee_method: 'greater_of', greater_of_first: 'flat',
      greater_of_second: 'percent_potential',
      performance_tiers: [{ from_n: 1, amount_minor: 9_000 }, { from_n: 2, amount_minor: 7_500 }],
      deductions: [{ type: 'card_commission', cap_ppm: 30_000 }],
      gross_tiers: [{ from_gross_minor: 1_000_000, rate_ppm: 140_000 }] });
    expect(row.in_words[0]).toBe('The greater of 90.00 for performance 1, 75.00 from performance 2 on and 12.5% of '
      + 'the weighted gross, at least 95.00 per performance, rounded up to 5.00.');
    expect((await author.get(`${PATH}/${row.id}`)).body.data).toMatchObject({
      performance_tiers: [{ from_n: 1, amount_minor: 9_000 }, { from_n: 2, amount_minor: 7_500 }],
      deductions: [{ type: 'card_commission', cap_ppm: 30_000 }],
      gross_tiers: [{ from_gross_minor: 1_000_000, rate_ppm: 140_000, mode: 'marginal', after_recoupment: false }],
    });
    expect((await author.remove(`${PATH}/${row.id}`)).status).toBe(204);
    expect((await author.get(`${PATH}/${row.id}`)).status).toBe(404);
  });

  it('are approved by another person; who changes a draft becomes its author', async () => {
    const row = await draft({ category: 'Pro' });
    const own = await approve(author, row);
    expect([own.status, own.body.code]).toEqual([409, 'four_eyes']);
    const changed = await second.put(`${PATH}/${row.id}`,
      { ...body({ category: 'Pro', rate_ppm: 110_000 }), version: 1 });
    expect(changed.body.data.rate_ppm).toBe(110_000);
    expect((await approve(second, changed.body.data)).body.code).toBe('four_eyes');
    const done = await approve(author, changed.body.data);
    expect(done.body.data).toMatchObject({ status: 'approved', approved_by_id: author.user_id });
  });

  it('no longer change once approved: not by a call, not by hand in the database', async () => {
    const row = await draft({ division: 'UK', currency: 'GBP' });
    expect((await approve(second, row)).status).toBe(200);
    const late = await author.put(`${PATH}/${row.id}`, { ...body({ division: 'UK', currency: 'GBP' }), version: 2 });
    expect([late.status, late.body.code]).toEqual([409, 'rate_card.not_draft']);
    expect((await author.remove(`${PATH}/${row.id}`)).body.code).toBe('rate_card.not_draft');
    await expect(test.database.db.exec(sql`update rate_cards set rate_ppm = 1 where id = ${row.id}`)).rejects.toThrow();
  });

  it('end the card before them the day before, and supersede one that began the same day', async () => {
    const group = { division: 'EU', currency: 'EUR' };
    const first = await draft({ ...group, effective_from: '2026-01-01' });
    await approve(second, first);
    const next = await draft({ ...group, effective_from: '2026-09-01' });
    await approve(second, next);
    expect(await dates(first.id)).toEqual({ status: 'approved', from: '2026-01-01', to: '2026-08-31' });
    const better = await draft({ ...group, effective_from: '2026-09-01', rate_ppm: 130_000 });
    await approve(second, better);
    expect((await dates(next.id)).status).toBe('superseded');
    const festival = await draft({ ...group, effective_from: '2026-10-01', effective_to: '2026-10-31' });
    await approve(second, festival);
    expect(await dates(better.id)).toEqual({ status: 'approved', from: '2026-09-01', to: null });
    const on = await author.get(`${PATH}?show_id=${showId}&division=EU&on=2026-08-15&status=approved`);
    expect(on.body.data.map((card: { id: number }) => card.id)).toEqual([first.id]);
  });

  it.each([
    [{ rate_ppm: null }, 'rate_ppm', 'A percentage is required'],
    [{ rate_ppm: 1_000_001 }, 'rate_ppm', 'At most 100%'],
    [{ fee_method: 'flat' }, 'performance_tiers', 'Name the amount from the first performance on'],
    [{ fee_method: 'flat_run' }, 'flat_run_minor', 'An amount for the run is required'],
    [{ fee_method: 'greater_of', greater_of_first: 'percent_actual', greater_of_second: 'percent_actual' },
      'greater_of_second', 'Choose another method than the first'],
    [{ fee_method: 'seat_band', seat_bands: [{ from_seats: 0, to_seats: 100, amount_minor: 1 },
      { from_seats: 100, to_seats: null, amount_minor: 2 }] }, 'seat_bands.1.from_seats',
    'Overlaps another band: both ends belong to a band'],
    [{ effective_to: '2025-12-31' }, 'effective_to', 'The last day is not before the first'],
    [{ free_admission_kind: 'flat' }, 'free_admission_minor', 'Say which amount'],
    [{ deposit_minor: 40_000 }, 'deposit_kind', 'Say which kind of deposit'],
    [{ show_id: 999_999 }, 'show_id', 'This show does not exist'],
    [{ show_package_id: 999_999 }, 'show_package_id', 'Choose a package of this show, division and currency'],
  ])('refuse %j at its field', async (more, at, text) => {
    const answer = await author.post(PATH, body(more));
    expect(answer.status).toBe(422);
    expect(answer.body.errors[at]).toEqual([text]);
  });

  it('name a package of their show and division only', async () => {
    const path = '/api/admin/staff/show_packages';
    const made = await second.post(path, { show_id: showId, division: 'US', name: 'Standard set', currency: 'USD',
      price_minor: 60_000, included_period_count: 10, extra_period_price_minor: 5_000 });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const row = await draft({ show_package_id: made.body.data.id, effective_from: '2027-01-01' });
    expect((await author.get(`${PATH}/${row.id}`)).body.data.package_name).toBe('Standard set');
    const uk = await author.post(PATH, body({ show_package_id: made.body.data.id, division: 'UK', currency: 'GBP' }));
    expect(uk.status).toBe(422);
    const twice = await second.post(path, { show_id: showId, division: 'US', name: 'Standard set', currency: 'USD',
      price_minor: 1, included_period_count: 1 });
    expect(twice.body.errors.name).toEqual(['This show has a package of this name in this division already']);
  });
});
