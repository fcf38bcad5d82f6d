/**
 * Materials: scripts, scores, parts, tracks and files that are hired out, sold, sent or read as perusals. Fields of
 * SPEC 3 and domain.md 7. Prices are amounts with two decimals per currency, as SPEC names them (`prices.usd`); null:
 * not offered in that currency.
 */
import * as z from 'zod';
import { customer, staff } from '#kit/auth.ts';
import { bulk, restoring, switching, trashing } from '#kit/bulk.ts';
import { endpoint, listQuery, pagedQuery, many } from '#kit/endpoint.ts';
import { field } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';
import { spell } from '#kernel/text/english.ts';
import { activityRow } from '#modules/customers/customer/customer.contract.ts';
import { categoryKey, subCategoryOptions, subCategoryQuery }
  from '../material-category/material-category.contract.ts';

export const MATERIAL_TYPES = ['rental', 'sale', 'digital', 'service', 'perusal'] as const;
export type MaterialType = (typeof MATERIAL_TYPES)[number];
export const FULFILMENTS = ['physical', 'download', 'stream_app', 'email'] as const;
export const MATERIAL_FORMATS =
  ['book', 'score', 'part', 'cd', 'usb', 'pdf', 'epub', 'audio', 'app', 'license', 'other'] as const;
/** Classes in the taxability tables; they decide the rate if tax or VAT is due at all. */
export const MATERIAL_CLASSES = ['rental', 'printed_script', 'printed_music', 'e_publication', 'digital_music',
  'tracks', 'logo', 'merchandise', 'fee'] as const;
export const MATERIAL_INCOME = ['rental', 'sale', 'digital', 'perusal'] as const;
/** Currencies as SPEC spells them in prices. */
export const PRICE_KEYS = ['usd', 'eur', 'gbp'] as const;

const amount = z.number('Enter an amount with at most two decimals').min(0, 'An amount cannot be negative')
  .max(10_000_000, 'At most 10,000,000.00').multipleOf(0.01, 'Enter an amount with at most two decimals').nullable();
/** An amount per currency; one left out is none. */
export const currencyPrices = z.strictObject({
  usd: amount.default(null), eur: amount.default(null), gbp: amount.default(null) });
export type CurrencyPrices = z.output<typeof currencyPrices>;
const NO_PRICES = { usd: null, eur: null, gbp: null };
const prices = (label: string) => field.json(label, currencyPrices, { initial: NO_PRICES });

export const SHOW_CODE = /^[A-Z0-9][A-Z0-9-]{0,23}$/;
const path = '/api/admin/staff/materials';

export const material = resource({
  name: 'material', path, label: ['material', 'materials'],
  fields: {
    item_number: field.text('Item number', { max: 40, pattern: /^[A-Z0-9][A-Z0-9-]*$/,
      message: 'Capital letters, digits and hyphens', caption: 'Such as SPAM-SCR-LIB-01. Fixed once used.' }),
    name: field.text('Name', { max: 160 }),
    description: field.longText('Description', { max: 5000 }),
    show_code: field.optionalText('Show', { max: 24, pattern: SHOW_CODE, message: 'Choose a show' }),
    category: field.text('Category', { max: 40, pattern: /^[a-z0-9_]+$/, message: 'Choose a category' }),
    sub_category: field.optionalText('Sub-category', { max: 40, pattern: /^[a-z0-9_]+$/,
      message: 'Choose a sub-category' }),
    type: field.choice('Type', MATERIAL_TYPES, { initial: 'rental' }),
    fulfilment: field.choice('Delivered', FULFILMENTS, { initial: 'physical' }),
    format: field.choice('Format', MATERIAL_FORMATS, { initial: 'book' }),
    instrument: field.optionalText('Instrument', { max: 80 }),
    edition: field.optionalText('Edition', { max: 80 }),
    isbn: field.optionalText('ISBN', { max: 20, pattern: /^[0-9Xx-]*$/, message: 'Digits and hyphens' }),
    ismn: field.optionalText('ISMN', { max: 20, pattern: /^[0-9M-]*$/, message: 'Digits and hyphens' }),
    prices: prices('Prices'),
    replacement_prices: prices('Replacement prices'),
    extra_week_prices: prices('Prices of an extra week'),
    shipping_cost: prices('Shipping costs'),
    tax: field.bool('Sales tax', { initial: true, caption: 'US: taxed where the state taxes this kind of goods.' }),
    vat: field.bool('VAT', { initial: true, caption: 'UK and EU: taxed at the rate of this kind of goods.' }),
    item_class: field.choice('Kind of goods', MATERIAL_CLASSES, { initial: 'rental', caption: 'Decides the rate.' }),
    income_type: field.choice('Income', MATERIAL_INCOME, { initial: 'rental' }),
    royalty_bearing: field.bool('Royalty-bearing'),
    weight_g: field.optionalInteger('Weight (g)', { max: 1_000_000 }),
    hs_code: field.optionalText('Customs code', { max: 12, pattern: /^[0-9. ]*$/, message: 'Digits and dots' }),
    serial_tracked: field.bool('Each copy has a barcode', { caption: 'Copies are scanned out and in.' }),
    reorder_point: field.optionalInteger('Reorder at', { max: 1_000_000 }),
    restockable: field.bool('Can be restocked', { initial: true }),
    substitution_group: field.optionalText('Substitution group', { max: 60,
      caption: 'Materials of one group stand in for each other.' }),
    substitution_rank: field.integer('Rank in the group', { min: 1, max: 1000, initial: 1 }),
    download_limit: field.integer('Downloads of a file', { min: 1, max: 1000, initial: 5,
      caption: spell`Downloads allowed per license and file. Staff can reset the count.` }),
    sellable_in_portal: field.bool('Offered in the portal'),
    active: field.bool('Active', { initial: true }),
  },
  extra: {
    show_id: z.int().nullable(), show_title: z.string().nullable(), category_name: z.string(),
    sub_category_name: z.string().nullable(),
    /** A template, a licence or the stock names it: its item number stays. */
    used: z.boolean(), deleted_at: z.string().nullable(),
  },
  filters: {
    category: categoryKey.optional(), sub_category: categoryKey.optional(),
    show_code: z.string().regex(SHOW_CODE).optional(), active: z.stringbool().optional(),
    type: z.enum(MATERIAL_TYPES).optional(),
  },
  sort: ['item_number', 'name', 'updated_at'],
  permissions: { list: 'material.list', show: 'material.show', create: 'material.create', update: 'material.update',
    remove: 'material.delete' },
});

export const materialEndpoints = {
  ...material.endpoints,
  activity: endpoint({ method: 'GET', path: `${path}/{id}/activity` as const, auth: staff('material.show'),
    summary: 'Activity of a material', response: many(activityRow), query: pagedQuery({ filters: {}, sort: ['id'] }) }),
};

/** Customer's view of a material that is offered in the portal. */
export const portalMaterialRow = z.object({
  id: z.int(), item_number: z.string(), name: z.string(), description: z.string(), category: z.string(),
  sub_category: z.string().nullable(), sub_category_name: z.string().nullable(), type: z.enum(MATERIAL_TYPES),
  format: z.enum(MATERIAL_FORMATS), instrument: z.string(), edition: z.string(),
  show: z.object({ id: z.int(), show_code: z.string(), title: z.string(), type: z.string() }).nullable(),
  prices: currencyPrices, shipping_cost: currencyPrices,
});
export const portalMaterialEndpoints = {
  list: endpoint({ method: 'GET', path: '/api/customers/{id}/materials', auth: customer(),
    summary: 'Materials offered to a customer', response: many(portalMaterialRow),
    query: listQuery({ filters: { show_id: z.coerce.number().int().min(1).optional(),
      sub_category: categoryKey.optional(), type: z.enum(MATERIAL_TYPES).optional() },
    sort: ['name', 'item_number'] }) }),
  subCategories: endpoint({ method: 'GET', path: '/api/customers/{id}/material_sub_categories', auth: customer(),
    summary: 'Sub-categories of the materials offered to a customer', response: subCategoryOptions,
    query: subCategoryQuery }),
};

export type MaterialRow = z.infer<typeof material.row>;
export type MaterialInput = z.output<typeof material.create>;

const MATERIAL_WORDS = { noun: ['material', 'materials'], href: '/admin/materials/{id}' } as const;
export const materialBulk = bulk(materialEndpoints.list, MATERIAL_WORDS, [
  ...switching(materialEndpoints.update, 'active', ['Activate', 'Deactivate']), trashing(materialEndpoints),
]);
export const materialTrashBulk = bulk(materialEndpoints.trash, { ...MATERIAL_WORDS, href: null },
  [restoring(materialEndpoints)]);
