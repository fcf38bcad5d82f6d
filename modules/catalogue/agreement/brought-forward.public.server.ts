/** Balances that agreements bring from former books: royalties posts them and says here what it posted. */
import type { WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';

/** Opening of an agreement as it was posted; `carried_minor` in the functional currency. */
export interface PostedBalance {
  agreement_id: number;
  on: string;
  transaction_id: number;
  carried_minor: bigint;
}

/** Notes the posting of what the agreement itself says it brings; the caller holds its row. */
export async function keepOpeningPosting(ctx: WorkContext, of: PostedBalance): Promise<void> {
  await ctx.db.exec(sql`
    update show_royaltors set opening_on = ${of.on}, opening_transaction_id = ${of.transaction_id},
      opening_carried_minor = ${of.carried_minor} where id = ${of.agreement_id}`);
}

/** Enters a balance that came with an opening set, and its posting. Not where the agreement has one already. */
export async function enterOpening(ctx: WorkContext, of: PostedBalance & { balance_minor: bigint }): Promise<void> {
  await ctx.db.exec(sql`
    update show_royaltors set opening_balance_minor = ${of.balance_minor}, opening_on = ${of.on},
      opening_transaction_id = ${of.transaction_id}, opening_carried_minor = ${of.carried_minor},
      version = version + 1
    where id = ${of.agreement_id} and opening_transaction_id is null`);
}

/** Takes back what {@link enterOpening} entered; its posting is reversed by the caller. */
export async function removeOpening(ctx: WorkContext, agreementId: number): Promise<void> {
  await ctx.db.exec(sql`
    update show_royaltors set opening_balance_minor = 0, opening_on = null, opening_transaction_id = null,
      opening_carried_minor = 0, version = version + 1 where id = ${agreementId}`);
}

/** Of an agreement `g`: what it brought into these books is posted and on no statement yet. */
export function openingIsDue(period: { period_to: string }): Sql {
  return sql`g.opening_transaction_id is not null and g.opening_statement_id is null
    and g.opening_on <= ${period.period_to}`;
}

/** Puts the openings due of an agreement or a group on a statement, in the division and currency that pay them. */
export async function putOpeningsOnStatement(ctx: WorkContext, of: {
  statement_id: number; show_royaltor_id: number | null; group_id: number | null; division: string; currency: string;
  period_to: string;
}): Promise<void> {
  await ctx.db.exec(sql`
    update show_royaltors g set opening_carried_minor = 0, opening_statement_id = ${of.statement_id}
    where (g.id = ${of.show_royaltor_id} or g.cross_collateral_group_id = ${of.group_id})
      and ${openingIsDue(of)} and g.payer_division = ${of.division} and g.currency = ${of.currency}`);
}
