/** Events of a sales order (X122): each checks the table of domain.md 1.3, moves the stock and the line together. */
import { addDays, dateInWords } from '#kernel/calendar/calendar.ts';
import { decide, type Facts } from '#kernel/licensing/machine.ts';
import { SALES_ORDER_MACHINE, type SalesOrderEvent } from '#kernel/licensing/sales-order-machine.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { grants } from '#kit/permission.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import { followPerusal } from '../perusal/follow-perusal.server.ts';
import { lockBalances, postMovements, type Movement } from '../movement/post-movements.server.ts';
import { billMissing, billShipment } from './bill-order.server.ts';
import { allowedOf, lockOrder, type LineRecord, type OrderRecord } from './order-rows.server.ts';
import { refuseUnpaid, undoPrepaid } from './prepaid-order.server.ts';
import { readScans } from './read-scans.server.ts';
import { tellOfParcel, type Parcel } from './tell-of-parcel.server.ts';
import type { OrderEventInput } from './sales-order.contract.ts';

const AT_THE_SHELF: readonly string[] = ['pick', 'pack', 'ship_part', 'ship', 'scan_some', 'scan_all'];
/** Events that wait for payment if an order is paid first. */
const FOR_PAID: readonly string[] = ['pick', 'pack', 'ship_part', 'ship'];
/** domain.md 1.4: a physical perusal is three weeks out, and so is what nothing else says. */
const DAYS_OUT = 21;

interface Work { ctx: WorkContext; order: OrderRecord; lines: LineRecord[]; input: OrderEventInput; today: string }

export async function moveOrder(ctx: Ctx, id: number, input: OrderEventInput): Promise<void> {
  // X122: what is done at the shelf is the warehouse's work.
  if (AT_THE_SHELF.includes(input.event) && ctx.user.role === 'staff_user'
    && !grants(ctx.user.permissions, 'warehouse.update')) throw refuse('forbidden');
  const { order, lines } = await lockOrder(ctx.db, id, input.version);
  if (!allowedOf(order.status).includes(input.event)) await step({ ctx, order }, input.event, {});
  if (FOR_PAID.includes(input.event)) await refuseUnpaid(ctx, order.id);
  const work: Work = { ctx, order, lines, input, today: await ctx.today(order.division) };
  // Order, lines, balances, copies: one order of locks for every verb, or two clerks at one shelf end in a deadlock.
  await lockBalances(ctx, lines.filter((line) => line.physical).map((line) => placeOf(work, line)));
  let parcel: Parcel | null = null;
  switch (input.event) {
    case 'release': await release(work); break;
    case 'pick': await pick(work); break;
    case 'pack': await step(work, 'pack', { picked: lines.some((line) => line.qty_picked > 0 || !line.physical) });
      break;
    case 'ship_part':
    case 'ship': parcel = await ship(work); break;
    case 'scan_some':
    case 'scan_all': await scanIn(work); break;
    case 'charge_missing': await chargeMissing(work); break;
    case 'close': await step(work, 'close', { lines_resolved: lines.every((line) => outstandingOf(line) === 0) },
      sql`closed_at = ${ctx.now().toISOString()}`); break;
    case 'cancel': await cancel(work); break;
  }
  await ctx.db.exec(sql`update sales_orders set version = version + 1 where id = ${id}`);
  await ctx.audit({ action: input.event, entity: 'sales_order', entity_id: id, before: order, after: input });
  if (order.kind === 'perusal') await followPerusal(ctx, order);
  if (parcel !== null) await tellOfParcel(ctx, order, parcel);
}

/** Called off by the house itself: nobody paid. Audited as done by whoever the context acts for. */
export async function cancelOrder(ctx: WorkContext, id: number, reason: string): Promise<void> {
  const { order, lines } = await lockOrder(ctx.db, id, null);
  const before = order.status;
  const work: Work = { ctx, order, lines, today: await ctx.today(order.division),
    input: { event: 'cancel', version: order.version, reason } };
  await lockBalances(ctx, lines.filter((line) => line.physical).map((line) => placeOf(work, line)));
  await cancel(work);
  await ctx.db.exec(sql`update sales_orders set version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'cancel', entity: 'sales_order', entity_id: id, before: { status: before },
    after: { status: order.status, reason } });
}

/** A production is called off: what has not left goes back to the shelf, what has left comes back as agreed. */
export async function cancelUnsent(ctx: WorkContext, licenseId: number, reason: string): Promise<void> {
  const open = await ctx.db.query<{ id: number }>(sql`
    select id from sales_orders where license_id = ${licenseId}
      and status in ('draft', 'released', 'picking', 'packed') order by id`);
  for (const { id } of open) await cancelOrder(ctx, id, reason);
}

/**
 * More time for what is out: not due any more until that day. No event of the table of domain.md 1.3, which knows no
 * way back from overdue; asked for by a perusal alone.
 */
export async function extendOrder(ctx: WorkContext, id: number, until: string): Promise<void> {
  const { order } = await lockOrder(ctx.db, id, null);
  const next = order.status === 'return_due' || order.status === 'overdue' ? 'on_hire' : order.status;
  await ctx.db.exec(sql`insert into sales_order_events (sales_order_id, event, from_status, to_status, note, actor_id,
      occurred_at)
    values (${id}, 'extend', ${order.status}, ${next}, ${`Due back ${dateInWords(until)}`}, ${ctx.actor.actor_id},
      ${ctx.now().toISOString()})`);
  await ctx.db.exec(sql`update sales_orders set status = ${next}, return_due_on = ${until}, version = version + 1
    where id = ${id}`);
  await ctx.audit({ action: 'extend', entity: 'sales_order', entity_id: id,
    before: { status: order.status, return_due_on: order.return_due_on },
    after: { status: next, return_due_on: until } });
}

export const outstandingOf = (line: LineRecord): number => (line.return_required
  ? line.qty_shipped - line.qty_returned_good - line.qty_returned_damaged - line.qty_lost : 0);
const openOf = (line: LineRecord): number => line.quantity - line.qty_cancelled - line.qty_shipped;

/** One transition with its event row; refused with what is possible instead. */
export async function step(work: Pick<Work, 'ctx' | 'order'>, event: SalesOrderEvent, facts: Facts, sets?: Sql,
  note = ''): Promise<void> {
  const { ctx, order } = work;
  const decision = decide(SALES_ORDER_MACHINE, order.status, event, facts);
  if (decision.refused) {
    const { code, message, allowed, unmet } = decision.refused;
    throw conflict(code, message, { allowed, unmet });
  }
  await ctx.db.exec(sql`insert into sales_order_events (sales_order_id, event, from_status, to_status, note, actor_id,
      occurred_at)
    values (${order.id}, ${event}, ${order.status}, ${decision.next}, ${note}, ${ctx.actor.actor_id},
      ${ctx.now().toISOString()})`);
  await ctx.db.exec(sql`update sales_orders set status = ${decision.next} where id = ${order.id}`);
  if (sets) await ctx.db.exec(sql`update sales_orders set ${sets} where id = ${order.id}`);
  order.status = decision.next;
}

type Quantity = 'qty_reserved' | 'qty_picked' | 'qty_shipped' | 'qty_cancelled' | 'qty_returned_good'
  | 'qty_returned_damaged' | 'qty_lost';

/** The line in memory and in the database; its checks refuse what does not add up. */
async function change(ctx: WorkContext, line: LineRecord, by: Partial<Record<Quantity, number>>): Promise<void> {
  for (const [key, delta] of Object.entries(by)) line[key as Quantity] += delta;
  await ctx.db.exec(sql`
    update sales_order_lines set qty_reserved = ${line.qty_reserved}, qty_picked = ${line.qty_picked},
      qty_shipped = ${line.qty_shipped}, qty_cancelled = ${line.qty_cancelled},
      qty_returned_good = ${line.qty_returned_good}, qty_returned_damaged = ${line.qty_returned_damaged},
      qty_lost = ${line.qty_lost} where id = ${line.id}`);
}

function moved(work: Work, line: LineRecord, more: Pick<Movement, 'kind' | 'quantity' | 'from' | 'to'>
  & Partial<Movement>): Movement {
  return { warehouse_id: work.order.warehouse_id, material_id: line.material_id, sales_item_id: line.sales_item_id,
    line_id: line.id, reason: work.input.reason, ...more };
}

/** Reserves available stock; the rest waits as a back order and is retried at picking. */
async function release(work: Work): Promise<void> {
  const { ctx, order, lines } = work;
  await step(work, 'release', { no_license: order.license_id === null, license_executed: await executed(ctx, order) },
    sql`released_at = ${ctx.now().toISOString()}`, work.input.reason);
  await reserve(work, lines);
}

async function reserve(work: Work, lines: readonly LineRecord[]): Promise<void> {
  const wanted = lines.filter((line) => line.physical && openOf(line) > line.qty_reserved + line.qty_picked);
  const balance = await lockBalances(work.ctx, wanted.map((line) => placeOf(work, line)));
  const promised = new Map<string, number>();
  const movements: Movement[] = [];
  for (const line of wanted) {
    const at = balance(placeOf(work, line));
    const key = `${line.material_id}/${line.sales_item_id}`;
    const free = at.on_hand - at.reserved - (promised.get(key) ?? 0);
    const quantity = Math.min(free, openOf(line) - line.qty_reserved - line.qty_picked);
    if (quantity <= 0) continue;
    promised.set(key, (promised.get(key) ?? 0) + quantity);
    await change(work.ctx, line, { qty_reserved: quantity });
    movements.push(moved(work, line, { kind: 'reserve', quantity, from: null, to: null, reserved_delta: quantity }));
  }
  await postMovements(work.ctx, movements);
}

const placeOf = (work: Work, line: LineRecord) => ({ warehouse_id: work.order.warehouse_id,
  material_id: line.material_id, sales_item_id: line.sales_item_id });

async function executed(ctx: WorkContext, order: OrderRecord): Promise<boolean> {
  if (order.license_id === null) return false;
  return await ctx.db.maybeOne(sql`select 1 from licenses where id = ${order.license_id} and not on_hold
    and phase in ('licensed', 'in_production', 'settlement')`) !== null;
}

/** Scanned copies and pieces; without any, everything that needs no barcode. */
async function pick(work: Work): Promise<void> {
  const { ctx, lines } = work;
  await reserve(work, lines);
  const scans = await readScans(work, lines, 'on_hand', (line) => (line.serial_tracked ? 0 : line.qty_reserved));
  const movements: Movement[] = [];
  for (const { line, quantity, copies, at } of scans) {
    if (quantity > line.qty_reserved) {
      throw invalidField(`lines.${at}.quantity`, line.qty_reserved === 0
        ? `Nothing of ${line.description} is reserved: the warehouse has none left, or it was picked already`
        : `Only ${line.qty_reserved} of ${line.description} are reserved for this order`);
    }
    await change(ctx, line, { qty_reserved: -quantity, qty_picked: quantity });
    movements.push(...perCopy(work, line, quantity, copies, { kind: 'pick', from: 'on_hand', to: 'picked' }, -1));
    await assign(ctx, line.id, copies);
  }
  if (movements.length === 0 && lines.some((line) => line.physical)) {
    throw conflict('sales_order.nothing_picked', lines.some((line) => line.qty_reserved > 0)
      ? 'Scan the barcode of each copy.' : 'The warehouse has none of what this order waits for.');
  }
  await postMovements(ctx, movements);
  if (work.order.status !== 'picking') await step(work, 'pick', {});
}

/** One movement per copy, one for all pieces of what has none. */
function perCopy(work: Work, line: LineRecord, quantity: number, copies: readonly { id: number }[],
  way: Pick<Movement, 'kind' | 'from' | 'to'>, reserved = 0): Movement[] {
  if (!line.serial_tracked) {
    return quantity === 0 ? [] : [moved(work, line, { ...way, quantity, reserved_delta: reserved * quantity })];
  }
  return copies.map((copy) => moved(work, line, { ...way, quantity: 1, copy_id: copy.id, reserved_delta: reserved }));
}

async function assign(ctx: WorkContext, lineId: number | null, copies: readonly { id: number }[]): Promise<void> {
  if (copies.length === 0) return;
  await ctx.db.exec(sql`update material_copies set sales_order_line_id = ${lineId}
    where id = any (${copies.map((copy) => copy.id)}::bigint[])`);
}

/** Everything that is packed leaves; what has to come back is out on hire, the rest is sold and billed. */
async function ship(work: Work): Promise<Parcel> {
  const { ctx, order, lines, input, today } = work;
  const leaving = lines.map((line) => ({ line, quantity: line.physical ? line.qty_picked
    : openOf(line) })).filter(({ quantity }) => quantity > 0);
  const rest = lines.reduce((sum, line) => sum + openOf(line), 0) - leaving.reduce((sum, one) => sum + one.quantity, 0);
  if (input.event === 'ship' && rest > 0) {
    throw conflict('sales_order.incomplete', `${rest} more are ordered than packed. Ship a part, or pick the rest.`,
      { rest });
  }
  const carrier = input.carrier ?? order.carrier;
  const movements: Movement[] = [];
  for (const { line, quantity } of leaving.filter((one) => one.line.physical)) {
    const copies = line.serial_tracked ? await copiesOf(ctx, line.id, 'picked') : [];
    movements.push(...perCopy(work, line, quantity, copies,
      { kind: 'ship', from: 'picked', to: line.return_required ? 'on_hire' : null }));
  }
  for (const { line, quantity } of leaving) {
    await change(ctx, line, { qty_picked: line.physical ? -quantity : 0, qty_shipped: quantity });
  }
  await postMovements(ctx, movements);
  const due = lines.some((line) => line.return_required)
    ? input.return_due_on ?? order.return_due_on ?? addDays(today, DAYS_OUT) : null;
  await step(work, rest > 0 ? 'ship_part' : 'ship', {
    carrier_given: carrier !== '' || leaving.every(({ line }) => !line.physical), rush: input.rush ?? order.rush,
    ship_on_reached: order.ship_on === null || order.ship_on <= today }, sql`carrier = ${carrier},
      tracking = tracking || ${input.tracking ?? []}::text[], shipped_on = ${today}, return_due_on = ${due}`,
  (input.tracking ?? []).join(', '));
  await billShipment(ctx, order, lines, today);
  return { leaving, tracking: input.tracking ?? [] };
}

const copiesOf = (ctx: WorkContext, lineId: number, location: string) => ctx.db.query<{ id: number }>(sql`
  select id from material_copies where sales_order_line_id = ${lineId} and location = ${location} order by id
  for update`);

const PLACE_OF = { good: 'on_hand', marked: 'quarantine', damaged: 'damaged' } as const;

/** Returns with their condition: good ones go to the shelf, marked ones to be looked at, damaged ones apart. */
async function scanIn(work: Work): Promise<void> {
  const { ctx, order, lines, input, today } = work;
  const scans = await readScans(work, lines, 'on_hire',
    (line) => (input.event === 'scan_all' ? outstandingOf(line) : 0));
  if (scans.length === 0) throw invalidField('lines', 'Scan what came back');
  const movements: Movement[] = [];
  for (const { line, quantity, copies, at, condition } of scans) {
    if (quantity > outstandingOf(line)) {
      throw invalidField(`lines.${at}.quantity`, `Only ${outstandingOf(line)} of ${line.description} are out`);
    }
    await change(ctx, line, condition === 'damaged' ? { qty_returned_damaged: quantity }
      : { qty_returned_good: quantity });
    movements.push(...perCopy(work, line, quantity, copies,
      { kind: 'return', from: 'on_hire', to: PLACE_OF[condition] }));
    await ctx.db.exec(sql`update material_copies set condition = ${condition}, sales_order_line_id = null
      where id = any (${copies.map((copy) => copy.id)}::bigint[])`);
  }
  await postMovements(ctx, movements);
  await arrived(work);
  const left = lines.reduce((sum, line) => sum + outstandingOf(line), 0);
  if (left === 0) await step(work, 'scan_all', {}, sql`returned_on = ${today}`);
  else if (order.status !== 'partially_returned') await step(work, 'scan_some', {});
}

/** Marks the order as delivered when something comes back, whatever the carrier said. */
async function arrived({ ctx, order, today }: Work): Promise<void> {
  if (order.status === 'shipped') await step({ ctx, order }, 'deliver', {}, sql`delivered_on = ${today}`);
  if (order.status === 'delivered') await step({ ctx, order }, 'has_rental', { rental_outstanding: true });
}

async function chargeMissing(work: Work): Promise<void> {
  const { ctx, order, lines, today } = work;
  const missing = lines.map((line) => ({ line, quantity: outstandingOf(line) })).filter((one) => one.quantity > 0);
  const movements: Movement[] = [];
  for (const { line, quantity } of missing) {
    const copies = line.serial_tracked ? await copiesOf(ctx, line.id, 'on_hire') : [];
    movements.push(...perCopy(work, line, quantity, copies, { kind: 'write_off', from: 'on_hire', to: null })
      .map((one) => ({ ...one, reason: `Not returned, ${order.number}` })));
    await change(ctx, line, { qty_lost: quantity });
  }
  await postMovements(ctx, movements);
  await step(work, 'charge_missing', {}, sql`returned_on = ${today}`);
  await billMissing(ctx, order, missing, today);
}

/** Back to the shelf; promised pieces are free for others. */
async function cancel(work: Work): Promise<void> {
  const { ctx, lines, input } = work;
  if (input.reason === '') throw invalidField('reason', 'Say why');
  const movements: Movement[] = [];
  for (const line of lines) {
    const copies = line.serial_tracked ? await copiesOf(ctx, line.id, 'picked') : [];
    const picked = line.qty_picked;
    const reserved = line.qty_reserved + picked;
    movements.push(...perCopy(work, line, picked, copies, { kind: 'unpick', from: 'picked', to: 'on_hand' }, 1));
    if (reserved > 0) movements.push(moved(work, line, { kind: 'unreserve', quantity: reserved, from: null, to: null,
      reserved_delta: -reserved }));
    await assign(ctx, null, copies);
    await change(ctx, line, { qty_reserved: -line.qty_reserved, qty_picked: -picked, qty_cancelled: openOf(line) });
  }
  await postMovements(ctx, movements);
  await undoPrepaid(ctx, work.order.id, input.reason, work.today);
  await step(work, 'cancel', {}, sql`cancelled_at = ${ctx.now().toISOString()}, cancel_reason = ${input.reason}`,
    input.reason);
}

