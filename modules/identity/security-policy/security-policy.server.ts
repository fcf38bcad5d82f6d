/** The policy of signing in: one row, read with every session and changed by a system administrator. */
import { conflict } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { securityPolicyEndpoints, type SecurityPolicy } from './security-policy.contract.ts';

export async function readSecurityPolicy(db: Queryable): Promise<SecurityPolicy> {
  return db.one<SecurityPolicy>(sql`select require_staff_two_factor, version from security_policy`);
}

/**
 * Changes the policy; it holds on everyone's next request. Who demands a second factor has one, so that the house is
 * never locked out of its own settings. Throws 409 `two_factor.own_first`, 412 for an older version.
 */
export async function changeSecurityPolicy(ctx: Ctx, input: SecurityPolicy): Promise<SecurityPolicy> {
  const before = await ctx.db.one<SecurityPolicy>(sql`
    select require_staff_two_factor, version from security_policy for update`);
  if (before.version !== input.version) throw stale({ ...before });
  if (input.require_staff_two_factor) {
    const own = await ctx.db.one<{ has: boolean }>(sql`select has_two_factor(${ctx.user.user_id}) as has`);
    if (!own.has) throw conflict('two_factor.own_first', 'Set up your own two-factor sign-in first.');
  }
  const after = await ctx.db.one<SecurityPolicy>(sql`
    update security_policy set require_staff_two_factor = ${input.require_staff_two_factor}, version = version + 1,
      updated_at = ${ctx.now().toISOString()} returning require_staff_two_factor, version`);
  await ctx.audit({ action: 'update', entity: 'security_policy', entity_id: null, before, after });
  return after;
}

/** Staff that the policy would lead to the set-up page. */
async function countWithout(db: Queryable): Promise<number> {
  const row = await db.one<{ people: number }>(sql`
    select count(*)::int as people from users
    where role in ('staff_user', 'staff_admin', 'system_admin') and disabled_at is null and not has_two_factor(id)`);
  return row.people;
}

export const securityPolicyRoutes: Route[] = serve(securityPolicyEndpoints, {
  async show(ctx) {
    return { data: { ...await readSecurityPolicy(ctx.db), staff_without: await countWithout(ctx.db) } };
  },
  update: async (ctx, { body }) => ({ data: await changeSecurityPolicy(ctx, body) }),
});
