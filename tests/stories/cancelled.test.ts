/**
 * Story 4, it will not happen: a society in Kent has paid 600.00 on account and 600.00 before its books were shipped,
 * and calls its production off. The royalty is 875.00 and VAT 175.00, the rental of printed books 150.00 and
 * zero-rated; the royalty is refunded, the rental of what was shipped is kept: 1,050.00 goes back, 150.00 stays, by
 * BACS.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '#db/demo/client.ts';
import { runLicenseClocks } from '#modules/licensing/licensing.public.server.ts';
import { postPaymentRuns } from '#modules/payables/run/settle-run.server.ts';
import { applyDepositsOnAccount } from '#modules/receivables/receivables.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { testApp } from '#tests/support/app.ts';
import { readBacs } from '#tests/support/bank-files.ts';
import { API, booked, makeHouse, makeWork, offerAndSign, openStage, textOf, type Stage } from '#tests/support/story.ts';

const test = testApp();
const RUNS = `${API}/accounting/payment_runs`;
let stage: Stage;
let house: Awaited<ReturnType<typeof makeHouse>>;
let license: number;
let offer: Body;

const NIGHTS = [10, 11, 12, 13, 14].map((day) => `2026-11-${day}`);
const TICKETS = [{ label: 'Stalls', number_of_seats: 120, price: 10, weight: 1 }];
/** 5 x 175.00, VAT at 20%; books carry none. */
const ROYALTY = { net: 87_500, vat: 17_500, total: 105_000 };
const RENTAL = { net: 15_000, total: 15_000 };
/** 70% of the royalty. */
const AUTHOR = 61_250;
const PAID = 60_000;
const YEAR = ['2026-01-01', '2026-12-31'] as const;

const home = (): string => `/api/customers/${house.id}/licenses/${license}`;
const invoices = async (query = ''): Promise<Body[]> =>
  (await stage.staff.get(`${API}/invoices?license_id=${license}${query}`)).data;
async function pay(on: string, more: object): Promise<Body> {
  return (await stage.staff.post(`${API}/accounting/payments`, { customer_id: house.id, division: 'UK',
    currency: 'GBP', amount_minor: PAID, method: 'wire', received_on: on, license_id: license, ...more })).data;
}
async function moveTo(day: string): Promise<void> {
  test.clock.set(`${day}T10:00:00Z`);
  await runLicenseClocks(workContext(test.ports, test.ports.db, SYSTEM_ACTOR), day);
  await applyDepositsOnAccount(test.ports);
}

let order: Body;
/** The books of the production, received into the store and ordered for the licence. */
async function orderBooks(): Promise<void> {
  const { staff } = stage;
  const { data: store } = await staff.post(`${API}/warehouses`, { code: 'KENT', name: 'Kent store', division: 'UK',
    carriers: ['DPD'] });
  await staff.post(`${API}/materials`, { item_number: 'BELL-VOC', name: 'Vocal book',
    category: 'scripts', type: 'rental', prices: { usd: null, eur: null, gbp: 10 },
    replacement_prices: { usd: null, eur: null, gbp: 40 } });
  await staff.post(`${API}/stock_movements`, { kind: 'receipt', warehouse_id: store.id,
    lines: [{ code: 'BELL-VOC', quantity: 20 }] });
  ({ data: order } = await staff.post(`${API}/sales_orders`, { kind: 'license', customer_id: house.id,
    license_id: license, warehouse_id: store.id,
    lines: [{ code: 'BELL-VOC', quantity: 20 }] }));
}

/** With the courier. */
async function shipBooks(): Promise<void> {
  for (const step of [{ event: 'release' }, { event: 'pick' }, { event: 'pack' }, { event: 'ship', carrier: 'DPD' }]) {
    order = (await stage.staff.put(`${API}/sales_orders/${order.id}/status`, { version: order.version, ...step })).data;
  }
  expect(order.status).toBe('shipped');
}

beforeAll(async () => {
  test.clock.set('2026-07-01T10:00:00Z');
  stage = await openStage(test);
  const work = await makeWork(stage, { code: 'SILENT', title: 'The Silent Bell', division: 'UK', currency: 'GBP',
    authors: [{ name: 'Agnes Thorne', share_points: 1, rate_ppm: 700_000 }],
    rental: { name: 'Vocal books', price_minor: RENTAL.net, included_period_count: 3,
      period_unit: 'month', extra_period_price_minor: 0, shipping_minor: 0 },
    card: { category: 'Amateur', fee_method: 'flat', performance_tiers: [{ from_n: 1, amount_minor: 17_500 }],
      execution_policy: 'paid_in_full', deposit_kind: 'on_account', deposit_minor: PAID } });
  const address = { country_code: 'GB', thoroughfare: '4 Mill Lane', locality: 'Maidstone', administrative_area: '',
    postal_code: 'ME14 1AA' };
  house = await makeHouse(stage, { currency: 'GBP', customer: { name: 'Maidstone Operatic Society', kind: 'community',
    divisions: ['UK'], default_division: 'UK', billing_address: address, statement_email: 'treasurer@maidstone.example',
    tax_country: 'GB' }, venues: [{ name: 'Corn Hall', address, time_zone: 'Europe/London', capacity: 120,
    tickets: TICKETS }] });
  const { data } = await stage.staff.post(`${API}/licenses`, { customer_id: house.id, show_id: work.show_id,
    category: 'Amateur', division: 'UK', license_venues: [{ venue_id: house.venue_ids[0], ticketing: TICKETS,
      performances: NIGHTS.map((local_date) => ({ local_date, local_time: '19:30' })) }] });
  license = data.id;
  offer = await offerAndSign(stage, license, house, 'Hugh Penrose');
});

it('1,200.00 with VAT is offered, and the contract says what cancelling costs', async () => {
  expect(offer.totals).toMatchObject({ total_minor: ROYALTY.total + RENTAL.total });
  expect(offer.payment_plan).toMatchObject([{ amount_minor: PAID, is_deposit: true }, { amount_minor: PAID }]);
  const { data } = await stage.staff.get(`${API}/licenses/${license}/license_documents`);
  const contract = data.find((one: Body) => one.type === 'production_contract')!;
  const text = await textOf(test, `${API}/licenses/${license}/license_documents/${contract.id}/file`);
  for (const words of ['Before the materials ship (planned for 12 August 2026) 0.00 1,025.00',
    'From then until the first performance 150.00 875.00']) expect(text).toContain(words);
});

describe('the money of the society', () => {
  beforeAll(async () => {
    const { data: [asked] } = await stage.staff.get(`${API}/licenses/${license}/deposits`);
    await pay('2026-07-01', { deposit_id: asked.id });
    await moveTo('2026-07-08');
    const [proforma] = await invoices('&kind=proforma');
    await pay('2026-07-08', { apply_to: [{ invoice_id: proforma!.id, amount_minor: PAID }] });
  });

  it('600.00 on account is set off against an invoice of its own, 600.00 is paid: nothing is open', async () => {
    const billed = await invoices('&kind=invoice');
    expect(billed.map((one) => [one.total_minor, one.prepaid_minor, one.balance_minor])).toEqual([
      [PAID, PAID, 0], [PAID, 0, 0]]);
    expect(await booked(stage, 'UK', ...YEAR)).toEqual({ 1000: 2 * PAID, 1140: AUTHOR, 2100: -ROYALTY.net - RENTAL.net,
      2200: -AUTHOR, 2300: -ROYALTY.vat });
    const text = await textOf(test, `${API}/invoices/${billed[0]!.id}/document`);
    for (const words of ['Less paid on account -500.00 -100.00 -600.00', 'GBP 600.00']) expect(text).toContain(words);
  });
});

describe('calling it off', () => {
  const reason = 'The hall is closed';

  it('costs nothing of the rental as long as the books are in the store, whatever day was planned', async () => {
    await orderBooks();
    await moveTo('2026-08-13');
    const { data } = await house.signer.get(`${home()}/cancellation`);
    expect(data).toMatchObject({ shipped: false, keep_minor: 0, refund_minor: ROYALTY.net + RENTAL.net,
      overpaid_minor: 2 * PAID });
  });

  it('once they are shipped keeps the rental: he sees 1,050.00 before he asks, staff the same', async () => {
    await shipBooks();
    await moveTo('2026-08-20');
    const { data: mine } = await house.signer.get(`${home()}/cancellation`);
    expect(mine).toMatchObject({ policy: 'standard', shipped: true, keep_minor: RENTAL.net, refund_minor: ROYALTY.net,
      tax_minor: ROYALTY.vat, open_minor: 0, left_open_minor: 0, overpaid_minor: ROYALTY.total, held_minor: 0 });
    const { data: ours } = await stage.staff.get(`${API}/licenses/${license}/cancellation`);
    expect(ours).toEqual({ ...mine, version: ours.version });
    await house.signer.post(`${home()}/cancellation_requests`, { reason });
  });

  it('is credited as shown; the waiver needs a second person and is recorded', async () => {
    const path = `${API}/licenses/${license}`;
    const { data: { version } } = await stage.staff.get(path);
    const waived = { waive_minor: 1_000, reason: 'A member died' };
    await expect(stage.staff.post(`${path}/cancel`, { version, reason, on: '2026-08-20', waive_minor: 1_000 }))
      .rejects.toThrow(/license\.waiver_not_approved/);
    const { data: own } = await stage.staff.post(`${path}/cancellation_waivers`, waived);
    await expect(stage.staff.post(`${path}/cancel`, { version, reason, on: '2026-08-20', waive_minor: 1_000,
      waiver_approval_id: own.id })).rejects.toThrow(/four_eyes/);
    const { data: cancelled } = await stage.staff.post(`${path}/cancel`, { version, reason, on: '2026-08-20' });
    expect(cancelled).toMatchObject({ phase: 'cancelled', cancel_reason: reason });
    const { data: events } = await stage.staff.get(`${path}/events`);
    expect(events.map((one: Body) => one.event)).toEqual(expect.arrayContaining(['cancel', 'approve_waiver',
      'request_cancellation']));
    const notes = await invoices('&kind=credit_note');
    expect(notes.reduce((all, one) => all + one.total_minor, 0)).toBe(ROYALTY.total);
  });

  it('leaves 1,050.00 to his credit on staff and portal pages, and nothing due to the author', async () => {
    const { data: finance } = await stage.staff.get(`${API}/customers/${house.id}/finance`);
    expect(finance.accounts).toMatchObject([{ open_minor: 0, on_account_minor: ROYALTY.total }]);
    const { data: statement } = await house.signer.get(`/api/customers/${house.id}/statement`);
    expect(statement.accounts).toMatchObject([{ closing_minor: -ROYALTY.total }]);
    expect(await booked(stage, 'UK', ...YEAR)).toEqual({ 1000: 2 * PAID, 1100: -ROYALTY.total, 4100: -RENTAL.net });
  });

  it('is refunded by a payment run: two people, one BACS file; 1100, 2160, 2300 and the author at zero', async () => {
    const account = await openBank();
    const { data: payments } = await stage.staff.get(`${API}/accounting/payments?customer_id=${house.id}`);
    const refund_ids: number[] = [];
    for (const one of payments.filter((row: Body) => row.unapplied_minor > 0)) {
      const { data: refund } = await stage.staff.post(`${API}/accounting/payments/${one.id}/refund`, {
        amount_minor: one.unapplied_minor, reason });
      const status = `${API}/accounting/payments/${refund.id}/status`;
      await expect(stage.staff.put(status, { status: 'approved', version: refund.version }))
        .rejects.toThrow(/four_eyes/);
      await stage.second.put(status, { status: 'approved', version: refund.version });
      refund_ids.push(refund.id);
    }
    const { data: run } = await stage.staff.post(RUNS, { bank_account_id: account, method: 'bacs', refund_ids,
      due_by: '2026-08-31', value_on: '2026-08-24' });
    expect(run.total_minor).toBe(ROYALTY.total);
    const path = `${RUNS}/${run.id}`;
    await expect(stage.staff.put(`${path}/approve`, { version: run.version })).rejects.toThrow(/four_eyes/);
    const { data: approved } = await stage.second.put(`${path}/approve`, { version: run.version });
    await stage.staff.put(`${path}/export`, { version: approved.version });
    const file = readBacs((await (await test.signedIn('staff_admin')).get(`${path}/file`)).raw.toString());
    expect(file.payments.map((one) => one.account)).toEqual(file.payments.map(() => '08999966374958'));
    expect(file.payments.reduce((all, one) => all + one.minor, 0)).toBe(ROYALTY.total);
    expect(await booked(stage, 'UK', ...YEAR)).toEqual({ 1000: 2 * PAID, 2000: -ROYALTY.total, 4100: -RENTAL.net });
    await moveTo('2026-08-24');
    expect(await postPaymentRuns(test.ports)).toBe(1);
    expect(await booked(stage, 'UK', ...YEAR)).toEqual({ 1000: RENTAL.net, 4100: -RENTAL.net });
    const { data: finance } = await stage.staff.get(`${API}/customers/${house.id}/finance`);
    expect(finance.accounts).toMatchObject([{ open_minor: 0, on_account_minor: 0 }]);
  });
});

/** The account of the division with what BACS asks for, and the verified one of the society. */
async function openBank(): Promise<number> {
  const { data: [row] } = await stage.staff.get(`${API}/accounting/bank_accounts?division=UK&currency=GBP`);
  const own = `${API}/accounting/bank_accounts/${row.id}`;
  const number = { kind: 'uk', account: '66374958', routing: '089999' };
  await stage.staff.put(`${own}/number`, { version: row.version, ...number });
  await stage.staff.put(`${own}/payment_files`, { version: 1, originator_name: 'Grand Rights',
    service_user: '123456' });
  const theirs = `${API}/customers/${house.id}`;
  const version = async (): Promise<number> => (await stage.staff.get(theirs)).data.version;
  await stage.staff.put(`${theirs}/bank_details`, { version: await version(), ...number });
  await stage.second.put(`${theirs}/bank_details/verify`, { version: await version(), note: 'Called' });
  return row.id;
}
