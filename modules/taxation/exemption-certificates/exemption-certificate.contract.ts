/** Exemption certificates of a customer (X114 to X116): one that is valid on the tax point wins over the rate. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, one, UPLOAD_LIMIT } from '#kit/endpoint.ts';
import { isoDate } from '#kit/field.ts';

export const CERTIFICATE_KINDS = ['resale', 'school', 'nonprofit', 'diplomatic'] as const;
export const certificateRow = z.object({
  id: z.int(), customer_id: z.int(), jurisdiction: z.string(), kind: z.enum(CERTIFICATE_KINDS), number: z.string(),
  valid_from: z.string(), expires_on: z.string().nullable(),
  status: z.enum(['pending', 'verified', 'refused', 'withdrawn']), expired: z.boolean(),
  file_name: z.string().nullable(), version: z.int(), created_at: z.string(),
});
export type CertificateRow = z.infer<typeof certificateRow>;
const path = '/api/admin/staff/customers/{id}/exemption_certificates';
export const certificateEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('customer.show'), summary: 'Exemption certificates of a customer',
    response: all(certificateRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('customer.update'), summary: 'Add an exemption certificate',
    response: one(certificateRow), status: 201,
    upload: { field: 'file', types: ['pdf', 'png', 'jpg', 'jpeg'], max_bytes: UPLOAD_LIMIT, required: false },
    body: z.strictObject({
      jurisdiction: z.string().trim().regex(/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/, 'Write it as GB or US-NY'),
      number: z.string().trim().min(1, 'Number is required').max(80),
      kind: z.enum(CERTIFICATE_KINDS).default('school'), valid_from: isoDate.optional(), expires_on: isoDate.optional(),
    }) }),
  remove: endpoint({ method: 'DELETE', path: `${path}/{certificateId}`, auth: staff('customer.update'),
    summary: 'Withdraw an exemption certificate', response: null }),
};
