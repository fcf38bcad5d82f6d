/** Prices: previews that store nothing, stored prices and "How this was calculated" (domain.md 2.11). */
import * as z from 'zod';
import { declineBody } from '#kit/approval.ts';
import { customer, staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, positiveMinor, version } from '#kit/field.ts';
import { venueInputs } from '../venues/license-venue.contract.ts';

export const CATEGORIES = ['Amateur', 'Pro'] as const;

export const traceStep = z.object({
  step: z.string(), rule_id: z.string(), label: z.string(), formula: z.string(), result_minor: z.int(),
  /** The percentage that was taken, where the step takes one; prices frozen before steps named it have none. */
  rate_ppm: z.int().nullable().default(null),
});
/** Pricing step as shown to customers: words and amounts, no rate card rules. */
export const publicStep = z.object({ label: z.string(), formula: z.string(), result_minor: z.int() });

export const priceLine = z.object({
  key: z.string(), kind: z.string(), label: z.string(), quantity: z.int(), unit_minor: z.int().nullable(),
  net_minor: z.int(), tax_minor: z.int(), total_minor: z.int(), tax_rate_ppm: z.int(), tax_reason: z.string(),
});
export const priceTotals = z.object({
  gross_royalty_minor: z.int(), discount_minor: z.int(), royalty_minor: z.int(), charges_minor: z.int(),
  net_minor: z.int(), tax_minor: z.int(), total_minor: z.int(), security_deposit_minor: z.int(),
  on_account_deposit_minor: z.int(), due_minor: z.int(),
});
export const taxSummary = z.object({
  code: z.string(), jurisdiction: z.string(), rate_ppm: z.int(), base_minor: z.int(), tax_minor: z.int(),
  reason: z.string(),
});
export const planRow = z.object({
  label: z.string(), due_event: z.string(), due_on: z.string().nullable(), amount_minor: z.int(),
  line_kinds: z.array(z.string()), is_deposit: z.boolean(),
});
const venuePrice = z.object({
  name: z.string(), number_of_performances: z.int(), seats: z.int(), capacity_gross_minor: z.int(),
  weighted_gross_minor: z.int(), weighted_avg_price_minor: z.int(), unit_fee_minor: z.int().nullable(),
  royalty_minor: z.int(),
});

/** Breakdown of a price as printed on papers: every row re-adds, and a block's rows sum to its net. */
export const priceBlock = z.object({ kind: z.string(), label: z.string(),
  rows: z.array(z.object({ kind: z.string(), label: z.string(), quantity: z.int().nullable(),
    unit_minor: z.int().nullable(), amount_minor: z.int() })),
  net_minor: z.int(), tax_minor: z.int(),
  /** Places of its lines. */
  lines: z.array(z.int()) });
export type PriceBlockRow = z.infer<typeof priceBlock>;
/** The percentage that follows the takings; null where the price is the whole price. */
export const promiseAnswer = z.object({
  /** 'USD 2,000.00 on signing, plus 11% of gross' */
  headline: z.string(),
  /** '11% of gross' */
  rate: z.string(), now_minor: z.int(),
  facts: z.array(z.object({ label: z.string(), text: z.string() })),
});
export type PromiseAnswer = z.infer<typeof promiseAnswer>;

/** `priced` false: no price can be made yet; `message` says what is missing, the lists are empty, the totals zero. */
export const priceAnswer = z.object({
  priced: z.boolean(),
  message: z.string().nullable(),
  code: z.string().nullable(),
  currency: currencyCode,
  rate_card_id: z.int().nullable(),
  venues: z.array(venuePrice),
  lines: z.array(priceLine),
  rows: z.array(priceBlock),
  promise: promiseAnswer.nullable(),
  totals: priceTotals,
  tax: z.array(taxSummary),
  payment_plan: z.array(planRow),
  problems: z.array(z.string()),
  trace: z.array(traceStep),
});
export type PriceAnswer = z.infer<typeof priceAnswer>;
export const publicPriceAnswer = priceAnswer.omit({ rate_card_id: true, trace: true })
  .extend({ explanation: z.array(publicStep.extend({ rate_ppm: traceStep.shape.rate_ppm })) });

export const addOnChoice = z.strictObject({ add_on_id: id, quantity: z.int().min(1).max(10_000).default(1) });

const previewBody = {
  show_id: id,
  category: z.enum(CATEGORIES),
  license_venues: venueInputs,
  add_ons: z.array(addOnChoice).max(50).optional(),
  /** Adds the right to film or to stream, as the show sells it, unless one of that kind is among the add-ons. */
  needs_video: z.boolean().optional(),
  needs_streaming: z.boolean().optional(),
  /** Hire of the show's package for this division; false leaves it out. Extra periods beyond the included ones. */
  with_package: z.boolean().default(true),
  extra_periods: z.int().min(0).max(120).default(0),
};

export const discountInput = z.strictObject({
  type: z.enum(['amount', 'percent']),
  ppm: z.int().min(1, 'Enter the discount').max(1_000_000, 'At most 100%').optional(),
  amount_minor: positiveMinor.min(1).optional(),
  /** In the customer's words: it is printed on the offer. */
  reason: z.string().trim().min(1, 'Say why the discount is given').max(1000),
  /** For staff alone: on no paper, mail or portal page. */
  internal_reason: z.string().trim().max(1000).default(''),
}).refine((d) => (d.type === 'percent' ? d.ppm !== undefined && d.amount_minor === undefined
  : d.amount_minor !== undefined && d.ppm === undefined), 'Give the percentage or the amount, as the type says');

/** A deal that replaces the rate card; amounts per performance. null goes back to the card. */
export const negotiatedInput = z.strictObject({
  reason: z.string().trim().min(1, 'Say why the fee is negotiated').max(1000),
  fee_per_performance_minor: positiveMinor,
});

export const storedPrice = z.object({
  license_id: z.int(),
  currency: currencyCode,
  fee_method: z.string().nullable(),
  rate_card_id: z.int().nullable(),
  negotiated_reason: z.string().nullable(),
  discount: z.object({ type: z.string(), ppm: z.int().nullable(), amount_minor: z.int().nullable(), reason: z.string(),
    internal_reason: z.string(), given_by_id: z.int().nullable(), given_by_name: z.string().nullable(),
    approved_by_id: z.int().nullable(), approved_by_name: z.string().nullable(),
    needs_approval: z.boolean() }).nullable(),
  priced_at: z.string().nullable(),
  lines: z.array(priceLine.extend({ id: z.int(), license_venue_id: z.int().nullable(), origin: z.string(),
    add_on_id: z.int().nullable(), show_package_id: z.int().nullable(), invoiced_net_minor: z.int() })),
  rows: z.array(priceBlock),
  promise: promiseAnswer.nullable(),
  totals: z.object({ royalty_minor: z.int(), materials_minor: z.int(), tax_minor: z.int(), deposit_minor: z.int(),
    /** Held beside the price and given back; no part of the total. A deposit on account is a part of it. */
    security_deposit_minor: z.int(),
    grand_total_minor: z.int(), invoiced_minor: z.int(), paid_minor: z.int(), balance_minor: z.int() }),
  payment_plan: z.array(planRow.extend({ id: z.int(), status: z.string() })),
  trace: z.array(traceStep),
  version: z.int(),
});
export type StoredPrice = z.infer<typeof storedPrice>;

/** Charges besides the royalty; prices come from the catalog. */
const selectionInput = {
  with_package: z.boolean(), extra_periods: z.int().min(0).max(120), add_ons: z.array(addOnChoice).max(50),
  fees: z.array(z.strictObject({ description: z.string().trim().min(1, 'Say what the fee is for').max(200),
    amount_minor: positiveMinor })).max(20),
};
/** Current selection of a license, and the choices open to it by its show, division and currency. */
export const chargeChoices = z.object({
  currency: currencyCode,
  selection: z.object({ with_package: z.boolean(), extra_periods: z.int(),
    add_ons: z.array(z.object({ add_on_id: z.int(), quantity: z.int() })),
    fees: z.array(z.object({ description: z.string(), amount_minor: z.int() })) }),
  package: z.object({ name: z.string(), price_minor: z.int(), included_period_count: z.int(), period_unit: z.string(),
    extra_period_price_minor: z.int(), shipping_minor: z.int() }).nullable(),
  /** One paid by a share of a stream's gross has no price but the share. */
  add_ons: z.array(z.object({ id: z.int(), name: z.string(), pricing_model: z.string(), price_minor: z.int().nullable(),
    share_ppm: z.int().nullable() })),
});
export type ChargeChoices = z.infer<typeof chargeChoices>;

const base = '/api/admin/staff/licenses/{licenseId}';

export const pricingEndpoints = {
  preview: endpoint({ method: 'POST', path: '/api/admin/staff/price_preview', auth: staff('license.show'),
    summary: 'Price estimate; stores nothing', readOnly: true,
    body: z.strictObject({ ...previewBody, division: divisionCode, currency: currencyCode.optional(),
      customer_id: id.nullable().optional(), customer_classification_id: id.nullable().optional(),
      discount: discountInput.nullable().optional(), negotiated: negotiatedInput.nullable().optional() }),
    response: one(priceAnswer) }),
  customerPreview: endpoint({ method: 'POST', path: '/api/customers/{id}/price_preview', auth: customer(),
    summary: 'Live estimate; stores nothing', readOnly: true,
    body: z.strictObject({ ...previewBody, category: z.enum(CATEGORIES).optional(),
      division: divisionCode.optional() }),
    response: one(publicPriceAnswer) }),
  price: endpoint({ method: 'POST', path: `${base}/price`, auth: staff('license.update'),
    summary: 'Price a draft with the current rate card and store the calculation', body: z.strictObject({ version }),
    response: one(storedPrice) }),
  trace: endpoint({ method: 'GET', path: `${base}/price_trace`, auth: staff('license.show'),
    summary: 'The stored price and how it was calculated', response: one(storedPrice) }),
  discount: endpoint({ method: 'PUT', path: `${base}/discount`, auth: staff('license.update'),
    summary: 'Set or remove the discount of a draft; above 10% a second person approves',
    body: z.strictObject({ version, discount: discountInput.nullable() }), response: one(storedPrice) }),
  approveDiscount: endpoint({ method: 'PUT', path: `${base}/discount/approve`, auth: staff('license.update'),
    summary: 'Approve the discount another person gave', body: z.strictObject({ version }),
    response: one(storedPrice) }),
  declineDiscount: endpoint({ method: 'PUT', path: `${base}/discount/decline`, auth: staff('license.update'),
    summary: 'Decline the discount another person gave: it is removed', body: declineBody,
    response: one(storedPrice) }),
  negotiate: endpoint({ method: 'PUT', path: `${base}/negotiated_fee`, auth: staff('license.update'),
    summary: 'Replace the rate card of a draft by a negotiated fee, or go back to the card',
    body: z.strictObject({ version, negotiated: negotiatedInput.nullable() }), response: one(storedPrice) }),
  charges: endpoint({ method: 'PUT', path: `${base}/charges`, auth: staff('license.update'),
    summary: 'Choose package, extra periods, add-ons and fees of a draft',
    body: z.strictObject({ version, ...selectionInput, reason: z.string().trim().max(1000).default('') }),
    response: one(storedPrice) }),
  chargeChoices: endpoint({ method: 'GET', path: `${base}/charges`, auth: staff('license.show'),
    summary: 'Charges of a licence in addition to the royalty, and add-ons it can have',
    response: one(chargeChoices) }),
  previewChange: endpoint({ method: 'POST', path: `${base}/price_preview`, auth: staff('license.show'), readOnly: true,
    summary: 'Price of a draft with other charges, discount or fee; stores nothing',
    body: z.strictObject({ charges: z.strictObject(selectionInput).optional(),
      discount: discountInput.nullable().optional(), negotiated: negotiatedInput.nullable().optional() }),
    response: one(priceAnswer) }),
};
