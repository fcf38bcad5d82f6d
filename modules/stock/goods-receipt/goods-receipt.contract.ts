/** Goods that go back to their vendor before they are billed; movement.contract.ts receives them. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { oneLine } from '#kit/field.ts';

export const goodsReceiptEndpoints = {
  giveBack: endpoint({ method: 'POST', path: '/api/admin/staff/goods_receipt_lines/{id}/returns', status: 201,
    auth: staff('warehouse.update'), idempotent: true,
    summary: 'Send goods back to the vendor that are not billed: off the shelf, and owed no more',
    body: z.strictObject({
      quantity: z.int('Quantity is a whole number').min(1, 'At least 1').max(100_000, 'At most 100,000 at a time'),
      reason: oneLine('The reason', z.string().trim().min(1, 'Give a reason').max(300)),
      /** Of tracked copies: the label of each. */
      barcodes: z.array(z.string().trim().toUpperCase().min(1).max(48)).max(1_000).default([]),
    }),
    response: one(z.object({ id: z.int(), returned_quantity: z.int() })) }),
};
