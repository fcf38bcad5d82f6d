/** Terms of a licence, structured: rights, limits, billing, reporting (domain.md 6.3). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { isoDate, positiveMinor, version } from '#kit/field.ts';

const text = (max = 2000) => z.string().trim().max(max);
const percent = z.int().min(0).max(1_000_000);
export const RIGHTS = ['stage', 'stream_live', 'stream_scheduled', 'stream_on_demand', 'video_archival', 'concert',
  'excerpt'] as const;

export const billingLine = z.strictObject({
  text: text(300).min(1, 'The text is required'), role: text(120).default(''),
  percent_of_title_ppm: z.int().min(0).max(2_000_000).default(500_000),
  placement: z.enum(['above', 'below', 'program_only']).default('below'), logo_required: z.boolean().default(false),
});
export const termsFields = {
  rights_granted: z.array(z.enum(RIGHTS)).min(1, 'Choose at least one right'),
  language: text(60), territory: text(300), exclusive: z.boolean(),
  exclusivity_radius_km: z.int().min(0).max(20_040).nullable(),
  exclusive_from: isoDate.nullable(), exclusive_to: isoDate.nullable(),
  max_performances: z.int().min(1).max(100_000).nullable(), average_seat_cap: z.int().min(1).max(200_000).nullable(),
  ticket_price_cap_minor: positiveMinor.nullable(), licensee_billing_ppm: percent, presenter_line: text(500),
  video_clause: z.enum(['none', 'archival', 'personal_noncommercial']), mandatory_program_text: text(),
  logo_usage: z.enum(['none', 'licensed']), changes_clause: text(), replica_elements_forbidden: z.boolean(),
  report_frequency: z.enum(['performance', 'week', 'run', 'none']), report_due_days: z.int().min(0).max(365),
  late_interest_ppm_per_month: percent, audit_right: z.boolean(), comps: z.int().min(0).max(1000), merchandise: text(),
  cancellation_policy: z.enum(['standard', 'liquidated_damages', 'professional']), governing_law: text(300),
  insurance: text(), other_terms: text(10_000),
};
export const termsRow = z.object({ license_id: z.int(), ...termsFields, billing: z.array(billingLine),
  /** Box-office reports that the price and these terms ask for; null: none. */
  report_scope: z.enum(['performance', 'week', 'run']).nullable(), version: z.int() });
export type TermsRow = z.infer<typeof termsRow>;

const path = '/api/admin/staff/licenses/{licenseId}/terms';

export const termsEndpoints = {
  show: endpoint({ method: 'GET', path, auth: staff('license.show'), summary: 'Terms of a licence',
    response: one(termsRow) }),
  update: endpoint({ method: 'PUT', path, auth: staff('license.update'), summary: 'Change the terms of a draft',
    body: z.strictObject({ ...z.strictObject(termsFields).partial().shape,
      billing: z.array(billingLine).max(100).optional(), version }), response: one(termsRow) }),
};
