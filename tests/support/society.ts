/**
 * Where story 4 begins: a society in Kent that plays five nights for 875.00 and rents printed books for 150.00, with
 * 600.00 on account; and the steps to a licence that is paid and whose books are with the courier.
 */
import type { Body } from '#db/demo/client.ts';
import { runLicenseClocks } from '#modules/licensing/licensing.public.server.ts';
import { applyDepositsOnAccount } from '#modules/receivables/receivables.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { API, makeHouse, makeWork, type Stage } from './story.ts';

/** 5 x 175.00, VAT at 20%; books carry none. */
export const ROYALTY = { net: 87_500, vat: 17_500, total: 105_000 };
export const RENTAL = { net: 15_000, total: 15_000 };
export const PAID = 60_000;

const NIGHTS = [10, 11, 12, 13, 14].map((day) => `2026-11-${day}`);
const TICKETS = [{ label: 'Stalls', number_of_seats: 120, price: 10, weight: 1 }];
const ADDRESS = { country_code: 'GB', thoroughfare: '4 Mill Lane', locality: 'Maidstone', administrative_area: '',
  postal_code: 'ME14 1AA' };

export interface Society {
  house: Awaited<ReturnType<typeof makeHouse>>;
  license: number;
}

/** A draft quote, on a clock that stands at 1 July 2026. */
export async function makeSociety(stage: Stage): Promise<Society> {
  const work = await makeWork(stage, { code: 'SILENT', title: 'The Silent Bell', division: 'UK', currency: 'GBP',
    authors: [{ name: 'Agnes Thorne', share_points: 1, rate_ppm: 700_000 }],
    rental: { name: 'Vocal books', price_minor: RENTAL.net, included_period_count: 3,
      period_unit: 'month', extra_period_price_minor: 0, shipping_minor: 0 },
    card: { category: 'Amateur', fee_method: 'flat', performance_tiers: [{ from_n: 1, amount_minor: 17_500 }],
      execution_policy: 'paid_in_full', deposit_kind: 'on_account', deposit_minor: PAID } });
  const house = await makeHouse(stage, { currency: 'GBP', customer: { name: 'Maidstone Operatic Society',
    kind: 'community', divisions: ['UK'], default_division: 'UK', billing_address: ADDRESS,
    statement_email: 'treasurer@maidstone.example', tax_country: 'GB' }, venues: [{ name: 'Corn Hall',
    address: ADDRESS, time_zone: 'Europe/London', capacity: 120, tickets: TICKETS }] });
  const { data } = await stage.staff.post(`${API}/licenses`, { customer_id: house.id, show_id: work.show_id,
    category: 'Amateur', division: 'UK', license_venues: [{ venue_id: house.venue_ids[0], ticketing: TICKETS,
      performances: NIGHTS.map((local_date) => ({ local_date, local_time: '19:30' })) }] });
  return { house, license: data.id };
}

/** The jobs of a day, which set off what is on account. */
export async function moveTo({ test }: Stage, day: string): Promise<void> {
  test.clock.set(`${day}T10:00:00Z`);
  await runLicenseClocks(workContext(test.ports, test.ports.db, SYSTEM_ACTOR), day);
  await applyDepositsOnAccount(test.ports);
}

/** 600.00 on account, then the rest. */
export async function payInFull(stage: Stage, { house, license }: Society): Promise<void> {
  const pay = (on: string, more: object) => stage.staff.post(`${API}/accounting/payments`, { customer_id: house.id,
    division: 'UK', currency: 'GBP', amount_minor: PAID, method: 'wire', received_on: on, license_id: license,
    ...more });
  const { data: [asked] } = await stage.staff.get(`${API}/licenses/${license}/deposits`);
  await pay('2026-07-01', { deposit_id: asked.id });
  await moveTo(stage, '2026-07-08');
  const { data: [proforma] } = await stage.staff.get(`${API}/invoices?license_id=${license}&kind=proforma`);
  await pay('2026-07-08', { apply_to: [{ invoice_id: proforma.id, amount_minor: PAID }] });
}

/** The books of the production, received into the store and ordered for the licence. */
export async function orderBooks({ staff }: Stage, { house, license }: Society): Promise<Body> {
  const { data: store } = await staff.post(`${API}/warehouses`, { code: 'KENT', name: 'Kent store', division: 'UK',
    carriers: ['DPD'] });
  await staff.post(`${API}/materials`, { item_number: 'BELL-VOC', name: 'Vocal book',
    category: 'scripts', type: 'rental', prices: { usd: null, eur: null, gbp: 10 },
    replacement_prices: { usd: null, eur: null, gbp: 40 } });
  await staff.post(`${API}/stock_movements`, { kind: 'receipt', warehouse_id: store.id,
    lines: [{ code: 'BELL-VOC', quantity: 20 }] });
  return (await staff.post(`${API}/sales_orders`, { kind: 'license', customer_id: house.id, license_id: license,
    warehouse_id: store.id, lines: [{ code: 'BELL-VOC', quantity: 20 }] })).data;
}

/** With the courier. */
export async function shipBooks({ staff }: Stage, order: Body): Promise<void> {
  let at = order;
  for (const step of [{ event: 'release' }, { event: 'pick' }, { event: 'pack' }, { event: 'ship', carrier: 'DPD' }]) {
    at = (await staff.put(`${API}/sales_orders/${at.id}/status`, { version: at.version, ...step })).data;
  }
  if (at.status !== 'shipped') throw new Error(`The order is ${at.status}`);
}

/** The account of the division with what BACS asks for, and the verified one of the society; answers the former. */
export async function openBank({ staff, second }: Stage, { house }: Society): Promise<number> {
  const { data: [row] } = await staff.get(`${API}/accounting/bank_accounts?division=UK&currency=GBP`);
  const own = `${API}/accounting/bank_accounts/${row.id}`;
  const number = { kind: 'uk', account: '66374958', routing: '089999' };
  await staff.put(`${own}/number`, { version: row.version, ...number });
  await staff.put(`${own}/payment_files`, { version: 1, originator_name: 'Grand Rights', service_user: '123456' });
  const theirs = `${API}/customers/${house.id}`;
  const version = async (): Promise<number> => (await staff.get(theirs)).data.version;
  await staff.put(`${theirs}/bank_details`, { version: await version(), ...number });
  await second.put(`${theirs}/bank_details/verify`, { version: await version(), note: 'Called' });
  return row.id;
}
