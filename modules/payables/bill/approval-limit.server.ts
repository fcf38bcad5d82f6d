/** Up to which amount a bill is approved by anybody who may, and what the vendor's unpaid bills come to. */
import { atRate } from '#kernel/money/exchange.ts';
import type { Currency } from '#kernel/money/money.ts';
import { rateOn } from '#modules/accounting/accounting.public.server.ts';
import { vendorAndMerged } from '#modules/operations/operations.public.server.ts';
import { houseSetting, type HouseSetting } from '#server/house-settings.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

export interface Exposure {
  functional_currency: Currency;
  /** Unpaid bills of the vendor in the division, submitted or approved, in functional currency. */
  unpaid_minor: number;
  limit_minor: number;
}

const LIMITS: Readonly<Record<string, HouseSetting>> = {
  US: 'bill_limit_us', EU: 'bill_limit_eu', UK: 'bill_limit_uk', PROD: 'bill_limit_prod',
};

/**
 * All unpaid bills of one vendor count as one total, so that a bill in two parts meets the same limit. A bill without
 * a rate counts one to one.
 */
export async function exposureOf(
  ctx: Pick<WorkContext, 'db'>, of: { division: string; vendor_id: number; on: string },
): Promise<Exposure> {
  const { functional } = await ctx.db.one<{ functional: Currency }>(sql`
    select functional_currency as functional from divisions where code = ${of.division}`);
  const sums = await ctx.db.query<{ currency: Currency; minor: number }>(sql`
    select currency, sum(case state when 'submitted' then total_minor else open_minor end)::bigint as minor
    from bill_list where vendor_id in ${vendorAndMerged(of.vendor_id)} and division = ${of.division} and kind = 'bill'
      and deleted_at is null and state in ('submitted', 'approved', 'part_paid') group by currency order by currency`);
  let unpaid = 0n;
  for (const { currency, minor } of sums) {
    const rate = currency === functional ? null : await rateOn(ctx.db, currency, functional, of.on);
    unpaid += rate === null ? BigInt(minor) : atRate(BigInt(minor), rate.rate);
  }
  return { functional_currency: functional, unpaid_minor: Number(unpaid),
    limit_minor: Number(await houseSetting(ctx.db, LIMITS[of.division]!)) * 100 };
}
