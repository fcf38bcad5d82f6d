/** Sign-in requirements that the company sets for its people; on the settings page of the system area. */
import * as z from 'zod';
import { system } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { version } from '#kit/field.ts';

export const securityPolicy = z.object({
  /** Staff without a second factor set one up before anything else. */
  require_staff_two_factor: z.boolean(),
  version: z.int(),
});
export type SecurityPolicy = z.infer<typeof securityPolicy>;

const path = '/api/admin/system/security_policy';

export const securityPolicyEndpoints = {
  show: endpoint({ method: 'GET', path, auth: system, summary: 'The policy of signing in',
    response: one(securityPolicy.extend({ staff_without: z.int() })) }),
  update: endpoint({ method: 'PUT', path, auth: system, confirm: true, summary: 'Change the policy of signing in',
    body: z.strictObject({ version, require_staff_two_factor: z.boolean() }), response: one(securityPolicy) }),
};
