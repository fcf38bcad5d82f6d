/** Checklist of a licence: what must be true before each phase (domain.md 6.1). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { version } from '#kit/field.ts';

export const checklistRow = z.object({
  id: z.int(), license_id: z.int(), key: z.string(), label: z.string(), owner: z.enum(['staff', 'customer']),
  due_on: z.string().nullable(), blocks_phase: z.string().nullable(), status: z.enum(['open', 'done', 'waived']),
  automatic: z.boolean(), done_at: z.string().nullable(), done_by_name: z.string().nullable(), note: z.string(),
  sort: z.int(), version: z.int(),
});
export type ChecklistRow = z.infer<typeof checklistRow>;

const path = '/api/admin/staff/licenses/{licenseId}/checklist';

export const checklistEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('license.show'), summary: 'Checklist of a licence',
    response: all(checklistRow) }),
  update: endpoint({ method: 'PUT', path: `${path}/{itemId}`, auth: staff('license.update'),
    summary: 'Tick, reopen or waive an item; automatic ones can only be waived, with a note',
    body: z.strictObject({ version, status: z.enum(['open', 'done', 'waived']),
      note: z.string().trim().max(2000).default('') }), response: one(checklistRow) }),
};
