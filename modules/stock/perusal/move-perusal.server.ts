/**
 * Events of a perusal (X119). A physical one is moved by moving its sales order; the perusal follows it
 * (follow-perusal.server.ts), whether the parcel was sent from here or from the order's own page.
 */
import { addDays } from '#kernel/calendar/calendar.ts';
import { AppError, conflict, invalid, invalidField } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { draftOrder } from '../sales-order/draft-order.server.ts';
import { extendOrder, moveOrder, outstandingOf } from '../sales-order/move-order.server.ts';
import { lockOrder, type LineRecord } from '../sales-order/order-rows.server.ts';
import type { OrderEventInput } from '../sales-order/sales-order.contract.ts';
import { stepPerusal } from './follow-perusal.server.ts';
import { lockPerusal, partsOf, type PerusalRecord } from './perusal-rows.server.ts';
import type { PerusalEventInput } from './perusal.contract.ts';
import { tellApproved, tellDeclined, tellEnded, tellExtended, tellOpened } from './tell-of-perusal.server.ts';

interface Work { ctx: Ctx; perusal: PerusalRecord; input: PerusalEventInput; today: string }

export async function movePerusal(ctx: Ctx, id: number, input: PerusalEventInput): Promise<void> {
  // The order first, as every verb of the warehouse does, or two clerks end in a deadlock.
  await ctx.db.maybeOne(sql`select 1 from sales_orders where id = (select sales_order_id from perusals where id = ${id})
    for update`);
  const perusal = await lockPerusal(ctx.db, id, input.version);
  const before = { status: perusal.status, until: perusal.expires_at ?? perusal.due_back_on };
  const work: Work = { ctx, perusal, input, today: await ctx.today(perusal.division) };
  if (input.until !== undefined && input.until < work.today) throw invalidField('until', 'Choose a day to come');
  switch (input.event) {
    case 'approve': await approve(work); break;
    case 'decline': await decline(work); break;
    case 'extend': await extend(work); break;
    case 'ship': await ship(work); break;
    case 'return': await takeBack(work); break;
    case 'charge_lost': await order(work, 'charge_missing'); break;
    case 'close': await close(work); break;
  }
  await ctx.audit({ action: input.event, entity: 'perusal', entity_id: id, before,
    after: { status: perusal.status, until: input.until ?? before.until,
      ...(input.event === 'return' ? { condition: input.condition ?? 'good' } : {}),
      ...(input.reason === '' ? {} : { reason: input.reason }) } });
}

async function approve({ ctx, perusal, input, today }: Work): Promise<void> {
  const at = ctx.now().toISOString();
  const approved = sql`approved_at = ${at}, approved_by_id = ${ctx.user.user_id}`;
  await stepPerusal(ctx, perusal, 'approve', {}, approved);
  if (perusal.format === 'physical') return draftParcel(ctx, perusal);
  if ((await partsOf(ctx.db, perusal.id)).length === 0) {
    throw conflict('perusal.nothing_to_read', 'None of its materials holds a PDF any more. Add one at the material.');
  }
  const until = input.until ?? addDays(today, perusal.days);
  await stepPerusal(ctx, perusal, 'open', { readable: true },
    sql`opens_at = ${at}, expires_at = ${endOf(perusal, until)}`);
  await tellOpened(ctx, perusal, until);
}

/** The instant at which this day is over where the division keeps its books. */
const endOf = ({ division }: PerusalRecord, day: string) => sql`(${day}::date + 1)::timestamp at time zone
  (select timezone from divisions where code = ${division})`;

/** The parcel waits in the warehouse; its fee is the one that the customer was shown, billed when it leaves. */
async function draftParcel(ctx: Ctx, perusal: PerusalRecord): Promise<void> {
  const lines = await ctx.db.query<{ code: string; quantity: number; unit_price_minor: number;
    shipping_minor: number }>(sql`
    select m.item_number as code, 1 as quantity, p.unit_price_minor, p.shipping_minor from perusal_materials p
      join materials m on m.id = p.material_id where p.perusal_id = ${perusal.id} order by p.sort, p.id`);
  const orderId = await draftOrder(ctx, { kind: 'perusal', customer_id: perusal.customer_id, license_id: null, lines,
    notes: `Perusal ${perusal.number}: ${perusal.show_title}` });
  await ctx.db.exec(sql`update perusals set sales_order_id = ${orderId} where id = ${perusal.id}`);
  perusal.sales_order_id = orderId;
  await order({ ctx, perusal }, 'release');
  await tellApproved(ctx, perusal);
}

async function decline({ ctx, perusal, input }: Work): Promise<void> {
  if (input.reason === '') throw invalidField('reason', 'Say why; the customer reads it');
  await stepPerusal(ctx, perusal, 'decline', { reason_given: true }, sql`reason = ${input.reason}`);
  await tellDeclined(ctx, perusal, input.reason);
}

async function extend({ ctx, perusal, input, today }: Work): Promise<void> {
  const digital = perusal.format === 'digital';
  const until = input.until ?? addDays(today, perusal.days);
  const { ends_on } = await ctx.db.one<{ ends_on: string | null }>(sql`
    select coalesce(due_back_on, ((expires_at - interval '1 second') at time zone d.timezone)::date)::text as ends_on
    from perusals t join divisions d on d.code = t.division where t.id = ${perusal.id}`);
  if (ends_on !== null && until <= ends_on) throw invalidField('until', 'Choose a day after the one it ends on now');
  await stepPerusal(ctx, perusal, 'extend', { until_later: true },
    digital ? sql`expires_at = ${endOf(perusal, until)}` : sql`due_back_on = ${until}`);
  if (perusal.sales_order_id !== null) await extendOrder(ctx, perusal.sales_order_id, until);
  await tellExtended(ctx, perusal, until);
}

/** Moves the sales order by one event; the perusal follows it. */
async function order(work: Pick<Work, 'ctx' | 'perusal'>, event: OrderEventInput['event'],
  more: Partial<OrderEventInput> = {}): Promise<void> {
  const { ctx, perusal } = work;
  if (perusal.sales_order_id === null) {
    throw conflict('perusal.no_parcel', 'This perusal has no sales order, so nothing of it can be shipped.');
  }
  const { version } = await ctx.db.one<{ version: number }>(sql`
    select version from sales_orders where id = ${perusal.sales_order_id}`);
  await moveOrder(ctx, perusal.sales_order_id, { reason: '', ...more, event, version });
  const now = await lockPerusal(ctx.db, perusal.id, null);
  perusal.status = now.status;
}

/** Picked, packed and handed to the carrier in one go, for a parcel of one or two books. */
async function ship(work: Work): Promise<void> {
  const { ctx, perusal, input, today } = work;
  if (perusal.status !== 'approved' || perusal.sales_order_id === null) {
    await stepPerusal(ctx, perusal, 'ship', { by_post: perusal.format === 'physical' });
  }
  if (!input.carrier) throw invalidField('carrier', 'Enter the carrier');
  const parcel = await lockOrder(ctx.db, perusal.sales_order_id!, null);
  if (['released', 'picking'].includes(parcel.order.status)) {
    const lines = await scansOf(ctx, parcel.lines, input.barcodes ?? []);
    await atBarcodes(() => order(work, 'pick', { lines }));
    await order(work, 'pack');
  }
  const until = input.until ?? addDays(today, perusal.days);
  await order(work, 'ship', { carrier: input.carrier, tracking: input.tracking ? [input.tracking] : [],
    return_due_on: until, rush: true });
}

/** Each barcode goes to the line of its material; what has no barcodes is taken as ordered. */
async function scansOf(ctx: Ctx, lines: readonly LineRecord[], barcodes: readonly string[]) {
  const copies = await ctx.db.query<{ barcode: string; material_id: number }>(sql`
    select barcode, material_id from material_copies where barcode = any (${[...barcodes]}::text[])`);
  const unknown = barcodes.find((code) => !copies.some((copy) => copy.barcode === code
    && lines.some((line) => line.material_id === copy.material_id)));
  if (unknown !== undefined) throw invalidField('barcodes', `${unknown} is no copy of what was asked for`);
  return lines.filter((line) => line.physical).map((line) => ({ line_id: line.id,
    ...(line.serial_tracked ? { barcodes: copies.filter((copy) => copy.material_id === line.material_id)
      .map((copy) => copy.barcode) } : { quantity: line.quantity - line.qty_cancelled - line.qty_picked }) }))
    .filter((scan) => !('quantity' in scan) || scan.quantity > 0);
}

/** The order's words about its lines, at the one field of ours. */
async function atBarcodes(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof AppError && error.errors) {
      throw invalid({ barcodes: Object.values(error.errors).flat() });
    }
    throw error;
  }
}

/** Everything that is out comes back at once, in one condition; parts are scanned in at the order. */
async function takeBack(work: Work): Promise<void> {
  const { ctx, perusal, input } = work;
  if (perusal.sales_order_id === null) await stepPerusal(ctx, perusal, 'return', {});
  const { lines } = await lockOrder(ctx.db, perusal.sales_order_id!, null);
  const back = [];
  for (const line of lines.filter((one) => outstandingOf(one) > 0)) {
    const copies = line.serial_tracked ? await ctx.db.query<{ barcode: string }>(sql`
      select barcode from material_copies where sales_order_line_id = ${line.id} and location = 'on_hire'
      order by barcode`) : [];
    back.push({ line_id: line.id, condition: input.condition ?? 'good' as const, ...(line.serial_tracked
      ? { barcodes: copies.map((copy) => copy.barcode) } : { quantity: outstandingOf(line) }) });
  }
  if (back.length === 0) await stepPerusal(ctx, perusal, 'return', {});
  await order(work, 'scan_all', { lines: back, reason: input.reason });
}

/** Ends reading early, calls a parcel off before it leaves, or puts a returned one away. */
async function close(work: Work): Promise<void> {
  const { ctx, perusal, input } = work;
  if (perusal.status !== 'returned' && input.reason === '') {
    throw invalidField('reason', 'Say why; the customer reads it');
  }
  if (perusal.status === 'returned') return order(work, 'close');
  if (perusal.status === 'approved') await order(work, 'cancel', { reason: input.reason });
  else await stepPerusal(ctx, perusal, 'close', { reason_given: true });
  await ctx.db.exec(sql`update perusals set reason = ${input.reason} where id = ${perusal.id}`);
  await tellEnded(ctx, perusal, input.reason);
}
