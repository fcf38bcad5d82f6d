/**
 * The proxy of the tax service (A382 to A403), in the shapes of its v2 API: amounts are decimal dollars and addresses
 * are spelled as it spells them. Without a key the same answers come from our own tables (gap G113).
 */
import * as z from 'zod';
import { signedIn, staff } from '#kit/auth.ts';
import { all, endpoint, many, one, pagedQuery } from '#kit/endpoint.ts';
import { address, isoDate, knownAddress, nameLine, oneLine, version } from '#kit/field.ts';
import { REGISTERS } from '../vat-registers/vat-number.contract.ts';

/** Source of an answer: the tax service, or the company's own tables. */
const source = z.enum(['service', 'own']);
export const EXEMPTIONS = ['wholesale', 'government', 'marketplace', 'other', 'non_exempt'] as const;
const exemption = z.enum(EXEMPTIONS, 'Choose wholesale, government, marketplace, other or non_exempt');

const MOST = 1_000_000_000;
const TWO_DECIMALS = 'Enter an amount with at most two decimals';
const cents = (amount: number): boolean => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-5;
const signedAmount = z.number('Enter an amount').min(-MOST, 'At most 1,000,000,000.00')
  .max(MOST, 'At most 1,000,000,000.00').refine(cents, TWO_DECIMALS);
const amount = signedAmount.min(0, 'An amount cannot be negative');
const quantity = z.number('Enter a quantity').min(0, 'A quantity is not negative').max(1_000_000);
const text = (label: string, max: number) => oneLine(label, z.string().trim().max(max));
const reference = (label: string) => z.string().trim().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
  `${label}: letters, digits, points, hyphens and underscores, at most 100`);
const country = z.string().trim().regex(/^[A-Z]{2}$/, 'Enter the two letters of the country, for example US');

export const taxCategory = z.object({ product_tax_code: z.string(), name: z.string(), description: z.string(),
  source });
export type TaxCategory = z.infer<typeof taxCategory>;

export const taxRate = z.object({
  country: z.string(), zip: z.string().nullable(), state: z.string().nullable(), state_rate: z.number().nullable(),
  county: z.string().nullable(), county_rate: z.number().nullable(), city: z.string().nullable(),
  city_rate: z.number().nullable(), combined_district_rate: z.number().nullable(),
  combined_rate: z.number().nullable(), freight_taxable: z.boolean(),
  /** Of a country with VAT. */
  name: z.string().nullable(), standard_rate: z.number().nullable(), reduced_rate: z.number().nullable(),
  /** No local rate is known for the ZIP code, so the state's rate stands alone. */
  local_unknown: z.boolean(), source,
});
export type ServiceRate = z.infer<typeof taxRate>;

const portion = z.object({ taxable_amount: z.number(), tax_collectable: z.number(), combined_tax_rate: z.number(),
  state_taxable_amount: z.number(), state_tax_rate: z.number(), state_tax_collectable: z.number(),
  county_taxable_amount: z.number(), county_tax_rate: z.number(), county_tax_collectable: z.number(),
  city_taxable_amount: z.number(), city_tax_rate: z.number(), city_tax_collectable: z.number(),
  special_district_taxable_amount: z.number(), special_tax_rate: z.number(),
  special_district_tax_collectable: z.number(), country_taxable_amount: z.number(), country_tax_rate: z.number(),
  country_tax_collectable: z.number() });
export type TaxPortion = z.infer<typeof portion>;
const taxedLine = portion.extend({ id: z.string(), reason: z.string() });
export const taxCalculation = z.object({
  order_total_amount: z.number(), shipping: z.number(), taxable_amount: z.number(), amount_to_collect: z.number(),
  rate: z.number(), has_nexus: z.boolean(), freight_taxable: z.boolean(), tax_source: z.string().nullable(),
  exemption_type: z.string().nullable(),
  jurisdictions: z.object({ country: z.string(), state: z.string().nullable(), county: z.string().nullable(),
    city: z.string().nullable() }),
  breakdown: portion.extend({ shipping: taxedLine.nullable(), line_items: z.array(taxedLine) }).nullable(),
  /** Gaps in the tables, in words: a tax of zero never comes without a reason. */
  problems: z.array(z.string()), source,
});
export type TaxCalculation = z.infer<typeof taxCalculation>;

const pricedLine = { id: text('Id', 100).optional(), quantity: quantity.default(1),
  product_tax_code: text('Category', 40).optional(), unit_price: signedAmount, discount: signedAmount.default(0) };
export const taxQuestion = z.strictObject({
  from: address, to: address, amount: amount.optional(), shipping: amount.default(0),
  line_items: z.array(z.strictObject({ ...pricedLine, unit_price: amount, discount: amount.default(0) })).max(200)
    .default([]),
  exemption_type: exemption.optional(), customer_id: reference('Customer').optional(),
});
export type TaxQuestion = z.output<typeof taxQuestion>;

const placed = { from_country: country.optional(), from_zip: text('ZIP code', 20).optional(),
  from_state: text('State', 60).optional(), from_city: text('City', 120).optional(),
  from_street: text('Street', 200).optional(), to_country: country,
  to_zip: text('ZIP code', 20).min(1, 'ZIP code is required'), to_state: text('State', 60).min(1, 'State is required'),
  to_city: text('City', 120).optional(), to_street: text('Street', 200).optional() };
const soldLine = z.strictObject({ ...pricedLine, product_identifier: text('Item number', 100).optional(),
  description: text('Description', 255).optional(), sales_tax: signedAmount.default(0) });
export type SoldLine = z.output<typeof soldLine>;
const stated = { transaction_date: isoDate, ...placed, amount: signedAmount, shipping: signedAmount,
  sales_tax: signedAmount, customer_id: reference('Customer').nullable().optional(),
  exemption_type: exemption.nullable().optional(), line_items: z.array(soldLine).max(500).default([]) };
export const orderInput = z.strictObject({ transaction_id: reference('Order'), ...stated });
export const refundInput = z.strictObject({ transaction_id: reference('Refund'),
  transaction_reference_id: reference('Order'), ...stated });
export type TransactionInput = z.output<typeof orderInput> & { transaction_reference_id?: string | undefined };
const changed = z.strictObject({ ...z.strictObject(stated).partial().shape,
  line_items: z.array(soldLine).max(500).optional(), version });
export type TransactionChange = z.output<typeof changed>;

/** kept: no service is set up. waiting, reported, failed: what became of it there. */
export const REPORT_STATES = ['kept', 'waiting', 'reported', 'failed'] as const;
const report = { report_state: z.enum(REPORT_STATES), report_error: z.string().nullable(),
  reported_at: z.string().nullable(), version: z.int(), created_at: z.string(), updated_at: z.string() };
const nullableText = z.string().nullable();
export const transactionRow = z.object({
  transaction_id: z.string(), transaction_reference_id: nullableText, transaction_date: z.string(),
  provider: z.string(), exemption_type: nullableText, customer_id: nullableText, from_country: nullableText,
  from_zip: nullableText, from_state: nullableText, from_city: nullableText, from_street: nullableText,
  to_country: nullableText, to_zip: nullableText, to_state: nullableText, to_city: nullableText,
  to_street: nullableText, amount: z.number(), shipping: z.number(), sales_tax: z.number(),
  line_items: z.array(z.object({ id: z.string().optional(), quantity: z.number(),
    product_identifier: z.string().optional(), description: z.string().optional(),
    product_tax_code: z.string().optional(), unit_price: z.number(), discount: z.number(), sales_tax: z.number() })),
  /** Issued document that it reports. */
  invoice_id: z.int().nullable(), ...report,
});
export type TransactionRow = z.infer<typeof transactionRow>;

const customerFields = {
  exemption_type: exemption,
  exempt_regions: z.array(z.strictObject({ country, state: text('State', 60) })).max(100).default([]),
  name: nameLine('Name', 200), country: country.optional(), state: text('State', 60).optional(),
  zip: text('ZIP code', 20).optional(), city: text('City', 120).optional(), street: text('Street', 200).optional(),
};
export const customerInput = z.strictObject({ customer_id: reference('Customer'), ...customerFields });
export type CustomerInput = z.output<typeof customerInput>;
const customerChange = z.strictObject({ ...z.strictObject(customerFields).partial().shape,
  exempt_regions: z.array(z.strictObject({ country, state: text('State', 60) })).max(100).optional(), version });
export type CustomerChange = z.output<typeof customerChange>;
export const customerRow = z.object({
  customer_id: z.string(), exemption_type: z.enum(EXEMPTIONS),
  exempt_regions: z.array(z.object({ country: z.string(), state: z.string() })), name: z.string(),
  country: nullableText, state: nullableText, zip: nullableText, city: nullableText, street: nullableText, ...report,
});
export type CustomerRow = z.infer<typeof customerRow>;

export const nexusRegion = z.object({ country_code: z.string(), country: z.string(), region_code: z.string(),
  region: z.string(), source });
export type NexusRegion = z.infer<typeof nexusRegion>;
export const validatedAddress = z.object({ country: z.string(), state: z.string(), zip: z.string(), city: z.string(),
  street: z.string(), source });
export type ValidatedAddress = z.infer<typeof validatedAddress>;
export const vatValidation = z.object({
  /** Format and check digit hold, and no register said otherwise. */
  valid: z.boolean(),
  /** The register knows the number; null where none was asked. */
  exists: z.boolean().nullable(), vies_available: z.boolean(),
  vies_response: z.object({ country_code: z.string(), vat_number: z.string(), request_date: z.string(),
    valid: z.boolean(), name: z.string(), address: z.string() }).nullable(),
  country_code: nullableText, vat_number: z.string(), format_valid: z.boolean(), check_digit_valid: z.boolean(), source,
  /** The public register that was asked without the tax service; null: none. */
  register: z.enum(REGISTERS).nullable(), name: nullableText, address: nullableText,
});
export type VatValidation = z.infer<typeof vatValidation>;
const labelled = z.object({ label: z.string(), rate: z.number() });
export const summaryRate = z.object({ country_code: z.string(), country: z.string(), region_code: nullableText,
  region: nullableText, minimum_rate: labelled, average_rate: labelled, source });
export type SummaryRate = z.infer<typeof summaryRate>;

const base = '/api/utilities/taxjar';
const read = staff('transaction.list');
const write = staff('transaction.update');
const dated = pagedQuery({ sort: ['transaction_date', 'transaction_id', 'amount'], filters: {
  search: z.string().trim().max(200).optional(), transaction_date: isoDate.optional(),
  from_transaction_date: isoDate.optional(), to_transaction_date: isoDate.optional(),
  report_state: z.enum(REPORT_STATES).optional() } });
export type TransactionQuery = z.output<typeof dated>;
const people = pagedQuery({ sort: ['customer_id', 'name'], filters: {
  search: z.string().trim().max(200).optional(), report_state: z.enum(REPORT_STATES).optional() } });
export type CustomerQuery = z.output<typeof people>;
const orderId = z.strictObject({ orderId: reference('Order') });
const refundId = z.strictObject({ refundId: reference('Refund') });
const customerId = z.strictObject({ customerId: reference('Customer') });

export const taxServiceEndpoints = {
  categories: endpoint({ method: 'GET', path: `${base}/categories`, auth: signedIn,
    summary: 'Categories of products that are taxed alike', response: all(taxCategory) }),
  rates: endpoint({ method: 'GET', path: `${base}/rates`, auth: signedIn, response: one(taxRate),
    summary: 'Tax rates of a place', query: z.strictObject({ country: country.default('US'),
      zip: text('ZIP code', 20).optional(), state: text('State', 60).optional(), city: text('City', 120).optional(),
      street: text('Street', 200).optional() }) }),
  taxes: endpoint({ method: 'POST', path: `${base}/taxes`, auth: signedIn, readOnly: true, body: taxQuestion,
    summary: 'Tax of an order, stored nowhere', response: one(taxCalculation) }),
  nexusRegions: endpoint({ method: 'GET', path: `${base}/nexus/regions`, auth: signedIn,
    summary: 'Regions where the company is registered for tax', response: all(nexusRegion) }),
  validateAddress: endpoint({ method: 'POST', path: `${base}/addresses/validate`, auth: signedIn, readOnly: true,
    summary: 'Check an address and spell it as the post office does', response: all(validatedAddress),
    body: z.strictObject({ address: knownAddress }) }),
  validation: endpoint({ method: 'GET', path: `${base}/validation`, auth: signedIn, response: one(vatValidation),
    summary: 'Check a VAT number', query: z.strictObject({
      vat: z.string('Enter a VAT number').trim().min(1, 'Enter a VAT number').max(40) }) }),
  summaryRates: endpoint({ method: 'GET', path: `${base}/summary_rates`, auth: signedIn,
    summary: 'Lowest and average tax rate of each region', response: all(summaryRate) }),
  orders: endpoint({ method: 'GET', path: `${base}/orders`, auth: read, query: dated,
    summary: 'Orders of the tax service', response: many(transactionRow) }),
  order: endpoint({ method: 'GET', path: `${base}/orders/{orderId}`, auth: read, params: orderId,
    summary: 'An order of the tax service', response: one(transactionRow) }),
  createOrder: endpoint({ method: 'POST', path: `${base}/orders`, auth: write, body: orderInput, status: 201,
    summary: 'Add an order to the tax service', response: one(transactionRow) }),
  updateOrder: endpoint({ method: 'PUT', path: `${base}/orders/{orderId}`, auth: write, params: orderId,
    summary: 'Change an order of the tax service', body: changed, response: one(transactionRow) }),
  removeOrder: endpoint({ method: 'DELETE', path: `${base}/orders/{orderId}`, auth: write, params: orderId,
    summary: 'Remove an order from the tax service', response: one(transactionRow) }),
  retryOrder: endpoint({ method: 'PUT', path: `${base}/orders/{orderId}/retry`, auth: write, params: orderId,
    summary: 'Report an order to the tax service again', body: z.strictObject({ version }),
    response: one(transactionRow) }),
  refunds: endpoint({ method: 'GET', path: `${base}/refunds`, auth: read, query: dated,
    summary: 'Refunds of the tax service', response: many(transactionRow) }),
  refund: endpoint({ method: 'GET', path: `${base}/refunds/{refundId}`, auth: read, params: refundId,
    summary: 'A refund of the tax service', response: one(transactionRow) }),
  createRefund: endpoint({ method: 'POST', path: `${base}/refunds`, auth: write, body: refundInput, status: 201,
    summary: 'Add a refund to the tax service', response: one(transactionRow) }),
  updateRefund: endpoint({ method: 'PUT', path: `${base}/refunds/{refundId}`, auth: write, params: refundId,
    summary: 'Change a refund of the tax service', body: changed, response: one(transactionRow) }),
  removeRefund: endpoint({ method: 'DELETE', path: `${base}/refunds/{refundId}`, auth: write, params: refundId,
    summary: 'Remove a refund from the tax service', response: one(transactionRow) }),
  retryRefund: endpoint({ method: 'PUT', path: `${base}/refunds/{refundId}/retry`, auth: write, params: refundId,
    summary: 'Report a refund to the tax service again', body: z.strictObject({ version }),
    response: one(transactionRow) }),
  customers: endpoint({ method: 'GET', path: `${base}/customers`, auth: read, query: people,
    summary: 'Customers of the tax service', response: many(customerRow) }),
  customer: endpoint({ method: 'GET', path: `${base}/customers/{customerId}`, auth: read, params: customerId,
    summary: 'A customer of the tax service', response: one(customerRow) }),
  createCustomer: endpoint({ method: 'POST', path: `${base}/customers`, auth: write, body: customerInput, status: 201,
    summary: 'Add a customer to the tax service', response: one(customerRow) }),
  updateCustomer: endpoint({ method: 'PUT', path: `${base}/customers/{customerId}`, auth: write, params: customerId,
    summary: 'Change a customer of the tax service', body: customerChange, response: one(customerRow) }),
  removeCustomer: endpoint({ method: 'DELETE', path: `${base}/customers/{customerId}`, auth: write,
    params: customerId, summary: 'Remove a customer from the tax service', response: one(customerRow) }),
};
