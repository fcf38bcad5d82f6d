/** Files of a material: PDFs, shown page by page and marked on each as they leave; sounds and pictures as they are. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { oneLine } from '#kit/field.ts';
import { FILE_KINDS, MATERIAL_FILE_TYPES } from './material-file-kinds.contract.ts';
import { all, endpoint, one, UPLOAD_LIMIT, type UploadRule } from '#kit/endpoint.ts';

export const MATERIAL_FILE_UPLOAD: UploadRule = { field: 'file', types: Object.keys(MATERIAL_FILE_TYPES),
  max_bytes: UPLOAD_LIMIT, required: true };
/** A script, its score and a few extras; more is a library. */
export const MOST_FILES = 20;

export const materialFileRow = z.object({
  id: z.int(), material_id: z.int(), name: z.string(), file_name: z.string(), kind: z.enum(FILE_KINDS),
  /** 0 of what has no pages. */
  pages: z.int(), size_bytes: z.int(),
  created_by_name: z.string().nullable(), created_at: z.string(),
});
export type MaterialFileRow = z.infer<typeof materialFileRow>;

const path = '/api/admin/staff/materials/{id}/files';
export const materialFileEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('material.show'), summary: 'Files of a material',
    response: all(materialFileRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('material.update'),
    summary: 'Add a PDF, sound or picture to a material',
    upload: MATERIAL_FILE_UPLOAD, status: 201, response: one(materialFileRow),
    body: z.strictObject({ name: oneLine('Name', z.string().trim().max(160,
      'A name has at most 160 characters')).default('') }) }),
  remove: endpoint({ method: 'DELETE', path: `${path}/{fileId}`, auth: staff('material.update'),
    summary: 'Take a file off a material', response: null }),
  content: endpoint({ method: 'GET', path: `${path}/{fileId}/content`, auth: staff('material.show'),
    summary: 'A sound or picture, to be heard or seen by staff; a PDF is looked at page by page', response: 'file' }),
  page: endpoint({ method: 'GET', path: `${path}/{fileId}/pages/{page}`, auth: staff('material.show'),
    summary: 'One page of a file as a picture, marked with the name of who looks at it', response: 'file' }),
};
