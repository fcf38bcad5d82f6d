/** Tax codes with their effective-dated rates (X97 to X99): a new rate is a new row. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { divisionCode, isoDate, oneLine, version } from '#kit/field.ts';
import { jurisdictionCode } from '../jurisdiction.contract.ts';

export const TAX_KINDS = ['standard', 'zero', 'reduced', 'exempt', 'outside_scope', 'reverse_charge', 'sales_tax',
  'use_tax', 'oss'] as const;
export const TAX_LEVELS = ['country', 'state', 'county', 'city', 'district'] as const;

/** One rate with its code. Codes without a rate (exempt, reverse charge) have no row here. */
export const taxRateRow = z.object({
  id: z.int(), tax_code_id: z.int(), division: divisionCode, code: z.string(), name: z.string(),
  kind: z.enum(TAX_KINDS), jurisdiction: z.string(), level: z.enum(TAX_LEVELS), rate_ppm: z.int(),
  taxes_shipping: z.boolean(), valid_from: z.string(), valid_to: z.string().nullable(), source: z.string(),
  used: z.boolean(), version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type TaxRateRow = z.infer<typeof taxRateRow>;

const path = '/api/admin/staff/accounting/tax_codes';
export const taxRateInput = z.strictObject({
  division: divisionCode,
  jurisdiction: jurisdictionCode,
  code: z.string().trim().regex(/^[A-Z0-9_-]{1,32}$/, 'Capital letters and digits'),
  /** Name of a code that is not there yet. */
  name: oneLine('Name', z.string().trim().min(1).max(120)).optional(),
  category: z.enum(TAX_KINDS).optional(),
  level: z.enum(TAX_LEVELS).optional(),
  rate_ppm: z.int('Enter the rate').min(0, 'A rate is not negative').max(1_000_000, 'A rate is at most 100%'),
  taxes_shipping: z.boolean().default(false),
  valid_from: isoDate,
  source: z.string().trim().max(300).default(''),
});
export const taxCodeEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('transaction.list'), summary: 'Tax rates',
    response: many(taxRateRow),
    query: listQuery({ sort: ['jurisdiction', 'rate_ppm', 'valid_from', 'code'], filters: {
      division: divisionCode.optional(), jurisdiction: z.string().max(60).optional(),
      kind: z.enum(TAX_KINDS).optional(), on: isoDate.optional() } }) }),
  create: endpoint({ method: 'POST', path, auth: staff('transaction.update'), summary: 'Add a tax rate',
    body: taxRateInput, response: one(taxRateRow), status: 201 }),
  update: endpoint({ method: 'PUT', path: `${path}/{id}`, auth: staff('transaction.update'),
    summary: 'End a tax rate, or rename its code', response: one(taxRateRow),
    body: z.strictObject({ valid_to: isoDate.nullable().optional(), name: oneLine('Name',
      z.string().trim().min(1).max(120)).optional(),
      version: version.optional() }) }),
};
