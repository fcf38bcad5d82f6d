/** Sales items: merchandise and books that no licence needs (A275-A279; domain.md 4, 7). */
import { bulk, restoring, switching, trashing } from '#kit/bulk.ts';
import * as z from 'zod';
import { field } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';

export const SALES_ITEM_CLASSES = ['merchandise', 'printed_script', 'printed_music', 'e_publication', 'digital_music',
  'tracks'] as const;
const NOT_SOLD = { caption: 'Leave empty if not sold in this currency.' };

export const salesItem = resource({
  name: 'sales_item', path: '/api/admin/staff/sales_items', label: ['sales item', 'sales items'],
  fields: {
    item_number: field.text('Item number', { max: 40, pattern: /^[A-Z0-9][A-Z0-9-]*$/, immutable: true,
      message: 'Capital letters, digits and hyphens', caption: 'Printed on orders and labels; fixed once saved.' }),
    name: field.text('Name', { max: 160 }),
    description: field.longText('Description', { max: 5000 }),
    show_id: field.optionalRef('Show', '/api/admin/staff/shows',
      { caption: 'Leave empty if it belongs to no single show.' }),
    item_class: field.choice('Kind of goods', SALES_ITEM_CLASSES, { initial: 'merchandise',
      caption: 'Decides the tax.' }),
    tax: field.bool('Sales tax', { initial: true, caption: 'US: taxed where the state taxes this kind of goods.' }),
    vat: field.bool('VAT', { initial: true, caption: 'UK and EU: taxed at the rate of this kind of goods.' }),
    price_usd_minor: field.optionalMinor('Price in USD', NOT_SOLD),
    price_eur_minor: field.optionalMinor('Price in EUR', NOT_SOLD),
    price_gbp_minor: field.optionalMinor('Price in GBP', NOT_SOLD),
    shipping_usd_minor: field.minor('Shipping in USD', { initial: 0 }),
    shipping_eur_minor: field.minor('Shipping in EUR', { initial: 0 }),
    shipping_gbp_minor: field.minor('Shipping in GBP', { initial: 0 }),
    weight_g: field.optionalInteger('Weight in grams', { max: 1_000_000 }),
    stocked: field.bool('Kept in stock', { initial: true,
      caption: 'Not for files and for what is made on demand.' }),
    reorder_point: field.optionalInteger('Reorder point', { max: 1_000_000 }),
    active: field.bool('Active', { initial: true }),
  },
  extra: { show_title: z.string().nullable() },
  filters: { active: z.stringbool().optional(), item_class: z.enum(SALES_ITEM_CLASSES).optional(),
    show_id: z.coerce.number().int().min(1).optional() },
  sort: ['name', 'updated_at', 'item_number'],
  permissions: { list: 'material.list', show: 'material.show', create: 'material.create', update: 'material.update',
    remove: 'material.delete' },
});

export const salesItemEndpoints = salesItem.endpoints;
export type SalesItemRow = z.infer<typeof salesItem.row>;

const SALES_ITEM_WORDS = { noun: ['sales item', 'sales items'], href: '/admin/sales-items/{id}' } as const;
export const salesItemBulk = bulk(salesItemEndpoints.list, SALES_ITEM_WORDS, [
  ...switching(salesItemEndpoints.update, 'active', ['Activate', 'Deactivate']), trashing(salesItemEndpoints),
]);
export const salesItemTrashBulk = bulk(salesItemEndpoints.trash, { ...SALES_ITEM_WORDS, href: null },
  [restoring(salesItemEndpoints)]);
