/**
 * Confirming who you are before a change that matters: e-mail, role, bank data, two-factor (reliability.md 1.3). The
 * endpoints that demand it say `confirm: true`; one confirmation is good for 15 minutes of this session.
 */
import * as z from 'zod';
import { signedIn } from '#kit/auth.ts';
import { endpoint } from '#kit/endpoint.ts';

export const confirmationEndpoints = {
  show: endpoint({ method: 'GET', path: '/api/auth/confirm-password', auth: signedIn,
    summary: 'Whether this session is confirmed',
    response: z.object({ confirmed: z.boolean() }) }),
  confirm: endpoint({ method: 'POST', path: '/api/auth/confirm-password', auth: signedIn, status: 201, secret: true,
    summary: 'Confirm that it is you, for 15 minutes',
    body: z.strictObject({
      password: z.string().min(1, 'Password is required').max(256, 'Use at most 256 characters') }),
    response: z.object({ confirmed: z.boolean() }) }),
};
