/** A list as a file, made in the background: X202, and the download A345. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { oneLine } from '#kit/field.ts';

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
/** Days that the file can be taken. */
export const EXPORT_KEEP_DAYS = 7;

const value = z.union([z.string().max(2000), z.number(), z.boolean()]);

export const exportJobEndpoints = {
  create: endpoint({ method: 'POST', path: '/api/admin/staff/export_jobs', auth: staff('export.download'), status: 202,
    summary: 'Export what a list shows as a job; needs the permission of the list too',
    body: z.strictObject({
      /** Address of the list below /api/admin/: 'staff/venues', 'staff/customers/12/productions'. */
      model_name: z.string().regex(/^[a-z0-9_-]+(\/[a-z0-9_-]+)*$/, 'Name the list').max(200),
      /** Fields of its rows, in the order of the file; `address.locality` is a part of one. */
      columns: z.array(z.string().regex(/^\w{1,80}(\.\w{1,80})?$/, 'Name a column'))
        .min(1, 'Choose the columns').max(200),
      /** Headings over them; the fields' own words where absent. */
      headers: z.array(z.string().trim().min(1).max(200)).max(200).optional(),
      title: oneLine('Title', z.string().trim().min(1).max(120)).optional(),
      /** The list's query without its paging. */
      filter: z.record(z.string().regex(/^\w{1,80}$/), z.union([value, z.array(value).max(100)])).default({}),
      format: z.enum(EXPORT_FORMATS, 'Choose the format'),
    }),
    response: one(z.object({ id: z.int(), job_id: z.string() })) }),
  download: endpoint({ method: 'GET', path: '/api/admin/staff/export_csv/{id}/download', auth: staff('export.download'),
    summary: 'The file of one\'s own export, until it expires', response: 'file' }),
};
