/** A draft with other charges, discount or fee, worked out and not stored; and what could be chosen for it. */
import type * as z from 'zod';
import { PriceError } from '#kernel/pricing/price-error.ts';
import type { Discount } from '#kernel/pricing/price-types.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { findLicense } from '../license-record.server.ts';
import { computePrice, NoRateError, type PriceQuestion } from './compute-price.server.ts';
import { priceAnswerOf, unpriced } from './price-answer.server.ts';
import { packageOf, selectionOf, type Selection } from './price-charges.server.ts';
import { licenseQuestion } from './price-license.server.ts';
import { promiseOfPrice } from './promise.server.ts';
import type { ChargeChoices, discountInput, negotiatedInput, PriceAnswer } from './pricing.contract.ts';

type DiscountInput = z.infer<typeof discountInput>;

export function wishedDiscount(given: DiscountInput): Discount {
  const common = { reason: given.reason, approved_by: '' };
  return given.type === 'percent' ? { kind: 'percent', ppm: BigInt(given.ppm ?? 0), ...common }
    : { kind: 'amount', amount_minor: BigInt(given.amount_minor ?? 0), ...common };
}

export interface PriceChange {
  charges?: Selection | undefined;
  /** null takes it away, absent leaves it. */
  discount?: DiscountInput | null | undefined;
  negotiated?: z.infer<typeof negotiatedInput> | null | undefined;
}

export async function previewChange(ctx: WorkContext, licenseId: number, wish: PriceChange): Promise<PriceAnswer> {
  const license = await findLicense(ctx.db, licenseId);
  const change: Partial<PriceQuestion> = {
    ...(wish.discount === undefined ? {} : { discount: wish.discount ? wishedDiscount(wish.discount) : null }),
    ...(wish.negotiated === undefined ? {} : { negotiated: wish.negotiated }),
  };
  try {
    const question = { ...await licenseQuestion(ctx, license, wish.charges), ...change };
    const computed = await computePrice(ctx.db, question);
    return priceAnswerOf(computed, await promiseOfPrice(ctx.db, computed, question), license.division);
  } catch (error) {
    if (error instanceof PriceError || error instanceof NoRateError) {
      return unpriced(license.currency, error.code, error.message);
    }
    throw error;
  }
}

export async function chargeChoicesOf(ctx: WorkContext, licenseId: number): Promise<ChargeChoices> {
  const license = await findLicense(ctx.db, licenseId);
  const card = license.rate_card_id === null ? null : await ctx.db.maybeOne<{ show_package_id: number | null }>(sql`
    select show_package_id from rate_cards where id = ${license.rate_card_id}`);
  const pack = await packageOf(ctx.db, { ...license, show_package_id: card?.show_package_id ?? null });
  const add_ons = await ctx.db.query<ChargeChoices['add_ons'][number]>(sql`
    select id, name, pricing_model, price_minor, rate_ppm as share_ppm from (
      select a.*, case ${license.currency}::text when 'USD' then price_usd_minor when 'EUR' then price_eur_minor
        else price_gbp_minor end as price_minor from add_ons a
      where a.show_id = ${license.show_id} and a.deleted_at is null and a.active
        and ${license.division} = any (a.divisions)
        and (cardinality(a.categories) = 0 or ${license.category} = any (a.categories))
        and (${license.first_performance_on}::date is null
          or ${license.first_performance_on}::date between coalesce(a.available_from, '-infinity')
            and coalesce(a.available_to, 'infinity')
          or exists (select 1 from license_charges c where c.license_id = ${licenseId} and c.add_on_id = a.id))) offered
    where price_minor is not null or rate_ppm is not null order by name collate "und-x-icu", id`);
  return { currency: license.currency, selection: await selectionOf(ctx.db, licenseId), package: pack, add_ons };
}
