/**
 * The kinds of import: what a file may hold, with its fields. A new kind is two small files, its fields beside this
 * one and its rules in `<kind>.server.ts`, and a line here and in `works.server.ts`.
 */
import type { Permission } from '#kit/permission.ts';
import { FIELD_FACTS, type FieldSet } from '../import-field.contract.ts';
import { AGREEMENT_FIELDS } from './agreements.contract.ts';
import { CUSTOMER_FIELDS } from './customers.contract.ts';
import { LOCAL_TAX_RATE_FIELDS } from './local-tax-rates.contract.ts';
import { MATERIAL_FIELDS } from './materials.contract.ts';
import { ROYALTOR_FIELDS } from './royaltors.contract.ts';
import { SHOW_FIELDS } from './shows.contract.ts';
import { STOCK_COUNT_FIELDS } from './stock-counts.contract.ts';
import { VENDOR_FIELDS } from './vendors.contract.ts';
import { VENUE_FIELDS } from './venues.contract.ts';

export const IMPORT_MODELS = ['box_office_reports', 'shows', 'venues', 'materials', 'royaltors', 'agreements',
  'stock_counts', 'customers', 'local_tax_rates', 'vendors'] as const;
export type ImportModel = (typeof IMPORT_MODELS)[number];

export interface ImportKind {
  label: string;
  /** "a venue": what one row becomes. */
  one: string;
  fields: FieldSet;
  /** Rights that a person needs besides those of imports. */
  rights: readonly Permission[];
  /** The right that changing records by a file needs; none where files of this kind change none. */
  changing?: Permission;
  /** Link to the record that a row became; null if it has no page. */
  href: ((id: number, showType: string | null) => string) | null;
}

export const IMPORT_KINDS: Record<ImportModel, ImportKind> = {
  box_office_reports: { label: 'Box office reports', one: 'return', fields: FIELD_FACTS, rights: [], href: null },
  shows: { label: 'Shows and writers', one: 'show', fields: SHOW_FIELDS,
    href: (id, type) => `/admin/${type ?? 'play'}s/${id}`,
    rights: ['show.create', 'royaltor.create', 'show_royaltor.create'], changing: 'show.update' },
  venues: { label: 'Venues', one: 'venue', fields: VENUE_FIELDS, href: (id) => `/admin/venues/${id}`,
    rights: ['venue.create', 'venue.update'], changing: 'venue.update' },
  materials: { label: 'Materials', one: 'material', fields: MATERIAL_FIELDS, rights: ['material.create'],
    changing: 'material.update',
    href: (id) => `/admin/materials/${id}` },
  royaltors: { label: 'Royaltors', one: 'royaltor', fields: ROYALTOR_FIELDS, rights: ['royaltor.create'],
    changing: 'royaltor.update',
    href: (id) => `/admin/royaltors/${id}` },
  agreements: { label: 'Agreements and shares', one: 'share', fields: AGREEMENT_FIELDS, href: null,
    rights: ['show_royaltor.create', 'show_royaltor.update'] },
  stock_counts: { label: 'Stock counts', one: 'count', fields: STOCK_COUNT_FIELDS, rights: ['warehouse.update'],
    href: null },
  customers: { label: 'Customers', one: 'customer', fields: CUSTOMER_FIELDS, rights: ['customer.create',
    'customer.update'], changing: 'customer.update', href: (id) => `/admin/customers/${id}/information` },
  local_tax_rates: { label: 'Local tax rates', one: 'rate', fields: LOCAL_TAX_RATE_FIELDS,
    rights: ['transaction.update'], href: null },
  vendors: { label: 'Vendors', one: 'vendor', fields: VENDOR_FIELDS, rights: ['vendor.create'],
    changing: 'vendor.update', href: (id) => `/admin/vendors/${id}` },
};
