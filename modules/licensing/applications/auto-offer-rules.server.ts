/** Facts for the rules of an offer at once (domain.md 2.11), for applications and for a customer's own amendment. */
import { autoOffer, type AutoOffer, type AutoOfferInput } from '#kernel/pricing/auto-offer.ts';
import type { Division } from '#kernel/money/division.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

/** Totals above these are looked at by a person; null switches offers at once off. Minor units of the division. */
export const TOTAL_LIMITS: Record<Division, bigint | null> = {
  US: 1_500_000n, UK: 1_000_000n, EU: 1_000_000n, PROD: null,
};

export async function autoOfferFor(
  ctx: WorkContext,
  input: { customer_id: number; division: Division }
    & Omit<AutoOfferInput, 'today' | 'customer_active' | 'customer_in_arrears' | 'total_limit_minor'>,
): Promise<AutoOffer> {
  const { customer_id, division, ...facts } = input;
  const today = await ctx.today(division);
  const customer = await ctx.db.one<{ status: string; credit_hold: boolean; arrears: boolean }>(sql`
    select status, credit_hold, exists (select 1 from invoices v where v.customer_id = c.id and v.kind = 'invoice'
      and v.status in ('issued', 'part_paid') and v.balance_minor > 0 and v.due_on < ${today}) as arrears
    from customers c where c.id = ${customer_id}`);
  return autoOffer({ ...facts, today, customer_active: customer.status === 'active',
    customer_in_arrears: customer.arrears || customer.credit_hold, total_limit_minor: TOTAL_LIMITS[division] });
}
