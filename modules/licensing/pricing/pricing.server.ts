/** Calls about prices. Everything that changes a price changes a draft; the rest is an amendment. */
import type { Division } from '#kernel/money/division.ts';
import { conflict, refuse } from '#kit/errors.ts';
import { serve } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { draftChanged, requireDraft } from '../licenses/change-draft.server.ts';
import { refreshChecklist } from '../checklist/refresh-checklist.server.ts';
import { writeLicenseEvent } from '../licenses/license-event.server.ts';
import { lockLicense } from '../licenses/license-record.server.ts';
import { chargeChoicesOf, previewChange, wishedDiscount } from './preview-change.server.ts';
import { previewPrice } from './preview-price.server.ts';
import { publicPrice, storedPriceOf } from './price-answer.server.ts';
import { priceLicense, discountNeedsApproval } from './price-license.server.ts';
import { pricingEndpoints } from './pricing.contract.ts';

export const pricingRoutes = serve(pricingEndpoints, {
  async preview(ctx, { body }) {
    const { discount, negotiated, customer_id, customer_classification_id, ...input } = body;
    return { data: await previewPrice(ctx, {
      ...input, customer_id: customer_id ?? null, classification_id: customer_classification_id ?? null,
      discount: discount ? wishedDiscount(discount) : null,
      negotiated: negotiated ?? null,
    }) };
  },
  async customerPreview(ctx, { params, body }) {
    const customer = await ctx.db.maybeOne<{ default_division: Division; kind: string;
      default_currency: 'USD' | 'EUR' | 'GBP'; classification_id: number | null }>(sql`
      select c.default_division, c.kind, c.default_currency,
        (select min(m.customer_classification_id) from customer_customer_classifications m
          where m.customer_id = c.id having count(*) = 1) as classification_id
      from customers c where c.id = ${params.id} and c.deleted_at is null`);
    if (!customer) throw refuse('not_found');
    const own = body.division === undefined || body.division === customer.default_division;
    const answer = await previewPrice(ctx, { ...body, division: body.division ?? customer.default_division,
      currency: own ? customer.default_currency : undefined, customer_id: params.id,
      category: body.category ?? (customer.kind === 'professional' ? 'Pro' : 'Amateur'),
      classification_id: customer.classification_id });
    return { data: publicPrice(answer) };
  },
  async price(ctx, { params, body }) {
    const license = await lockLicense(ctx.db, params.licenseId, body.version);
    requireDraft(license);
    await priceLicense(ctx, license.id);
    await draftChanged(ctx, license.id, { action: 'price' });
    return { data: await storedPriceOf(ctx, license.id) };
  },
  async trace(ctx, { params }) {
    return { data: await storedPriceOf(ctx, params.licenseId) };
  },
  async discount(ctx, { params, body }) {
    const license = await lockLicense(ctx.db, params.licenseId, body.version);
    requireDraft(license);
    const given = body.discount;
    await ctx.db.exec(sql`
      update licenses set discount_type = ${given?.type ?? null}, discount_ppm = ${given?.ppm ?? null},
        discount_amount_minor = ${given?.amount_minor ?? null}, discount_reason = ${given?.reason ?? null},
        discount_approved_by_id = null where id = ${license.id}`);
    await draftChanged(ctx, license.id, { action: given ? 'discount' : 'remove_discount', after: given,
      reason: given?.reason });
    return { data: await storedPriceOf(ctx, license.id) };
  },
  async approveDiscount(ctx, { params, body }) {
    const license = await lockLicense(ctx.db, params.licenseId, body.version);
    requireDraft(license);
    if (!discountNeedsApproval(license)) {
      throw conflict('license.nothing_to_approve', 'There is no discount that waits for a second person.');
    }
    const giver = await ctx.db.maybeOne<{ actor_id: number | null }>(sql`
      select actor_id from license_events where license_id = ${license.id} and event = 'discount'
      order by id desc limit 1`);
    if (giver?.actor_id === ctx.user.user_id) {
      throw refuse('four_eyes', 'Another person than the one who gave the discount approves it.');
    }
    const { version } = await ctx.db.one<{ version: number }>(sql`
      update licenses set discount_approved_by_id = ${ctx.user.user_id}, version = version + 1
      where id = ${license.id} returning version`);
    await writeLicenseEvent(ctx, { license_id: license.id, event: 'approve_discount', version });
    await ctx.audit({ action: 'approve_discount', entity: 'license', entity_id: license.id });
    await refreshChecklist(ctx, license.id);
    return { data: await storedPriceOf(ctx, license.id) };
  },
  async negotiate(ctx, { params, body }) {
    const license = await lockLicense(ctx.db, params.licenseId, body.version);
    requireDraft(license);
    const deal = body.negotiated;
    const terms = deal ? { negotiated_fee_minor: deal.fee_per_performance_minor } : null;
    await ctx.db.exec(sql`
      update licenses set fee_method = ${deal ? 'negotiated' : null}, negotiated_reason = ${deal?.reason ?? null},
        fee_terms = ${terms ? JSON.stringify(terms) : null} where id = ${license.id}`);
    await draftChanged(ctx, license.id, { action: deal ? 'negotiate_fee' : 'use_rate_card', after: deal,
      reason: deal?.reason });
    return { data: await storedPriceOf(ctx, license.id) };
  },
  async charges(ctx, { params, body }) {
    const license = await lockLicense(ctx.db, params.licenseId, body.version);
    requireDraft(license);
    const { version: _version, reason, ...selection } = body;
    await draftChanged(ctx, license.id, { action: 'choose_charges', after: selection, selection, reason });
    return { data: await storedPriceOf(ctx, license.id) };
  },
  chargeChoices: async (ctx, { params }) => ({ data: await chargeChoicesOf(ctx, params.licenseId) }),
  previewChange: async (ctx, { params, body }) => ({ data: await previewChange(ctx, params.licenseId, body) }),
});
