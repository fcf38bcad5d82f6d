import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';
import { sql } from '#server/sql.ts';

const test = testApp();
const PATH = '/api/admin/staff/show_royaltors';
let staff: Browser;
beforeAll(async () => { staff = await test.signedIn('staff_admin'); });

let count = 0;
async function newShow(): Promise<number> {
  count += 1;
  const answer = await staff.post('/api/admin/staff/plays', { show_code: `SHARED-${count}`, title: `Shared ${count}` });
  return answer.body.data.id as number;
}
async function newAgreement(showId: number, name: string, more: object = {}) {
  const royaltor = await staff.post('/api/admin/staff/royaltors', { name, currency: 'USD' });
  const answer = await staff.post(PATH, { show_id: showId, royaltor_id: royaltor.body.data.id, payer_division: 'US',
    currency: 'USD', ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data as { id: number; version: number };
}
const addTerm = (agreement: { id: number }, term: object) => staff.post(`${PATH}/${agreement.id}/terms`, term);
async function activate(agreement: { id: number }) {
  const { version } = (await staff.get(`${PATH}/${agreement.id}`)).body.data;
  return staff.put(`${PATH}/${agreement.id}`, { status: 'active', version });
}
async function withTerm(showId: number, name: string, term: object) {
  const agreement = await newAgreement(showId, name);
  const made = await addTerm(agreement, term);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { ...agreement, term: made.body.data as { id: number; version: number } };
}

describe('the share matrix', () => {
  it('leaves the house the rest and shares one rate by points', async () => {
    const showId = await newShow();
    for (const name of ['Book', 'Music', 'Lyrics']) {
      expect((await activate(await withTerm(showId, name, { rate_ppm: 800_000 }))).status).toBe(200);
    }
    const path = `/api/admin/staff/shows/${showId}/share_matrix`;
    const matrix = await staff.get(`${path}?income_type=royalty&category=Amateur`);
    expect(matrix.body.data.rows).toHaveLength(1);
    expect(matrix.body.data.rows[0]).toMatchObject({ house_ppm: 200_000, over_committed: false,
      in_words: '80% in 3 equal parts to Book, Music, Lyrics; the house keeps 20%' });
    expect(matrix.body.data.rows[0].shares.map((share: { share_ppm: number }) => share.share_ppm))
      .toEqual([266_667, 266_667, 266_667]);
  });

  it('more than the whole is refused at the rate, naming who has it', async () => {
    const showId = await newShow();
    await activate(await withTerm(showId, 'First', { rate_ppm: 700_000 }));
    const second = await newAgreement(showId, 'Second');
    const over = await addTerm(second, { rate_ppm: 400_000 });
    expect(over.status).toBe(422);
    expect(over.body.errors.rate_ppm[0])
      .toMatch(/^Together 110% of .* would be promised: 70% to First, 40% to Second/);
    expect((await staff.get(`${PATH}/${second.id}/terms`)).body.data).toEqual([]);
    expect((await addTerm(second, { rate_ppm: 300_000 })).status).toBe(201);
    const own = await addTerm(second, { rate_ppm: 310_000, match_income_types: ['streaming'],
      match_date_from: '2027-01-01' });
    expect(own.body.errors.rate_ppm[0]).toContain('of streaming');
    expect(own.body.errors.rate_ppm[0]).toContain('January 1, 2027');
  });

  it('a term has one share point or more, in the call and in the database', async () => {
    const showId = await newShow();
    const mine = await newAgreement(showId, 'Points');
    const none = await addTerm(mine, { rate_ppm: 100_000, share_points: 0 });
    expect(none).toMatchObject({ status: 422 });
    expect(none.body.errors.share_points[0]).toContain('At least 1');
    const term = await addTerm(mine, { rate_ppm: 100_000, share_points: 1 });
    await expect(test.database.db.exec(sql`
      update royalty_terms set share_points = 0 where id = ${term.body.data.id}`)).rejects.toThrow(/one share point/);
  });

  it('two drafts may compete, but only one of them comes into force', async () => {
    const showId = await newShow();
    const drafts = [await withTerm(showId, 'A', { rate_ppm: 600_000 }),
      await withTerm(showId, 'B', { rate_ppm: 650_000 })];
    const answers = await Promise.all(drafts.map(activate));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422]);
    const refused = answers.find((answer) => answer.status === 422)!;
    expect(refused.body.errors.status[0]).toContain('Together 125%');
  });

  it('agreements of different years do not add up', async () => {
    const showId = await newShow();
    const first = await newAgreement(showId, 'Old', { term_to: '2026-12-31' });
    await addTerm(first, { rate_ppm: 900_000 });
    await activate(first);
    const next = await newAgreement(showId, 'New', { term_from: '2027-01-01' });
    expect((await addTerm(next, { rate_ppm: 900_000 })).status).toBe(201);
    expect((await activate(next)).status).toBe(200);
  });
});

describe('terms', () => {
  it('are tried from the most specific on; the order decides among equals', async () => {
    const agreement = await newAgreement(await newShow(), 'Ordered');
    const ids: number[] = [];
    for (const term of [{ rate_ppm: 100_000 }, { rate_ppm: 110_000, match_categories: ['Pro'] },
      { rate_ppm: 120_000, match_divisions: ['UK'] }]) ids.push((await addTerm(agreement, term)).body.data.id);
    const [any, pro, uk] = ids as [number, number, number];
    const list = async () =>
      (await staff.get(`${PATH}/${agreement.id}/terms`)).body.data.map((t: { id: number }) => t.id);
    expect(await list()).toEqual([pro, uk, any]);
    expect((await staff.put(`${PATH}/${agreement.id}/terms/order`, { term_ids: [any, uk, pro] })).status).toBe(200);
    expect(await list()).toEqual([uk, pro, any]);
    expect((await staff.put(`${PATH}/${agreement.id}/terms/order`, { term_ids: [any, uk] })).body.errors.term_ids)
      .toEqual(['Name every term of the agreement once']);
  });

  it('a royalty pool is entered with its points and its guarantee, and says what is missing', async () => {
    const showId = await newShow();
    const agreement = await newAgreement(showId, 'Pool');
    const pool = { basis: 'pool_points', rate_ppm: 350_000, pool_of: 'operating_profit', pool_points_x100: 650,
      pool_total_points_x100: 1_500, pool_min_per_point_minor: 20_000, match_income_types: ['royalty'],
      tiers: [{ from_minor: 0, rate_ppm: 400_000, after_recoupment: true }] };
    const wrong = async (change: object) => (await addTerm(agreement, { ...pool, ...change })).body.errors;
    expect(await wrong({ pool_of: null })).toEqual({ pool_of: ['Choose what the pool is a part of'] });
    expect(await wrong({ pool_points_x100: null }))
      .toEqual({ pool_points_x100: ['Enter the points of this royaltor'] });
    expect(await wrong({ pool_total_points_x100: 600 }))
      .toEqual({ pool_points_x100: ['More than the points of the whole pool'] });
    expect(await wrong({ pool_min_per_point_minor: null }))
      .toEqual({ pool_min_per_point_minor: ['Enter the guarantee per point and week; 0 where there is none'] });
    expect(await wrong({ match_income_types: [] }))
      .toEqual({ match_income_types: ['A pool is of royalties: choose Royalty as the only income'] });
    expect(await wrong({ basis: 'receipts', tiers: [] })).toEqual({ pool_of: ['This belongs to a royalty pool'] });
    expect(await wrong({ tiers: [{ from_minor: 100, rate_ppm: 400_000, after_recoupment: true }] }))
      .toEqual({ 'tiers.0.from_minor': ['A pool has no steps: enter 0'] });
    const { body } = await addTerm(agreement, pool);
    expect(body.data).toMatchObject(pool);
    expect(body.data.in_words).toBe('35% of the week\'s operating profit to a pool, 6.5 of 15 points, '
      + 'at least 200.00 per point, 40% once recouped, from royalty');
    await activate(agreement);
    const matrix = await staff.get(`/api/admin/staff/shows/${showId}/share_matrix?income_type=royalty`
      + '&category=Pro&division=PROD');
    expect(matrix.body.data.rows[0].in_words).toContain('of weeks, 6.5 of 15 points of a pool of 35%');
  });

  it('that accruals used are ended, never edited or deleted', async () => {
    const showId = await newShow();
    const agreement = await withTerm(showId, 'Used', { rate_ppm: 500_000 });
    await activate(agreement);
    await test.database.db.tx(async (tx) => {
      const allocation = await tx.one<{ id: number }>(sql`
        insert into royalty_allocations (show_id, income_type, division, currency, amount_minor, house_minor, group_key,
          weights_hash, method, occurred_on)
        values (${showId}, 'royalty', 'US', 'USD', 1000, 500, 'g', 'w', 'plain', '2026-05-01') returning id`);
      await tx.exec(sql`insert into royalty_accruals (royalty_allocation_id, show_royaltor_id, matched_term_id,
          income_type, division, currency, base_minor, rate_ppm, share_points, weight, amount_minor, occurred_on)
        values (${allocation.id}, ${agreement.id}, ${agreement.term.id}, 'royalty', 'US', 'USD', 1000, 500000, 1, 1,
          500, '2026-05-01')`);
    });
    const path = `${PATH}/${agreement.id}/terms/${agreement.term.id}`;
    const edited = await staff.put(path, { rate_ppm: 600_000, version: 1 });
    expect([edited.status, edited.body.code]).toEqual([409, 'royalty_term.used']);
    expect((await staff.put(path, { rate_ppm: 500_000, match_date_to: '2026-04-30', version: 1 })).body.errors
      .match_date_to).toEqual(['Royalties were accrued with this term up to May 1, 2026']);
    expect((await staff.put(path, { rate_ppm: 500_000, match_date_to: '2026-12-31', version: 1 })).body.data)
      .toMatchObject({ used: true, match_date_to: '2026-12-31' });
    expect((await staff.remove(path)).body.code).toBe('royalty_term.used');
    const follow = (from: string) =>
      staff.post(`${path}/follow`, { rate_ppm: 600_000, match_date_from: from, version: 2 });
    expect((await follow('2026-05-01')).body.errors.match_date_from[0]).toContain('up to May 1, 2026');
    expect((await follow('2027-03-01')).body.data).toMatchObject({ rate_ppm: 600_000, match_date_from: '2027-03-01' });
    const terms = (await staff.get(`${PATH}/${agreement.id}/terms`)).body.data as { match_date_to: string | null }[];
    expect(terms.map((term) => term.match_date_to)).toEqual(['2027-02-28', null]);
  });

  it.each([
    [{ rate_ppm: 1_000_001 }, 'rate_ppm', 'At most 100%'],
    [{ rate_ppm: 0, basis: 'per_unit' }, 'unit_amount_minor', 'Name the amount'],
    [{ rate_ppm: 100_000, basis: 'at_source' }, 'source_commission_ppm', 'Name what the sub-agent keeps'],
    [{ rate_ppm: 1, match_date_from: '2027-02-01', match_date_to: '2027-01-01' }, 'match_date_to',
      'The last day is not before the first'],
    [{ rate_ppm: 1, match_add_on_id: 999_999 }, 'match_add_on_id', 'Choose an add-on of this show'],
    [{ rate_ppm: 1, tiers: [{ from_minor: 5, rate_ppm: 1 }, { from_minor: 5, rate_ppm: 2 }] }, 'tiers.1.from_minor',
      'This amount has a rate already'],
  ])('refuse %j at its field', async (term, at, text) => {
    const answer = await addTerm(await newAgreement(await newShow(), 'Refused'), term);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[at]).toEqual([text]);
  });
});

describe('agreements', () => {
  it('come into force with terms only, and are ended rather than deleted', async () => {
    const agreement = await newAgreement(await newShow(), 'Empty');
    const early = await activate(agreement);
    expect([early.status, early.body.code]).toEqual([409, 'show_royaltor.no_terms']);
    await addTerm(agreement, { rate_ppm: 100_000 });
    expect((await activate(agreement)).status).toBe(200);
    expect((await staff.remove(`${PATH}/${agreement.id}`)).body.code).toBe('in_use');
  });

  it.each([
    [{ reserve_schedule_ppm: [500_000, 400_000] }, 'reserve_schedule_ppm',
      'The parts make 90%; together they are 100%'],
    [{ agent_ppm: 100_000 }, 'agent_royaltor_id', 'Name the agent'],
    [{ term_from: '2027-01-01', term_to: '2026-01-01' }, 'term_to', 'The last day is not before the first'],
    [{ royaltor_id: 999_999 }, 'royaltor_id', 'This royaltor does not exist'],
    [{ status: 'active' }, 'status', 'Add terms first, then put the agreement in force'],
  ])('refuse %j at its field', async (more, at, text) => {
    const showId = await newShow();
    const royaltor = await staff.post('/api/admin/staff/royaltors', { name: 'R', currency: 'USD' });
    const answer = await staff.post(PATH, { show_id: showId, royaltor_id: royaltor.body.data.id, payer_division: 'US',
      currency: 'USD', ...more });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[at]).toEqual([text]);
  });

  it('are counted at their show, those that were deleted left out', async () => {
    const showId = await newShow();
    const countOf = async () => (await staff.get(`/api/admin/staff/plays/${showId}`)).body.data.agreement_count;
    expect(await countOf()).toBe(0);
    await newAgreement(showId, 'Kept');
    const draft = await newAgreement(showId, 'Deleted');
    expect(await countOf()).toBe(2);
    expect((await staff.remove(`${PATH}/${draft.id}`)).status).toBe(204);
    expect(await countOf()).toBe(1);
  });

  it('one per royaltor, show, role and contract', async () => {
    const showId = await newShow();
    const royaltor = await staff.post('/api/admin/staff/royaltors', { name: 'Twice', currency: 'USD' });
    const body = { show_id: showId, royaltor_id: royaltor.body.data.id, payer_division: 'US', currency: 'USD' };
    expect((await staff.post(PATH, body)).status).toBe(201);
    expect((await staff.post(PATH, body)).body.errors.royaltor_id[0]).toContain('number the contracts');
    expect((await staff.post(PATH, { ...body, contract_no: 'B-2' })).status).toBe(201);
  });
});
