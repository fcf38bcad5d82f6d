/** A delivery that a vendor will bill: its cost is owed from the receipt on (event 24), no more once it goes back. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { goodsLines } from '#kernel/ledger/payable-events.ts';
import { convert } from '#kernel/ledger/journal.ts';
import type { Division } from '#kernel/money/division.ts';
import { MAX_MINOR, type Currency } from '#kernel/money/money.ts';
import { postJournal, refuseClosedDay } from '#modules/accounting/accounting.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { postMovements, type Movement } from '../movement/post-movements.server.ts';

export interface GoodsLine {
  material_id: number | null;
  sales_item_id: number | null;
  quantity: number;
  unit_cost_minor: number;
}
interface Delivery { warehouse_id: number; vendor_id: number; delivery_note: string; batch: string }

/** Owed from now on: Dr 1200, Cr 2010 of the vendor, in the currency of the warehouse's division. */
export async function receiveGoods(ctx: WorkContext, of: Delivery, lines: readonly GoodsLine[]): Promise<number> {
  const vendor = await ctx.db.maybeOne<{ name: string }>(sql`
    select name from vendors where id = ${of.vendor_id} and deleted_at is null and active for key share`);
  if (!vendor) throw invalidField('purchase.vendor_id', 'This vendor does not exist or is inactive');
  const { division, currency } = await ctx.db.one<{ division: Division; currency: Currency }>(sql`
    select w.division, d.functional_currency as currency from warehouses w join divisions d on d.code = w.division
    where w.id = ${of.warehouse_id}`);
  const on = await ctx.today(division);
  const cost = lines.reduce((all, line) => all + line.quantity * line.unit_cost_minor, 0);
  if (cost > Number(MAX_MINOR)) throw invalidField('lines', 'At most 10,000,000,000.00 in one delivery');
  await refuseClosedDay(ctx.db, { division, kind: 'stock', on, field: 'purchase.vendor_id',
    actor_id: ctx.actor.actor_id });
  const transaction = { division, currency, on, cost, vendor_id: of.vendor_id };
  const { id, number } = await ctx.db.one<{ id: number; number: string }>(sql`
    insert into goods_receipts (number, division, currency, warehouse_id, vendor_id, delivery_note, received_on,
      batch_id, cost_minor, created_by_id)
    values (next_number('goods_receipt', ${division}, ${on}::date), ${division}, ${currency}, ${of.warehouse_id},
      ${of.vendor_id}, ${of.delivery_note}, ${on}, ${of.batch}, 0, ${ctx.actor.actor_id}) returning id, number`);
  for (const [k, line] of lines.entries()) {
    await ctx.db.exec(sql`
      insert into goods_receipt_lines (goods_receipt_id, sort, material_id, sales_item_id, quantity, unit_cost_minor)
      values (${id}, ${k + 1}, ${line.material_id}, ${line.sales_item_id}, ${line.quantity},
        ${line.unit_cost_minor})`);
  }
  if (cost === 0) return id;
  const transaction_id = await post(ctx, { ...transaction, description: `Goods received ${number} · ${vendor.name}`,
    source: { type: 'goods_receipt', id, event: 'received' } });
  await ctx.db.exec(sql`
    update goods_receipts set cost_minor = ${cost}, transaction_id = ${transaction_id} where id = ${id}`);
  return id;
}

interface Posting { division: Division; currency: Currency; on: string; cost: number; vendor_id: number;
  description: string; source: { type: string; id: number; event: string } }

async function post(ctx: WorkContext, of: Posting): Promise<number> {
  const lines = goodsLines(of.vendor_id, BigInt(of.cost)).map(({ amount_minor, ...line }) => ({ ...line,
    currency: of.currency, amount: amount_minor }));
  const { transaction_id } = await postJournal(ctx.db, { division: of.division, transaction_at: of.on, kind: 'stock',
    description: of.description, source: { ...of.source, attempt: 1 }, lines: convert(lines, of.division, '1') },
  ctx.actor.actor_id);
  return transaction_id;
}

interface StoredLine { id: number; receipt_id: number; number: string; division: Division; currency: Currency;
  vendor_id: number; warehouse_id: number; material_id: number | null; sales_item_id: number | null;
  serial_tracked: boolean; unit_cost_minor: number; returned_quantity: number; free: number }

async function lockLine(ctx: WorkContext, id: number): Promise<StoredLine> {
  await ctx.db.exec(sql`select 1 from goods_receipt_lines where id = ${id} for update`);
  const line = await ctx.db.maybeOne<StoredLine>(sql`
    select t.id, r.id as receipt_id, r.number, r.division, r.currency, r.vendor_id, r.warehouse_id, t.material_id,
      t.sales_item_id, coalesce(m.serial_tracked, false) as serial_tracked, t.unit_cost_minor, t.returned_quantity,
      t.quantity - t.returned_quantity - (select coalesce(sum(x.cleared_quantity), 0)::int from bill_lines x
        join bills b on b.id = x.bill_id where x.goods_receipt_line_id = t.id and b.status <> 'void'
          and b.deleted_at is null) as free
    from goods_receipt_lines t join goods_receipts r on r.id = t.goods_receipt_id
      left join materials m on m.id = t.material_id where t.id = ${id}`);
  if (!line) throw refuse('not_found');
  return line;
}

interface GivenBack { quantity: number; reason: string; barcodes: readonly string[] }

/** Off the shelf of the warehouse it came to. What a bill takes already is credited by the vendor instead. */
export async function giveBackGoods(ctx: WorkContext, id: number, of: GivenBack): Promise<StoredLine> {
  const line = await lockLine(ctx, id);
  if (of.quantity > line.free) {
    throw conflict('goods_receipt.billed', `Only ${line.free} of ${line.number} are not billed. Enter a vendor credit `
      + 'for what is billed.', { free_quantity: line.free });
  }
  const on = await ctx.today(line.division);
  await refuseClosedDay(ctx.db, { division: line.division, kind: 'stock', on, field: 'quantity',
    actor_id: ctx.actor.actor_id });
  const batch = await postMovements(ctx, await movementsOf(ctx, line, of));
  const { id: returnId } = await ctx.db.one<{ id: number }>(sql`
    insert into goods_returns (goods_receipt_line_id, quantity, returned_on, reason, batch_id, created_by_id)
    values (${id}, ${of.quantity}, ${on}, ${of.reason}, ${batch}, ${ctx.actor.actor_id}) returning id`);
  await ctx.db.exec(sql`
    update goods_receipt_lines set returned_quantity = returned_quantity + ${of.quantity} where id = ${id}`);
  const cost = of.quantity * line.unit_cost_minor;
  if (cost > 0) {
    const transaction_id = await post(ctx, { ...line, on, cost: -cost,
      description: `Goods returned ${line.number}`,
      source: { type: 'goods_return', id: returnId, event: 'returned' } });
    await ctx.db.exec(sql`update goods_returns set transaction_id = ${transaction_id} where id = ${returnId}`);
  }
  await ctx.audit({ action: 'return', entity: 'stock', entity_id: line.warehouse_id,
    after: { goods_receipt: line.number, ...of } });
  return { ...line, returned_quantity: line.returned_quantity + of.quantity };
}

/** Tracked copies leave by their labels, everything else by number. */
async function movementsOf(ctx: WorkContext, line: StoredLine, of: GivenBack): Promise<Movement[]> {
  const movement: Movement = { kind: 'write_off', warehouse_id: line.warehouse_id, material_id: line.material_id,
    sales_item_id: line.sales_item_id, quantity: of.quantity, from: 'on_hand', to: null,
    reason: `Returned to the vendor: ${of.reason}`.slice(0, 300) };
  if (!line.serial_tracked) return [movement];
  if (new Set(of.barcodes).size !== of.quantity) {
    throw invalidField('barcodes', 'Enter the label of each copy, each once');
  }
  const copies = await ctx.db.query<{ id: number }>(sql`
    select id from material_copies where material_id = ${line.material_id} and warehouse_id = ${line.warehouse_id}
      and location = 'on_hand' and barcode = any (${[...of.barcodes]}::text[]) order by id`);
  if (copies.length !== of.quantity) {
    throw invalidField('barcodes', 'A label is of another item, or its copy is not on the shelf');
  }
  return copies.map((copy) => ({ ...movement, copy_id: copy.id, quantity: 1 }));
}
