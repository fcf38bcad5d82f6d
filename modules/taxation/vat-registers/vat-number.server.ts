/** The VAT number of a customer as its page shows it, and the look-up a person asks for. */
import { refuse } from '#kit/errors.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { limit } from '#server/rate-limit.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { checkVatNumber } from '../tax-service/vat-number.server.ts';
import { registerOf } from './ask-register.server.ts';
import { checkNumberOf } from './check-number.server.ts';
import { vatNumberEndpoints, type VatNumberCheckRow, type VatNumberState } from './vat-number.contract.ts';

const LOOK_UPS_PER_MINUTE = 30;
const SHOWN = 20;

interface Holder { vat_number: string | null; answer: VatNumberState['answer']; answered_at: string | null }

async function stateOf(ctx: Pick<WorkContext, 'db' | 'ports'>, id: number): Promise<VatNumberState> {
  const row = await ctx.db.maybeOne<Holder>(sql`
    select vat_number, vat_register_answer as answer, vat_checked_at as answered_at from customers
    where id = ${id} and deleted_at is null`);
  if (!row) throw refuse('not_found');
  const checks = await ctx.db.query<VatNumberCheckRow>(sql`
    select k.id, k.vat_number, k.register, k.answer, k.name, k.address, k.reference, k.problem, k.asked_at,
      u.first_name || ' ' || u.last_name as asked_by
    from vat_number_checks k left join users u on u.id = k.asked_by_id
    where k.customer_id = ${id} order by k.id desc limit ${SHOWN}`);
  const check = checkVatNumber(row.vat_number ?? '');
  return { vat_number: check.number === '' ? null : check.number, country_code: check.country_code,
    format_valid: check.format_valid, check_digit_valid: check.check_digit_valid,
    register: registerOf(ctx.ports.settings, check)?.name ?? null, answer: row.answer, answered_at: row.answered_at,
    proof_days: ctx.ports.settings.vat_registers.proof_days, checks };
}

export const vatNumberRoutes: Route[] = serve(vatNumberEndpoints, {
  show: async (ctx, { params }) => ({ data: await stateOf(ctx, params.id) }),
  async check(ctx: Ctx, { params }) {
    await stateOf(ctx, params.id);
    await limit(ctx, `VAT number ${ctx.user.user_id}`, LOOK_UPS_PER_MINUTE, 60);
    await checkNumberOf(ctx, params.id);
    return { data: await stateOf(ctx, params.id) };
  },
});
