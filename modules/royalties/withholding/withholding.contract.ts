/**
 * Withholding is data: rules by payer, payee and form, valid on the day of payment (domain.md 3.5; X74-X76), and the
 * rate of backup withholding from US vendors.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, isoDate, ppm, version } from '#kit/field.ts';

/** Royalties, or payments to US vendors, which have one rate for all. */
export const INCOME_KINDS = ['royalty', 'vendor'] as const;
export const PAYEE_KINDS = ['person', 'company', 'agent'] as const;
export const TAX_FORMS = ['w9', 'w8ben', 'w8bene', 'treaty_direction', 'author_by_profession', 'none'] as const;

const country = z.string().regex(/^[A-Z]{2}$/, 'Choose a country').nullable();

export const whtRuleRow = z.object({
  id: z.int(), division: divisionCode, income_kind: z.enum(INCOME_KINDS), payee_country: z.string().nullable(),
  kind: z.enum(PAYEE_KINDS).nullable(), form: z.enum(TAX_FORMS).nullable(), rate_ppm: z.int(), description: z.string(),
  valid_from: z.string(), valid_to: z.string().nullable(), version: z.int(), created_at: z.string(),
  updated_at: z.string(),
});
export const whtRuleInput = z.strictObject({
  division: divisionCode, income_kind: z.enum(INCOME_KINDS).default('royalty'), payee_country: country.default(null),
  kind: z.enum(PAYEE_KINDS).nullable().default(null),
  form: z.enum(TAX_FORMS).nullable().default(null), rate_ppm: ppm.max(1_000_000, 'At most 100%'),
  description: z.string().trim().min(1, 'Say where the rate comes from').max(500), valid_from: isoDate,
  valid_to: isoDate.nullable().default(null),
});

export type WhtRule = z.infer<typeof whtRuleRow>;

/** Royaltors paid in a year, and vendors that were withheld from: what forms and certificates are written from. */
export const withholdingLine = z.object({
  /** One of both. */
  royaltor_id: z.int().nullable(), vendor_id: z.int().nullable(), number: z.string(), name: z.string(),
  legal_name: z.string().nullable(), residence_country: z.string().nullable(), tax_form_type: z.string(),
  tin_last4: z.string().nullable(),
  /** 1042-S, 1099-MISC, 1099-NEC, UK certificate, or none. */
  document: z.string(), currency: currencyCode, payments: z.int(), gross_minor: z.int(), withheld_minor: z.int(),
  paid_minor: z.int(),
});
export type WithheldPayee = z.infer<typeof withholdingLine>;
export const withholdingReport = z.object({
  division: divisionCode, year: z.int(), lines: z.array(withholdingLine),
  totals: z.array(z.object({ currency: currencyCode, gross_minor: z.int(), withheld_minor: z.int(),
    paid_minor: z.int() })),
});

const path = '/api/admin/staff/accounting/wht_rules';

export const withholdingEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('transaction.list'), summary: 'List withholding rules',
    query: listQuery({ filters: { division: divisionCode.optional(), payee_country: z.string().length(2).optional(),
      income_kind: z.enum(INCOME_KINDS).optional(), kind: z.enum(PAYEE_KINDS).optional(), on: isoDate.optional() },
    sort: ['valid_from', 'rate_ppm'] }),
    response: many(whtRuleRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('transaction.update'), summary: 'Enter a withholding rule',
    body: whtRuleInput, response: one(whtRuleRow), status: 201 }),
  update: endpoint({ method: 'PUT', path: `${path}/{id}`, auth: staff('transaction.update'),
    summary: 'End a withholding rule or correct its text',
    body: z.strictObject({ description: whtRuleInput.shape.description.optional(),
      valid_to: isoDate.nullable().optional(), version }), response: one(whtRuleRow) }),
  report: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/reports/withholding',
    auth: staff('ledger_account.view'), summary: 'Withholding of a year by payee',
    query: z.strictObject({ division: divisionCode, year: z.coerce.number().int().min(1990).max(2200) }),
    response: one(withholdingReport) }),
};
