/**
 * Acting for a customer. The session stays the administrator's own; beside it stands the customer, so every audit row
 * names both. The gates give the intersection of the rights: portal calls of that one customer, no staff call, no money
 * and no signature (#server/gates.ts). The token changes at both ends: whoever copied the old one gains nothing.
 */
import { invalidField, refuse } from '#kit/errors.ts';
import { writeAudit } from '#server/audit.ts';
import type { Ctx } from '#server/context.ts';
import { serve } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { renewToken } from '../session/session.server.ts';
import { ACTING_MINUTES, actingEndpoints } from './acting.contract.ts';

async function start(ctx: Ctx, customerId: number): Promise<{ customer: { id: number; name: string }; until: string }> {
  if (ctx.user.role !== 'system_admin') throw refuse('forbidden');
  const customer = await ctx.db.maybeOne<{ id: number; name: string }>(sql`
    select id, name from customers where id = ${customerId} and deleted_at is null`);
  if (!customer) throw invalidField('customer_id', 'This customer does not exist');
  const until = new Date(ctx.now().getTime() + ACTING_MINUTES * 60_000).toISOString();
  await ctx.db.exec(sql`
    update sessions set acting_customer_id = ${customer.id}, acting_until = ${until}
    where id = ${ctx.user.session_id}`);
  await renewToken(ctx);
  await writeAudit(ctx.db, { ...ctx.actor, on_behalf_of_customer_id: customer.id },
    { action: 'act_for', entity: 'customer', entity_id: customer.id, after: { until } });
  return { customer, until };
}

async function stop(ctx: Ctx): Promise<{ stopped: boolean }> {
  const acting = ctx.user.acting_customer_id;
  if (acting === null) return { stopped: false };
  await ctx.db.exec(sql`
    update sessions set acting_customer_id = null, acting_until = null where id = ${ctx.user.session_id}`);
  await renewToken(ctx);
  await ctx.audit({ action: 'stop_acting', entity: 'customer', entity_id: acting });
  return { stopped: true };
}

export const actingRoutes = serve(actingEndpoints, {
  start: async (ctx, { body }) => ({ data: await start(ctx, body.customer_id) }),
  stop: async (ctx) => ({ data: await stop(ctx) }),
});
