/** Prices: the preview is the price, discounts need a second person, wrong input is refused at its field. */
import { describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';
import { sql } from '#server/sql.ts';
import { recomputeTrace, traceFromJson, type Json } from '#kernel/pricing/trace.ts';
import { E2_TICKETS, evenings, licensingFixture, type Fixture } from '../../testing/licensing-fixtures.ts';

const test = testApp();
const LICENSES = '/api/admin/staff/licenses';
const venues = (fixture: Fixture) => [{ venue_id: fixture.venue_id, ticketing: E2_TICKETS,
  performances: evenings('2027-04-01', 6) }];

async function draft(staff: Browser, fixture: Fixture, more = {}) {
  const answer = await staff.post(LICENSES, { customer_id: fixture.customer_id, show_id: fixture.show_id,
    category: 'Amateur', license_venues: venues(fixture), ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

describe('a price', () => {
  it('[I10] is the same in the preview, the portal and the stored licence, and its trace recomputes', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const body = { show_id: fixture.show_id, license_venues: venues(fixture), category: 'Amateur' };
    const preview = await staff.post('/api/admin/staff/price_preview', { ...body, division: 'US' });
    const customer = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'member' }] });
    const portal = await customer.post(`/api/customers/${fixture.customer_id}/price_preview`, body);
    const license = await draft(staff, fixture);
    expect(preview.body.data.totals).toEqual(portal.body.data.totals);
    expect(preview.body.data.totals.due_minor).toBe(license.grand_total_minor);
    expect(portal.body.data).not.toHaveProperty('rate_card_id');
    const stored = await test.database.db.one<{ trace: Json }>(sql`
      select calculation_trace as trace from licenses where id = ${license.id}`);
    expect(recomputeTrace(traceFromJson(stored.trace))).toEqual([]);
  });

  it('says what is missing while somebody types, and refuses what cannot be', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const ask = (body: object) => staff.post('/api/admin/staff/price_preview', { show_id: fixture.show_id,
      category: 'Amateur', division: 'US', license_venues: venues(fixture), ...body });
    expect((await ask({ license_venues: [] })).body.data).toMatchObject({ priced: false,
      code: 'price.no_performances' });
    expect((await ask({ category: 'Pro' })).body.data).toMatchObject({ priced: false, code: 'rate.none' });
    expect((await ask({ show_id: 999_999 })).body.errors).toHaveProperty(['show_id']);
    const cents = await ask({ license_venues: [{ name: 'H', ticketing: [{ number_of_seats: 1, price: 1.005,
      weight: 0 }] }] });
    expect(cents.body.errors).toEqual({ 'license_venues.0.ticketing.0.price': ['Use at most two decimals'] });
  });

  it('changes with the draft: packages, add-ons, fees, a negotiated fee and back', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const { db } = test.database;
    await db.exec(sql`
      insert into show_packages (show_id, division, name, currency, price_minor, included_period_count, period_unit,
        extra_period_price_minor, shipping_minor)
      values (${fixture.show_id}, 'US', 'Rehearsal set', 'USD', 59500, 10, 'week', 7500, 6500)`);
    const addOn = await db.one<{ id: number }>(sql`
      insert into add_ons (show_id, key, name, kind, price_usd_minor, item_class)
      values (${fixture.show_id}, 'tracks', 'Tracks', 'performance_tracks', 40000, 'tracks') returning id`);
    const license = await draft(staff, fixture);
    expect(license.grand_total_minor).toBe(591_000 + 59_500 + 6_500);
    const path = `${LICENSES}/${license.id}`;
    const chosen = await staff.put(`${path}/charges`, { version: license.version, with_package: true,
      extra_periods: 3, add_ons: [{ add_on_id: addOn.id }], fees: [{ description: 'Rush', amount_minor: 2_500 }] });
    expect(chosen.body.data.totals.materials_minor).toBe(59_500 + 22_500 + 6_500 + 40_000 + 2_500);
    const deal = await staff.put(`${path}/negotiated_fee`, { version: chosen.body.data.version,
      negotiated: { reason: 'Premiere', fee_per_performance_minor: 50_000 } });
    expect(deal.body.data.totals.royalty_minor).toBe(300_000);
    const back = await staff.put(`${path}/negotiated_fee`, { version: deal.body.data.version, negotiated: null });
    expect(back.body.data.totals).toMatchObject({ royalty_minor: 591_000, materials_minor: 131_000 });
    const plan = back.body.data.payment_plan as { amount_minor: number }[];
    expect(plan.reduce((sum, row) => sum + row.amount_minor, 0)).toBe(591_000 + 131_000);
  });

  it('other charges, discount or fee say what they would cost before they are saved', async () => {
    const { db } = test.database;
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(db);
    await db.exec(sql`
      insert into show_packages (show_id, division, name, currency, price_minor, included_period_count, period_unit,
        extra_period_price_minor) values (${fixture.show_id}, 'US', 'Rehearsal set', 'USD', 59500, 10, 'week', 7500)`);
    const addOn = await db.one<{ id: number }>(sql`
      insert into add_ons (show_id, key, name, kind, price_usd_minor, pricing_model)
      values (${fixture.show_id}, 'logo', 'Logo', 'logo_pack', 7500, 'flat') returning id`);
    const license = await draft(staff, fixture);
    const path = `${LICENSES}/${license.id}`;
    const choices = (await staff.get(`${path}/charges`)).body.data;
    expect(choices).toMatchObject({ selection: { with_package: true, extra_periods: 0, add_ons: [], fees: [] },
      package: { name: 'Rehearsal set', price_minor: 59_500 }, add_ons: [{ id: addOn.id, price_minor: 7_500 }] });
    const charges = { with_package: true, extra_periods: 2, add_ons: [{ add_on_id: addOn.id, quantity: 1 }],
      fees: [{ description: 'Rush', amount_minor: 2_500 }] };
    const offeredUntil = (day: string | null) => db.exec(sql`update add_ons set available_to = ${day}
      where id = ${addOn.id}`);
    await offeredUntil('2020-12-31');
    expect((await staff.get(`${path}/charges`)).body.data.add_ons).toEqual([]);
    const late = await staff.post(`${path}/price_preview`, { charges });
    expect(late.body.errors['add_ons.0.add_on_id']).toEqual(['This add-on is not offered here']);
    await offeredUntil(null);
    const due = async (body: object) => (await staff.post(`${path}/price_preview`, body)).body.data.totals.due_minor;
    expect(await due({ charges })).toBe(591_000 + 59_500 + 15_000 + 7_500 + 2_500);
    expect(await due({ discount: { type: 'percent', ppm: 100_000, reason: 'x' } })).toBe(531_900 + 59_500);
    expect(await due({ negotiated: { reason: 'x', fee_per_performance_minor: 50_000 } })).toBe(300_000 + 59_500);
    expect((await staff.get(path)).body.data).toMatchObject({ grand_total_minor: 650_500, version: license.version });
    const saved = await staff.put(`${path}/charges`, { version: license.version, ...charges, reason: 'They asked' });
    expect(saved.body.data.totals.grand_total_minor).toBe(await due({}));
    const [event] = (await staff.get(`${path}/events`)).body.data;
    expect(event).toMatchObject({ event: 'choose_charges', reason: 'They asked' });
    const unknown = await staff.post(`${path}/price_preview`, { charges: { ...charges, add_ons: [{ add_on_id: 999_999,
      quantity: 1 }] } });
    expect([unknown.status, unknown.body.errors['add_ons.0.add_on_id']]).toEqual([422,
      ['This add-on is not offered here']]);
  });

  it('a discount above ten per cent waits for a second person', async () => {
    const staff = await test.signedIn('staff_admin');
    const second = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const license = await draft(staff, fixture);
    const path = `${LICENSES}/${license.id}`;
    const given = await staff.put(`${path}/discount`, { version: license.version,
      discount: { type: 'percent', ppm: 200_000, reason: 'Festival' } });
    expect(given.body.data).toMatchObject({ discount: { needs_approval: true },
      totals: { royalty_minor: 472_800 } });
    const version = given.body.data.version as number;
    const refused = await staff.put(`${path}/phase`, { event: 'send_offer', version });
    expect(refused.body.unmet).toMatchObject([{ guard: 'discount_approved' }]);
    expect((await staff.put(`${path}/discount/approve`, { version })).body.code).toBe('four_eyes');
    const approved = await second.put(`${path}/discount/approve`, { version });
    expect(approved.body.data.discount).toMatchObject({ needs_approval: false });
    const sent = await staff.put(`${path}/phase`, { event: 'send_offer', version: approved.body.data.version });
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  });

  it('a professional advance is a charge of its own, due at signature', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const { db } = test.database;
    const card = await db.one<{ id: number }>(sql`
      insert into rate_cards (show_id, category, division, effective_from, currency, fee_method, rate_ppm,
        guarantee_scope, min_per_performance_minor, advance_minor, execution_policy)
      values (${fixture.show_id}, 'Pro', 'US', '2020-01-01', 'USD', 'percent_actual', 110000, 'week', 75000, 200000,
        'advance_paid') returning id`);
    await db.exec(sql`update rate_cards set status = 'approved', approved_by_id = ${fixture.approver_id},
      approved_at = now() where id = ${card.id}`);
    const license = await draft(staff, fixture, { category: 'Pro' });
    expect(license).toMatchObject({ execution_policy: 'advance_paid', royalty_total_minor: 450_000 });
    const price = (await staff.get(`${LICENSES}/${license.id}/price_trace`)).body.data;
    expect(price.lines.map((row: { kind: string; net_minor: number }) => [row.kind, row.net_minor]))
      .toEqual([['advance', 200_000], ['royalty', 250_000]]);
    // The licence has the parts of its sum with it.
    expect((await staff.get(`${LICENSES}/${license.id}`)).body.data.price_parts)
      .toEqual([{ kind: 'advance', net_minor: 200_000 }, { kind: 'royalty', net_minor: 250_000 }]);
    expect(price.payment_plan.map((row: { due_event: string; amount_minor: number }) => [row.due_event,
      row.amount_minor])).toEqual([['acceptance', 200_000], ['report', 250_000]]);
  });
});

/** A draft of example E14b: a set of books hired and delivered in New York, taxed there. */
async function taxedDraft(staff: Browser) {
  const { db } = test.database;
  const fixture = await licensingFixture(db);
  const address = JSON.stringify({ country_code: 'US', thoroughfare: '1 Broadway', locality: 'New York',
    administrative_area: 'NY', postal_code: '10004' });
  await db.exec(sql`update customers set billing_address = ${address} where id = ${fixture.customer_id}`);
  await db.exec(sql`update venues set address = ${address} where id = ${fixture.venue_id}`);
  await db.exec(sql`
    insert into show_packages (show_id, division, name, currency, price_minor, included_period_count, period_unit,
      extra_period_price_minor, shipping_minor)
    values (${fixture.show_id}, 'US', 'Rehearsal set', 'USD', 59500, 10, 'week', 7500, 6500)`);
  await db.exec(sql`insert into tax_registrations (division, jurisdiction, scheme, number, valid_from)
    values ('US', 'US-NY', 'sales_tax', '12-3456789', '2020-01-01') on conflict do nothing`);
  const license = await draft(staff, fixture);
  const chosen = await staff.put(`${LICENSES}/${license.id}/charges`, { version: license.version,
    with_package: true, extra_periods: 3, add_ons: [], fees: [] });
  return { license: { id: license.id as number, version: chosen.body.data.version as number }, fixture, chosen };
}

it('a rate of the takings that has changed keeps the offer back, though no total shows it', async () => {
  const { db } = test.database;
  const staff = await test.signedIn('staff_admin');
  const fixture = await licensingFixture(db, { fee_method: 'percent_actual' });
  const license = await draft(staff, fixture);
  const path = `${LICENSES}/${license.id}`;
  const unmet = async () => (await staff.get(`${path}/phase`)).body.data.events
    .find((one: { event: string }) => one.event === 'send_offer').unmet.map((one: { guard: string }) => one.guard);
  expect(await unmet()).not.toContain('price_current');
  const { id } = await db.one<{ id: number }>(sql`
    insert into rate_cards (show_id, category, division, effective_from, currency, fee_method, rate_ppm,
      round_up_to_minor, min_per_performance_minor, execution_policy)
    values (${fixture.show_id}, 'Amateur', 'US', '2026-06-01', 'USD', 'percent_actual', 140000, 500, 9500,
      'paid_in_full') returning id`);
  await db.exec(sql`update rate_cards set status = 'approved', approved_by_id = ${fixture.approver_id},
    approved_at = now() where id = ${id}`);
  expect(await unmet()).toContain('price_current');
  const again = await staff.post(`${path}/price`, { version: license.version });
  expect(again.body.data.totals.grand_total_minor).toBe(license.grand_total_minor);
  expect(await unmet()).not.toContain('price_current');
});

describe('tax', () => {
  it('is the sales tax of example E14b in New York on hire and delivery; the royalty is untaxed', async () => {
    const staff = await test.signedIn('staff_admin');
    const { fixture, chosen } = await taxedDraft(staff);
    expect(chosen.body.data.lines.map((row: { kind: string; tax_rate_ppm: number; tax_minor: number }) =>
      [row.kind, row.tax_rate_ppm, row.tax_minor])).toEqual([['royalty', 0, 0], ['rental', 88_750, 5_281],
      ['extra_week', 88_750, 1_997], ['shipping', 88_750, 577]]);
    const preview = await staff.post('/api/admin/staff/price_preview', { show_id: fixture.show_id,
      customer_id: fixture.customer_id, category: 'Amateur', division: 'US', license_venues: venues(fixture),
      extra_periods: 3 });
    expect(preview.body.data.problems).toEqual([]);
    expect(preview.body.data.totals.tax_minor).toBe(chosen.body.data.totals.tax_minor);
  });

  it('that has changed since a draft was priced keeps the offer back until the price is recalculated', async () => {
    const { db } = test.database;
    const staff = await test.signedIn('staff_admin');
    const { license, fixture } = await taxedDraft(staff);
    const path = `${LICENSES}/${license.id}`;
    const offer = async () => (await staff.get(`${path}/phase`)).body.data.events
      .find((one: { event: string }) => one.event === 'send_offer');
    expect(await offer()).toMatchObject({ allowed: true });
    await db.exec(sql`
      insert into tax_exemption_certificates (customer_id, country, state, number, kind, valid_from, status,
        verified_at, verified_by_id)
      values (${fixture.customer_id}, 'US', 'NY', 'EX-7', 'school', '2020-01-01', 'verified', now(),
        ${staff.user_id})`);
    expect((await offer()).unmet).toEqual([{ guard: 'price_current',
      message: 'Tax or rates have changed since it was priced. Recalculate the price.' }]);
    const refused = await staff.put(`${path}/phase`, { event: 'send_offer', version: license.version });
    expect([refused.status, refused.body.code]).toEqual([409, 'license.precondition']);
    const again = await staff.post(`${path}/price`, { version: license.version });
    expect(again.body.data.totals).toMatchObject({ tax_minor: 0 });
    const sent = await staff.put(`${path}/phase`, { event: 'send_offer', version: again.body.data.version });
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  });
});
