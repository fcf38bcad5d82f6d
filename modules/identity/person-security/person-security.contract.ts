/** Administrator's actions for somebody who lost a device: ending the sessions (X184), removing the factors. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';

const path = '/api/admin/staff/users/{id}';

export const personSecurity = z.object({
  id: z.int(), first_name: z.string(), last_name: z.string(), email: z.string(), role: z.string(),
  two_factor: z.boolean(), code: z.boolean(), passkeys: z.int(), recovery_codes_left: z.int(),
  sessions: z.int(), last_seen_at: z.string().nullable(),
  /** Why the caller may not change it; null where they may. */
  refused: z.string().nullable(),
});
export type PersonSecurity = z.infer<typeof personSecurity>;

export const personSecurityEndpoints = {
  show: endpoint({ method: 'GET', path: `${path}/security` as const, auth: staff('user.update'),
    summary: 'Sign-in methods of a person', response: one(personSecurity) }),
  endSessions: endpoint({ method: 'DELETE', path: `${path}/sessions` as const, auth: staff('user.update'),
    summary: 'Sign a person out everywhere', response: null }),
  removeFactors: endpoint({ method: 'DELETE', path: `${path}/two_factor` as const, auth: staff('user.update'),
    confirm: true, summary: 'Take the second factors of a person away, who lost them', response: null }),
};
