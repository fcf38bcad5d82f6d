/** Rentals of productions: one parcel in transit, one partly returned, one overdue. */
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

export function planRentals(season: SeasonContext): void {
  const taken = new Set<number>();
  for (const [ago, lastNight, fate] of PLAN) {
    season.calendar.add(addDays(season.today, -ago), () =>
      hire(season, { taken, lastNight: addDays(season.today, lastNight), fate }));
  }
}

interface Hire { taken: Set<number>; lastNight: string; fate: Fate }

async function hire(season: SeasonContext, { taken, lastNight, fate }: Hire): Promise<void> {
  const { staff } = season;
  const license = (await executed(season)).filter((row) => !taken.has(row.id)).toSorted((one, other) =>
    distance(one, lastNight) - distance(other, lastNight) || one.id - other.id)[0];
  taken.add(license.id);
  const { data: orders } = await staff.get(`${API}/sales_orders?license_id=${license.id}&sort_by=number&sort_direction=asc`);
  const due = dueOf(license.last_performance_on, fate, season.today);
  for (const order of orders) await send(season, order.id, due);
  if (fate !== 'back in part') return;
  season.calendar.add(addDays(season.today, -SCANNED_AGO), () => scanFirstBack(season, orders[0].id));
}

/** Licences of the division that are valid and whose materials are ordered: executing them did that. */
async function executed({ staff }: SeasonContext): Promise<Body[]> {
  const rows: Body[] = [];
  for (const phase of ['licensed', 'in_production']) {
    const { data } = await staff.get(`${API}/licenses?division=${DIVISION}&phase=${phase}&per_page=100`);
    for (const row of data) {
      const { data: orders } = await staff.get(`${API}/sales_orders?license_id=${row.id}`);
      if (orders.length > 0) rows.push(row);
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

/** Printed for this production, put on the shelf, scanned and handed to the carrier. */
async function send(season: SeasonContext, id: number, due: string): Promise<void> {
  const { staff } = season;
  let { data: order } = await staff.get(`${API}/sales_orders/${id}`);
  await staff.post(`${API}/stock_movements`, { kind: 'receipt', warehouse_id: order.warehouse_id,
    reason: `Hudson Book Printers, for ${order.number}`,
    lines: order.lines.map((line: Body) => ({ code: line.item_number, quantity: line.quantity })) });
  const step = async (event: string, more: object = {}): Promise<void> => {
    const body = { event, version: order.version, ...more };
    order = (await staff.put(`${API}/sales_orders/${id}/status`, body)).data;
  };
  await step('release');
  const lines = [];
  for (const line of order.lines) {
    lines.push({ line_id: line.id, ...line.serial_tracked
      ? { barcodes: await labelsOf(season, line, order.warehouse_id) } : { quantity: line.qty_reserved } });
  }
  await step('pick', { lines });
  await step('pack');
  await step('ship', { carrier: 'FedEx', tracking: [`7${order.number.slice(3)}00`], return_due_on: due, rush: true });
}

async function labelsOf({ staff }: SeasonContext, line: Body, warehouse: number): Promise<string[]> {
  const { data } = await staff.get(`${API}/materials/${line.material_id}/copies?location=on_hand&per_page=100`);
  return data.filter((copy: Body) => copy.warehouse_id === warehouse).slice(0, line.qty_reserved)
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
