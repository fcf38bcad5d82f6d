/**
 * Confirming who you are before a change that matters: email, role, bank data, two-factor (reliability.md 1.3). The
 * endpoints that demand it say `confirm: true`; one confirmation is good for 15 minutes of this session.
 */
import * as z from 'zod';
import { signedInSettingUp } from '#kit/auth.ts';
import { endpoint } from '#kit/endpoint.ts';
import { passkeyAnswer } from '../passkey/passkey.contract.ts';
import { totpCode } from '../two-factor/two-factor.contract.ts';

const WAYS = ['password', 'code', 'passkey'] as const;
export type Way = (typeof WAYS)[number];

const answer = z.strictObject({
  password: z.string().min(1, 'Password is required').max(256, 'Use at most 256 characters').optional(),
  code: totpCode.optional(),
  passkey: passkeyAnswer.optional(),
}).refine((body) => Object.values(body).filter((value) => value !== undefined).length === 1,
  { path: ['password'], message: 'Password is required' });

export const confirmationEndpoints = {
  show: endpoint({ method: 'GET', path: '/api/auth/confirm-password', auth: signedInSettingUp,
    summary: 'Whether this session is confirmed, and how it can be',
    response: z.object({ confirmed: z.boolean(), methods: z.array(z.enum(WAYS)) }) }),
  confirm: endpoint({ method: 'POST', path: '/api/auth/confirm-password', auth: signedInSettingUp, status: 201,
    secret: true, summary: 'Confirm that it is you, for 15 minutes', body: answer,
    response: z.object({ confirmed: z.boolean() }) }),
};
