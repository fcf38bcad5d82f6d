/**
 * Passkeys (WebAuthn): spec/api-added.json X178-X180, and the two calls that a browser needs besides: what the passkey
 * has to sign, and signing in with nothing but a passkey (LOOK.md picture 09).
 */
import * as z from 'zod';
import { open, signedInSettingUp } from '#kit/auth.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { oneLine } from '#kit/field.ts';

const base64url = z.string().regex(/^[\w-]*$/).max(8000);
const common = {
  id: base64url, rawId: base64url, type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(40).nullish(),
  clientExtensionResults: z.record(z.string().max(40), z.unknown()).default({}),
};

/** Browser's response when a passkey signs in (AuthenticationResponseJSON of WebAuthn level 3). */
export const passkeyAnswer = z.object({
  ...common,
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url,
    userHandle: base64url.nullish() }),
});
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

/** Browser's response when it creates a passkey (RegistrationResponseJSON). */
const attestation = z.object({
  ...common,
  response: z.object({ clientDataJSON: base64url, attestationObject: base64url,
    transports: z.array(z.string().max(20)).max(10).optional() }),
});
export type Attestation = z.infer<typeof attestation>;

export const passkeyRow = z.object({
  id: z.int(), name: z.string(), backed_up: z.boolean(), created_at: z.string(), last_used_at: z.string().nullable(),
});
export type PasskeyRow = z.infer<typeof passkeyRow>;

/** Options as the browser takes them: data of the WebAuthn standard, not of ours. */
const options = z.record(z.string(), z.unknown());
const path = '/api/users/me/passkeys';

export const passkeyEndpoints = {
  options: endpoint({ method: 'POST', path: '/api/auth/passkey-options', auth: open, secret: true,
    summary: 'The challenge for a new passkey, valid for this session and five minutes', response: one(options) }),
  login: endpoint({ method: 'POST', path: '/api/auth/passkey-login', auth: open, secret: true,
    summary: 'Sign in with a passkey alone', body: z.strictObject({ passkey: passkeyAnswer }),
    response: z.object({ two_factor: z.boolean() }) }),
  list: endpoint({ method: 'GET', path, auth: signedInSettingUp, summary: 'The own passkeys',
    response: all(passkeyRow) }),
  create: endpoint({ method: 'POST', path, auth: signedInSettingUp, confirm: true, secret: true,
    summary: 'Without `attestation` the options to make a passkey; with it, the passkey is stored',
    body: z.strictObject({ name: oneLine('Name', z.string().trim().min(1, 'Name is required').max(60,
      'Use at most 60 characters')),
      attestation: attestation.optional() }),
    response: one(z.object({ options: options.nullable(), passkey: passkeyRow.nullable(),
      recovery_codes: z.array(z.string()).nullable() })) }),
  remove: endpoint({ method: 'DELETE', path: `${path}/{id}` as const, auth: signedInSettingUp, confirm: true,
    summary: 'Remove a passkey', response: null }),
};
