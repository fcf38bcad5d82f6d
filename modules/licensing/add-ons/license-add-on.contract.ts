/**
 * Add-ons of a licence: what each entitles to, from when until when (domain.md 4), and which more a customer may ask
 * for. They are bought with the offer, or later by an amendment (`more_add_ons`).
 */
import * as z from 'zod';
import { customer, staff } from '#kit/auth.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { currencyCode } from '#kit/field.ts';
import { ENTITLEMENT_REFUSALS } from '#kernel/materials/download-access.ts';
import { ADD_ON_KINDS, PRICING_MODELS } from '#modules/catalogue/add-on/add-on.contract.ts';

export const licenseAddOn = z.object({
  add_on_id: z.int(), name: z.string(), kind: z.enum(ADD_ON_KINDS), pricing_model: z.enum(PRICING_MODELS),
  /** Users, weeks or performances, by the pricing model; 1 where it is bought once. */
  quantity: z.int(),
  opens_on: z.string().nullable(), closes_on: z.string().nullable(),
  /** Of what a stream takes, where that is how it is paid; else null. */
  share_ppm: z.int().nullable(), currency: currencyCode,
  /** Why it may not be used now, in words; both null where it may. */
  refusal: z.enum(ENTITLEMENT_REFUSALS).nullable(), reason: z.string().nullable(),
  /** Files that it brings: they stand among the files of the licence. */
  files: z.int(),
  terms_text: z.string(), mandatory_program_text: z.string(),
});
export type LicenseAddOn = z.infer<typeof licenseAddOn>;

const offeredAddOn = z.object({
  add_on_id: z.int(), name: z.string(), kind: z.enum(ADD_ON_KINDS), pricing_model: z.enum(PRICING_MODELS),
  description: z.string(), terms_text: z.string(),
  /** For one: a user, a week, a performance, or all of it. Null: a share of what the stream takes. */
  price_minor: z.int().nullable(), share_ppm: z.int().nullable(), currency: currencyCode,
  /** Staff decide: the rights holder has to be asked. */
  needs_clearance: z.boolean(),
});
export type OfferedAddOn = z.infer<typeof offeredAddOn>;

export const licenseAddOnEndpoints = {
  list: endpoint({ method: 'GET', path: '/api/admin/staff/licenses/{licenseId}/add_ons', auth: staff('license.show'),
    summary: 'Add-ons of a licence, and until when each may be used', response: all(licenseAddOn) }),
};

export const portalLicenseAddOnEndpoints = {
  list: endpoint({ method: 'GET', path: '/api/customers/{id}/licenses/{licenseId}/add_ons', auth: customer(),
    summary: 'Add-ons of a production, and those that it may have besides',
    response: one(z.object({ held: z.array(licenseAddOn), offered: z.array(offeredAddOn) })) }),
};
