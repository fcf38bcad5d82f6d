/**
 * Confirming who you are: by password, code or passkey. Wrong answers are counted per person, on every replica
 * together.
 */
import { invalidField } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { limit } from '#server/rate-limit.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { verifyPassword } from '../session/password.server.ts';
import { confirmSession } from '../session/session.server.ts';
import { checkFactor, factorsOf, offered } from '../two-factor/factors.server.ts';
import { confirmationEndpoints, type Way } from './confirmation.contract.ts';

const MINUTE = 60;
const HOUR = 3600;

async function checkPassword(ctx: Ctx, password: string): Promise<void> {
  await limit(ctx, `confirm:${ctx.user.user_id}`, 5, MINUTE);
  await limit(ctx, `confirm-hour:${ctx.user.user_id}`, 30, HOUR);
  const row = await ctx.db.one<{ password_hash: string | null }>(sql`
    select password_hash from users where id = ${ctx.user.user_id}`);
  if (!(await verifyPassword(password, row.password_hash))) {
    ctx.ports.log('warn', 'confirmation refused', { request: ctx.actor.request_id, user: ctx.user.user_id });
    throw invalidField('password', 'The password is not right');
  }
}

async function waysOf(ctx: Ctx): Promise<Way[]> {
  const factors = await factorsOf(ctx, ctx.user.user_id);
  const own = offered(factors).filter((factor) => factor !== 'recovery_code');
  return [...own, 'password'];
}

export const confirmationRoutes: Route[] = serve(confirmationEndpoints, {
  async show(ctx) {
    return { confirmed: ctx.session?.confirmed ?? false, methods: await waysOf(ctx) };
  },
  async confirm(ctx, { body }) {
    const { user_id } = ctx.user;
    if (body.password === undefined) await checkFactor(ctx, user_id, { code: body.code, passkey: body.passkey });
    else await checkPassword(ctx, body.password);
    await confirmSession(ctx);
    await ctx.audit({ action: 'confirm_identity', entity: 'user', entity_id: user_id });
    return { confirmed: true };
  },
});
