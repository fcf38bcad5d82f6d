/**
 * Exemption certificates of a customer (X114 to X116): one that is valid on the tax point wins over the rate. The list
 * over all customers shows which run out.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one, UPLOAD_LIMIT } from '#kit/endpoint.ts';
import { isoDate, version } from '#kit/field.ts';
import { stateCode } from '../jurisdiction.contract.ts';

export const CERTIFICATE_KINDS = ['resale', 'school', 'nonprofit', 'diplomatic'] as const;
/** Of today: runs out within 60 days, is over, or begins later. */
export const CERTIFICATE_STATES = ['valid', 'expiring', 'expired', 'planned'] as const;
export const certificateRow = z.object({
  id: z.int(), customer_id: z.int(), customer_name: z.string(), jurisdiction: z.string(),
  kind: z.enum(CERTIFICATE_KINDS), number: z.string(), valid_from: z.string(), expires_on: z.string().nullable(),
  status: z.enum(['pending', 'verified', 'refused', 'withdrawn']), expired: z.boolean(),
  state: z.enum(CERTIFICATE_STATES), used: z.boolean(), file_name: z.string().nullable(), version: z.int(),
  created_at: z.string(), updated_at: z.string(),
});
export type CertificateRow = z.infer<typeof certificateRow>;
export const CERTIFICATE_KIND_NAMES: Record<CertificateRow['kind'], string> = {
  resale: 'Resale', school: 'School', nonprofit: 'Non-profit', diplomatic: 'Diplomatic',
};
export const CERTIFICATE_STATE_NAMES: Record<CertificateRow['state'], string> = {
  valid: 'Valid', expiring: 'Runs out', expired: 'Expired', planned: 'Begins later',
};
const path = '/api/admin/staff/customers/{id}/exemption_certificates';
const file = { field: 'file', types: ['pdf', 'png', 'jpg', 'jpeg'], max_bytes: UPLOAD_LIMIT, required: false };
const number = z.string().trim().min(1, 'Number is required').max(80);
export const certificateEndpoints = {
  every: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/exemption_certificates',
    auth: staff('customer.list'), summary: 'Exemption certificates of all customers', response: many(certificateRow),
    query: listQuery({ sort: ['expires_on', 'valid_from', 'number'],
      filters: { state: z.enum(CERTIFICATE_STATES).optional() } }) }),
  list: endpoint({ method: 'GET', path, auth: staff('customer.show'), summary: 'Exemption certificates of a customer',
    response: all(certificateRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('customer.update'), summary: 'Add an exemption certificate',
    response: one(certificateRow), status: 201,
    upload: file,
    body: z.strictObject({
      jurisdiction: stateCode,
      number, kind: z.enum(CERTIFICATE_KINDS).default('school'), valid_from: isoDate.optional(),
      expires_on: isoDate.optional(),
    }) }),
  update: endpoint({ method: 'PUT', path: `${path}/{certificateId}`, auth: staff('customer.update'),
    summary: 'Change or end an exemption certificate', response: one(certificateRow), upload: file,
    // Fields of a form with a file are text: an empty last day means that it does not run out.
    body: z.strictObject({ number: number.optional(), kind: z.enum(CERTIFICATE_KINDS).optional(),
      valid_from: isoDate.optional(), expires_on: z.union([isoDate, z.literal('')]).optional(),
      version: z.coerce.number().pipe(version) }) }),
  document: endpoint({ method: 'GET', path: `${path}/{certificateId}/document`, auth: staff('customer.show'),
    summary: 'The certificate as received', response: 'file' }),
  remove: endpoint({ method: 'DELETE', path: `${path}/{certificateId}`, auth: staff('customer.update'),
    summary: 'Withdraw an exemption certificate', response: null }),
};
