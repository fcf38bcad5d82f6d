/** Images of shows: posters and production photos, in an order, with a caption (A218 to A221). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, MIB, one, type UploadRule } from '#kit/endpoint.ts';

export const SHOW_IMAGE_UPLOAD: UploadRule = {
  field: 'image', types: ['png', 'jpg', 'jpeg', 'webp'], max_bytes: 15 * MIB, required: true,
};
/** More are an archive, not the face of a show. */
export const MOST_IMAGES = 40;
const path = '/api/admin/staff/shows/{id}/images';
const caption = z.string().trim().max(300, 'A caption has at most 300 characters');

export const showImageRow = z.object({
  id: z.int(), show_id: z.int(), caption: z.string(), sort: z.int(), width: z.int(), height: z.int(),
  /** On the page of the title that anybody may open. */
  public: z.boolean(),
  /** URL of the picture itself. */
  url: z.string(), created_at: z.string(),
});
export type ShowImageRow = z.infer<typeof showImageRow>;

export const showImageEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('show.show'), summary: 'Images of a show',
    response: all(showImageRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('show.manage_images'), summary: 'Add an image to a show',
    upload: SHOW_IMAGE_UPLOAD, body: z.strictObject({ caption: caption.default('') }), response: one(showImageRow),
    status: 201 }),
  update: endpoint({ method: 'PUT', path: `${path}/{imageId}`, auth: staff('show.manage_images'),
    summary: 'Change the caption or the place of an image, or make it public', response: all(showImageRow),
    body: z.strictObject({ caption: caption.optional(), public: z.boolean().optional(),
      /** Place among the images of the show, from 0. */
      sort: z.int().min(0).max(MOST_IMAGES).optional() }) }),
  remove: endpoint({ method: 'DELETE', path: `${path}/{imageId}`, auth: staff('show.manage_images'),
    summary: 'Remove an image of a show', response: null }),
  content: endpoint({ method: 'GET', path: `${path}/{imageId}/content`, auth: staff('show.show'),
    summary: 'The picture itself, as WebP', response: 'file' }),
};
