/**
 * An application with evenings and a matinee at lower prices, archival film and stream, add-ons and other dates, from
 * the customer's form to the contract and the box-office return; then a tour with its own bands in each city.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '#db/demo/client.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { addOn } from '#modules/catalogue/add-on/add-on.contract.ts';
import { initialOf } from '#kit/field.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { API, makeHouse, makeWork, offerAndSign, openStage, textOf, type Stage } from '#tests/support/story.ts';

const test = testApp();
let stage: Stage;
let school: Awaited<ReturnType<typeof makeHouse>>;
let show: number;
let addOns: Record<string, number>;
let application: Body;
let license: Body;

const BANDS = [{ label: 'Orchestra', number_of_seats: 250, price: 12, weight: 250 },
  { label: 'Balcony', number_of_seats: 120, price: 8, weight: 120 },
  { label: 'Orchestra', number_of_seats: 250, price: 9, weight: 250, performance_type: 'matinee' },
  { label: 'Balcony', number_of_seats: 120, price: 6, weight: 120, performance_type: 'matinee' }];
/** Thursday to Saturday at 7:30 PM, Saturday at 2:00 PM. The clock is moved forward on March 14, 2027. */
const WEEKEND = [{ local_date: '2027-03-11', local_time: '19:30' }, { local_date: '2027-03-12', local_time: '19:30' },
  { local_date: '2027-03-13', local_time: '14:00', type: 'matinee' },
  { local_date: '2027-03-13', local_time: '19:30' }];
const address = { country_code: 'US', thoroughfare: '12 School Street', locality: 'Dayton', administrative_area: 'OH',
  postal_code: '45402' };
/** 10% of 3,960.00 three times and of 2,970.00 once; film 150.00; stream 40.00 × 4; logo 75.00. */
const ROYALTY = 148_500;
const CHARGES = 15_000 + 16_000 + 7_500;

const mine = (): string => `/api/customers/${school.id}/license-applications`;
const draftBody = () => ({ show_ids: [show], cast_size: 24, needs_video: true, needs_streaming: true,
  message: 'Our first musical.', add_ons: [{ add_on_id: addOns.logo_pack, quantity: 1 }],
  alternatives: ['2027-03-18', '2027-04-08'],
  license_venues: [{ venue_id: school.venue_ids[0], ticketing: BANDS, performances: WEEKEND }] });
/** Staff take what was sent and approve it; answers where it is converted, and from which version. */
async function approve(sent: Body): Promise<{ path: string; version: number }> {
  const path = `${API}/license_applications/${sent.id}`;
  const { data: taken } = await stage.staff.put(`${path}/status`, { event: 'assign', version: sent.version });
  const { data: { version } } = await stage.staff.put(`${path}/status`, { event: 'approve', version: taken.version,
    note: 'Cleared.' });
  return { path, version };
}

/** Server's response to a draft with this change, as the client reports it. */
async function refusal(change: object): Promise<string> {
  return school.signer.post(mine(), { ...draftBody(), ...change }).then(() => 'taken', String);
}

beforeAll(async () => {
  test.clock.set('2026-11-26T15:00:00Z');
  stage = await openStage(test);
  const work = await makeWork(stage, { code: 'WEEKEND', title: 'The Paper Moon', division: 'US', currency: 'USD',
    authors: [{ name: 'Ada Finch', share_points: 1, rate_ppm: 700_000 }],
    card: { category: 'Amateur', fee_method: 'percent_potential', rate_ppm: 100_000,
      min_per_performance_minor: 9_500, execution_policy: 'purchase_order' } });
  show = work.show_id;
  const add = async (kind: string, more: object) => [kind, (await stage.staff.post(`${API}/add_ons`, {
    ...initialOf(addOn.fields), show_id: show, key: kind, kind, name: kind, ...more })).data.id] as const;
  addOns = Object.fromEntries([
    await add('video_archival', { price_usd_minor: 15_000, item_class: 'performing_licence', income_type: 'video' }),
    await add('streaming_license', { price_usd_minor: 4_000, pricing_model: 'per_performance',
      item_class: 'performing_licence', income_type: 'streaming' }),
    await add('logo_pack', { price_usd_minor: 7_500, item_class: 'logo' })]);
  school = await makeHouse(stage, { currency: 'USD', customer: { name: 'Wayne High School', kind: 'school_k12',
    divisions: ['US'], default_division: 'US', billing_address: address, statement_email: 'office@wayne.example',
    tax_country: 'US' }, venues: [{ name: 'Wayne Auditorium', address, time_zone: 'America/New_York', capacity: 370,
    tickets: BANDS.slice(0, 2) }] });
}, 240_000);

describe('a school weekend', () => {
  it('is drafted with everything that was asked for, and estimated as a whole', async () => {
    const { data: draft } = await school.signer.post(mine(), draftBody());
    expect(draft).toMatchObject({ status: 'draft', number_of_performances: 4, needs_video: true,
      add_ons: [{ kind: 'logo_pack', price_minor: 7_500 }],
      alternatives: [{ rank: 1, first_performance_on: '2027-03-18', last_performance_on: '2027-03-20' },
        { rank: 2, first_performance_on: '2027-04-08', last_performance_on: '2027-04-10' }] });
    expect(draft.license_venues[0].ticketing).toHaveLength(4);
    expect(draft.outlook[0].price.totals).toMatchObject({ royalty_minor: ROYALTY, charges_minor: CHARGES });
    expect(draft.outlook[0].price.rows[0].rows).toMatchObject([
      { label: 'Performances', quantity: 3, unit_minor: 39_600, amount_minor: 118_800 },
      { label: 'Matinee', quantity: 1, unit_minor: 29_700, amount_minor: 29_700 }]);
    const { data: live } = await school.signer.post(`/api/customers/${school.id}/price_preview`, { show_id: show,
      needs_video: true, needs_streaming: true, add_ons: draftBody().add_ons,
      license_venues: draftBody().license_venues });
    expect(live.totals).toEqual(draft.outlook[0].price.totals);
    application = draft;
  });

  it('is refused with two performances at one time, a matinee without price, no seats, 400 performances', async () => {
    const venue = draftBody().license_venues[0]!;
    expect(await refusal({ license_venues: [{ ...venue, performances: [...WEEKEND,
      { local_date: '2027-03-13', local_time: '19:30', type: 'gala' }] }] }))
      .toContain('"license_venues.0.performances.4.local_time":["Another performance starts at this time"]');
    expect(await refusal({ license_venues: [venue, venue] })).toContain('"license_venues.1.venue_id":'
      + '["This venue is on the list already: enter its other dates there"]');
    expect(await refusal({ license_venues: [{ ...venue, performances: Array.from({ length: 400 }, (_, n) =>
      ({ local_date: addDays('2027-01-01', n), local_time: '19:30' })) }] })).toContain(
      '"license_venues.0.performances":["400 performances: one application takes at most 300. Write to us about');
    expect(await refusal({ add_ons: [{ add_on_id: 999_999, quantity: 1 }] }))
      .toContain('"add_ons.0.add_on_id":["This add-on is not offered for the show"]');
    const submit = async (ticketing: object[], more: object = {}): Promise<string> => {
      const { data } = await school.signer.post(mine(), { ...draftBody(), license_venues: [{ ...venue, ticketing }],
        ...more });
      return school.signer.put(`${mine()}/${data.id}/status`, { event: 'submit', version: data.version })
        .then(() => 'taken', String);
    };
    expect(await submit(BANDS.slice(2))).toContain('"license_venues.0.ticketing":'
      + '["Enter seats and prices of the evening performances at Wayne Auditorium"]');
    expect(await submit(BANDS, { alternatives: ['2026-11-01'] })).toContain(
      '"alternatives.0":["Choose other dates in the future"]');
    expect(await submit(BANDS.slice(0, 2).map((band) => ({ ...band, number_of_seats: 0 })))).toContain(
      'Enter the seats of the evening performances at Wayne Auditorium');
  });

  it('says which add-on is not offered for its dates, and leaves it out of the price', async () => {
    const { data: late } = await stage.staff.post(`${API}/add_ons`, { ...initialOf(addOn.fields), show_id: show,
      key: 'guide', kind: 'study_guide', name: 'Study guide', price_usd_minor: 5_000, available_from: '2028-01-01' });
    const { data: draft } = await school.signer.post(mine(), { ...draftBody(),
      add_ons: [{ add_on_id: late.id, quantity: 1 }] });
    expect(draft.warnings).toEqual(['Study guide is not offered for these dates.']);
    expect(draft.outlook[0].price.totals.charges_minor).toBe(CHARGES - 7_500);
  });

  it('becomes a quote, an offer and a contract of the same figures without retyping', async () => {
    const { data: sent } = await school.signer.put(`${mine()}/${application.id}/status`, { event: 'submit',
      version: application.version });
    const estimate = sent.outlook[0].price;
    const { path, version } = await approve(sent);
    const { data: made } = await stage.staff.post(`${path}/convert`, { version, show_ids: [show] });
    const id = made.license_ids[0];
    license = (await stage.staff.get(`${API}/licenses/${id}?with=license_venues`)).data;
    expect(license).toMatchObject({ number_of_performances: 4, grand_total_minor: estimate.totals.total_minor });
    expect(license.license_venues[0]).toMatchObject({ seats_offered: 370, ticketing: BANDS });
    const offer = await offerAndSign(stage, id, school, 'Dana Whitfield');
    expect(offer.totals.total_minor).toBe(estimate.totals.total_minor);
    expect(offer.rows.map((block: Body) => block.net_minor))
      .toEqual(estimate.rows.map((block: Body) => block.net_minor));
    const { data: papers } = await stage.staff.get(`${API}/licenses/${id}/license_documents`);
    const contract = papers.find((one: Body) => one.type === 'production_contract');
    const text = await textOf(test, `${API}/licenses/${id}/license_documents/${contract.id}/file`);
    for (const words of ['March 13, 2027 2:00 PM matinee', 'Orchestra, matinees 250 9.00', 'Balcony 120 8.00',
      'Performances 3 396.00 1,188.00', 'Matinee 1 297.00 297.00', 'an archival recording']) {
      expect(text).toContain(words);
    }
  });

  it('judges the return of a matinee by the seats and prices of matinees', async () => {
    const bands = await test.database.db.query<{ type: string; gross: number }>(sql`
      select p.type, sum(b.number_of_seats * b.price_minor)::bigint as gross from performances p
      join performance_bands b on b.performance_id = p.id where p.license_id = ${license.id}
      group by p.id, p.type order by p.starts_at`);
    expect(bands.map((one) => [one.type, Number(one.gross)])).toEqual([['public', 396_000], ['public', 396_000],
      ['matinee', 297_000], ['public', 396_000]]);
  });

  it('quotes the other dates where the first are not chosen: the run moves as a whole', async () => {
    const { data: draft } = await school.signer.post(mine(), draftBody());
    const { data: sent } = await school.signer.put(`${mine()}/${draft.id}/status`, { event: 'submit',
      version: draft.version });
    const { path, version } = await approve(sent);
    const { data: made } = await stage.staff.post(`${path}/convert`, { version, show_ids: [show],
      alternative: 2 });
    const { data: rows } = await stage.staff.get(`${API}/licenses/${made.license_ids[0]}/performances`);
    expect(rows.map((row: Body) => [row.local_date, row.local_time, row.starts_at.slice(11, 16)])).toEqual([
      ['2027-04-08', '19:30', '23:30'], ['2027-04-09', '19:30', '23:30'], ['2027-04-10', '14:00', '18:00'],
      ['2027-04-10', '19:30', '23:30']]);
  });
});

describe('a tour', () => {
  it('takes dates, seats, prices and deductions of each city to quote and contract', async () => {
    const work = await makeWork(stage, { code: 'TOURED', title: 'The Long Road', division: 'PROD', currency: 'USD',
      authors: [{ name: 'Ben Larkin', share_points: 1, rate_ppm: 700_000 }],
      card: { category: 'Pro', fee_method: 'percent_actual', rate_ppm: 110_000, guarantee_scope: 'week',
        min_per_week_minor: 50_000, advance_minor: 200_000, execution_policy: 'advance_paid',
        deductions: [{ type: 'card_commission', cap_ppm: 30_000 }] } });
    const place = (locality: string, zone: string) => ({ name: `${locality} Playhouse`, time_zone: zone, capacity: 600,
      address: { ...address, locality }, tickets: [] });
    const company = await makeHouse(stage, { currency: 'USD', customer: { name: 'Calder Touring Company',
      kind: 'professional', divisions: ['PROD'], default_division: 'PROD', billing_address: address,
      statement_email: 'gm@calder.example', tax_country: 'US', is_business: true, business_evidence: 'Registered' },
    venues: [place('Chicago', 'America/Chicago'), place('Denver', 'America/Denver')] });
    const home = `/api/customers/${company.id}/license-applications`;
    const night = (local_date: string, local_time = '19:30', type = 'public') => ({ local_date, local_time, type });
    const { data: draft } = await company.signer.post(home, { show_ids: [work.show_id], license_venues: [
      { venue_id: company.venue_ids[0], deductions: [{ type: 'card_commission', cap_ppm: 20_000 }],
        ticketing: [{ label: 'All seats', number_of_seats: 400, price: 40, weight: 400 }],
        performances: [night('2027-03-05'), night('2027-03-06', '14:00', 'matinee'), night('2027-03-06')] },
      { venue_id: company.venue_ids[1],
        ticketing: [{ label: 'All seats', number_of_seats: 600, price: 35, weight: 600 }],
        performances: [night('2027-03-12'), night('2027-03-13')] }] });
    const { data: sent } = await company.signer.put(`${home}/${draft.id}/status`, { event: 'submit',
      version: draft.version });
    expect(sent.outlook[0].price.venues.map((venue: Body) => venue.capacity_gross_minor))
      .toEqual([1_600_000, 2_100_000]);
    const { path, version } = await approve(sent);
    const { data: made } = await stage.staff.post(`${path}/convert`, { version,
      show_ids: [work.show_id] });
    const id = made.license_ids[0];
    const { data: tour } = await stage.staff.get(`${API}/licenses/${id}?with=license_venues,performances`);
    expect(tour).toMatchObject({ production_type: 'tour', number_of_performances: 5 });
    expect(tour.license_venues).toMatchObject([
      { name: 'Chicago Playhouse', deductions: [{ type: 'card_commission', cap_ppm: 20_000 }],
        capacity_gross_minor: 1_600_000 }, { name: 'Denver Playhouse', deductions: [],
        capacity_gross_minor: 2_100_000 }]);
    expect(tour.performances.map((row: Body) => row.starts_at.slice(0, 16))).toEqual(['2027-03-06T01:30',
      '2027-03-06T20:00', '2027-03-07T01:30', '2027-03-13T02:30', '2027-03-14T02:30']);
    await offerAndSign(stage, id, company, 'Rosa Calder');
    const { data: papers } = await stage.staff.get(`${API}/licenses/${id}/license_documents`);
    const contract = papers.find((one: Body) => one.type === 'production_contract');
    const text = await textOf(test, `${API}/licenses/${id}/license_documents/${contract.id}/file`);
    for (const words of ['All seats 400 40.00', 'Deducted from gross: card commissions at most 2%',
      'All seats 600 35.00', 'March 6, 2027 2:00 PM matinee']) expect(text).toContain(words);
  });
});

describe('what the database refuses', () => {
  it('is a second performance at one time, a venue named twice, more than 300 performances', async () => {
    const { db } = test.database;
    const [venue] = await db.query<{ id: number; license_application_id: number; venue_id: number }>(sql`
      select id, license_application_id, venue_id from license_application_venues order by id limit 1`);
    await expect(db.exec(sql`insert into license_application_performances (license_application_venue_id, local_date,
      local_time, type) values (${venue!.id}, '2027-03-13', '14:00', 'gala')`)).rejects.toMatchObject({
      code: '23505' });
    await expect(db.exec(sql`insert into license_application_venues (license_application_id, venue_id, name)
      values (${venue!.license_application_id}, ${venue!.venue_id}, 'Again')`)).rejects.toMatchObject({
      code: '23505' });
    await expect(db.exec(sql`update license_applications set number_of_performances = 301
      where id = ${venue!.license_application_id}`)).rejects.toMatchObject({ code: '23514' });
    await expect(db.exec(sql`insert into performances (license_id, license_venue_id, local_date, local_time, starts_at,
      type, week_key) select license_id, license_venue_id, local_date, local_time, starts_at, 'gala', week_key
      from performances limit 1`)).rejects.toMatchObject({ code: '23505' });
  });
});

describe('tax exemption on the application', () => {
  it('is what the certificates say: nothing, then waiting, then exempt in the state', async () => {
    const { data: draft } = await school.signer.post(mine(), draftBody());
    expect(draft.tax_exemptions).toEqual([]);
    const certificates = `/customers/${school.id}/exemption_certificates`;
    await test.database.db.exec(sql`
      insert into tax_exemption_certificates (customer_id, country, state, kind, number, valid_from, status)
      values (${school.id}, 'US', 'OH', 'school', 'OH-4471', '2026-01-01', 'pending')`);
    const read = async () => [(await school.signer.get(`${mine()}/${draft.id}`)).data.tax_exemptions,
      (await stage.staff.get(`${API}/license_applications/${draft.id}`)).data.tax_exemptions];
    const waiting = { place: 'Ohio', number: 'OH-4471', valid_from: '2026-01-01', expires_on: null,
      state: 'pending' };
    expect(await read()).toEqual([[waiting], [waiting]]);
    const [row] = (await stage.staff.get(`${API}${certificates}`)).data;
    await stage.staff.put(`${API}${certificates}/${row.id}/verify`, { version: row.version });
    expect(await read()).toEqual([[{ ...waiting, state: 'valid' }], [{ ...waiting, state: 'valid' }]]);
  });
});

describe('film and stream that the show has no price for', () => {
  it('stand on the offer, which waits until staff have priced or declined them', async () => {
    const { show_id } = await makeWork(stage, { code: 'UNFILMED', title: 'The Last Lamp', division: 'US',
      currency: 'USD', authors: [{ name: 'Cleo Marsh', share_points: 1, rate_ppm: 700_000 }],
      card: { category: 'Amateur', fee_method: 'percent_potential', rate_ppm: 100_000,
        min_per_performance_minor: 9_500, execution_policy: 'purchase_order' } });
    const { data: draft } = await school.signer.post(mine(), { ...draftBody(), show_ids: [show_id], add_ons: [] });
    const { data: sent } = await school.signer.put(`${mine()}/${draft.id}/status`, { event: 'submit',
      version: draft.version });
    const { path, version } = await approve(sent);
    const { data: made } = await stage.staff.post(`${path}/convert`, { version,
      show_ids: [show_id] });
    const home = `${API}/licenses/${made.license_ids[0]}`;
    const { data: { selection } } = await stage.staff.get(`${home}/charges`);
    expect(selection.fees).toEqual([{ description: 'Archival recording', amount_minor: 0 },
      { description: 'Streaming', amount_minor: 0 }]);
    const send = async (): Promise<string> => {
      const { data: { version } } = await stage.staff.get(home);
      return stage.staff.put(`${home}/phase`, { event: 'send_offer', version, recipients: ['office@house.example'] })
        .then(() => 'sent', String);
    };
    expect(await send()).toContain('Open on the checklist: Archival recording: price entered or declined.');
    const { data: quote } = await stage.staff.get(home);
    await stage.staff.put(`${home}/charges`, { ...selection, version: quote.version,
      fees: [{ description: 'Archival recording', amount_minor: 12_500 }] });
    const { data: items } = await stage.staff.get(`${home}/checklist`);
    expect(items.filter((one: Body) => one.key.startsWith('price_')).map((one: Body) => [one.label, one.status,
      one.note]).sort()).toEqual([['Archival recording: price entered or declined', 'done', ''],
      ['Streaming: price entered or declined', 'done', 'Declined']]);
    expect((await stage.staff.get(`${home}/terms`)).data.rights_granted).toEqual(['stage', 'video_archival']);
    expect(await send()).toBe('sent');
    const { data: papers } = await stage.staff.get(`${home}/license_documents`);
    const contract = papers.find((one: Body) => one.type === 'production_contract');
    const text = (await textOf(test, `${home}/license_documents/${contract.id}/file`)).replace(/\s+/g, ' ');
    expect(text).toContain('Archival recording 1 125.00 125.00');
    expect(text).not.toContain('Streaming');
    expect(text).toContain('"Audiences may not videotape this production');
    expect(text).not.toContain('recordings of this production is prohibited');
  });
});
