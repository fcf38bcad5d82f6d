/** Mail that named no conversation: staff put it in the one of a production, or dismiss it. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { threadFile } from '../threads/thread.contract.ts';

export const MAIL_OUTCOMES = ['unplaced', 'placed', 'dismissed'] as const;
export const unplacedMail = z.object({
  id: z.int(), sender_name: z.string(), sender_email: z.string(), subject: z.string(), body: z.string(),
  outcome: z.enum(MAIL_OUTCOMES),
  /** Why it was dismissed; of a mail that waits, why it found no conversation. */
  reason: z.string(),
  license_id: z.int().nullable(), license_number: z.string().nullable(), license_phase: z.string().nullable(),
  customer_id: z.int().nullable(), decided_by_name: z.string().nullable(), decided_at: z.string().nullable(),
  received_at: z.string(),
  /** They go along when it is placed. */
  files: z.array(threadFile),
  /** Files that were not kept, with the reason of each. */
  refused_files: z.array(z.object({ name: z.string(), size_bytes: z.int(), reason: z.string() })),
});
export type UnplacedMail = z.infer<typeof unplacedMail>;

const path = '/api/admin/staff/unplaced_mail';
export const unplacedMailEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('license.list'), summary: 'Mail that named no conversation',
    query: listQuery({ filters: { outcome: z.enum(MAIL_OUTCOMES).optional() }, sort: ['received_at'] }),
    response: many(unplacedMail) }),
  file: endpoint({ method: 'GET', path: `${path}/{id}/files/{fileId}`, auth: staff('license.list'),
    summary: 'File of a mail that named no conversation', response: 'file' }),
  place: endpoint({ method: 'POST', path: `${path}/{id}/place`, auth: staff('license.update'),
    summary: 'Put a mail in the conversation of a production', idempotent: true, response: one(unplacedMail),
    body: z.strictObject({ license_id: z.int('Choose the production').min(1, 'Choose the production') }) }),
  dismiss: endpoint({ method: 'POST', path: `${path}/{id}/dismiss`, auth: staff('license.update'),
    summary: 'Dismiss a mail that belongs to no production', idempotent: true, response: one(unplacedMail),
    body: z.strictObject({ reason: z.string().trim().min(1, 'Reason is required').max(500) }) }),
};
