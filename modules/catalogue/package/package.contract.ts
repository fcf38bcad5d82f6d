/**
 * Rental packages: what the materials of a show cost in a division, with the weeks or months that are included. Kept
 * beside the rate card, because a new royalty rate must not copy hire prices (data-model.md).
 */
import * as z from 'zod';
import { divisionCode, field } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';

export const ITEM_CLASSES =
  ['rental', 'printed_script', 'printed_music', 'e_publication', 'digital_music', 'tracks'] as const;

export const showPackage = resource({
  name: 'show_package', path: '/api/admin/staff/show_packages', label: ['package', 'packages'],
  fields: {
    show_id: field.ref('Show', '/api/admin/staff/shows', { immutable: true }),
    division: field.division(),
    name: field.text('Name', { max: 120 }),
    item_class: field.choice('Kind of goods', ITEM_CLASSES, { initial: 'rental',
      caption: 'Decides the tax: printed music on rental is zero-rated in the UK, tracks are not.' }),
    currency: field.currency(),
    price_minor: field.minor('Price'),
    included_period_count: field.integer('Included', { min: 1, max: 120 }),
    period_unit: field.choice('Period', ['week', 'month'], { initial: 'week' }),
    extra_period_price_minor: field.minor('Each further period', { initial: 0 }),
    shipping_minor: field.minor('Shipping', { initial: 0 }),
    active: field.bool('Active', { initial: true }),
  },
  extra: {},
  filters: { show_id: z.coerce.number().int().min(1).optional(), division: divisionCode.optional(),
    active: z.stringbool().optional() },
  sort: ['name', 'updated_at'],
  permissions: { list: 'show.show', show: 'show.show', create: 'show.update', update: 'show.update',
    remove: 'show.update' },
});

const { list, show, create, update } = showPackage.endpoints;
/** A package is made inactive, never deleted: quotes name it. */
export const packageEndpoints = { list, show, create, update };
export type PackageRow = z.infer<typeof showPackage.row>;
