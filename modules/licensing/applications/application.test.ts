/** Applications: drafted by the customer, triaged by staff, turned into quotes (domain.md 1.2). */
import { describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';
import { sql } from '#server/sql.ts';
import { APPLICATION_MACHINE } from '#kernel/licensing/application-machine.ts';
import { allowedEvents } from '#kernel/licensing/machine.ts';
import { E2_TICKETS, evenings, licensingFixture, makeCustomer, type Fixture } from '../testing/licensing-fixtures.ts';

const test = testApp();
const STAFF = '/api/admin/staff/license_applications';

interface House { fixture: Fixture; signer: Browser; member: Browser; staff: Browser; home: string }

async function house(): Promise<House> {
  const fixture = await licensingFixture(test.database.db);
  const people = (role: string) => test.signedIn('customer', { customers: [{ id: fixture.customer_id, role }] });
  return { fixture, signer: await people('signer'), member: await people('member'),
    staff: await test.signedIn('staff_admin'), home: `/api/customers/${fixture.customer_id}` };
}

const venues = (fixture: Fixture, from = '2027-04-01') => [{ venue_id: fixture.venue_id, ticketing: E2_TICKETS,
  performances: evenings(from, 6) }];

async function submitted({ fixture, member, signer, home }: House, from?: string) {
  const draft = await member.post(`${home}/license-applications`, { show_ids: [fixture.show_id],
    license_venues: venues(fixture, from) });
  expect(draft.status, JSON.stringify(draft.body)).toBe(201);
  const path = `${home}/license-applications/${draft.body.data.id}`;
  const answer = await signer.put(`${path}/status`, { event: 'submit', version: draft.body.data.version });
  return { id: draft.body.data.id as number, path, draft: draft.body.data, answer };
}

describe('a customer applies', () => {
  it('shows price and rights while it is a draft, and freezes both when it is handed in', async () => {
    const all = await house();
    const { draft, answer } = await submitted(all);
    expect(draft.outlook[0]).toMatchObject({ availability: { verdict: 'clear' },
      price: { priced: true, totals: { due_minor: 591_000 } } });
    expect(draft.outlook[0].price).not.toHaveProperty('rate_card_id');
    expect(draft.outlook[0].price.explanation[0]).not.toHaveProperty('rule_id');
    expect(answer.status).toBe(200);
    expect(answer.body.data.number).toMatch(/^A-US-2026-\d{6}$/);
    expect(answer.body.data.status).toBe('submitted');
    await test.database.owner.exec(sql`update rate_cards set effective_to = '2026-01-01'
      where id = ${all.fixture.rate_card_id}`);
    const later = await all.member.get(`${all.home}/license-applications/${draft.id}`);
    expect(later.body.data.outlook[0].price.totals.due_minor).toBe(591_000);
  });

  it('prices frozen before their steps named a percentage are still read', async () => {
    const all = await house();
    const { id, path } = await submitted(all);
    await test.database.owner.exec(sql`update license_applications set price_preview = (
      select jsonb_object_agg(show, price || jsonb_build_object('trace',
        (select jsonb_agg(step - 'rate_ppm') from jsonb_array_elements(price -> 'trace') step)))
      from jsonb_each(price_preview) as frozen (show, price)) where id = ${id}`);
    const portal = await all.member.get(path);
    expect(portal.status, JSON.stringify(portal.body)).toBe(200);
    expect(portal.body.data.outlook[0].price.explanation[0].rate_ppm).toBeNull();
    expect((await all.staff.get(`${STAFF}/${id}`)).body.data.outlook[0].price.trace[0].rate_ppm).toBeNull();
  });

  it('a filter of the staff list narrows it; drafts of the portal are in none', async () => {
    const all = await house();
    const { id } = await submitted(all);
    await all.member.post(`${all.home}/license-applications`, { show_id: all.fixture.show_id });
    const of = async (query: string) =>
      (await all.staff.get(`${STAFF}?customer_id=${all.fixture.customer_id}${query}`)).body.data
      .map((row: { id: number }) => row.id);
    expect(await of('')).toEqual([id]);
    expect(await of('&status=submitted')).toEqual([id]);
    expect(await of('&status=in_review,clearance')).toEqual([]);
  });

  it('a member drafts and may not hand in', async () => {
    const { fixture, member, home } = await house();
    const draft = await member.post(`${home}/license-applications`, { show_id: fixture.show_id });
    expect(draft.status).toBe(201);
    const refused = await member.put(`${home}/license-applications/${draft.body.data.id}/status`,
      { event: 'submit', version: draft.body.data.version });
    expect(refused.status).toBe(403);
  });

  it('names every field that is missing or wrong, and stores nothing of it', async () => {
    const { fixture, signer, home } = await house();
    const path = `${home}/license-applications`;
    const bad = async (body: object) => (await signer.post(path, { show_ids: [fixture.show_id], ...body })).body.errors;
    const row = { number_of_seats: 10, price: 5, weight: 0 };
    expect(await bad({ license_venues: [{ name: 'Hall', ticketing: [{ ...row, price: 12.345 }] }] }))
      .toHaveProperty(['license_venues.0.ticketing.0.price']);
    expect(await bad({ license_venues: [{ name: 'Hall', ticketing: [{ ...row, number_of_seats: -1 }] }] }))
      .toHaveProperty(['license_venues.0.ticketing.0.number_of_seats']);
    expect(await bad({ show_ids: [999_999] })).toHaveProperty(['show_ids.0']);
    expect(await bad({ show_ids: [1, 2, 3, 4] })).toHaveProperty(['show_ids']);
    expect(await bad({ license_venues: [{ venue_id: 999_999 }] })).toHaveProperty(['license_venues.0.venue_id']);
    expect(await bad({ surprise: 1 })).toHaveProperty(['surprise']);
    expect((await signer.get(path)).body.meta.total).toBe(0);
    const empty = await signer.post(path, { show_id: fixture.show_id });
    const refused = await signer.put(`${path}/${empty.body.data.id}/status`, { event: 'submit',
      version: empty.body.data.version });
    expect(refused.body.errors).toHaveProperty(['license_venues']);
  });

  it('is refused beyond 18 months, where staff may with a reason', async () => {
    const all = await house();
    const { answer } = await submitted(all, '2028-07-01');
    expect(answer.status).toBe(409);
    expect(answer.body.unmet[0].guard).toBe('not_too_far_ahead');
    const body = { customer_id: all.fixture.customer_id, show_ids: [all.fixture.show_id],
      license_venues: venues(all.fixture, '2028-07-01') };
    expect((await all.staff.post(STAFF, body)).status).toBe(409);
    expect((await all.staff.post(STAFF, { ...body, override_reason: 'Anniversary season' })).status).toBe(201);
  });
});

describe('automatic offers of a division', () => {
  const rules = async (change: object) => {
    const system = await test.signedIn('system_admin');
    const [us] = (await system.get('/api/admin/system/divisions')).body.data;
    const answer = await system.put('/api/admin/system/divisions/US', { version: us.version, ...change });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };

  it('are off until the division switches them on; then the system makes the quote and sends it', async () => {
    expect((await submitted(await house())).answer.body.data.status).toBe('submitted');
    await rules({ auto_offers: true });
    const all = await house();
    const { id, answer } = await submitted(all);
    expect(answer.body.data.status, JSON.stringify(answer.body)).toBe('converted');
    const staff = (await all.staff.get(`${STAFF}/${id}`)).body.data;
    const events = staff.events as { event: string; actor_name: string | null }[];
    expect(events.map((one) => [one.event, one.actor_name !== null])).toEqual(
      expect.arrayContaining([['submit', true], ['auto_offer', false]]));
    const license = await test.database.db.one<{ id: number; phase: string; created_by_id: number | null }>(sql`
      select id, phase, created_by_id from licenses where license_application_id = ${id}`);
    expect(license).toMatchObject({ phase: 'sent', created_by_id: null });
    const { people } = await test.database.db.one<{ people: number }>(sql`
      select count(*) as people from license_events where license_id = ${license.id}
        and (actor_id is not null or on_behalf_of_id is not null)`);
    expect(people, 'steps of the licence that name a person').toBe(0);
    const audit = await test.database.db.query<{ actor_id: number | null; action: string }>(sql`
      select actor_id, action from audit_events where entity = 'license' and entity_id = ${license.id}
        or entity = 'license_application' and entity_id = ${id} and action = 'auto_offer'`);
    expect(audit.map((row) => row.action)).toEqual(expect.arrayContaining(['auto_offer', 'send_offer']));
    expect(audit.filter((row) => row.actor_id !== null)).toEqual([]);
    await rules({ auto_offers: false });
  });

  it.each([['the total', { auto_offer_total_minor: 590_999 }], ['the performances', { auto_offer_performances: 5 }],
    ['the seats', { auto_offer_capacity: 50 }], ['the days ahead', { auto_offer_days_ahead: 540 }]])(
    'leave an application outside %s with staff', async (_limit, change) => {
      await rules({ auto_offers: true, auto_offer_total_minor: 1_500_000, auto_offer_performances: 30,
        auto_offer_capacity: 3_000, auto_offer_days_ahead: 42, ...change });
      expect((await submitted(await house())).answer.body.data.status).toBe('submitted');
      await rules({ auto_offers: false });
    });
});

describe('staff decide', () => {
  it('assigns, asks, hears, approves and converts; converting twice gives the same quotes', async () => {
    const all = await house();
    const { staff, signer } = all;
    const { id, path } = await submitted(all);
    const version = async (): Promise<number> => (await staff.get(`${STAFF}/${id}`)).body.data.version;
    const event = async (name: string, more = {}) =>
      staff.put(`${STAFF}/${id}/status`, { event: name, version: await version(), ...more });
    expect((await event('assign')).body.data.status).toBe('in_review');
    const asked = await staff.post(`${STAFF}/${id}/information_requests`, { message: 'How many in the cast?' });
    expect(asked.status).toBe(201);
    expect((await staff.get(`${STAFF}/${id}`)).body.data).toMatchObject({ status: 'info_requested', sla_paused: true });
    const answered = await signer.put(`${path}/status`, { event: 'respond', version: await version(),
      message: 'Twelve' });
    expect(answered.body.data).toMatchObject({ status: 'in_review' });
    expect(answered.body.data.information_requests[0].answer).toBe('Twelve');
    expect((await event('approve')).body.data.status).toBe('approved');
    const seen = await version();
    const convert = () => staff.post(`${STAFF}/${id}/convert`, { show_ids: [all.fixture.show_id], version: seen });
    const [first, second] = await Promise.all([convert(), convert()]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body.data.license_ids).toEqual(second.body.data.license_ids);
    const license = await staff.get(`/api/admin/staff/licenses/${first.body.data.license_ids[0]}`);
    expect(license.body.data).toMatchObject({ phase: 'draft', license_application_id: id,
      grand_total_minor: 591_000 });
  });

  it('[I9] refuses every event that the table does not allow, and names the allowed ones', async () => {
    const all = await house();
    const { id } = await submitted(all);
    for (const status of ['submitted', 'declined'] as const) {
      if (status === 'declined') {
        const { version } = (await all.staff.get(`${STAFF}/${id}`)).body.data;
        await all.staff.put(`${STAFF}/${id}/status`, { event: 'decline', version, reason_code: 'other' });
      }
      const { version } = (await all.staff.get(`${STAFF}/${id}`)).body.data;
      const allowed = allowedEvents(APPLICATION_MACHINE, status);
      for (const name of ['assign', 'need_clearance', 'approve', 'decline'] as const) {
        if (allowed.includes(name)) continue;
        const answer = await all.staff.put(`${STAFF}/${id}/status`, { event: name, version, reason_code: 'other' });
        expect(answer.status, name).toBe(409);
        expect(answer.body).toMatchObject({ code: 'license_application.status_conflict', status, allowed });
      }
    }
  });

  it('approving needs license.create beside the gate of the call', async () => {
    const all = await house();
    const { id } = await submitted(all);
    const clerk = await test.signedIn('staff_user', { permissions: ['license.update', 'license_application.show'] });
    const version = async (): Promise<number> => (await clerk.get(`${STAFF}/${id}`)).body.data.version;
    await clerk.put(`${STAFF}/${id}/status`, { event: 'assign', version: await version() });
    const refused = await clerk.put(`${STAFF}/${id}/status`, { event: 'approve', version: await version() });
    expect(refused.status).toBe(403);
  });

  it('another customer never sees it', async () => {
    const all = await house();
    const { id } = await submitted(all);
    const other = await makeCustomer(test.database.db);
    const stranger = await test.signedIn('customer', { customers: [{ id: other, role: 'admin' }] });
    expect((await stranger.get(`/api/customers/${other}/license-applications/${id}`)).status).toBe(404);
    expect((await stranger.get(`${all.home}/license-applications/${id}`)).status).toBe(404);
    expect((await stranger.get(`/api/customers/${other}/license-applications`)).body.data).toEqual([]);
  });
});
