/** Goods that came before their bill: what is received and not billed, by line of a delivery, beside the ledger. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, isoDate } from '#kit/field.ts';

export const goodsReceivedRow = z.object({
  id: z.int(), receipt_id: z.int(), number: z.string(), received_on: z.string(), delivery_note: z.string(),
  vendor_id: z.int(), vendor_name: z.string(), division: divisionCode, currency: currencyCode,
  warehouse_id: z.int(), warehouse_name: z.string(), material_id: z.int().nullable(), item_number: z.string(),
  item_name: z.string(), serial_tracked: z.boolean(), quantity: z.int(), returned_quantity: z.int(),
  /** On approved bills. */
  billed_quantity: z.int(),
  /** Neither sent back nor on a bill, drafts included: what a bill can take. */
  free_quantity: z.int(), unit_cost_minor: z.int(),
  /** Received, not sent back and on no approved bill, at cost. */
  unbilled_minor: z.int(),
});
export type GoodsReceivedRow = z.infer<typeof goodsReceivedRow>;

const tieOut = z.object({
  division: divisionCode, currency: currencyCode,
  /** By vendor: the receipts against the vendor's balance on 2010. */
  rows: z.array(z.object({ vendor_id: z.int(), vendor_name: z.string(), received_minor: z.int(),
    ledger_minor: z.int(), difference_minor: z.int() })),
  received_minor: z.int(), ledger_minor: z.int(), ok: z.boolean(),
});
export type GoodsReceivedTieOut = z.infer<typeof tieOut>;

const path = '/api/admin/staff/accounting/accounts_payable/goods_received';
export const goodsReceivedEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('bill.list'), response: many(goodsReceivedRow),
    summary: 'Lines of deliveries from vendors, with what is not billed yet',
    query: listQuery({ filters: { division: divisionCode.optional(),
      vendor_id: z.coerce.number().int().min(1).optional(), warehouse_id: z.coerce.number().int().min(1).optional(),
      receipt_id: z.coerce.number().int().min(1).optional(),
      /** Something of it is not on an approved bill. */
      unbilled: z.stringbool().optional(),
      /** A bill can still take some of it. */
      free: z.stringbool().optional(), received_from: isoDate.optional(), received_to: isoDate.optional() },
    sort: ['received_on', 'vendor', 'unbilled_minor', 'number'], perPage: 25 }) }),
  tieOut: endpoint({ method: 'GET', path: `${path}/tie_out`, auth: staff('bill.list'), response: one(tieOut),
    summary: 'Goods received, not billed, by vendor, against accrued purchases (2010) in the ledger',
    query: z.strictObject({ division: divisionCode }) }),
};
