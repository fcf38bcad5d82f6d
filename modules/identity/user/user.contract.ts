/**
 * One's own account, and anyone's for staff with the right to each field (gaps G83): name, address, telephone, picture.
 * Calls A373, A375 to A377 of spec/api.json.
 */
import * as z from 'zod';
import { AVATAR_SIZE_NAMES } from '#kit/avatar.ts';
import { ROLES, signedIn } from '#kit/auth.ts';
import { endpoint, MIB, one, type UploadRule } from '#kit/endpoint.ts';
import { nameLine, version } from '#kit/field.ts';
import { LANGUAGES } from '#kernel/money/division.ts';

/** PNG, JPEG or WebP: formats that cannot hold script. SVG and HTML are refused by this list (reliability.md 3.3). */
export const AVATAR_UPLOAD: UploadRule = {
  field: 'avatar', types: ['png', 'jpg', 'jpeg', 'webp'], max_bytes: 5 * MIB, required: true,
};

const personName = { first_name: nameLine('First name'), last_name: nameLine('Last name') };
export const personEmail = z.email('Email must be a valid email address').max(254);
/** Empty is none. */
export const shortText = (label: string, max: number) => z.string().trim().max(max,
  `${label} is longer than ${max} characters`).nullable().transform((text) => text === '' ? null : text);

/** Fields of a person in every response; `avatar_url` is absent without a picture (R2, R29). */
export const personFacts = {
  id: z.int(), email: z.string(), first_name: z.string(), last_name: z.string(), role: z.enum(ROLES),
  email_verified_at: z.string().nullable(), avatar_file_name: z.string().nullable(),
  avatar_url: z.url({ protocol: /^https?$/ }).optional(), created_at: z.string(), updated_at: z.string(),
};
export const account = z.object({
  ...personFacts, phone: z.string().nullable(),
  /** English that the person chose for screens. */
  language: z.enum(LANGUAGES).nullable(),
  /** Waits for its own mailbox to confirm it; until then `email` holds. */
  pending_email: z.string().nullable(), version: z.int(),
});
export type Account = z.infer<typeof account>;

const path = '/api/users/{id}';
const avatarPath = `${path}/avatar` as const;

export const userEndpoints = {
  update: endpoint({ method: 'PUT', path, auth: signedIn,
    summary: 'Change one\'s own name, telephone, address or language;'
      + ' anyone\'s with user.update and the right to the field',
    body: z.strictObject({ ...z.strictObject({ ...personName, email: personEmail, phone: shortText('Phone', 40),
      language: z.enum(LANGUAGES, 'Choose American or British English').nullable() })
      .partial().shape, version: version.optional() }),
    response: one(account) }),
  addAvatar: endpoint({ method: 'POST', path: avatarPath, auth: signedIn, upload: AVATAR_UPLOAD, status: 201,
    summary: 'Upload a picture', response: one(account) }),
  replaceAvatar: endpoint({ method: 'PUT', path: avatarPath, auth: signedIn, upload: AVATAR_UPLOAD,
    summary: 'Replace the picture', response: one(account) }),
  removeAvatar: endpoint({ method: 'DELETE', path: avatarPath, auth: signedIn, summary: 'Remove the picture',
    response: null }),
  avatar: endpoint({ method: 'GET', path: `${path}/avatars/{file}`, auth: signedIn,
    summary: 'A picture by the name that answers give it, in one of its sizes',
    params: z.object({ id: z.coerce.number().int().min(1), file: z.string().regex(/^[0-9a-f]{32}\.webp$/) }),
    query: z.strictObject({ size: z.enum(AVATAR_SIZE_NAMES).default('xl') }), response: 'file' }),
};
