/** Fields of files with counts of the shelf (domain.md 4). */
import type { FieldSet } from '../import-field.contract.ts';

export const STOCK_COUNT_FIELDS = {
  warehouse: { label: 'Warehouse', hint: 'Code of the warehouse', required: true, constant: true,
    heads: ['warehouse', 'warehouse code', 'store', 'location'], example: 'NYC' },
  code: { label: 'Item', hint: 'Item number, or the barcode of one copy', required: true, constant: false,
    heads: ['item', 'item number', 'item no', 'barcode', 'sku', 'code'], example: 'LANTERN-SCR-LIB-01' },
  copy_of: { label: 'Copy of', hint: 'Item number, where a label found on the shelf is new: it is entered so',
    required: false, constant: false, heads: ['copy of', 'copy of item'] },
  counted: { label: 'Counted', type: 'count', hint: 'Pieces on the shelf; 1 or 0 for a copy', required: true,
    constant: false,
    heads: ['counted', 'count', 'quantity', 'on hand', 'qty', 'pieces'], example: '24' },
} as const satisfies FieldSet;
