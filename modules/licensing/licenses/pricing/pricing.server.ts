/** Calls about prices. Everything that changes a price changes a draft; the rest is an amendment. */
import { licenseAddress } from '#kernel/licensing/license-address.ts';
import type { Division } from '#kernel/money/division.ts';
import { conflict, refuse } from '#kit/errors.ts';
import { notifyApprovers, notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { serve } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { draftChanged, requireDraft } from '../quote/change-draft.server.ts';
import { refreshChecklist } from '../../checklist/refresh-checklist.server.ts';
import { writeLicenseEvent } from '../phase/license-event.server.ts';
import { findLicense, lockLicense, type License } from '../license-record.server.ts';
import { chargeChoicesOf, previewChange, wishedDiscount } from './preview-change.server.ts';
import { previewPrice } from './preview-price.server.ts';
import { answerPrices } from './requested-add-ons.server.ts';
import { discountGiver, publicPrice, storedPriceOf } from './price-answer.server.ts';
import { discountNeedsApproval } from './price-license.server.ts';
import { pricingEndpoints } from './pricing.contract.ts';

const priceTab = (license: License): string => `${licenseAddress(license)}/price`;

async function tellOfDiscount(ctx: Ctx, licenseId: number): Promise<void> {
  const license = await findLicense(ctx.db, licenseId);
  if (!discountNeedsApproval(license)) return;
  await notifyApprovers(ctx, pricingEndpoints.approveDiscount, { href: priceTab(license),
    title: `Discount awaits approval: ${license.title_on_license}`,
    body: license.discount_internal_reason || license.discount_reason || '' });
}

/** The locked licence with a discount that waits, whose giver is another person than the caller. */
async function lockWaiting(ctx: Ctx, id: number, version: number): Promise<{ license: License; giver: number | null }> {
  const license = await lockLicense(ctx.db, id, version);
  requireDraft(license);
  if (!discountNeedsApproval(license)) {
    throw conflict('license.nothing_to_approve', 'No discount is waiting for approval.');
  }
  const giver = await discountGiver(ctx, license.id);
  if (giver?.id === ctx.user.user_id) {
    throw refuse('four_eyes', 'Someone other than the person who gave the discount has to approve it.');
  }
  return { license, giver: giver?.id ?? null };
}

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
    await draftChanged(ctx, license.id, { action: 'price', must_price: true });
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
        discount_internal_reason = ${given?.internal_reason ?? ''}, discount_approved_by_id = null
      where id = ${license.id}`);
    await draftChanged(ctx, license.id, { action: given ? 'discount' : 'remove_discount', after: given,
      reason: given?.reason });
    await tellOfDiscount(ctx, license.id);
    return { data: await storedPriceOf(ctx, license.id) };
  },
  async approveDiscount(ctx, { params, body }) {
    const { license, giver } = await lockWaiting(ctx, params.licenseId, body.version);
    const { version } = await ctx.db.one<{ version: number }>(sql`
      update licenses set discount_approved_by_id = ${ctx.user.user_id}, version = version + 1
      where id = ${license.id} returning version`);
    await writeLicenseEvent(ctx, { license_id: license.id, event: 'approve_discount', version });
    await ctx.audit({ action: 'approve_discount', entity: 'license', entity_id: license.id });
    await refreshChecklist(ctx, license.id);
    await notifyAsker(ctx, giver, { title: `Discount approved: ${license.title_on_license}`, href: priceTab(license) });
    return { data: await storedPriceOf(ctx, license.id) };
  },
  async declineDiscount(ctx, { params, body }) {
    const { license, giver } = await lockWaiting(ctx, params.licenseId, body.version);
    await ctx.db.exec(sql`
      update licenses set discount_type = null, discount_ppm = null, discount_amount_minor = null,
        discount_reason = null, discount_internal_reason = '' where id = ${license.id}`);
    await draftChanged(ctx, license.id, { action: 'decline_discount', after: { reason: body.reason } });
    await notifyAsker(ctx, giver, { title: `Discount declined: ${license.title_on_license}`, body: body.reason,
      href: priceTab(license) });
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
    await answerPrices(ctx, license.id, selection.fees);
    return { data: await storedPriceOf(ctx, license.id) };
  },
  chargeChoices: async (ctx, { params }) => ({ data: await chargeChoicesOf(ctx, params.licenseId) }),
  previewChange: async (ctx, { params, body }) => ({ data: await previewChange(ctx, params.licenseId, body) }),
});
