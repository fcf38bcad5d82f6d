/** The second step of signing in, and setting it up: paths of spec/api-added.json X170, X173-X177. */
import * as z from 'zod';
import { open, signedInSettingUp } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { passkeyAnswer } from '../passkey/passkey.contract.ts';

export const FACTORS = ['passkey', 'code', 'recovery_code'] as const;
export type Factor = (typeof FACTORS)[number];

export const totpCode = z.string().trim().regex(/^\d{3}\s?\d{3}$/, 'The code has six digits');

/** Exactly one of the three. */
const factorAnswer = z.strictObject({
  code: totpCode.optional(),
  recovery_code: z.string().trim().min(1, 'A recovery code is required').max(60).optional(),
  passkey: passkeyAnswer.optional(),
}).refine((body) => Object.values(body).filter((value) => value !== undefined).length === 1,
  { path: ['code'], message: 'A code is required' });
export type FactorAnswer = z.infer<typeof factorAnswer>;

const state = z.object({
  enabled: z.boolean(),
  /** The house demands it of this person. */
  required: z.boolean(),
  /** An authenticator app is set up. */
  code: z.boolean(),
  passkeys: z.int(),
  recovery_codes_left: z.int(),
});
export type TwoFactorState = z.infer<typeof state>;

const path = '/api/users/me/two-factor';
/** Shown once: null where an earlier set stays good. */
const codes = one(z.object({ recovery_codes: z.array(z.string()).nullable() }));

export const twoFactorEndpoints = {
  challenge: endpoint({ method: 'POST', path: '/api/auth/two-factor-challenge', auth: open, secret: true,
    summary: 'The second step of signing in', body: factorAnswer, response: null }),
  show: endpoint({ method: 'GET', path, auth: signedInSettingUp, summary: 'The own second factors',
    response: one(state) }),
  start: endpoint({ method: 'POST', path, auth: signedInSettingUp, confirm: true, secret: true,
    summary: 'Begin with an authenticator app: its secret, shown once',
    response: one(z.object({ secret: z.string(), otpauth_url: z.string() })) }),
  finish: endpoint({ method: 'PUT', path, auth: signedInSettingUp, confirm: true, secret: true,
    summary: 'Take the authenticator app into use with its first code', body: z.strictObject({ code: totpCode }),
    response: codes }),
  remove: endpoint({ method: 'DELETE', path, auth: signedInSettingUp, confirm: true,
    summary: 'Stop using the authenticator app', response: one(state) }),
  recoveryCodes: endpoint({ method: 'POST', path: `${path}/recovery-codes` as const, auth: signedInSettingUp,
    confirm: true, secret: true, summary: 'New recovery codes; the old ones are void', response: codes }),
};
