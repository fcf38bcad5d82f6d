/**
 * Royaltors: the people and bodies who are owed royalties, with the tax profile that decides what is withheld.
 * Bank details and tax ids are written and never read back: screens see the last characters (domain.md 7).
 */
import { bulk, restoring, switching, trashing } from '#kit/bulk.ts';
import * as z from 'zod';
import { currencyCode, divisionCode, field } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';
import { sealedEndpoints, sealedRow } from '#kit/sealed-details.ts';
import { DIVISION_CHOICES } from '../show/show.contract.ts';

export const ROYALTOR_KINDS = ['person', 'company', 'estate', 'agent', 'society', 'house'] as const;
export const PAYMENT_METHODS = ['ach', 'wire', 'check', 'bacs', 'sepa'] as const;
export const TAX_FORMS = ['none', 'w9', 'w8ben', 'w8bene', 'treaty_direction'] as const;
export const US_1099 = ['none', '1099_misc', '1042_s'] as const;
export const VAT_STATUSES = ['none', 'registered', 'foreign_business'] as const;
export const FREQUENCIES = ['monthly', 'quarterly', 'semi_annual', 'annual'] as const;
export const DELIVERIES = ['email', 'portal', 'post'] as const;
const path = '/api/admin/staff/royaltors';

export const royaltor = resource({
  name: 'royaltor', path, label: ['royaltor', 'royaltors'],
  fields: {
    name: field.text('Name', { max: 160 }),
    kind: field.choice('Kind', ROYALTOR_KINDS, { initial: 'person' }),
    legal_name: field.optionalText('Legal name', { max: 200 }),
    pen_name: field.optionalText('Pen name', { max: 160 }),
    email: field.optionalEmail('Email'),
    phone: field.optionalText('Phone', { max: 40 }),
    address: field.optionalAddress(),
    agent_royaltor_id: field.optionalRef('Agent', path, { caption: 'Represents this royaltor.' }),
    divisions: field.choices('Divisions', DIVISION_CHOICES, { initial: ['US'] }),
    currency: field.currency(),
    payment_method: field.choice('Paid by', PAYMENT_METHODS, { initial: 'check' }),
    statement_frequency: field.choice('Statements', FREQUENCIES, { initial: 'quarterly' }),
    min_payout_minor: field.minor('Minimum payment', { initial: 0,
      caption: 'Balances below this carry forward.' }),
    min_payout_tier2_minor: field.optionalMinor('Minimum payment, June and December'),
    delivery: field.choice('Statements go by', DELIVERIES, { initial: 'email' }),
    active: field.bool('Active', { initial: true }),
    residence_country: field.text('Country of residence', { max: 2, pattern: /^[A-Z]{2}$/,
      message: 'Choose a country', initial: 'US' }),
    tax_form_type: field.choice('Tax form', TAX_FORMS, { initial: 'none' }),
    tax_form_expires_on: field.optionalDate('Form expires on'),
    us_1099_type: field.choice('Year-end report', US_1099, { initial: 'none' }),
    wht_override_ppm: field.optionalPpm('Override withholding rate'),
    treaty_article: field.optionalText('Treaty article', { max: 80 }),
    author_by_profession: field.bool('Author by profession',
      { caption: 'Creators themselves: no UK tax is deducted when they live abroad.' }),
    vat_status: field.choice('VAT status', VAT_STATUSES, { initial: 'none' }),
    vat_no: field.optionalText('VAT number', { max: 20 }),
    self_billing_from: field.optionalDate('Self-billing from'),
    self_billing_expires_on: field.optionalDate('Self-billing expires on'),
  },
  extra: {
    number: z.string(), agent_name: z.string().nullable(), agreement_count: z.int(),
    ...sealedRow, deleted_at: z.string().nullable(),
  },
  filters: {
    kind: z.enum(ROYALTOR_KINDS).optional(), active: z.stringbool().optional(), division: divisionCode.optional(),
    currency: currencyCode.optional(), show_id: z.coerce.number().int().min(1).optional(),
  },
  sort: ['name', 'updated_at', 'number'],
  permissions: { list: 'royaltor.list', show: 'royaltor.show', create: 'royaltor.create', update: 'royaltor.update',
    remove: 'royaltor.delete' },
});

export const royaltorEndpoints = {
  ...royaltor.endpoints,
  ...sealedEndpoints({ path, noun: 'royaltor', permission: 'royaltor.update', row: royaltor.row }),
};
export type RoyaltorRow = z.infer<typeof royaltor.row>;
export type RoyaltorInput = z.output<typeof royaltor.create>;

const ROYALTOR_WORDS = { noun: ['royaltor', 'royaltors'], href: '/admin/royaltors/{id}' } as const;
export const royaltorBulk = bulk(royaltorEndpoints.list, ROYALTOR_WORDS, [
  ...switching(royaltorEndpoints.update, 'active', ['Activate', 'Deactivate']), trashing(royaltorEndpoints),
]);
export const royaltorTrashBulk = bulk(royaltorEndpoints.trash, { ...ROYALTOR_WORDS, href: null },
  [restoring(royaltorEndpoints)]);
