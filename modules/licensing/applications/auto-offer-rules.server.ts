/** Facts for the rules of an automatic offer (domain.md 2.11), for applications and for a customer's own amendment. */
import { autoOffer, type AutoOffer, type AutoOfferInput } from '#kernel/pricing/auto-offer.ts';
import type { Division } from '#kernel/money/division.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

/** Whether the division answers applications by itself (System, Divisions). */
export async function offersAutomatically(ctx: WorkContext, division: Division): Promise<boolean> {
  const row = await ctx.db.one<{ auto_offers: boolean }>(sql`
    select auto_offers from divisions where code = ${division}`);
  return row.auto_offers;
}

interface LimitRow { total_minor: number | null; performances: number; capacity: number; days_ahead: number }

/** The limits hold for amendments too, whether automatic offers are on or not. */
export async function autoOfferFor(
  ctx: WorkContext,
  input: { customer_id: number; division: Division }
    & Omit<AutoOfferInput, 'today' | 'customer_active' | 'customer_in_arrears' | 'limits'>,
): Promise<AutoOffer> {
  const { customer_id, division, ...facts } = input;
  const today = await ctx.today(division);
  const { total_minor, ...limits } = await ctx.db.one<LimitRow>(sql`
    select auto_offer_total_minor as total_minor, auto_offer_performances as performances,
      auto_offer_capacity as capacity, auto_offer_days_ahead as days_ahead
    from divisions where code = ${division}`);
  const customer = await ctx.db.one<{ status: string; credit_hold: boolean; arrears: boolean }>(sql`
    select status, credit_hold, exists (select 1 from invoices v where v.customer_id = c.id and v.kind = 'invoice'
      and v.status in ('issued', 'part_paid') and v.balance_minor > 0 and v.due_on < ${today}) as arrears
    from customers c where c.id = ${customer_id}`);
  return autoOffer({ ...facts, today, customer_active: customer.status === 'active',
    customer_in_arrears: customer.arrears || customer.credit_hold,
    limits: { ...limits, total_minor: total_minor === null ? null : BigInt(total_minor) } });
}
