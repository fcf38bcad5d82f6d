/** Entries people make at the shelf: each kind as movements (X126). A wrong line is reported at its field. */
import { invalid, invalidField, type FieldErrors } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { MovementEntry, StockItem } from './movement.contract.ts';
import { receiveGoods } from '../goods-receipt/receive-goods.server.ts';
import { lockBalances, postMovements, type Location, type Movement } from './post-movements.server.ts';
import { stockItemOf } from './stock-items.server.ts';

interface Line { at: number; quantity: number; barcodes: readonly string[] | undefined; item: StockItem;
  unit_cost_minor: number | undefined }

const FROM: Partial<Record<MovementEntry['kind'], Location>> = { transfer: 'on_hand', quarantine: 'on_hand',
  write_off: 'on_hand', grade: 'quarantine' };
const REASON_NEEDED: readonly MovementEntry['kind'][] = ['adjust', 'write_off'];

/** Writes the entry whole or not at all; answers its batch. */
export async function enterMovements(ctx: WorkContext, entry: MovementEntry): Promise<string> {
  await checkEntry(ctx, entry);
  const lines = await readLines(ctx, entry);
  const place = ({ item }: Line, warehouse_id = entry.warehouse_id) => ({ warehouse_id,
    material_id: item.material_id, sales_item_id: item.sales_item_id });
  const places = lines.flatMap((line) => [place(line),
    ...(entry.to_warehouse_id === undefined ? [] : [place(line, entry.to_warehouse_id)])]);
  const balance = await lockBalances(ctx, places);
  const movements: Movement[] = [];
  const errors: FieldErrors = {};
  const taken = new Map<string, number>();
  for (const line of lines) {
    const wrong = shortOf(entry, line, balance(place(line)), taken);
    if (wrong) errors[`lines.${line.at}.quantity`] = [wrong];
    else movements.push(...await movementsOf(ctx, entry, line, balance(place(line)).on_hand));
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  if (movements.length === 0) {
    throw invalidField('lines', 'The count agrees with the books: there is nothing to correct');
  }
  const batch = await postMovements(ctx, movements);
  if (entry.purchase) {
    await receiveGoods(ctx, { ...entry.purchase, warehouse_id: entry.warehouse_id, batch }, lines.map((line) => ({
      material_id: line.item.material_id, sales_item_id: line.item.sales_item_id, quantity: line.quantity,
      unit_cost_minor: line.unit_cost_minor ?? 0 })));
  }
  await ctx.audit({ action: entry.kind, entity: 'stock', entity_id: entry.warehouse_id, after: { ...entry, batch } });
  return batch;
}

async function checkEntry(ctx: WorkContext, entry: MovementEntry): Promise<void> {
  const known = async (id: number, field: string) => {
    if (!await ctx.db.maybeOne(sql`select 1 from warehouses where id = ${id} and deleted_at is null and active`)) {
      throw invalidField(field, 'This warehouse does not exist or is closed');
    }
  };
  await known(entry.warehouse_id, 'warehouse_id');
  if ((entry.kind === 'transfer') !== (entry.to_warehouse_id !== undefined)) {
    throw invalidField('to_warehouse_id', entry.kind === 'transfer' ? 'Choose where it goes'
      : 'Only a transfer goes to another warehouse');
  }
  if (entry.to_warehouse_id === entry.warehouse_id) {
    throw invalidField('to_warehouse_id', 'Choose another warehouse than it comes from');
  }
  if (entry.to_warehouse_id !== undefined) await known(entry.to_warehouse_id, 'to_warehouse_id');
  if (entry.purchase && entry.kind !== 'receipt') throw invalidField('purchase', 'Only a delivery comes from a vendor');
  if (REASON_NEEDED.includes(entry.kind) && entry.reason === '') throw invalidField('reason', 'Say why');
}

async function readLines(ctx: WorkContext, entry: MovementEntry): Promise<Line[]> {
  const lines: Line[] = [];
  const errors: FieldErrors = {};
  const seen = new Set<string>();
  for (const [at, { code, quantity, barcodes, unit_cost_minor }] of entry.lines.entries()) {
    const item = await stockItemOf(ctx.db, code);
    const wrong = item === null ? `Nothing in stock has the code ${code}`
      : seen.has(code) ? `${code} stands here twice` : wrongItem(entry.kind, item);
    if (wrong) errors[`lines.${at}.code`] = [wrong];
    const least = entry.kind === 'count' ? 0 : 1;
    if (entry.kind === 'adjust' ? quantity === 0 : quantity < least) {
      errors[`lines.${at}.quantity`] = [entry.kind === 'adjust' ? 'Say how many more or less' : `At least ${least}`];
    } else if (item?.copy && Math.abs(quantity) > 1) {
      errors[`lines.${at}.quantity`] = ['A copy is one piece'];
    }
    if ((unit_cost_minor === undefined) !== (entry.purchase === undefined)) {
      errors[`lines.${at}.unit_cost_minor`] = [entry.purchase ? 'Enter the cost of one piece'
        : 'Only a delivery from a vendor has a cost'];
    }
    seen.add(code);
    if (item) lines.push({ at, quantity, barcodes, item, unit_cost_minor });
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return lines;
}

/** Tracked copies move one by one, by their barcode; only new ones come as a number. */
function wrongItem(kind: MovementEntry['kind'], item: StockItem): string | null {
  if (kind === 'receipt') return item.copy ? `${item.copy.barcode} is a copy we have: scan the item number` : null;
  if (item.serial_tracked && !item.copy) return `Copies of ${item.item_number} are tracked: scan each barcode`;
  return null;
}

/** Why so many cannot be taken, counting what the lines before took of the same item. */
function shortOf(entry: MovementEntry, line: Line, balance: Record<Location, number> & { reserved: number },
  taken: Map<string, number>): string | null {
  const from = fromOf(entry, line, balance.on_hand);
  if (from === null) return null;
  const copy = line.item.copy;
  if (copy && (copy.location !== from || copy.warehouse_id !== entry.warehouse_id)) {
    return `${copy.barcode} is not ${PLACE_WORDS[from]} in this warehouse`;
  }
  const key = line.item.item_number;
  const asked = (taken.get(key) ?? 0) + Math.abs(entry.kind === 'count' && !copy
    ? line.quantity - balance.on_hand : copy ? 1 : line.quantity);
  taken.set(key, asked);
  const free = from === 'on_hand' ? balance.on_hand - balance.reserved : balance[from];
  if (asked <= free) return null;
  const promised = from === 'on_hand' && balance.reserved > 0 ? ` (${balance.reserved} are promised to orders)` : '';
  return `Only ${free} can be taken${promised}`;
}

const PLACE_WORDS: Record<Location, string> = { on_hand: 'on the shelf', picked: 'picked', on_hire: 'out',
  quarantine: 'in quarantine', damaged: 'among the damaged' };

/** Source location of the pieces; null: from outside. */
function fromOf(entry: MovementEntry, line: Line, onHand: number): Location | null {
  if (entry.kind === 'adjust') return line.quantity < 0 ? 'on_hand' : null;
  if (entry.kind === 'count') {
    if (line.item.copy) return line.quantity === 0 ? 'on_hand' : null;
    return line.quantity < onHand ? 'on_hand' : null;
  }
  return (entry.kind === 'write_off' || entry.kind === 'grade' ? entry.from : undefined) ?? FROM[entry.kind] ?? null;
}

async function movementsOf(ctx: WorkContext, entry: MovementEntry, line: Line, onHand: number): Promise<Movement[]> {
  const { item, quantity } = line;
  const base = { kind: entry.kind, warehouse_id: entry.warehouse_id, material_id: item.material_id,
    sales_item_id: item.sales_item_id, copy_id: item.copy?.id ?? null, reason: entry.reason };
  const from = fromOf(entry, line, onHand);
  switch (entry.kind) {
    case 'receipt': return item.serial_tracked ? newCopies(ctx, entry, line)
      : [{ ...base, quantity, from: null, to: 'on_hand' }];
    case 'transfer': return [{ ...base, quantity, from: 'on_hand', to: null },
      { ...base, warehouse_id: entry.to_warehouse_id!, quantity, from: null, to: 'on_hand' }];
    case 'adjust': return [{ ...base, quantity: Math.abs(quantity), from, to: from === null ? 'on_hand' : null }];
    case 'count': return countMovements(base, line, onHand, entry.warehouse_id);
    case 'quarantine': return [{ ...base, quantity, from, to: 'quarantine' }];
    case 'grade': return [{ ...base, quantity, from, to: entry.to ?? 'on_hand' }];
    case 'write_off': return [{ ...base, quantity, from, to: null }];
  }
}

/** The difference between the shelf and the books; a copy that is where it belongs needs none. */
function countMovements(base: Omit<Movement, 'quantity' | 'from' | 'to'>, line: Line, onHand: number,
  warehouseId: number): Movement[] {
  const copy = line.item.copy;
  if (copy) {
    const here = copy.location === 'on_hand' && copy.warehouse_id === warehouseId;
    if ((line.quantity === 1) === here) return [];
    return [here ? { ...base, quantity: 1, from: 'on_hand', to: null }
      : { ...base, quantity: 1, from: null, to: 'on_hand' }];
  }
  const difference = line.quantity - onHand;
  if (difference === 0) return [];
  return [difference > 0 ? { ...base, quantity: difference, from: null, to: 'on_hand' }
    : { ...base, quantity: -difference, from: 'on_hand', to: null }];
}

/** A label per new copy: those that were scanned, or the item number with a running one. */
async function newCopies(ctx: WorkContext, entry: MovementEntry, line: Line): Promise<Movement[]> {
  const { item } = line;
  const id = item.material_id!;
  const field = `lines.${line.at}.barcodes`;
  if (line.barcodes && (line.barcodes.length !== line.quantity || new Set(line.barcodes).size !== line.quantity)) {
    throw invalidField(field, 'Scan one label for each copy, each once');
  }
  const clash = await ctx.db.maybeOne<{ barcode: string }>(sql`
    select barcode from material_copies where barcode = any (${line.barcodes ?? []}::text[])
    union all select item_number from item_numbers where item_number = any (${line.barcodes ?? []}::text[]) limit 1`);
  if (clash) throw invalidField(field, `${clash.barcode} is on another copy or item`);
  const { known } = await ctx.db.one<{ known: number }>(sql`
    select count(*)::int as known from material_copies where material_id = ${id}`);
  const labels = line.barcodes ?? Array.from({ length: line.quantity }, (_, index) =>
    `${item.item_number}-${String(known + index + 1).padStart(4, '0')}`);
  const rows = await ctx.db.query<{ id: number }>(sql`
    insert into material_copies (material_id, warehouse_id, barcode)
    select ${id}, ${entry.warehouse_id}, x from unnest(${labels}::text[]) with ordinality as labels (x, n)
    order by n returning id`);
  return rows.map((copy) => ({ kind: 'receipt', warehouse_id: entry.warehouse_id, material_id: id, sales_item_id: null,
    copy_id: copy.id, quantity: 1, from: null, to: 'on_hand', reason: entry.reason }));
}
