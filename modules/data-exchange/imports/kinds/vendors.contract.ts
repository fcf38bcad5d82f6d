/** Fields of files with vendors. Bank details and tax ids never come from a file: two people enter them. */
import { spell } from '#kernel/text/english.ts';
import { TAX_1099_CATEGORIES, VENDOR_PAYMENT_METHODS, VENDOR_TAX_FORMS }
  from '#modules/operations/vendor/vendor.contract.ts';
import type { FieldFacts, FieldSet } from '../import-field.contract.ts';

const text = (label: string, hint: string, heads: readonly string[], example?: string): FieldFacts =>
  ({ label, hint, required: false, constant: false, heads, ...(example === undefined ? {} : { example }) });
const whole = (label: string, hint: string, heads: readonly string[], example?: string): FieldFacts =>
  ({ ...text(label, hint, heads, example), constant: true });
const REMIT = 'Of the address that payments go to, if different';

export const VENDOR_FIELDS = {
  name: { label: 'Name', hint: 'As bills and payments name it', required: true, constant: false,
    heads: ['name', 'vendor', 'vendor name', 'supplier', 'supplier name', 'company', 'payee'],
    example: 'Alder Print' },
  legal_name: text('Legal name', 'Only if different', ['legal name', 'registered name', 'name on 1099']),
  contact_name: text('Contact', 'Who answers questions about bills', ['contact', 'contact name', 'primary contact']),
  email: text('Email', 'Remittance advice goes there', ['email', 'e mail', 'email address', 'mail'],
    'office@alder.example'),
  phone: text('Phone', 'As it is dialed', ['phone', 'telephone', 'tel', 'main phone']),
  website: text('Website', 'With or without https://', ['website', 'web', 'url', 'homepage']),
  thoroughfare: text('Street', 'An address needs street, city, postal code and country',
    ['street', 'street address', 'address', 'address 1', 'address line 1', 'billing street'], '1 Mill Road'),
  premise: text('Address 2', 'Building, floor or suite', ['address 2', 'address line 2']),
  locality: text('City', 'Of the address', ['city', 'town', 'billing city'], 'Keene'),
  administrative_area: text('State', 'Of the address', ['state', 'region', 'county', 'province'], 'NH'),
  postal_code: text('Postal code', 'Of the address', ['postal code', 'zip', 'zip code', 'postcode'], '03431'),
  country_code: whole('Country', 'Name or two letters, such as US or GB', ['country', 'country code'], 'US'),
  remit_thoroughfare: text('Remit-to street', REMIT, ['remit to street', 'remit street', 'remittance address',
    'payment street']),
  remit_premise: text('Remit-to address 2', REMIT, ['remit to address 2', 'remit address 2']),
  remit_locality: text('Remit-to city', REMIT, ['remit to city', 'remit city']),
  remit_administrative_area: text('Remit-to state', REMIT, ['remit to state', 'remit state']),
  remit_postal_code: text('Remit-to postal code', REMIT, ['remit to postal code', 'remit to zip', 'remit zip']),
  remit_country_code: whole('Remit-to country', 'If empty, the country of the address',
    ['remit to country', 'remit country']),
  divisions: whole('Divisions', 'US, EU, UK or PROD, with semicolons between them', ['divisions', 'division'], 'US'),
  currency: { label: 'Currency', hint: 'USD, EUR or GBP', required: true, constant: true,
    heads: ['currency', 'bills in', 'ccy'], example: 'USD' },
  payment_terms_days: whole('Days to pay', 'From the date of a bill; 30 if empty',
    ['days to pay', 'terms', 'payment terms', 'payment terms days', 'net days'], '30'),
  payment_method: { label: 'Paid by', hint: `One of ${VENDOR_PAYMENT_METHODS.join(', ')}`, required: false,
    constant: true, options: VENDOR_PAYMENT_METHODS, synonyms: { check: ['cheque'], ach: ['direct deposit'] },
    heads: ['paid by', 'payment method', 'pay by'], example: spell`check` },
  vat_number: text('VAT number', 'In the UK and the EU', ['vat number', 'vat no', 'vat id']),
  tax_form_type: { label: 'Tax form', hint: 'W-9, W-8BEN or W-8BEN-E, if it is on file', required: false,
    constant: true, options: VENDOR_TAX_FORMS, synonyms: { w9: ['w-9', 'w 9'], w8ben: ['w-8ben', 'w-8 ben'],
      w8bene: ['w-8ben-e', 'w-8 ben-e'], none: ['no'] }, heads: ['tax form', 'tax form on file'], example: 'w9' },
  tax_form_received_on: text('Form received', 'Day on which the form came in',
    ['form received', 'form received on', 'tax form received']),
  tax_1099_category: { label: 'Year-end report', hint: '1099-NEC, or the box of 1099-MISC', required: false,
    constant: true, options: TAX_1099_CATEGORIES, synonyms: { nec: ['1099-nec', '1099 nec', 'nonemployee compensation'],
      misc_rents: ['rents', '1099-misc rents'], misc_royalties: ['royalties', '1099-misc royalties'],
      misc_other_income: ['other income', '1099-misc other income'], misc_legal: ['attorneys', 'legal'],
      none: ['no'] }, heads: ['year end report', '1099', '1099 category', '1099 type', '1099 box'], example: 'nec' },
} as const satisfies FieldSet;
