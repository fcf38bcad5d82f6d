/**
 * Vendors: whom the house buys from and pays (A222-A226; fields of domain.md 7). Bank details and tax ids are written
 * and never read back: screens see the last characters.
 */
import { bulk, restoring, switching, trashing } from '#kit/bulk.ts';
import * as z from 'zod';
import { BACKUP_REASONS } from '#kernel/tax/backup-withholding.ts';
import { divisionCode, DIVISIONS, field } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';
import { sealedEndpoints, sealedRow } from '#kit/sealed-details.ts';

export const VENDOR_PAYMENT_METHODS = ['ach', 'wire', 'check', 'bacs', 'sepa'] as const;
export const VENDOR_TAX_FORMS = ['none', 'w9', 'w8ben', 'w8bene'] as const;
/** Form and box: 1099-NEC box 1; 1099-MISC boxes 1, 2, 3 and 10. */
export const TAX_1099_CATEGORIES = ['none', 'nec', 'misc_rents', 'misc_royalties', 'misc_other_income', 'misc_legal'] as
  const;

export const vendor = resource({
  name: 'vendor', path: '/api/admin/staff/vendors', label: ['vendor', 'vendors'],
  fields: {
    name: field.text('Name', { max: 160 }),
    legal_name: field.optionalText('Legal name', { max: 200 }),
    divisions: field.choices('Divisions', DIVISIONS as readonly ['US', 'EU', 'UK', 'PROD'], { initial: ['US'] }),
    default_currency: field.currency('Bills in'),
    contact_name: field.optionalText('Contact', { max: 160 }),
    email: field.optionalEmail('Email'),
    phone: field.optionalText('Phone', { max: 40 }),
    website: field.optionalUrl('Website'),
    address: field.optionalAddress(),
    remit_to_address: field.optionalAddress('Payments go to'),
    vat_number: field.optionalText('VAT number', { max: 20 }),
    tax_form_type: field.choice('Tax form on file', VENDOR_TAX_FORMS, { initial: 'none' }),
    tax_form_received_on: field.optionalDate('Form received on'),
    tax_1099_category: field.choice('Year-end report', TAX_1099_CATEGORIES, { initial: 'none' }),
    backup_withholding_reason: field.choice('Backup withholding', BACKUP_REASONS, { initial: 'none' }),
    backup_withholding_from: field.optionalDate('Withheld from'),
    payment_method: field.choice('Paid by', VENDOR_PAYMENT_METHODS, { initial: 'check' }),
    payment_terms_days: field.integer('Days to pay', { min: 0, max: 365, initial: 30 }),
    notes: field.longText('Notes', { max: 5000 }),
    active: field.bool('Active', { initial: true }),
  },
  extra: { number: z.string(), ...sealedRow },
  filters: { active: z.stringbool().optional(), division: divisionCode.optional() },
  sort: ['name', 'updated_at', 'number'],
  permissions: { list: 'vendor.list', show: 'vendor.show', create: 'vendor.create', update: 'vendor.update',
    remove: 'vendor.delete' },
});

export const vendorEndpoints = {
  ...vendor.endpoints,
  ...sealedEndpoints({ path: vendor.path, noun: 'vendor', permission: 'vendor.update', row: vendor.row }),
};
export type VendorRow = z.infer<typeof vendor.row>;

const VENDOR_WORDS = { noun: ['vendor', 'vendors'], href: '/admin/vendors/{id}' } as const;
export const vendorBulk = bulk(vendorEndpoints.list, VENDOR_WORDS, [
  ...switching(vendorEndpoints.update, 'active', ['Activate', 'Deactivate']), trashing(vendorEndpoints),
]);
export const vendorTrashBulk = bulk(vendorEndpoints.trash, { ...VENDOR_WORDS, href: null },
  [restoring(vendorEndpoints)]);
