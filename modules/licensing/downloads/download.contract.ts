/**
 * Files of a licence: PDFs of its digital materials, downloaded with the licence's name on every page, sounds and
 * pictures with it in their own name, so often and so long as the licence allows (domain.md 4: digital entitlement).
 * Staff see who took what, and allow it anew.
 */
import * as z from 'zod';
import { customer, customerInPerson, staff } from '#kit/auth.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { FILE_KINDS } from '#modules/catalogue/material/material-file-kinds.contract.ts';
import { DOWNLOAD_REFUSALS } from '#kernel/materials/download-access.ts';

export const licenseFile = z.object({
  id: z.int(), material_id: z.int(), material_name: z.string(), name: z.string(),
  kind: z.enum(FILE_KINDS), mime_type: z.string(),
  /** File name of the download, with the number of the license. */
  download_name: z.string(),
  /** 0 of what has no pages. */
  pages: z.int(), size_bytes: z.int(),
  /** Downloads allowed, and made since they were allowed last. */
  limit: z.int(), used: z.int(),
  opens_on: z.string().nullable(), closes_on: z.string().nullable(),
  /** Why it cannot be downloaded now, in words; both null where it can. */
  refusal: z.enum(DOWNLOAD_REFUSALS).nullable(), reason: z.string().nullable(),
});
export type LicenseFile = z.infer<typeof licenseFile>;

export const staffLicenseFile = licenseFile.extend({
  item_number: z.string(),
  /** The latest downloads, the newest first; `counts`: against the limit. */
  downloads: z.array(z.object({ id: z.int(), name: z.string(), email: z.string(), created_at: z.string(),
    counts: z.boolean() })),
});
export type StaffLicenseFile = z.infer<typeof staffLicenseFile>;

const house = '/api/admin/staff/licenses/{licenseId}/files';
const home = '/api/customers/{id}/licenses/{licenseId}/files';

export const licenseFileEndpoints = {
  list: endpoint({ method: 'GET', path: house, auth: staff('license_material.list'),
    summary: 'Files of a licence, and who downloaded them', response: all(staffLicenseFile) }),
  allow: endpoint({ method: 'POST', path: `${house}/{fileId}/allow`, auth: staff('license_material.update'),
    summary: 'Reset the downloads of a file', response: one(staffLicenseFile),
    body: z.strictObject({ reason: z.string().trim().min(1, 'Say why').max(300) }) }),
};

export const portalLicenseFileEndpoints = {
  list: endpoint({ method: 'GET', path: home, auth: customer(), summary: 'Files of a production',
    response: all(licenseFile) }),
  /** A command, not a link: each one counts. */
  download: endpoint({ method: 'POST', path: `${home}/{fileId}/download`, auth: customerInPerson(),
    summary: 'A file with the name of the licence on every page or in its own; it counts', response: 'file' }),
};
