/** Counts of the shelf from a list: each row is a count of one item; what agrees with the books changes nothing. */
import { AppError } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { entryLine } from '#modules/stock/movement/movement.contract.ts';
import { enterMovements } from '#modules/stock/stock.public.server.ts';
import { fail } from '../read-cell.ts';
import type { Cells } from './cells.ts';
import { recordWork, type ExistingRecord, type Verdict } from './record-work.server.ts';
import { STOCK_COUNT_FIELDS } from './stock-counts.contract.ts';

interface CountRow { warehouse: string; code: string; copyOf: string | null; counted: number }
interface Shelf extends ExistingRecord { warehouse_id: number }
interface Book {
  warehouses: Map<string, number>;
  /** On-hand quantity of an item or a copy, by warehouse and code. */
  onHand: Map<string, number>;
  /** Item of a labeled copy, by label. */
  copyOf: Map<string, string>;
  /** Items whose copies have labels. */
  tracked: Set<string>;
  /** Counted in this file already. */
  counted: Map<string, number>;
}

const keyOf = (row: CountRow): string => `${row.warehouse}/${row.code}`;

function read(cells: Cells): CountRow {
  const copyOf = cells.optional('copy_of')?.toUpperCase() ?? null;
  const line = cells.checked(entryLine, { code: cells.required('code'), quantity: cells.count('counted', 100_000)
    ?? fail('missing_value', 'Counted is empty', 'counted', ''),
  ...(copyOf === null ? {} : { barcodes: [cells.required('code')] }) }, { quantity: 'counted', barcodes: 'code' });
  return { warehouse: cells.required('warehouse').toUpperCase(), code: line.code, copyOf, counted: line.quantity };
}

async function book(db: Queryable, reads: readonly CountRow[], before: Book | null): Promise<Book> {
  const known: Book = before ?? { warehouses: new Map(), onHand: new Map(), copyOf: new Map(), tracked: new Set(),
    counted: new Map() };
  if (before === null) {
    const rows = await db.query<{ code: string; id: number }>(sql`
      select code, id from warehouses where deleted_at is null and active`);
    for (const row of rows) known.warehouses.set(row.code.toUpperCase(), row.id);
  }
  const rows = await db.query<{ warehouse: string; code: string; on_hand: number }>(sql`
    with wanted as (select upper(w) as warehouse, c as code
      from unnest(${reads.map((row) => row.warehouse)}::text[], ${reads.map((row) => row.code)}::text[]) u (w, c))
    select d.warehouse, d.code, x.on_hand from wanted d join warehouses h on upper(h.code) = d.warehouse
    cross join lateral (
      select case when k.location = 'on_hand' and k.warehouse_id = h.id then 1 else 0 end as on_hand
      from material_copies k where k.barcode = d.code
      union all
      select coalesce(b.on_hand, 0) from materials m left join stock_balances b on b.material_id = m.id
        and b.warehouse_id = h.id where m.item_number = d.code and m.deleted_at is null
      union all
      select coalesce(b.on_hand, 0) from sales_items i left join stock_balances b on b.sales_item_id = i.id
        and b.warehouse_id = h.id where i.item_number = d.code and i.deleted_at is null) x`);
  for (const row of rows) known.onHand.set(`${row.warehouse}/${row.code}`, row.on_hand);
  const copies = await db.query<{ barcode: string; item_number: string }>(sql`
    select k.barcode, m.item_number from material_copies k join materials m on m.id = k.material_id
    where k.barcode = any (${reads.map((row) => row.code)}::text[])`);
  for (const row of copies) known.copyOf.set(row.barcode, row.item_number);
  const tracked = await db.query<{ item_number: string }>(sql`
    select item_number from materials where serial_tracked and deleted_at is null
      and item_number = any (${reads.flatMap((row) => row.copyOf ?? [])}::text[])`);
  for (const row of tracked) known.tracked.add(row.item_number);
  return known;
}

/** A label that the books do not know, with the item whose copy it is on. */
function isNewCopy(row: CountRow, known: Book): boolean {
  if (row.copyOf === null) return false;
  const item = known.copyOf.get(row.code);
  if (item !== undefined && item !== row.copyOf) {
    fail('number_taken', `${row.code} is the label of a copy of ${item}`, 'copy_of', row.copyOf);
  }
  if (item !== undefined) return false;
  if (known.onHand.has(keyOf(row))) {
    fail('number_taken', `${row.code} is the number of an item and no copy`, 'code', row.code);
  }
  if (!known.tracked.has(row.copyOf)) {
    fail('unknown_item', spell`No item with labeled copies has the number ${row.copyOf}`, 'copy_of', row.copyOf);
  }
  if (row.counted !== 1) fail('not_allowed', 'A copy is one piece', 'counted', String(row.counted));
  return true;
}

function judge(row: CountRow, _source: unknown, known: Book): Verdict<Shelf> {
  const warehouse_id = known.warehouses.get(row.warehouse)
    ?? fail('unknown_warehouse', `No open warehouse has the code "${row.warehouse}"`, 'warehouse', row.warehouse);
  const isNew = isNewCopy(row, known);
  const onHand = isNew ? 0 : known.onHand.get(keyOf(row))
    ?? fail('unknown_item', `Nothing in stock has the code ${row.code}`, 'code', row.code);
  const before = known.counted.get(keyOf(row));
  const shelf: Shelf = { id: warehouse_id, warehouse_id, label: `${row.code}, ${row.warehouse}` };
  if (before !== undefined && before !== row.counted) {
    fail('counted_twice', `${row.code} is counted twice in ${row.warehouse}: ${before} and ${row.counted}`, 'counted',
      String(row.counted));
  }
  known.counted.set(keyOf(row), row.counted);
  if (onHand === row.counted || before !== undefined) {
    return { outcome: 'duplicate', known: shelf, note: { code: 'count_agrees', text: 'Agrees with the books' } };
  }
  if (isNew) {
    return { outcome: 'ready', known: shelf, note: { code: 'copy_found',
      text: `A copy of ${row.copyOf} with a new label` } };
  }
  return { outcome: 'ready', known: shelf, note: { code: 'count_differs',
    text: `${row.counted} counted, ${onHand} in the books` } };
}

/** Counted again while the books moved, an item may agree by now: then nothing is left to correct. */
async function write(ctx: WorkContext, row: CountRow, verdict: Verdict<Shelf>): Promise<number> {
  if (verdict.outcome === 'refused') throw new TypeError('a row left out is not written');
  const { warehouse_id } = verdict.known;
  if (verdict.note?.code === 'copy_found') {
    await enterMovements(ctx, { kind: 'receipt', warehouse_id, reason: 'Imported count',
      lines: [{ code: row.copyOf!, quantity: 1, barcodes: [row.code] }] });
    return warehouse_id;
  }
  try {
    await enterMovements(ctx, { kind: 'count', warehouse_id, reason: 'Imported count',
      lines: [{ code: row.code, quantity: row.counted }] });
  } catch (error) {
    if (!(error instanceof AppError && error.errors?.['lines'])) throw error;
  }
  return warehouse_id;
}

export const stockCountWork = recordWork<CountRow, Book, Shelf>({
  entity: 'warehouse', fields: STOCK_COUNT_FIELDS, read, book, judge, write,
  words: (row) => ({ title: row.code, detail: `${row.counted} in ${row.warehouse}` }),
});
