/** Audio samples of shows: short recordings in an order, heard by visitors where staff made them public. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, MIB, one, type UploadRule } from '#kit/endpoint.ts';
import { oneLine } from '#kit/field.ts';

export const SHOW_SAMPLE_UPLOAD: UploadRule = {
  field: 'sample', types: ['mp3', 'm4a', 'wav'], max_bytes: 15 * MIB, required: true,
};
/** More are an album. */
export const MOST_SAMPLES = 20;
const path = '/api/admin/staff/shows/{id}/samples';
const title = oneLine('Title', z.string().trim().max(160, 'A title has at most 160 characters'));

export const showSampleRow = z.object({
  id: z.int(), show_id: z.int(), title: z.string(), sort: z.int(),
  /** On the page of the title that anybody may open. */
  public: z.boolean(), size_bytes: z.int(),
  /** URL of the recording itself. */
  url: z.string(), created_at: z.string(),
});
export type ShowSampleRow = z.infer<typeof showSampleRow>;

export const showSampleEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('show.show'), summary: 'Audio samples of a show',
    response: all(showSampleRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('show.manage_images'), summary: 'Add an audio sample to a show',
    upload: SHOW_SAMPLE_UPLOAD, body: z.strictObject({ title: title.default('') }), response: one(showSampleRow),
    status: 201 }),
  update: endpoint({ method: 'PUT', path: `${path}/{sampleId}`, auth: staff('show.manage_images'),
    summary: 'Change the title or the place of an audio sample, or make it public', response: all(showSampleRow),
    body: z.strictObject({ title: title.min(1, 'Enter a title').optional(), public: z.boolean().optional(),
      /** Place among the samples of the show, from 0. */
      sort: z.int().min(0).max(MOST_SAMPLES).optional() }) }),
  remove: endpoint({ method: 'DELETE', path: `${path}/{sampleId}`, auth: staff('show.manage_images'),
    summary: 'Remove an audio sample of a show', response: null }),
  content: endpoint({ method: 'GET', path: `${path}/{sampleId}/content`, auth: staff('show.show'),
    summary: 'The recording itself', response: 'file' }),
};
