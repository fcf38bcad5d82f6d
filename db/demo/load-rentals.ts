/**
 * Rentals of productions, ordered when their licences were executed: they leave and come back in time; lately one
 * parcel is in transit, one partly returned, one overdue.
 */
import { addDays, diffDays } from '#kernel/calendar/calendar.ts';
import type { Body } from './client.ts';
import type { SeasonContext } from './load-licenses.ts';

const API = '/api/admin/staff';
/** Division where orders of the US are reserved: its warehouse receives what the productions rent. */
const DIVISION = 'US';

/** Days that the late parcel is overdue at the least. */
const LATE_SINCE = 3;
/** The returns desk had the first parcel of books so many days ago. */
const SCANNED_AGO = 2;

type Fate = 'on its way' | 'back in part' | 'late';
/** Sent so many days ago, for the production whose last night is nearest to that day, counted from today. */
const PLAN: readonly (readonly [ago: number, lastNight: number, fate: Fate])[] = [
  [40, -24, 'late'], [32, -14, 'back in part'], [4, 40, 'on its way'],
];

/** The warehouse sends everything due once in so many days, from so many days ago. */
const ROUND = 14;
const SINCE = 728;
/** The three rentals of the plan are chosen among those of their division that are due back since so many days. */
const CHOSEN_SINCE = 28;

export function planRentals(season: SeasonContext): void {
  for (let ago = SINCE; ago >= 0; ago -= ROUND) {
    const day = addDays(season.today, -ago);
    season.calendar.add(day, () => sendDue(season, day));
  }
  const taken = new Set<number>();
  for (const [ago, lastNight, fate] of PLAN) {
    season.calendar.add(addDays(season.today, -ago), () =>
      hire(season, { taken, lastNight: addDays(season.today, lastNight), fate }));
  }
}

/** Everything that leaves by this day, back on the day that its licence names. */
async function sendDue(season: SeasonContext, day: string): Promise<void> {
  const { staff, calendar, today } = season;
  const { data: drafts } = await staff.get(`${API}/sales_orders?kind=license&status=draft&per_page=100`);
  for (const order of drafts) {
    const back = order.return_due_on;
    const chosen = order.division === DIVISION && back >= addDays(today, -CHOSEN_SINCE);
    if (chosen || order.ship_on === null || order.ship_on > day) continue;
    await send(season, order.id, back);
    if (back <= today) calendar.add(back, () => takeBack(season, order.id));
  }
}

async function takeBack({ staff }: SeasonContext, id: number): Promise<void> {
  const { data: order } = await staff.get(`${API}/sales_orders/${id}`);
  const path = `${API}/sales_orders/${id}/status`;
  const { data: { version } } = await staff.put(path, { event: 'scan_all', version: order.version });
  await staff.put(path, { event: 'close', version });
}

interface Hire { taken: Set<number>; lastNight: string; fate: Fate }

async function hire(season: SeasonContext, { taken, lastNight, fate }: Hire): Promise<void> {
  const { staff } = season;
  const license = (await executed(season)).filter((row) => !taken.has(row.id)).toSorted((one, other) =>
    distance(one, lastNight) - distance(other, lastNight) || one.id - other.id)[0];
  // On some days everything has been sent by then.
  if (!license) return;
  taken.add(license.id);
  const { data: orders } = await staff.get(
    `${API}/sales_orders?license_id=${license.id}&sort_by=number&sort_direction=asc`);
  const due = dueOf(license.last_performance_on, fate, season.today);
  for (const order of orders) await send(season, order.id, due);
  if (fate !== 'back in part') return;
  season.calendar.add(addDays(season.today, -SCANNED_AGO), () => scanFirstBack(season, orders[0].id));
}

/** Licences of the division that are valid and whose materials are ordered and have not left. */
async function executed({ staff }: SeasonContext): Promise<Body[]> {
  const rows: Body[] = [];
  for (const phase of ['licensed', 'in_production']) {
    const { data } = await staff.get(`${API}/licenses?division=${DIVISION}&phase=${phase}&per_page=100`);
    for (const row of data) {
      const { data: orders } = await staff.get(`${API}/sales_orders?license_id=${row.id}`);
      if (orders.length > 0 && orders.every((order: Body) => order.status === 'draft')) rows.push(row);
    }
  }
  return rows;
}

/** Late whatever day the season is loaded: on some days no run of the division has ended by then. */
function dueOf(last: string, fate: Fate, today: string): string {
  if (fate === 'on its way') return addDays(last, 14);
  const usual = addDays(last, 7);
  const late = addDays(today, -LATE_SINCE);
  return fate === 'late' && late < usual ? late : usual;
}

const distance = (license: Body, day: string): number => Math.abs(diffDays(license.last_performance_on, day));

/** Pieces that the shelf lacks are printed for this production; all are scanned and handed to the carrier. */
async function send(season: SeasonContext, id: number, due: string): Promise<void> {
  const { staff } = season;
  let { data: order } = await staff.get(`${API}/sales_orders/${id}`);
  const step = async (event: string, more: object = {}): Promise<void> => {
    const body = { event, version: order.version, ...more };
    order = (await staff.put(`${API}/sales_orders/${id}/status`, body)).data;
  };
  await step('release');
  const lacking = order.lines.filter((line: Body) => line.qty_reserved < line.quantity);
  if (lacking.length > 0) {
    await staff.post(`${API}/stock_movements`, { kind: 'receipt', warehouse_id: order.warehouse_id,
      reason: `${PRINTERS[order.division] ?? PRINTERS.UK}, for ${order.number}`, lines: lacking.map((line: Body) =>
        ({ code: line.item_number, quantity: line.quantity - line.qty_reserved })) });
  }
  const lines = [];
  for (const line of order.lines) {
    lines.push({ line_id: line.id, ...line.serial_tracked
      ? { barcodes: await labelsOf(season, line, order.warehouse_id) } : { quantity: line.quantity } });
  }
  await step('pick', { lines });
  await step('pack');
  await step('ship', { carrier: order.carriers[0], tracking: [`7${order.number.slice(3)}00`], return_due_on: due,
    rush: true });
}

/** By division; the rest prints in London. */
const PRINTERS: Readonly<Record<string, string>> = { US: 'Hudson Book Printers', PROD: 'Hudson Book Printers',
  UK: 'Thames Book Printers' };

async function labelsOf({ staff }: SeasonContext, line: Body, warehouse: number): Promise<string[]> {
  const { data } = await staff.get(`${API}/materials/${line.material_id}/copies?location=on_hand&per_page=100`);
  return data.filter((copy: Body) => copy.warehouse_id === warehouse).slice(0, line.quantity)
    .map((copy: Body) => copy.barcode);
}

/** The first line comes back, one of its books with pencil marks; the rest is still at the house. */
async function scanFirstBack({ staff }: SeasonContext, id: number): Promise<void> {
  const { data: order } = await staff.get(`${API}/sales_orders/${id}`);
  const [line] = order.lines;
  const given = line.serial_tracked ? { barcodes: line.copies.map((copy: Body) => copy.barcode) }
    : { quantity: line.qty_shipped };
  await staff.put(`${API}/sales_orders/${id}/status`, { event: 'scan_some', version: order.version,
    lines: [{ line_id: line.id, condition: 'marked', ...given }] });
}
