/** Messages between a customer and staff about a license, on screen and by mail (gaps G84 for customers). */
import * as z from 'zod';
import { customer, customerInPerson, staff, system } from '#kit/auth.ts';
import { endpoint, listQuery, many, one, pagedQuery, UPLOAD_LIMIT } from '#kit/endpoint.ts';
import { id } from '#kit/field.ts';

export const MESSAGE_FILES = ['pdf', 'png', 'jpg', 'jpeg', 'docx', 'xlsx', 'csv', 'txt'] as const;

export const threadFile = z.object({ id: z.int(), name: z.string(), size_bytes: z.int() });
export type ThreadFile = z.infer<typeof threadFile>;

export const messageRow = z.object({
  id: z.int(), body: z.string(),
  /** Earlier mail below the answer. */
  quoted: z.string(),
  author_name: z.string(), from_staff: z.boolean(), by_mail: z.boolean(),
  /** False: mail of a sender outside the production. */
  verified: z.boolean(),
  sender_email: z.string().nullable(), files: z.array(threadFile),
  /** Attachments of a mail that were not kept, with the reason. */
  refused_files: z.array(z.object({ name: z.string(), size_bytes: z.int(), reason: z.string() })),
  /** Mails of the message; `returned` and `failed` did not arrive. */
  deliveries: z.array(z.object({ email: z.string(), state: z.enum(['waiting', 'sent', 'failed', 'returned']),
    reason: z.string() })),
  created_at: z.string(),
});
export type MessageRow = z.infer<typeof messageRow>;

/** As customers read it: how our mail travels stays with us. */
export const portalMessage = messageRow.omit({ deliveries: true, sender_email: true });
export type PortalMessage = z.infer<typeof portalMessage>;

export const inboundMailRow = z.object({
  id: z.int(), sender_name: z.string(), sender_email: z.string(), subject: z.string(), body: z.string(),
  outcome: z.enum(['placed', 'unplaced', 'dismissed', 'automatic', 'bounce']), reason: z.string(), size_bytes: z.int(),
  license_id: z.int().nullable(), license_number: z.string().nullable(), received_at: z.string(),
});
export type InboundMailRow = z.infer<typeof inboundMailRow>;

const body = z.strictObject({ body: z.string().trim().min(1, 'Write a message').max(20_000),
  file_ids: z.array(id).max(20, 'Attach at most 20 files').default([]) });
const upload = { field: 'file', types: MESSAGE_FILES, max_bytes: UPLOAD_LIMIT };
const query = listQuery({ filters: {}, sort: ['created_at'] });
const path = '/api/admin/staff/licenses/{id}/messages';
const own = '/api/customers/{id}/licenses/{licenseId}/messages';

export const threadEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('license.show'), summary: 'Messages about a licence', query,
    response: many(messageRow) }),
  send: endpoint({ method: 'POST', path, auth: staff('license.update'), summary: 'Write to the customer', body,
    response: one(messageRow), status: 201, idempotent: true }),
  upload: endpoint({ method: 'POST', path: `${path}/files`, auth: staff('license.update'),
    summary: 'Upload a file for a message', upload, response: one(threadFile), status: 201 }),
  file: endpoint({ method: 'GET', path: `${path}/files/{fileId}`, auth: staff('license.show'),
    summary: 'File of a message', response: 'file' }),
  own: endpoint({ method: 'GET', path: own, auth: customer(), summary: 'Messages about one production', query,
    response: many(portalMessage) }),
  write: endpoint({ method: 'POST', path: own, auth: customerInPerson('admin', 'signer'),
    summary: 'Write to the licensing representative', body, response: one(portalMessage), status: 201,
    idempotent: true }),
  attach: endpoint({ method: 'POST', path: `${own}/files`, auth: customerInPerson('admin', 'signer'),
    summary: 'Upload a file for a message', upload, response: one(threadFile), status: 201 }),
  ownFile: endpoint({ method: 'GET', path: `${own}/files/{messageFileId}`, auth: customer(),
    summary: 'File of a message', response: 'file' }),
  inbound: endpoint({ method: 'GET', path: '/api/admin/system/inbound_mail', auth: system,
    summary: 'Mail that came in', query: pagedQuery({ filters: {
      outcome: z.enum(['placed', 'unplaced', 'dismissed', 'automatic', 'bounce']).optional() },
    sort: ['received_at'] }),
    response: many(inboundMailRow) }),
};
