/** A fixed fee has no report that bills it: the plan does, to the last cent, before the licence can close. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '#db/demo/client.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { API, makeHouse, makeWork, offerAndSign, openStage, type Stage } from '#tests/support/story.ts';
import { licenseFacts } from '../phase/license-facts.server.ts';
import { runLicenseClocks } from '../phase/license-clocks.server.ts';

const test = testApp();
let stage: Stage;
let house: Awaited<ReturnType<typeof makeHouse>>;
const address = { country_code: 'GB', thoroughfare: '4 Mill Lane', locality: 'Maidstone', administrative_area: '',
  postal_code: 'ME14 1AA' };
const TICKETS = [{ label: 'Stalls', number_of_seats: 120, price: 10, weight: 1 }];
const DEPOSIT = 30_000;
/** 4 x 150.00 and VAT. */
const TOTAL = 72_000;

beforeAll(async () => {
  test.clock.set('2026-07-01T10:00:00Z');
  stage = await openStage(test);
  house = await makeHouse(stage, { currency: 'GBP', customer: { name: 'Maidstone Operatic Society', kind: 'community',
    divisions: ['UK'], default_division: 'UK', billing_address: address, statement_email: 'treasurer@maidstone.example',
    tax_country: 'GB' }, venues: [{ name: 'Corn Hall', address, time_zone: 'Europe/London', capacity: 120,
    tickets: TICKETS }] });
});

/** Of a show of its own, signed, its deposit paid. */
async function licensed(code: string, days: readonly string[]): Promise<number> {
  const { show_id } = await makeWork(stage, { code, title: `The Fixed Star ${code}`, division: 'UK', currency: 'GBP',
    authors: [{ name: 'Agnes Thorne', share_points: 1, rate_ppm: 700_000 }], card: { category: 'Amateur',
      fee_method: 'flat', performance_tiers: [{ from_n: 1, amount_minor: 15_000 }], execution_policy: 'deposit_paid',
      deposit_kind: 'on_account', deposit_minor: DEPOSIT } });
  const { data } = await stage.staff.post(`${API}/licenses`, { customer_id: house.id, show_id,
    category: 'Amateur', division: 'UK', license_venues: [{ venue_id: house.venue_ids[0], ticketing: TICKETS,
      performances: days.map((local_date) => ({ local_date, local_time: '19:30' })) }] });
  await offerAndSign(stage, data.id, house, 'Hugh Penrose');
  const { data: [asked] } = await stage.staff.get(`${API}/licenses/${data.id}/deposits`);
  await stage.staff.post(`${API}/accounting/payments`, { customer_id: house.id, division: 'UK', currency: 'GBP',
    amount_minor: DEPOSIT, method: 'wire', received_on: '2026-07-01', license_id: data.id, deposit_id: asked.id,
    duplicate_confirmed: true });
  return data.id;
}
async function moveTo(day: string): Promise<void> {
  test.clock.set(`${day}T10:00:00Z`);
  await runLicenseClocks(workContext(test.ports, test.ports.db, SYSTEM_ACTOR), day);
}
async function billed(license: number): Promise<{ total: number; balance: number }> {
  const { data } = await stage.staff.get(`${API}/invoices?license_id=${license}&kind=invoice`);
  const sum = (key: string): number => data.reduce((all: number, one: Body) => all + one[key], 0);
  return { total: sum('total_minor'), balance: sum('balance_minor') };
}

describe('a fixed fee with a deposit on account', () => {
  it('is due at the opening, and what the deposit paid is billed and set off with it', async () => {
    const license = await licensed('ONE', ['2026-08-04', '2026-08-05', '2026-08-06', '2026-08-07']);
    const { data: { payment_plan } } = await stage.staff.get(`${API}/licenses/${license}/price_trace`);
    expect(payment_plan.map((row: Body) => [row.due_event, row.amount_minor])).toEqual([['acceptance', DEPOSIT],
      ['opening', TOTAL - DEPOSIT]]);
    await moveTo('2026-08-04');
    expect(await billed(license)).toEqual({ total: TOTAL, balance: TOTAL - DEPOSIT });
  });

  it('planned for a report that nobody owes, as older quotes were, is billed when the run is over', async () => {
    const license = await licensed('TWO', ['2026-09-01', '2026-09-02', '2026-09-03', '2026-09-04']);
    await test.database.owner.exec(sql`
      update license_instalments set due_event = 'report' where license_id = ${license} and due_event = 'opening'`);
    for (const day of ['2026-09-01', '2026-09-04']) await moveTo(day);
    expect(await billed(license)).toEqual({ total: 0, balance: 0 });
    await moveTo('2026-09-05');
    expect((await stage.staff.get(`${API}/licenses/${license}`)).data.phase).toBe('settlement');
    expect(await billed(license)).toEqual({ total: TOTAL, balance: TOTAL - DEPOSIT });
  });

  it('counts as open while a part of it is not billed', async () => {
    const license = await licensed('THREE', ['2026-10-01', '2026-10-02', '2026-10-03', '2026-10-04']);
    const { data: { balance_minor } } = await stage.staff.get(`${API}/licenses/${license}`);
    expect(balance_minor).toBe(0);
    const facts = await licenseFacts(workContext(test.ports, test.ports.db, SYSTEM_ACTOR), license);
    expect(facts.balance_zero).toBe(false);
  });

  it('follows an amendment: a performance more is billed once, the deposit on no line twice', async () => {
    const days = ['2026-11-03', '2026-11-04', '2026-11-05', '2026-11-06'];
    const license = await licensed('FOUR', days);
    const { data: [venue] } = await stage.staff.get(`${API}/licenses/${license}/license_venues`);
    const { data: { version } } = await stage.staff.get(`${API}/licenses/${license}`);
    await stage.staff.post(`${API}/licenses/${license}/amendments`, { version, reason: 'Sold out',
      clearance_reason: 'Free', changes: { performances: [{ license_venue_id: venue.id, local_date: '2026-11-07',
        local_time: '19:30' }] } });
    const { data: { payment_plan } } = await stage.staff.get(`${API}/licenses/${license}/price_trace`);
    expect(payment_plan.map((row: Body) => row.amount_minor)).toEqual([DEPOSIT, TOTAL + 18_000 - DEPOSIT]);
    await moveTo('2026-11-03');
    expect(await billed(license)).toEqual({ total: TOTAL + 18_000, balance: TOTAL + 18_000 - DEPOSIT });
  });

  it('of an older plan is billed before the rest of a run is canceled: what was played stays owed', async () => {
    const license = await licensed('FIVE', ['2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04']);
    await test.database.owner.exec(sql`
      update license_instalments set due_event = 'report' where license_id = ${license} and due_event = 'opening'`);
    for (const day of ['2026-12-01', '2026-12-02', '2026-12-03']) await moveTo(day);
    const path = `${API}/licenses/${license}`;
    const { data: preview } = await stage.staff.get(`${path}/cancellation`);
    expect(preview).toMatchObject({ performances: 2, keep_minor: 30_000, refund_minor: 30_000, tax_minor: 6_000 });
    await stage.staff.put(`${path}/phase`, { event: 'cancel_remaining', version: preview.version, reason: 'Snow' });
    for (const day of ['2026-12-04', '2026-12-05']) await moveTo(day);
    const { data } = await stage.staff.get(`${API}/invoices?license_id=${license}`);
    const sum = (kind: string): number => data.filter((one: Body) => one.kind === kind)
      .reduce((all: number, one: Body) => all + one.total_minor, 0);
    expect([sum('invoice'), sum('credit_note')]).toEqual([TOTAL, 36_000]);
  });
});
