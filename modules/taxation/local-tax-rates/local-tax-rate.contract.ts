/** Local sales tax by ZIP code: rows of state, county, ZIP range and validity, and which states are complete. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { isoDate, version } from '#kit/field.ts';
import { zipOf } from '#kernel/tax/zip.ts';

export const LOCAL_LEVELS = ['county', 'city', 'district'] as const;
const stateLetters = z.string().trim().transform((text) => text.toUpperCase())
  .refine((text) => /^[A-Z]{2}$/.test(text), 'Enter the two letters of the state, for example NY');
/** A ZIP code, with the zeros that a spreadsheet took; ZIP+4 is cut to five digits. */
export const zipField = z.string().trim().transform((text) => zipOf(text) ?? '')
  .refine((zip) => zip !== '', 'Enter a ZIP code, for example 11106');
const rate = z.int('Enter the rate').min(0, 'A rate is not negative').max(1_000_000, 'A rate is at most 100%');

export const localTaxRateRow = z.object({
  id: z.int(), state: z.string(), county: z.string(), level: z.enum(LOCAL_LEVELS), zip_from: z.string(),
  zip_to: z.string(), rate_ppm: z.int(), valid_from: z.string(), valid_to: z.string().nullable(), source: z.string(),
  is_seeded: z.boolean(), used: z.boolean(), version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type LocalTaxRateRow = z.infer<typeof localTaxRateRow>;
export const localTaxRateInput = z.strictObject({
  state: stateLetters, county: z.string().trim().min(1, 'Enter the county').max(80),
  level: z.enum(LOCAL_LEVELS, 'Choose county, city or district'), zip_from: zipField, zip_to: zipField, rate_ppm: rate,
  valid_from: isoDate, valid_to: isoDate.nullable().default(null),
  source: z.string().trim().min(1, 'Enter where the rate was published').max(300),
});
export type LocalTaxRateInput = z.output<typeof localTaxRateInput>;
export const localTaxStateRow = z.object({ id: z.int(), state: z.string(), complete: z.boolean(), version: z.int() });
export type LocalTaxStateRow = z.infer<typeof localTaxStateRow>;

/** A person's answer about a ZIP that no row covers; 0: the state's rate is right there. */
export const localRateAnswer = z.strictObject({ state: stateLetters, zip: zipField, rate_ppm: rate });
export type LocalRateAnswer = z.output<typeof localRateAnswer>;

const path = '/api/admin/staff/accounting/local_tax_rates';
const states = '/api/admin/staff/accounting/local_tax_states';
export const localTaxRateEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('transaction.list'), summary: 'Local tax rates',
    response: many(localTaxRateRow),
    query: listQuery({ sort: ['zip_from', 'state', 'rate_ppm', 'valid_from'], filters: {
      state: z.string().trim().max(2).optional(), level: z.enum(LOCAL_LEVELS).optional(),
      zip: z.string().trim().max(10).optional(), on: isoDate.optional() } }) }),
  create: endpoint({ method: 'POST', path, auth: staff('transaction.update'), summary: 'Add a local tax rate',
    response: one(localTaxRateRow), status: 201, body: localTaxRateInput }),
  update: endpoint({ method: 'PUT', path: `${path}/{id}`, auth: staff('transaction.update'),
    summary: 'Change a local tax rate, or end one that is in use', response: one(localTaxRateRow),
    body: z.strictObject({ ...localTaxRateInput.partial().shape, valid_to: isoDate.nullable().optional(), version }) }),
  remove: endpoint({ method: 'DELETE', path: `${path}/{id}`, auth: staff('transaction.update'),
    summary: 'Remove a local tax rate that nothing uses', response: null }),
  states: endpoint({ method: 'GET', path: states, auth: staff('transaction.list'),
    summary: 'States whose local rates are complete', response: all(localTaxStateRow) }),
  updateState: endpoint({ method: 'PUT', path: `${states}/{id}`, auth: staff('transaction.update'),
    summary: 'Say whether the local rates of a state are complete', response: one(localTaxStateRow),
    body: z.strictObject({ complete: z.boolean(), version }) }),
};
