/** Fields of files with customers: their addresses, classes, tax data and one contact each. */
import { spell } from '#kernel/text/english.ts';
import { CUSTOMER_KINDS } from '#modules/customers/customer/customer.contract.ts';
import type { FieldFacts, FieldSet } from '../import-field.contract.ts';

const text = (label: string, hint: string, heads: readonly string[], example?: string): FieldFacts =>
  ({ label, hint, required: false, constant: false, heads, ...(example === undefined ? {} : { example }) });
const whole = (label: string, hint: string, heads: readonly string[], example?: string): FieldFacts =>
  ({ ...text(label, hint, heads, example), constant: true });
const YES = ['yes', 'no'];

const KIND_SYNONYMS = {
  school_k12: ['school', 'high school', 'middle school', 'elementary school', 'primary school', 'secondary school',
    'k-12', 'school district'],
  university: ['college', 'higher education'],
  community: ['community theater', 'community theatre', 'amateur', 'amateur society', 'am-dram'],
  youth: ['youth theater', 'youth theatre', 'youth group', "children's theater", "children's theatre"],
  professional: ['professional company', 'professional theater', 'professional theatre', 'producer'],
  church: ['religious', 'faith', 'parish'], camp: ['summer camp'],
} as const;

export const CUSTOMER_FIELDS = {
  name: { label: 'Name', hint: spell`As licenses and invoices name them`, required: true, constant: false,
    heads: ['name', 'customer', 'customer name', 'organization', 'organisation', 'company', 'school', 'account',
      'account name'], example: 'Harbor Players' },
  legal_name: text('Legal name', 'Only if different', ['legal name', 'registered name']),
  kind: { label: 'Kind', hint: `One of ${CUSTOMER_KINDS.join(', ').replaceAll('_', ' ')}`, required: false,
    constant: true, options: CUSTOMER_KINDS, synonyms: KIND_SYNONYMS,
    heads: ['kind', 'customer kind', 'customer type', 'type'], example: 'community' },
  classifications: text('Classifications', 'Names with semicolons between them; they must exist',
    ['classifications', 'classification', 'class', 'customer class', 'segment']),
  default_division: whole('Default division', 'US, EU, UK or PROD', ['default division', 'home division'], 'US'),
  divisions: whole('Divisions', 'Divisions they license from, separated by semicolons; if empty, the default',
    ['divisions', 'division']),
  currency: { label: 'Currency', hint: 'USD, EUR or GBP', required: true, constant: true,
    heads: ['currency', 'default currency', 'ccy'], example: 'USD' },
  thoroughfare: text('Street', 'An address needs street, city and postal code',
    ['street', 'street address', 'address', 'address 1', 'address line 1', 'billing street', 'billing address'],
    '12 Harbor Street'),
  premise: text('Address 2', 'Building, floor or suite', ['address 2', 'address line 2', 'billing street 2']),
  locality: text('City', 'Of the billing address', ['city', 'town', 'billing city'], 'Boston'),
  administrative_area: text('State', 'Of the billing address',
    ['state', 'region', 'county', 'province', 'billing state'], 'MA'),
  postal_code: text('Postal code', spell`A ZIP code that lost its zero gets it back where the state has one`,
    ['postal code', 'zip', 'zip code', 'postcode', 'billing zip', 'billing postal code'], '02110'),
  country_code: { label: 'Country', hint: 'Name or two letters, such as US or GB', required: true, constant: true,
    heads: ['country', 'country code', 'billing country'], example: 'US' },
  phone: text('Phone', 'As it is dialed', ['phone', 'telephone', 'tel']),
  website: text('Website', 'With or without https://', ['website', 'web', 'url', 'homepage', 'domain']),
  statement_email: text('Statement email', 'Invoices and statements go there',
    ['statement e mail', 'statement email', 'email', 'e mail', 'email address', 'billing email'],
    'office@harbor.example'),
  contact_name: text('Contact', spell`Whom mails about licenses greet`,
    ['contact', 'contact name', 'contact person', 'primary contact'], 'Ada Winslow'),
  contact_email: text('Contact email', 'Of the contact', ['contact e mail', 'contact email'], 'ada@harbor.example'),
  contact_phone: text('Contact phone', 'Of the contact', ['contact phone', 'contact telephone']),
  tax_country: whole('Tax country', 'Country where they pay VAT; if empty, the country', ['tax country']),
  is_business: { label: 'Business', hint: 'Yes or no: businesses account for VAT themselves across a border',
    required: false, constant: true, options: YES, heads: ['business', 'is business', 'b2b'] },
  vat_number: text('VAT number', 'With or without its country', ['vat number', 'vat no', 'vat id', 'vat',
    'tax number']),
  payment_terms_days: { label: 'Payment terms (days)', hint: 'Days an invoice may stay open', type: 'count',
    required: false, constant: true, heads: ['payment terms days', 'payment terms', 'terms', 'net days'],
    example: '30' },
  purchase_orders_accepted: { label: 'Purchase orders', hint: 'Yes or no: whether they may order on account',
    required: false, constant: true, options: YES, heads: ['purchase orders', 'purchase orders accepted'] },
  ship_attention: text('Ship to', 'Name of the recipient', ['ship to', 'shipping attention', 'attention']),
  ship_thoroughfare: text('Shipping street', 'Only if different from the billing address',
    ['shipping street', 'shipping address', 'ship to street', 'shipping address 1']),
  ship_premise: text('Shipping address 2', 'Building, floor or suite', ['shipping address 2']),
  ship_locality: text('Shipping city', 'Of the shipping address', ['shipping city', 'ship to city']),
  ship_administrative_area: text('Shipping state', 'Of the shipping address', ['shipping state', 'ship to state']),
  ship_postal_code: text('Shipping postal code', 'Of the shipping address',
    ['shipping postal code', 'shipping zip', 'ship to zip']),
  ship_country_code: text('Shipping country', 'Name or two letters; the country where empty', ['shipping country']),
} as const satisfies FieldSet;
