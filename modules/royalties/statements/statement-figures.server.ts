/** The figures of a calculated statement as columns of royalty_statements, in one order. */
import { toJson } from '#kernel/pricing/trace.ts';
import type { Statement } from '#kernel/royalties/statement-types.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { Assembled } from './statement-subjects.server.ts';

const COLUMNS = sql`opening_minor, earnings_minor, reserves_taken_minor, reserves_released_minor, adjustments_minor,
  available_minor, recouped_minor, top_up_minor, net_minor, vat_minor, agent_minor, expected_wht_minor, payable_minor,
  closing_unrecouped_minor, closing_reserve_minor, carried_reason, snapshot`;

export function statementFigures(s: Statement, assembled: Assembled): { columns: Sql; values: Sql } {
  const n = Number;
  const total = (list: readonly { amount_minor: bigint }[]): number =>
    n(list.reduce((all, one) => all + one.amount_minor, 0n));
  return { columns: COLUMNS, values: sql`${n(s.opening_minor)}::bigint, ${n(s.earnings_minor)}::bigint,
    ${total(s.reserves_taken)}::bigint, ${total(s.reserves_released)}::bigint, ${n(s.adjustments_minor)}::bigint,
    ${n(s.available_minor)}::bigint, ${total(s.recoupments)}::bigint, ${n(s.top_up_minor)}::bigint,
    ${n(s.net_minor)}::bigint, ${n(s.vat_paid_minor)}::bigint, ${n(s.agent_commission_minor)}::bigint,
    ${n(s.withholding_minor)}::bigint, ${n(s.payment_minor)}::bigint, ${n(s.closing_unrecouped_minor)}::bigint,
    ${n(s.closing_reserve_minor)}::bigint, ${s.carried_reason}::text,
    ${JSON.stringify(toJson({ ...s, withholding_reason: assembled.withholding_reason }))}::jsonb` };
}

export function isEmpty(s: Statement): boolean {
  return s.opening_minor === 0n && s.earnings_minor === 0n && s.reserves_taken.length === 0
    && s.reserves_released.length === 0 && s.adjustments_minor === 0n && s.top_up_minor === 0n;
}
