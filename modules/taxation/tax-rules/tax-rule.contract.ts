/** Tax rules by place and date: an item's class and a jurisdiction give the tax code, or that there is none. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { divisionCode, isoDate, version } from '#kit/field.ts';
import { ITEM_CLASSES } from '#kernel/money/priced-line.ts';
import { jurisdictionCode } from '../jurisdiction.contract.ts';

export const taxRuleRow = z.object({
  id: z.int(), division: divisionCode, jurisdiction: z.string(), item_class: z.enum(ITEM_CLASSES), taxable: z.boolean(),
  tax_code: z.string().nullable(), valid_from: z.string(), valid_to: z.string().nullable(), source: z.string(),
  version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type TaxRuleRow = z.infer<typeof taxRuleRow>;

const path = '/api/admin/staff/accounting/tax_rules';
export const taxRuleEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('transaction.list'), summary: 'Taxability rules by place',
    response: many(taxRuleRow), query: listQuery({ sort: ['jurisdiction', 'valid_from'], filters: {
      division: divisionCode.optional(), item_class: z.enum(ITEM_CLASSES).optional(),
      taxable: z.enum(['true', 'false']).optional(), on: isoDate.optional() } }) }),
  create: endpoint({ method: 'POST', path, auth: staff('transaction.update'),
    summary: 'Say whether a class of items is taxed', response: one(taxRuleRow), status: 201,
    body: z.strictObject({ division: divisionCode,
      jurisdiction: jurisdictionCode,
      item_class: z.enum(ITEM_CLASSES), taxable: z.boolean(), tax_code: z.string().trim().max(32).nullable(),
      valid_from: isoDate, source: z.string().trim().max(300).default('') }) }),
  update: endpoint({ method: 'PUT', path: `${path}/{id}`, auth: staff('transaction.update'), summary: 'End a tax rule',
    response: one(taxRuleRow), body: z.strictObject({ valid_to: isoDate.nullable(), version }) }),
};
