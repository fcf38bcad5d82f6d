/** Titles that customers read before applying: scripts to read, books to send, and requests at every stage. */
import { addDays } from '#kernel/calendar/calendar.ts';
import { followOrders } from '#modules/stock/sales-order/follow-orders.server.ts';
import { followPerusals } from '#modules/stock/perusal/follow-perusal.server.ts';
import type { Ports } from '#server/context.ts';
import type { Body, DemoClient } from './client.ts';
import { DEMO_CUSTOMERS } from './houses.ts';
import type { Work } from './load-catalogue.ts';
import type { SeasonContext } from './load-licenses.ts';
import { DEMO_SHOWS } from './repertoire.ts';
import { demoScript } from './script-pdf.ts';

const API = '/api/admin/staff';
/** Shows with a script to read; every second of them also as a book. */
const READ = 6;
const BOOKS = 5;

/** Scripts are uploaded, perusal books bought for the warehouse of each division. */
export async function loadPerusalScripts(staff: DemoClient, works: ReadonlyMap<string, Work>): Promise<void> {
  const { data: stores } = await staff.get(`${API}/warehouses?per_page=100`);
  for (const [at, show] of DEMO_SHOWS.slice(0, READ).entries()) {
    if (!works.has(show.code)) continue;
    const { data: found } = await staff.get(`${API}/materials?type=perusal&show_code=${show.code}`);
    await staff.post(`${API}/materials/${found[0].id}/files`, undefined, { file: { field: 'file',
      name: `${show.code}-perusal.pdf`, type: 'application/pdf', fields: {}, content: await demoScript(show) } });
    if (at % 2 === 1) continue;
    const book = await staff.post(`${API}/materials`, { item_number: `${show.code}-SCR-PEB`, show_code: show.code,
      name: 'Perusal book', category: 'perusals', type: 'perusal', format: 'book', item_class: 'printed_script',
      income_type: 'perusal', serial_tracked: true, weight_g: 240, prices: { usd: 10, eur: 9.5, gbp: 8 },
      shipping_cost: { usd: 6, eur: 5.5, gbp: 4.5 }, replacement_prices: { usd: 35, eur: 32, gbp: 28 } });
    for (const store of stores as { id: number }[]) {
      await staff.post(`${API}/stock_movements`, { kind: 'receipt', warehouse_id: store.id, reason: 'Perusal copies',
        lines: [{ code: book.data.item_number, quantity: BOOKS }] });
    }
  }
}

type Fate = 'requested' | 'declined' | 'open' | 'over' | 'ended' | 'packed' | 'sent' | 'late' | 'back' | 'put away'
  | 'lost';
/** Days ago, house, show, fate: nobody has more than three at a time. */
const PLAN: readonly (readonly [ago: number, house: number, show: number, fate: Fate])[] = [
  [120, 0, 1, 'over'], [112, 3, 0, 'put away'], [104, 7, 3, 'over'], [96, 8, 2, 'lost'], [90, 1, 4, 'back'],
  [84, 11, 5, 'over'], [77, 0, 2, 'put away'], [70, 5, 1, 'declined'], [62, 9, 0, 'late'], [55, 2, 3, 'ended'],
  [48, 4, 5, 'over'], [41, 12, 1, 'over'], [34, 6, 2, 'late'], [30, 10, 3, 'declined'], [25, 0, 4, 'put away'],
  [16, 3, 4, 'sent'], [12, 1, 0, 'sent'], [9, 0, 3, 'open'], [8, 7, 1, 'open'], [6, 5, 5, 'open'],
  [4, 8, 0, 'packed'], [3, 2, 2, 'packed'], [2, 9, 3, 'requested'], [1, 4, 1, 'requested'], [1, 11, 2, 'requested'],
  [0, 0, 5, 'requested'],
];
const BY_POST: readonly Fate[] = ['packed', 'sent', 'late', 'back', 'put away', 'lost'];
const WORDS = ['We choose our spring title this month.', 'The committee would like to read both acts.',
  'Is the cast as large as it looks?', ''];

export function planPerusals(season: SeasonContext): void {
  for (const [at, [ago, house, show, fate]] of PLAN.entries()) {
    season.calendar.add(addDays(season.today, -ago), () => lend(season, { house, show, fate, at }));
  }
}

interface Loan { house: number; show: number; fate: Fate; at: number }

async function lend(season: SeasonContext, { house, show, fate, at }: Loan): Promise<void> {
  // Perusals that are over by now no longer count toward the limit of three.
  await followPerusals(season.ports);
  const customer = DEMO_CUSTOMERS[house]!;
  const { id } = season.houses.get(customer.name)!;
  const portal = season.portals.get(customer.name)!.client;
  const work = season.works.get(DEMO_SHOWS[show]!.code)!;
  const { data: options } = await portal.get(`/api/customers/${id}/shows/${work.id}/perusal_options`);
  const format = BY_POST.includes(fate) ? 'physical' : 'digital';
  const { data: asked } = await portal.post(`/api/customers/${id}/perusals`, { show_id: work.id, format,
    material_ids: options[format].map((one: Body) => one.id), message: WORDS[at % WORDS.length] });
  if (fate === 'requested') return;
  const move = async (event: string, more: object = {}): Promise<Body> => {
    const { data: now } = await season.staff.get(`${API}/perusals/${asked.id}`);
    const body = { event, version: now.version, ...more };
    return (await season.staff.put(`${API}/perusals/${asked.id}/status`, body)).data;
  };
  if (fate === 'declined') {
    await move('decline', { reason: 'The authors are revising this title; the new script comes in spring.' });
    return;
  }
  const row = await move('approve');
  if (format === 'digital') return readOnScreen({ season, portal, path: `/api/customers/${id}/perusals/${asked.id}`,
    close: async () => { await move('close', { reason: 'You told us that you have chosen another title.' }); } }, fate);
  if (fate === 'packed') return undefined;
  const { data: copies } = await season.staff.get(
    `${API}/materials/${row.materials[0].id}/copies?per_page=100`);
  const { data: order } = await season.staff.get(`${API}/sales_orders/${row.sales_order_id}`);
  const copy = copies.find((one: Body) => one.location === 'on_hand' && one.warehouse_id === order.warehouse_id);
  await move('ship', { carrier: 'UPS', tracking: `1ZP${asked.id}`, barcodes: [copy.barcode] });
  if (fate === 'back' || fate === 'put away') {
    season.calendar.add(addDays(season.today, -Math.max(0, PLAN[at]![0] - 18)), async () => {
      await move('return');
      if (fate === 'put away') await move('close');
    });
  }
  if (fate === 'lost') {
    season.calendar.add(addDays(season.today, -50), async () => {
      await followOrders(season.ports);
      await followOrders(season.ports);
      await move('charge_lost');
    });
  }
  return undefined;
}

interface Reading { season: SeasonContext; portal: DemoClient; path: string; close: () => Promise<void> }

/** The text of a few pages, which is quicker than their pictures and counts as reading. */
async function readOnScreen({ portal, path, close }: Reading, fate: Fate): Promise<void> {
  for (const page of [1, 2, 3, 5]) await portal.get(`${path}/pages/${page}/text`);
  if (fate === 'ended') await close();
}

/** Runs the hourly jobs. */
export async function followAll(ports: Ports): Promise<void> {
  for (let day = 0; day < 3; day += 1) await followOrders(ports);
  await followPerusals(ports);
}
