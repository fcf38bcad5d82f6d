/**
 * Story 1, a school's first musical: a high school in Ohio, exempt from sales tax, plays four performances of a musical
 * at 15% off, pays by purchase order and the deposit by check, and returns its books one short. Applying is played by
 * whole-application.test.ts; here begins what follows. Until the books are out, journeys/first-musical.spec.ts plays
 * it all.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '#db/demo/client.ts';
import { runLicenseClocks } from '#modules/licensing/licensing.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { testApp } from '#tests/support/app.ts';
import { ADDRESS, BOOK, COPIES, DEPOSIT, DISCOUNT, HALL, makeMusical, makeSet, RENTAL, ROYALTY, SEATS, TOTAL, WEEKEND,
} from '#tests/support/musical.ts';
import { API, booked, makeHouse, offerAndSign, openStage, textOf, type Stage } from '#tests/support/story.ts';

const test = testApp();
let stage: Stage;
let school: Awaited<ReturnType<typeof makeHouse>>;
let license: number;
let offer: Body;
let order: Body;

const path = (): string => `${API}/licenses/${license}`;
async function moveTo(day: string): Promise<void> {
  test.clock.set(`${day}T15:00:00Z`);
  await runLicenseClocks(workContext(test.ports, test.ports.db, SYSTEM_ACTOR), day);
}
async function step(event: string, more: object = {}): Promise<void> {
  order = (await stage.staff.put(`${API}/sales_orders/${order.id}/status`, { event, version: order.version,
    ...more })).data;
}

beforeAll(async () => {
  test.clock.set('2026-11-26T15:00:00Z');
  stage = await openStage(test);
  const show_id = await makeMusical(stage);
  await makeSet(stage);
  school = await makeHouse(stage, { currency: 'USD', customer: { name: 'Wayne High School', kind: 'school_k12',
    divisions: ['US'], default_division: 'US', billing_address: ADDRESS, statement_email: 'office@wayne.example',
    tax_country: 'US', purchase_orders_accepted: true }, venues: [{ name: 'Wayne Auditorium', address: ADDRESS,
    time_zone: 'America/New_York', capacity: 370, tickets: SEATS }] });
  await stage.staff.post(`${API}/customers/${school.id}/exemption_certificates`, { jurisdiction: 'US-OH',
    number: 'OH-4471', kind: 'school', valid_from: '2026-01-01', expires_on: '2027-12-31' });
  const { data } = await stage.staff.post(`${API}/licenses`, { customer_id: school.id, show_id,
    category: 'Amateur', division: 'US', license_venues: [{ venue_id: school.venue_ids[0], ticketing: SEATS,
      performances: WEEKEND }] });
  license = data.id;
  // The hall has 370 seats; its attendance is checked, so that the box office is asked for.
  const { data: { version } } = await stage.staff.get(`${path()}/terms`);
  await stage.staff.put(`${path()}/terms`, { average_seat_cap: HALL, version });
});

describe('a first production at 15% off', () => {
  it('waits in the inbox of a second person; the internal reason stays internal', async () => {
    const { data: { version } } = await stage.staff.get(path());
    const { data: asked } = await stage.staff.put(`${path()}/discount`, { version, discount: { type: 'percent',
      ppm: 150_000, reason: 'First production', internal_reason: 'Rival offer from another house' } });
    const { data: inbox } = await stage.second.get(`${API}/approvals`);
    expect(JSON.stringify(inbox)).toContain('Wayne High School');
    await expect(stage.staff.put(`${path()}/discount/approve`, { version: asked.version })).rejects.toThrow();
    await stage.second.put(`${path()}/discount/approve`, { version: asked.version });
    offer = await offerAndSign(stage, license, school, 'Paul Reyes');
    expect(JSON.stringify(offer)).not.toContain('Rival offer');
  });

  it('is the same on offer, quote letter and contract: four performances, the discount a line', async () => {
    expect(offer.totals).toMatchObject({ total_minor: TOTAL });
    const { data: papers } = await stage.staff.get(`${path()}/license_documents`);
    for (const type of ['quote_letter', 'production_contract']) {
      const paper = papers.find((one: Body) => one.type === type);
      const text = await textOf(test, `${path()}/license_documents/${paper.id}/file`);
      for (const words of ['1,584.00', '(237.60)', '1,641.40']) expect.soft(text, type).toContain(words);
      if (type === 'production_contract') expect.soft(text).toContain(`may not exceed ${HALL} seats`);
      // 10.70 would give 3,959.00.
      if (type === 'quote_letter') expect.soft(text).toContain('370 × average 10.702703, at most 3,960.00');
    }
  });
});

describe('the purchase order and the check', () => {
  beforeAll(async () => {
    const { data: { version } } = await stage.staff.get(path());
    const { data: done } = await stage.staff.post(`${path()}/execute`, { version, reason: 'Purchase order received',
      purchase_order_no: 'PO-4711' });
    expect(done.ordering).toBe('Materials ordered. SO-1001: 20 pieces, ships December 31, 2026. Due back by March 20, '
      + '2027.');
    const { data: [asked] } = await stage.staff.get(`${path()}/deposits`);
    expect(asked).toMatchObject({ kind: 'security', amount_minor: DEPOSIT });
    await stage.staff.post(`${API}/accounting/payments`, { customer_id: school.id, division: 'US', currency: 'USD',
      amount_minor: DEPOSIT, method: 'check', reference: '1088', received_on: '2026-11-26', license_id: license,
      deposit_id: asked.id });
  });

  it('make the licence valid: the invoice names the order, the performances and the discount', async () => {
    expect((await stage.staff.get(path())).data.phase).toBe('licensed');
    const { data: [invoice] } = await stage.staff.get(`${API}/invoices?license_id=${license}&kind=invoice`);
    expect(invoice).toMatchObject({ total_minor: TOTAL, tax_minor: 0, balance_minor: TOTAL });
    const text = await textOf(test, `${API}/invoices/${invoice.id}/document`);
    for (const words of ['OH-4471', 'PO-4711', 'performances 4 × 396.00 = 1,584.00, discount 15% (237.60)',
      '1,641.40']) {
      expect.soft(text).toContain(words);
    }
  });

  it('put the deposit into 2150, beside what is owed', async () => {
    const moved = await booked(stage, 'US', '2026-01-01', '2026-12-31');
    expect(moved).toMatchObject({ 2150: -DEPOSIT, 1100: TOTAL });
    const { data: statement } = await school.signer.get(`/api/customers/${school.id}/statement`);
    expect(statement.accounts).toMatchObject([{ closing_minor: TOTAL,
      deposits: { closing_minor: DEPOSIT, lines: [{ kind: 'received', amount_minor: DEPOSIT }] } }]);
    const text = await textOf(test, `${API}/customers/${school.id}/statement/document`);
    for (const words of ['Deposits that we hold for you', '400.00']) expect.soft(text).toContain(words);
  });
});

describe('the books', () => {
  beforeAll(async () => {
    const { data: [ordered] } = await stage.staff.get(`${API}/sales_orders?license_id=${license}`);
    ({ data: order } = await stage.staff.get(`${API}/sales_orders/${ordered.id}`));
    expect(order.lines).toMatchObject([{ item_number: 'MOON-VOC', quantity: COPIES }]);
    for (const event of ['release', 'pick', 'pack']) await step(event);
    test.clock.set('2027-01-11T15:00:00Z');
    await step('ship', { carrier: 'UPS', tracking: ['1Z999'] });
  });

  it('are followed in the portal from their release: who brings them, and what comes back when', async () => {
    const parcels = `/api/customers/${school.id}/licenses/${license}/parcels`;
    expect((await school.signer.get(parcels)).data).toMatchObject([{ number: order.number, status: 'shipped',
      carrier: 'UPS', tracking: ['1Z999'], shipped_on: '2027-01-11', return_due_on: '2027-03-20',
      lines: [{ description: 'Vocal book', quantity: 20, qty_shipped: 20, outstanding: 20 }] }]);
    const { data: told } = await school.signer.get(`/api/customers/${school.id}/notifications`);
    expect(JSON.stringify(told)).toContain('Your materials for The Paper Moon have left');
  });

  const statement = async (): Promise<Body> => {
    const days = 'from=2026-11-01&to=2027-12-31';
    const { data } = await school.signer.get(`/api/customers/${school.id}/statement?${days}`);
    return data.accounts[0];
  };

  it('are played from: the takings are asked for, reported and accepted, and cost nothing more', async () => {
    for (const day of ['2027-03-11', '2027-03-14']) await moveTo(day);
    const reports = `/api/customers/${school.id}/licenses/${license}/box_office_reports`;
    const { data: [owed] } = await school.signer.get(reports);
    expect(owed).toMatchObject({ scope: 'run', period_from: '2027-03-11', period_to: '2027-03-13' });
    const { data: sent } = await school.signer.put(`${reports}/${owed.id}`, { license_venue_id: owed.license_venue_id,
      scope: owed.scope, period_from: owed.period_from, period_to: owed.period_to, currency: 'USD',
      gross_minor: 1_264_000, performances_held: WEEKEND.length, paid_admissions: 1_190,
      certified_name: 'Dana Whitfield', version: owed.version });
    await stage.staff.put(`${path()}/box_office_reports/${sent.id}/review`, { event: 'accept', version: sent.version });
    const { data: bills } = await stage.staff.get(`${API}/invoices?license_id=${license}&kind=invoice`);
    expect(bills).toHaveLength(1);
    expect(await booked(stage, 'US', '2026-01-01', '2027-12-31')).toMatchObject({ 1100: TOTAL });
  });

  it('come back one short: it is billed, taken from the deposit, the rest refunded by two people', async () => {
    await moveTo('2027-03-20');
    await step('scan_some', { lines: [{ line_id: order.lines[0].id, quantity: 19 }] });
    await step('charge_missing');
    const { data: bills } = await stage.staff.get(`${API}/invoices?license_id=${license}&kind=invoice`);
    const bill = bills.find((one: Body) => one.total_minor === BOOK);
    const { data: [held] } = await stage.staff.get(`${path()}/deposits`);
    await stage.staff.put(`${path()}/deposits/${held.id}/dispose`, { version: held.version, dispositions: [
      { type: 'apply', amount_minor: BOOK, invoice_id: bill.id },
      { type: 'refund', amount_minor: DEPOSIT - BOOK, reason: 'Books are back' }] });
    const { data: payments } = await stage.staff.get(`${API}/accounting/payments?customer_id=${school.id}&kind=refund`);
    const [refund] = payments;
    expect(refund).toMatchObject({ status: 'draft', amount_minor: DEPOSIT - BOOK });
    expect((await statement()).deposits.lines.at(-1)).toMatchObject({ kind: 'refund_due' });
    const status = `${API}/accounting/payments/${refund.id}/status`;
    const { data: approved } = await stage.second.put(status, { status: 'approved', version: refund.version });
    await stage.second.put(status, { status: 'posted', version: approved.version, on: '2027-03-20' });
    const moved = await booked(stage, 'US', '2026-01-01', '2027-12-31');
    expect(moved).toMatchObject({ 1010: DEPOSIT, 1100: TOTAL, 4000: DISCOUNT - ROYALTY, 4100: -RENTAL, 4400: -BOOK });
    expect(moved).not.toHaveProperty('2150');
    expect(await statement()).toMatchObject({ closing_minor: TOTAL, deposits: { closing_minor: 0,
      lines: [{ amount_minor: DEPOSIT }, { kind: 'applied', amount_minor: -BOOK, number: bill.number },
        { kind: 'refunded', amount_minor: BOOK - DEPOSIT }] } });
  });
});
