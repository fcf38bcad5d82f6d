/** The work list of staff: one open task per thing to do (domain.md 1, 6.5). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { divisionCode, id, isoDate, version } from '#kit/field.ts';

export const taskRow = z.object({
  id: z.int(), kind: z.string(), title: z.string(), entity: z.string(), entity_id: z.int(),
  license_id: z.int().nullable(), license_number: z.string().nullable(), customer_id: z.int().nullable(),
  customer_name: z.string().nullable(), division: z.string().nullable(), assignee_id: z.int().nullable(),
  assignee_name: z.string().nullable(), due_on: z.string().nullable(), overdue: z.boolean(), priority: z.int(),
  status: z.enum(['open', 'done', 'dropped']), note: z.string(), version: z.int(), created_at: z.string(),
  updated_at: z.string(),
});
export type TaskRow = z.infer<typeof taskRow>;

const path = '/api/admin/staff/tasks';

export const taskEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('license.list'), summary: 'The work list',
    query: listQuery({ filters: { status: z.enum(['open', 'done', 'dropped']).optional(),
      assignee_id: z.coerce.number().int().min(1).optional(), division: divisionCode.optional(),
      kind: z.string().max(60).optional(), license_id: z.coerce.number().int().min(1).optional(),
      due_before: isoDate.optional() }, sort: ['due_on', 'created_at', 'priority'] }),
    response: many(taskRow) }),
  update: endpoint({ method: 'PUT', path: `${path}/{id}`, auth: staff('license.update'),
    summary: 'Take, finish or drop a task',
    body: z.strictObject({ version, status: z.enum(['open', 'done', 'dropped']).optional(),
      assignee_id: id.nullable().optional(), due_on: isoDate.nullable().optional(),
      note: z.string().trim().max(2000).optional() }), response: one(taskRow) }),
};
