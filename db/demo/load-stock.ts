/** Vendors, warehouses, add-ons and sales items of the demo season, through the API. */
import { initialOf } from '#kit/field.ts';
import { addOn } from '#modules/catalogue/add-on/add-on.contract.ts';
import { salesItem } from '#modules/catalogue/sales-item/sales-item.contract.ts';
import { vendor } from '#modules/operations/vendor/vendor.contract.ts';
import { warehouse } from '#modules/stock/warehouse/warehouse.contract.ts';
import type { DemoClient } from './client.ts';
import type { Work } from './load-catalogue.ts';
import type { SeasonContext } from './load-licenses.ts';

const API = '/api/admin/staff';

const address = (country_code: string, thoroughfare: string, locality: string, administrative_area: string,
  postal_code: string) => ({ country_code, thoroughfare, locality, administrative_area, postal_code });

const WAREHOUSES = [
  { code: 'NJ', name: 'Secaucus warehouse', division: 'US', time_zone: 'America/New_York', ship_cutoff: '15:00',
    carriers: ['UPS', 'FedEx'], address: address('US', '120 Harbor Way', 'Secaucus', 'NJ', '07094') },
  { code: 'LA', name: 'Burbank depot', division: 'PROD', time_zone: 'America/Los_Angeles', ship_cutoff: '14:30',
    carriers: ['UPS'], address: address('US', '400 Mill Street', 'Burbank', 'CA', '91502') },
  { code: 'LON', name: 'Deptford store', division: 'UK', time_zone: 'Europe/London', ship_cutoff: '16:00',
    carriers: ['Royal Mail', 'DPD'], address: address('GB', '8 Creek Road', 'London', '', 'SE8 3BN') },
  { code: 'DUB', name: 'Dublin store', division: 'EU', time_zone: 'Europe/Dublin', ship_cutoff: '15:30',
    carriers: ['An Post', 'DHL'], address: address('IE', '14 Quay Street', 'Dublin', 'Dublin', 'D02 XH98') },
] as const;

const VENDORS = [
  ['Hudson Book Printers', 'Jersey City', 'NJ', 'Marta Lindqvist'], ['Foxglove Bindery', 'Albany', 'NY', 'Ned Ames'],
  ['Clef & Stave Engravers', 'Boston', 'MA', 'Ida Rosen'], ['Paper Lantern Press', 'Chicago', 'IL', 'Joel Tan'],
  ['Northgate Couriers', 'Newark', 'NJ', 'Dispatch'], ['Tidewater Packaging', 'Norfolk', 'VA', 'Orla Finn'],
  ['Second Balcony Apparel', 'Portland', 'OR', 'Kim Ferro'], ['Encore Audio Mastering', 'Nashville', 'TN', 'Lou Beck'],
  ['Prompt Corner Stationery', 'Columbus', 'OH', 'Sales'], ['Gaslight Posters', 'Philadelphia', 'PA', 'Amy Doyle'],
  ['Quarto Scanning Services', 'Rochester', 'NY', 'Theo Marsh'],
  ['Ledger & Lamp Accountants', 'New York', 'NY', 'Desk'],
] as const;

const GOODS = [
  ['Enamel pin', 'PIN', 'merchandise', 900], ['Poster', 'POSTER', 'merchandise', 1800],
  ['Acting edition', 'BOOK', 'printed_script', 1295], ['Vocal selections', 'VOCAL', 'printed_music', 2495],
] as const;

/** `staff` writes, `second` verifies some of the bank details. */
export async function loadHouseholds(
  staff: DemoClient, second: DemoClient, works: ReadonlyMap<string, Work>,
): Promise<void> {
  for (const row of WAREHOUSES) {
    await staff.post(`${API}/warehouses`, { ...initialOf(warehouse.fields), ...row, default_for_division: true });
  }
  for (const [index, [name, city, state, contact_name]] of VENDORS.entries()) {
    const { data: { id } } = await staff.post(`${API}/vendors`, { ...initialOf(vendor.fields), name, contact_name,
      email: `office@${name.toLowerCase().replace(/[^a-z]+/g, '-')}.example`,
      address: address('US', `${100 + index * 7} Front Street`, city, state, `0${7000 + index * 11}`),
      payment_method: index % 3 === 0 ? 'ach' : 'check', 
      tax_form_type: index % 4 === 1 ? 'none' : 'w9', tax_form_received_on: index % 4 === 1 ? null : '2024-11-04',
      tax_1099_category: index % 2 === 0 ? 'nec' : 'none' });
    // One contractor still owes the W-9: it stands among what is to be mended at year end.
    const hasTaxId = index % 2 === 0 && index !== 2;
    if (hasTaxId) await staff.put(`${API}/vendors/${id}/tax_id`, { version: 1, tin: `80-700${1000 + index}` });
    const version = hasTaxId ? 2 : 1;
    // Vendors paid by bank transfer have an account; the last of them still waits for the second person.
    if (index % 3 !== 0) continue;
    await staff.put(`${API}/vendors/${id}/bank_details`,
      { version, account: `00012345${6000 + index}`, routing: '021000021' });
    if (index < 9) await second.put(`${API}/vendors/${id}/bank_details/verify`, { version: version + 1,
      note: `Called ${contact_name} on the number of the last bill` });
  }
  await loadGoods(staff, [...works.values()]);
}

/** A few things of every title, dearer and cheaper, so that both lists fill two pages. */
async function loadGoods(staff: DemoClient, works: readonly Work[]): Promise<void> {
  for (const [index, work] of works.slice(0, 6).entries()) {
    for (const [what, code, item_class, price] of GOODS.slice(0, index % 2 === 0 ? 4 : 2)) {
      await staff.post(`${API}/sales_items`, { ...initialOf(salesItem.fields), item_class, show_id: work.id,
        name: `${work.title}, ${what.toLowerCase()}`, item_number: `${work.code}-${code}`, price_usd_minor: price,
        price_gbp_minor: Math.round(price * 0.8), price_eur_minor: Math.round(price * 0.95), shipping_usd_minor: 450,
        shipping_gbp_minor: 350, shipping_eur_minor: 500, weight_g: 180, reorder_point: 20 });
    }
    for (const [name, kind, item_class, price] of [['Rehearsal tracks', 'rehearsal_tracks', 'tracks', 15_000],
      ['Logo pack', 'logo_pack', 'logo', 9_500]] as const) {
      await staff.post(`${API}/add_ons`, { ...initialOf(addOn.fields), show_id: work.id, name, key: kind, kind,
        item_class, price_usd_minor: price, price_gbp_minor: Math.round(price * 0.8), price_eur_minor: price });
    }
  }
}

interface Held { id: number; item_number: string; serial_tracked: boolean }

/**
 * Deliveries into the warehouses and orders at every stage: what lies on the shelves, what is out, what came back
 * damaged, what nobody has picked yet.
 */
export async function loadStock(
  staff: DemoClient, works: readonly Work[], customers: readonly number[],
): Promise<void> {
  const { data: stores } = await staff.get(`${API}/warehouses?per_page=100`);
  const home = stores.find((row: { code: string }) => row.code === 'NJ').id;
  const depot = stores.find((row: { code: string }) => row.code === 'LON').id;
  const held: Held[] = [];
  for (const work of works.slice(0, 6)) {
    const libretto = await staff.post(`${API}/materials`, { item_number: `${work.code}-LIB-90`, show_code: work.code,
      name: `${work.title}, libretto and vocal book`, category: 'vocal', type: 'rental', serial_tracked: true,
      reorder_point: 4, prices: { usd: 12, eur: 11, gbp: 10 }, replacement_prices: { usd: 40, eur: 38, gbp: 34 } });
    const score = await staff.post(`${API}/materials`, { item_number: `${work.code}-PV-90`, show_code: work.code,
      name: `${work.title}, piano-vocal score`, category: 'scores', type: 'rental', format: 'score', reorder_point: 12,
      prices: { usd: 30, eur: 28, gbp: 25 }, replacement_prices: { usd: 120, eur: 110, gbp: 95 } });
    held.push(libretto.data, score.data);
  }
  const enter = (body: object) => staff.post(`${API}/stock_movements`, body);
  await enter({ kind: 'receipt', warehouse_id: home, reason: 'Hudson Book Printers, first printing',
    lines: held.map((item) => ({ code: item.item_number, quantity: item.serial_tracked ? 6 : 20 })) });
  const { data: goods } = await staff.get(`${API}/sales_items?per_page=100`);
  // It is not billed yet: it stands among the goods received, at cost.
  const { data: [apparel] } = await staff.get(`${API}/vendors?search=Second+Balcony`);
  await enter({ kind: 'receipt', warehouse_id: home, purchase: { vendor_id: apparel.id, delivery_note: 'SB-2291' },
    lines: goods.map((item: Held) => ({ code: item.item_number, quantity: 60, unit_cost_minor: 450 })) });
  await enter({ kind: 'transfer', warehouse_id: home, to_warehouse_id: depot, reason: 'For the UK season',
    lines: held.filter((item) => !item.serial_tracked).map((item) => ({ code: item.item_number, quantity: 6 })) });
  await enter({ kind: 'count', warehouse_id: home, lines: [{ code: goods[0].item_number, quantity: 57 }] });
  for (const [index, customer_id] of customers.entries()) {
    const score = held[(index % 6) * 2 + 1]!;
    const pin = goods[index % goods.length];
    await walk(staff, { customer_id, warehouse_id: home, kind: index % 3 === 2 ? 'sales_item' : 'book_order',
      lines: [...(index % 3 === 2 ? [] : [{ code: score.item_number, quantity: 1 }]),
        { code: pin.item_number, quantity: 2 + (index % 4) }] }, index % 6);
  }
}

/** Stage that an order of the season has reached: 0 draft, 1 released, 2 picked, 3 packed, 4 shipped, 5 part back. */
async function walk(staff: DemoClient, draft: object, stage: number): Promise<void> {
  let { data: order } = await staff.post(`${API}/sales_orders`, draft);
  const steps = [['release', {}], ['pick', {}], ['pack', {}],
    ['ship', { carrier: 'UPS', tracking: [`1Z${order.number}`] }]] as const;
  for (const [event, more] of steps.slice(0, stage)) {
    const body = { event, version: order.version, ...more };
    order = (await staff.put(`${API}/sales_orders/${order.id}/status`, body)).data;
  }
  const out = order.lines.find((line: { return_required: boolean }) => line.return_required);
  if (stage < 5 || !out) return;
  await staff.put(`${API}/sales_orders/${order.id}/status`, { event: 'scan_some', version: order.version,
    lines: [{ line_id: out.id, quantity: 1, condition: 'marked' }] });
}

/** Shop orders of the season's customers: a few each, the first ones already in transit. */
export async function loadShopOrders(season: SeasonContext): Promise<void> {
  const buyers = [...season.portals.entries()].slice(0, 6);
  for (const [at, [name, { client }]] of [...buyers, ...buyers.slice(0, 3)].entries()) {
    const home = `/api/customers/${season.houses.get(name)!.id}`;
    const { data: offered } = await client.get(`${home}/shop_items?per_page=100`);
    // Of the first ones the warehouse has all.
    const shelf = offered.filter((item: { sales_item_id: number | null }) => at >= 4 || item.sales_item_id !== null);
    if (shelf.length === 0) continue;
    const lines = [shelf[at % shelf.length], ...at % 2 === 0 ? [shelf[(at + 3) % shelf.length]] : []]
      .filter((item, place, all) => all.indexOf(item) === place)
      .map((item) => ({ ...item.material_id === null ? { sales_item_id: item.sales_item_id }
        : { material_id: item.material_id }, quantity: 1 + (at % 4), price_minor: item.price_minor }));
    const { data: made } = await client.post(`${home}/orders`, { lines });
    let { data: order } = await season.staff.get(`${API}/sales_orders/${made.id}`);
    const there = order.lines.every((line: { quantity: number; qty_reserved: number }) =>
      line.qty_reserved === line.quantity);
    if (at >= 4 || !there) continue;
    for (const event of ['pick', 'pack', 'ship']) {
      const body = { event, version: order.version, ...event === 'ship' ? { carrier: 'UPS' } : {} };
      order = (await season.staff.put(`${API}/sales_orders/${made.id}/status`, body)).data;
    }
  }
}
