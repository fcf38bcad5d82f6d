/**
 * Stock: balances of a warehouse (X124), movements (X125) and what people enter (X126): deliveries, transfers, counts,
 * corrections, quarantine, grading, write-offs. Reserving, picking, shipping and returning belong to sales orders.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { isoDate, positiveMinor } from '#kit/field.ts';

export const LOCATIONS = ['on_hand', 'picked', 'on_hire', 'quarantine', 'damaged'] as const;
export const COPY_LOCATIONS = ['arriving', ...LOCATIONS, 'gone'] as const;
export const CONDITIONS = ['good', 'marked', 'damaged'] as const;
export const MOVEMENT_KINDS = ['receipt', 'reserve', 'unreserve', 'pick', 'unpick', 'ship', 'return', 'grade',
  'quarantine', 'write_off', 'adjust', 'count', 'transfer'] as const;
/** Entries a person can make here. */
export const ENTRY_KINDS = ['receipt', 'transfer', 'adjust', 'count', 'quarantine', 'grade', 'write_off'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export const balanceRow = z.object({
  id: z.int(), warehouse_id: z.int(), material_id: z.int().nullable(), sales_item_id: z.int().nullable(),
  item_number: z.string(), name: z.string(), serial_tracked: z.boolean(), on_hand: z.int(), reserved: z.int(),
  picked: z.int(), on_hire: z.int(), quarantine: z.int(), damaged: z.int(), reorder_point: z.int().nullable(),
  /** Quantity that may be promised for the requested day: on hand, less reserved, plus returns expected by then. */
  available: z.int(), expected_back: z.int(), updated_at: z.string(),
});
export type BalanceRow = z.infer<typeof balanceRow>;

/** Stock of one material in one warehouse; available: quantity that may be promised today. */
export const materialStockRow = balanceRow.pick({ id: true, warehouse_id: true, on_hand: true, reserved: true,
  picked: true, on_hire: true, quarantine: true, damaged: true, available: true }).extend({
  warehouse_name: z.string(),
  /** The first day on which pieces that are out are due back; one that is over means they are late. */
  next_back_on: z.string().nullable(),
});
export type MaterialStockRow = z.infer<typeof materialStockRow>;

/** Row a count of the shelf finds if the books are right: pieces of an item, or a copy by its label. */
export const shelfRow = z.object({
  id: z.int(), warehouse_code: z.string(), code: z.string(), copy_of_code: z.string().nullable(), name: z.string(),
  counted: z.int(),
});
export type ShelfRow = z.infer<typeof shelfRow>;

export const movementRow = z.object({
  id: z.int(), batch_id: z.string(), kind: z.enum(MOVEMENT_KINDS), warehouse_id: z.int(), warehouse_code: z.string(),
  material_id: z.int().nullable(), sales_item_id: z.int().nullable(), item_number: z.string(), name: z.string(),
  barcode: z.string().nullable(), quantity: z.int(), from_location: z.enum(LOCATIONS).nullable(),
  to_location: z.enum(LOCATIONS).nullable(), sales_order_id: z.int().nullable(),
  sales_order_number: z.string().nullable(), reason: z.string(), actor_name: z.string().nullable(),
  occurred_at: z.string(),
});
export type MovementRow = z.infer<typeof movementRow>;

export const copyRow = z.object({
  id: z.int(), material_id: z.int(), warehouse_id: z.int(), warehouse_code: z.string(), barcode: z.string(),
  location: z.enum(COPY_LOCATIONS), condition: z.enum(CONDITIONS), updated_at: z.string(),
});
export type CopyRow = z.infer<typeof copyRow>;

/** Item for a code on a label: a copy by its barcode, or an item without copies by its number. */
export const stockItemRow = z.object({
  material_id: z.int().nullable(), sales_item_id: z.int().nullable(), item_number: z.string(), name: z.string(),
  serial_tracked: z.boolean(), copy: copyRow.nullable(),
});
export type StockItem = z.infer<typeof stockItemRow>;

const barcode = z.string().trim().toUpperCase().regex(/^[A-Z0-9][A-Z0-9-]{3,47}$/,
  'A label has 4 to 48 capital letters, digits and hyphens');
const whole = (label: string) => z.int(`${label} is a whole number`);
export const entryLine = z.strictObject({
  /** Item number or barcode, as scanned. */
  code: z.string().trim().toUpperCase().min(1, 'Scan or type an item').max(48),
  /** Pieces; of a count what is there, of a correction what is added or, below zero, taken. */
  quantity: whole('Quantity').min(-100_000, 'At most 100,000 at a time').max(100_000, 'At most 100,000 at a time'),
  /** Of new copies: their labels; left out, labels are made from the item number. */
  barcodes: z.array(barcode).max(1000).optional(),
  /** Of a delivery that a vendor bills: the cost of one piece, in the currency of the division. */
  unit_cost_minor: positiveMinor.optional(),
});
export const movementEntry = z.strictObject({
  kind: z.enum(ENTRY_KINDS, 'Choose what happened'),
  warehouse_id: z.int('Choose the warehouse').min(1),
  to_warehouse_id: z.int().min(1).optional(),
  /** Source of a write-off or a grading; on hand or quarantine unless given. */
  from: z.enum(['on_hand', 'quarantine', 'damaged']).optional(),
  /** Destination of a grading; on hand unless given. */
  to: z.enum(['on_hand', 'damaged']).optional(),
  lines: z.array(entryLine).min(1, 'Scan at least one item').max(500, 'At most 500 lines at a time'),
  reason: z.string().trim().max(300).default(''),
  /** A delivery that a vendor will bill: every line has its cost, which is owed from now on. */
  purchase: z.strictObject({ vendor_id: z.int('Choose the vendor').min(1, 'Choose the vendor'),
    delivery_note: z.string().trim().max(60).default('') }).optional(),
});
export type MovementEntry = z.output<typeof movementEntry>;

const day = { from: isoDate.optional(), to: isoDate.optional() };
const some = z.coerce.number().int().min(1).optional();
export const stockEndpoints = {
  stock: endpoint({ method: 'GET', path: '/api/admin/staff/warehouses/{id}/stock', auth: staff('warehouse.show'),
    summary: 'Stock of a warehouse, with what may be promised for a day', response: many(balanceRow),
    query: listQuery({ filters: { at: isoDate.optional(), low: z.stringbool().optional() },
      sort: ['item_number', 'on_hand', 'updated_at'], perPage: 20 }) }),
  ofMaterial: endpoint({ method: 'GET', path: '/api/admin/staff/materials/{id}/stock', auth: staff('warehouse.show'),
    summary: 'Stock of a material in each warehouse', response: all(materialStockRow) }),
  shelf: endpoint({ method: 'GET', path: '/api/admin/staff/warehouses/{id}/shelf', auth: staff('warehouse.show'),
    summary: 'Stock of a warehouse, copies by label, in the format of a stock count import',
    response: many(shelfRow),
    // The filters of the list it is made from; a day changes what may be promised, not what lies there.
    query: listQuery({ filters: { at: isoDate.optional(), low: z.stringbool().optional() }, sort: ['item_number'],
      perPage: 20 }) }),
  movements: endpoint({ method: 'GET', path: '/api/admin/staff/stock_movements', auth: staff('warehouse.show'),
    summary: 'Stock movements', response: many(movementRow),
    query: listQuery({ filters: { warehouse_id: some, material_id: some, sales_item_id: some,
      kind: z.enum(MOVEMENT_KINDS).optional(),
      /** Place the pieces came to or went from. */
      place: z.enum(LOCATIONS).optional(), ...day }, sort: ['id'], perPage: 20 }) }),
  enter: endpoint({ method: 'POST', path: '/api/admin/staff/stock_movements', auth: staff('warehouse.update'),
    summary: 'Enter a delivery, transfer, count, correction, quarantine, grading or write-off', status: 201,
    idempotent: true, body: movementEntry,
    response: one(z.object({ batch_id: z.string(), movements: z.array(movementRow) })) }),
  copies: endpoint({ method: 'GET', path: '/api/admin/staff/materials/{id}/copies', auth: staff('warehouse.show'),
    summary: 'Copies of a material with their barcodes', response: many(copyRow),
    query: listQuery({ filters: { location: z.enum(COPY_LOCATIONS).optional() }, sort: ['barcode', 'updated_at'] }) }),
  scan: endpoint({ method: 'GET', path: '/api/admin/staff/stock_items', auth: staff('warehouse.show'),
    summary: 'The item of a scanned code', response: one(stockItemRow),
    query: z.strictObject({ code: z.string().trim().toUpperCase().min(1).max(48) }) }),
};
