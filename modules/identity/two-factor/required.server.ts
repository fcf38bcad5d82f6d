/** Whether the house demands a second factor of somebody (the policy of identity.public.server.ts). */
import { STAFF_ROLES, type Role } from '#kit/auth.ts';
import { conflict } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { readSecurityPolicy } from '../security-policy/security-policy.server.ts';

export async function isRequired(ctx: Ctx, role: Role): Promise<boolean> {
  if (!STAFF_ROLES.some((one) => one === role)) return false;
  return (await readSecurityPolicy(ctx.db)).require_staff_two_factor;
}

/** The last factor stays where the house demands one (X176). */
export async function refuseIfLast(ctx: Ctx, last: boolean): Promise<void> {
  if (last && await isRequired(ctx, ctx.user.role)) {
    throw conflict('two_factor.required',
      'The house demands two-factor sign-in of its staff. Set up another way first, then remove this one.');
  }
}
