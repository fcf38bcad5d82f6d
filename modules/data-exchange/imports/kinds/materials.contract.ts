/** Fields of files with materials. */
import {
  FULFILMENTS, MATERIAL_CLASSES, MATERIAL_FORMATS, MATERIAL_INCOME, MATERIAL_TYPES,
} from '#modules/catalogue/material/material.contract.ts';
import type { FieldFacts, FieldSet } from '../import-field.contract.ts';

const words = (options: readonly string[]): string => `One of ${options.join(', ').replaceAll('_', ' ')}`;
const choice = (label: string, options: readonly string[], heads: readonly string[], example?: string): FieldFacts =>
  ({ label, hint: words(options), required: false, constant: true, options, heads,
    ...(example === undefined ? {} : { example }) });
const price = (label: string, hint: string, heads: readonly string[], example?: string): FieldFacts =>
  ({ label, hint, type: 'amount', required: false, constant: false, heads,
    ...(example === undefined ? {} : { example }) });
const YES = ['yes', 'no'];

export const MATERIAL_FIELDS = {
  item_number: { label: 'Item number', hint: 'Capital letters, digits and hyphens; one number, one thing',
    required: true, constant: false, heads: ['item number', 'item no', 'item', 'sku', 'number', 'code'],
    example: 'LANTERN-SCR-LIB-01' },
  name: { label: 'Name', hint: 'Common name', required: true, constant: false,
    heads: ['name', 'title', 'item name'], example: 'Libretto' },
  show: { label: 'Show', hint: 'Title, show code or any of the show’s other names', required: false, constant: true,
    heads: ['show', 'show code', 'show title'], example: 'LANTERN' },
  category: { label: 'Category', hint: 'Name or key of a category of materials', required: true, constant: true,
    heads: ['category', 'material category'], example: 'scripts' },
  sub_category: { label: 'Sub-category', hint: 'Name or key', required: false, constant: true,
    heads: ['sub category', 'subcategory'], example: 'libretto' },
  type: choice('Type', MATERIAL_TYPES, ['type', 'material type'], 'rental'),
  fulfilment: choice('Delivered', FULFILMENTS, ['delivered', 'fulfilment', 'delivery']),
  format: choice('Format', MATERIAL_FORMATS, ['format']),
  description: { label: 'Description', hint: 'For the portal', required: false, constant: false,
    heads: ['description', 'notes'] },
  instrument: { label: 'Instrument', hint: 'Of an orchestra part', required: false, constant: false,
    heads: ['instrument', 'part'] },
  edition: { label: 'Edition', hint: 'Printing or revision', required: false, constant: false, heads: ['edition'] },
  isbn: { label: 'ISBN', hint: 'Digits and hyphens', required: false, constant: false, heads: ['isbn'] },
  ismn: { label: 'ISMN', hint: 'Digits and hyphens', required: false, constant: false, heads: ['ismn'] },
  price_usd: price('Price USD', 'Empty: not offered in dollars', ['price usd', 'usd', 'price'], '12.50'),
  price_eur: price('Price EUR', 'Empty: not offered in euros', ['price eur', 'eur']),
  price_gbp: price('Price GBP', 'Empty: not offered in pounds', ['price gbp', 'gbp']),
  replacement_usd: price('Replacement USD', 'Charged for a lost copy', ['replacement usd', 'replacement price usd'],
    '40.00'),
  replacement_eur: price('Replacement EUR', 'Charged for a lost copy', ['replacement eur', 'replacement price eur']),
  replacement_gbp: price('Replacement GBP', 'Charged for a lost copy', ['replacement gbp', 'replacement price gbp']),
  shipping_usd: price('Shipping USD', 'For one piece', ['shipping usd', 'shipping cost usd']),
  shipping_eur: price('Shipping EUR', 'For one piece', ['shipping eur', 'shipping cost eur']),
  shipping_gbp: price('Shipping GBP', 'For one piece', ['shipping gbp', 'shipping cost gbp']),
  tax: choice('Sales tax', YES, ['sales tax', 'tax', 'taxable']),
  vat: choice('VAT', YES, ['vat']),
  item_class: choice('Kind of goods', MATERIAL_CLASSES, ['kind of goods', 'item class', 'tax class']),
  income_type: choice('Income', MATERIAL_INCOME, ['income', 'income type']),
  royalty_bearing: choice('Royalty-bearing', YES, ['bears royalties', 'royalty bearing']),
  serial_tracked: choice('Barcoded copies', YES, ['barcoded copies', 'serial tracked', 'barcoded']),
  weight_g: { label: 'Weight (g)', type: 'count', hint: 'Grams of one piece', required: false, constant: false,
    heads: ['weight g', 'weight', 'grams'] },
  reorder_point: { label: 'Reorder at', type: 'count', hint: 'Pieces left', required: false, constant: false,
    heads: ['reorder at', 'reorder point'] },
} as const satisfies FieldSet;
