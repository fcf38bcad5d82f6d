/** Merging a vendor that was entered twice into the one that remains. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';

export const vendorMergeEndpoints = {
  merge: endpoint({ method: 'POST', path: '/api/admin/staff/vendors/{id}/merge', auth: staff('vendor.update'),
    confirm: true, summary: 'Merge a vendor into another one, for good',
    response: one(z.object({ id: z.int(), name: z.string(), drafts: z.int(), recurring: z.int(),
      /** The bank details that remain wait for a second person. */
      is_bank_waiting: z.boolean() })),
    body: z.strictObject({ version: z.int().min(1),
      into_vendor_id: z.int('Choose the vendor').min(1, 'Choose the vendor') }) }),
};
