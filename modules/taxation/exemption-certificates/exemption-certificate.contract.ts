/**
 * Exemption certificates of a customer (X114 to X116): one that is valid on the tax point wins over the rate. The list
 * over all customers shows which run out.
 */
import * as z from 'zod';
import { customer, customerInPerson, staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one, UPLOAD_LIMIT } from '#kit/endpoint.ts';
import { isoDate, oneLine, version } from '#kit/field.ts';
import { stateCode } from '../jurisdiction.contract.ts';

export const CERTIFICATE_KINDS = ['resale', 'school', 'nonprofit', 'diplomatic'] as const;
/** Of today: to verify, refused, runs out within 60 days, is over, or begins later. */
export const CERTIFICATE_STATES = ['pending', 'valid', 'expiring', 'expired', 'planned', 'refused'] as const;
export const certificateRow = z.object({
  id: z.int(), customer_id: z.int(), customer_name: z.string(), jurisdiction: z.string(),
  kind: z.enum(CERTIFICATE_KINDS), number: z.string(), valid_from: z.string(), expires_on: z.string().nullable(),
  status: z.enum(['pending', 'verified', 'refused', 'withdrawn']), expired: z.boolean(),
  state: z.enum(CERTIFICATE_STATES), used: z.boolean(), file_name: z.string().nullable(), refused_reason: z.string(),
  /** Of the customer; null where staff recorded it. */
  uploaded_by_name: z.string().nullable(), version: z.int(),
  created_at: z.string(), updated_at: z.string(),
});
export type CertificateRow = z.infer<typeof certificateRow>;
export const CERTIFICATE_KIND_NAMES: Record<CertificateRow['kind'], string> = {
  resale: 'Resale', school: 'School', nonprofit: 'Non-profit', diplomatic: 'Diplomatic',
};
export const CERTIFICATE_STATE_NAMES: Record<CertificateRow['state'], string> = {
  pending: 'To verify', valid: 'Valid', expiring: 'Runs out', expired: 'Expired', planned: 'Begins later',
  refused: 'Not accepted',
};
export const CERTIFICATE_TONES = { pending: 'warn', valid: 'ok', expiring: 'warn', expired: 'error', planned: 'info',
  refused: 'neutral' } as const;
const home = '/api/customers/{id}/exemption_certificates';
const ownCertificate = certificateRow.pick({ id: true, jurisdiction: true, kind: true, number: true, valid_from: true,
  expires_on: true, state: true, file_name: true, refused_reason: true, version: true });
export type OwnCertificate = z.infer<typeof ownCertificate>;
/** A certificate that counts, waits or has ended; refused and withdrawn ones say nothing about tax. */
export const exemption = ownCertificate.pick({ number: true, valid_from: true, expires_on: true }).extend({
  /** State or country in words: 'Ohio'. */
  place: z.string(), state: z.enum(['pending', 'valid', 'expiring', 'expired', 'planned']) });
export type Exemption = z.infer<typeof exemption>;
const path = '/api/admin/staff/customers/{id}/exemption_certificates';
const types = ['pdf', 'png', 'jpg', 'jpeg'];
const file = { field: 'file', types, max_bytes: UPLOAD_LIMIT, required: false };
const number = oneLine('Number', z.string().trim().min(1, 'Number is required').max(80));
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
  verify: endpoint({ method: 'PUT', path: `${path}/{certificateId}/verify`, auth: staff('customer.update'),
    summary: 'Verify a certificate that a customer uploaded', body: z.strictObject({ version }),
    response: one(certificateRow) }),
  refuse: endpoint({ method: 'PUT', path: `${path}/{certificateId}/refuse`, auth: staff('customer.update'),
    summary: 'Refuse a certificate that a customer uploaded', response: one(certificateRow),
    body: z.strictObject({ version,
      reason: z.string().trim().min(1, 'Give a reason: it is emailed to them').max(500, 'At most 500 characters') }) }),
};

/** A customer's own certificates: uploaded here, counted for tax once staff verify them. */
export const ownCertificateEndpoints = {
  list: endpoint({ method: 'GET', path: home, auth: customer(), summary: 'Exemption certificates of the organisation',
    response: all(ownCertificate) }),
  upload: endpoint({ method: 'POST', path: home, auth: customerInPerson('admin', 'signer'), status: 201,
    summary: 'Upload an exemption certificate; it counts once staff verify it', response: one(ownCertificate),
    upload: { ...file, required: true },
    body: z.strictObject({ jurisdiction: stateCode, number, kind: z.enum(CERTIFICATE_KINDS, 'Choose a kind'),
      valid_from: isoDate, expires_on: isoDate.optional() }) }),
  document: endpoint({ method: 'GET', path: `${home}/{certificateId}/document`, auth: customer(),
    summary: 'The certificate as uploaded', response: 'file' }),
  withdraw: endpoint({ method: 'PUT', path: `${home}/{certificateId}/withdraw`,
    auth: customerInPerson('admin', 'signer'), summary: 'Withdraw a certificate that nobody has verified yet',
    body: z.strictObject({ version }), response: one(ownCertificate) }),
};
