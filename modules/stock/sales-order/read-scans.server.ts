/** Scans for an order: copies by barcode, other pieces by number, each matched to its line. */
import { invalidField } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { LineRecord } from './order-rows.server.ts';
import type { OrderEventInput } from './sales-order.contract.ts';

interface Copy { id: number; barcode: string }
export interface Scan { at: number; line: LineRecord; quantity: number; copies: Copy[];
  condition: 'good' | 'marked' | 'damaged' }

const AWAY: Record<'on_hand' | 'on_hire', string> = { on_hand: 'on the shelf of this warehouse',
  on_hire: 'out with this order' };

/** `rest` says how many pieces of a line count where nothing was scanned at all. */
export async function readScans(
  { ctx, order, input }: { ctx: WorkContext; order: { id: number; warehouse_id: number }; input: OrderEventInput },
  lines: readonly LineRecord[], from: 'on_hand' | 'on_hire', rest: (line: LineRecord) => number,
): Promise<Scan[]> {
  if (!input.lines) {
    const scans: Scan[] = [];
    for (const line of lines) {
      const quantity = rest(line);
      if (quantity <= 0) continue;
      const copies = line.serial_tracked ? await outWith(ctx, line.id) : [];
      scans.push({ at: scans.length, line, quantity, copies, condition: 'good' });
    }
    return scans;
  }
  const seen = new Set<string>();
  const scans: Scan[] = [];
  for (const [at, one] of input.lines.entries()) {
    const line = lines.find((candidate) => candidate.id === one.line_id);
    if (!line?.physical) throw invalidField(`lines.${at}.line_id`, 'This order has no such goods');
    const barcodes = one.barcodes ?? [];
    const twice = barcodes.find((barcode) => seen.has(barcode) || barcodes.indexOf(barcode) !== barcodes.lastIndexOf(
      barcode));
    if (twice !== undefined) throw invalidField(`lines.${at}.barcodes`, `${twice} was scanned twice`);
    for (const barcode of barcodes) seen.add(barcode);
    if (line.serial_tracked && barcodes.length === 0) {
      throw invalidField(`lines.${at}.barcodes`, `Scan the barcode of each copy of ${line.description}`);
    }
    const copies = line.serial_tracked ? await copiesAt(ctx, { at, line, order, barcodes, from }) : [];
    scans.push({ at, line, copies, condition: one.condition ?? 'good',
      quantity: line.serial_tracked ? copies.length : one.quantity ?? 1 });
  }
  return scans;
}

const outWith = (ctx: WorkContext, lineId: number) => ctx.db.query<Copy>(sql`
  select id, barcode from material_copies where sales_order_line_id = ${lineId} and location = 'on_hire' order by id
  for update`);

/** Each barcode is a copy of the line's material and lies where it is taken from; the rows are locked. */
async function copiesAt(ctx: WorkContext, scan: { at: number; line: LineRecord; order: { warehouse_id: number };
  barcodes: readonly string[]; from: 'on_hand' | 'on_hire' }): Promise<Copy[]> {
  const rows = await ctx.db.query<Copy & { fits: boolean; there: boolean }>(sql`
    select id, barcode, material_id = ${scan.line.material_id} as fits,
      location = ${scan.from} and warehouse_id = ${scan.order.warehouse_id}
        and (${scan.from} = 'on_hand' or sales_order_line_id = ${scan.line.id}) as there
    from material_copies where barcode = any (${[...scan.barcodes]}::text[]) order by id for update`);
  for (const barcode of scan.barcodes) {
    const row = rows.find((one) => one.barcode === barcode);
    const wrong = !row ? `No copy has the barcode ${barcode}`
      : !row.fits ? `${barcode} is not a copy of ${scan.line.description}`
        : row.there ? null : `${barcode} is not ${AWAY[scan.from]}; it may have been scanned before`;
    if (wrong) throw invalidField(`lines.${scan.at}.barcodes`, wrong);
  }
  return rows;
}
