/** The proxy of the tax service: 60 calls a minute for each person, whichever they are (reliability.md 1.5). */
import { grants } from '#kit/permission.ts';
import { STAFF_ROLES } from '#kit/auth.ts';
import { invalidField } from '#kit/errors.ts';
import type { BodyOf, QueryOf } from '#kit/endpoint.ts';
import { ITEM_CLASSES } from '#kernel/money/priced-line.ts';
import type { Ctx } from '#server/context.ts';
import { keyOf, outside } from '#server/outside.ts';
import { limit } from '#server/rate-limit.ts';
import { serve, type Route } from '#server/routes.ts';
import { askRegister, registerOf, type AskedRegister } from '../vat-registers/ask-register.server.ts';
import { ownAddress, ownCategories, ownRates, ownRegions, ownSummary, placeInUs } from './own-tax-answers.server.ts';
import { ownTaxes, refuseContradictions } from './own-taxes.server.ts';
import { askTaxes, readAddresses, readCategories, readRates, readRegions, readSummary, readTaxes, readVat }
  from './read-answers.server.ts';
import { serviceOrOwn, type ServiceRates, type ServiceTax, type ServiceVat } from './service-answers.server.ts';
import { addCustomer, changeCustomer, findCustomer, isExempt, listCustomers, removeCustomer }
  from './tax-customers.server.ts';
import { taxServiceEndpoints, type ServiceRate, type TaxCalculation, type TaxQuestion, type ValidatedAddress,
  type VatValidation } from './tax-service.contract.ts';
import { addTransaction, changeTransaction, findTransaction, listTransactions, removeTransaction, retryTransaction }
  from './transactions.server.ts';
import { checkVatNumber, type VatNumberCheck } from './vat-number.server.ts';

const CALLS_PER_MINUTE = 60;
const OWN_CODES: ReadonlySet<string> = new Set(ITEM_CLASSES);

/** Customers of the tax service are the staff's to name. */
function mayNameCustomers({ user }: Ctx): boolean {
  if (user.acting_customer_id !== null || !STAFF_ROLES.some((role) => role === user.role)) return false;
  return user.role !== 'staff_user' || grants(user.permissions, 'transaction.list');
}

async function taxes(ctx: Ctx, asked: TaxQuestion): Promise<TaxCalculation> {
  if (asked.customer_id !== undefined && !mayNameCustomers(ctx)) {
    throw invalidField('customer_id', 'Only staff who may see transactions name a customer');
  }
  const named = asked.customer_id === undefined ? false : await isExempt(ctx, asked.customer_id,
    { country: asked.to.country_code, state: asked.to.administrative_area });
  const exempt = asked.exemption_type === undefined ? named : asked.exemption_type !== 'non_exempt';
  const own = () => ownTaxes(ctx, asked, exempt);
  if (asked.from.country_code !== 'US' || asked.to.country_code !== 'US') return own();
  refuseContradictions(asked);
  return serviceOrOwn<ServiceTax, TaxCalculation>(ctx, { path: 'taxes', body: askTaxes(asked, OWN_CODES, exempt) },
    readTaxes, own);
}

/** ZIP codes with a path inside are no ZIP codes: only letters, digits, blanks and hyphens reach the address. */
const PLAIN_ZIP = /^[A-Za-z0-9][A-Za-z0-9 -]{1,11}$/;

function rates(ctx: Ctx, asked: QueryOf<typeof taxServiceEndpoints.rates>): Promise<ServiceRate> {
  const { zip = '', country, ...rest } = asked;
  const own = () => ownRates(ctx, asked);
  if (!PLAIN_ZIP.test(zip)) return own();
  if (country === 'US') placeInUs(zip, rest.state ?? '', { zip: 'zip', state: 'state' });
  const named = new URLSearchParams({ country });
  for (const [key, value] of Object.entries(rest)) if (value) named.set(key, value);
  const path = `rates/${encodeURIComponent(zip)}?${named.toString()}`;
  return serviceOrOwn<ServiceRates, ServiceRate>(ctx, { path, keep: true }, (said) => readRates(said, country), own);
}

function addresses(ctx: Ctx, { address }: BodyOf<typeof taxServiceEndpoints.validateAddress>): Promise<
  ValidatedAddress[]> {
  const own = ownAddress(address);
  if (own.country !== 'US') return Promise.resolve([own]);
  const { source: _source, ...body } = own;
  return serviceOrOwn(ctx, { path: 'addresses/validate', body }, readAddresses, () => [own]);
}

/** A number of the wrong form is not worth a question. Without the tax service the public registers are asked. */
function vatNumber(ctx: Ctx, text: string): Promise<VatValidation> {
  const own = checkVatNumber(text);
  if (!own.check_digit_valid) return Promise.resolve(vatAnswer(own, null));
  return serviceOrOwn<ServiceVat, VatValidation>(ctx, { path: `validation?vat=${encodeURIComponent(own.number)}` },
    (said) => readVat(said, own), () => byRegister(ctx, own));
}

async function byRegister(ctx: Ctx, own: VatNumberCheck): Promise<VatValidation> {
  const register = registerOf(ctx.ports.settings, own);
  if (register === null || register.name === 'tax_service') return vatAnswer(own, null);
  return vatAnswer(own, await outside(keyOf('VAT register', own.number), () => askRegister(ctx, own)));
}

/** `exists` is null where no register answered; then format and check digit decide. */
function vatAnswer({ country_code, number, format_valid, check_digit_valid }: VatNumberCheck,
  said: AskedRegister | null): VatValidation {
  const exists = said === null || said.answer === 'unavailable' ? null : said.answer === 'valid';
  return { valid: format_valid && check_digit_valid && exists !== false, exists, vies_available: exists !== null,
    vies_response: null, country_code, vat_number: number, format_valid, check_digit_valid, source: 'own',
    register: said?.register ?? null, name: said?.name ?? null, address: said?.address ?? null };
}

const routes = serve(taxServiceEndpoints, {
  categories: async (ctx) =>
    ({ data: await serviceOrOwn(ctx, { path: 'categories', keep: true }, readCategories, ownCategories) }),
  rates: async (ctx, { query }) => ({ data: await rates(ctx, query) }),
  taxes: async (ctx, { body }) => ({ data: await taxes(ctx, body) }),
  nexusRegions: async (ctx) => ({ data: await serviceOrOwn(ctx, { path: 'nexus/regions', keep: true }, readRegions,
    () => ownRegions(ctx)) }),
  validateAddress: async (ctx, { body }) => ({ data: await addresses(ctx, body) }),
  validation: async (ctx, { query }) => ({ data: await vatNumber(ctx, query.vat) }),
  summaryRates: async (ctx) => ({ data: await serviceOrOwn(ctx, { path: 'summary_rates', keep: true }, readSummary,
    () => ownSummary(ctx)) }),
  orders: (ctx, { query }) => listTransactions(ctx, 'order', query),
  order: async (ctx, { params }) => ({ data: await findTransaction(ctx, 'order', params.orderId) }),
  createOrder: async (ctx, { body }) => ({ data: await addTransaction(ctx, 'order', body) }),
  updateOrder: async (ctx, { params, body }) => ({ data: await changeTransaction(ctx, 'order', params.orderId, body) }),
  retryOrder: async (ctx, { params, body }) =>
    ({ data: await retryTransaction(ctx, 'order', params.orderId, body.version) }),
  removeOrder: async (ctx, { params }) => ({ data: await removeTransaction(ctx, 'order', params.orderId) }),
  refunds: (ctx, { query }) => listTransactions(ctx, 'refund', query),
  refund: async (ctx, { params }) => ({ data: await findTransaction(ctx, 'refund', params.refundId) }),
  createRefund: async (ctx, { body }) => ({ data: await addTransaction(ctx, 'refund', body) }),
  updateRefund: async (ctx, { params, body }) =>
    ({ data: await changeTransaction(ctx, 'refund', params.refundId, body) }),
  retryRefund: async (ctx, { params, body }) =>
    ({ data: await retryTransaction(ctx, 'refund', params.refundId, body.version) }),
  removeRefund: async (ctx, { params }) => ({ data: await removeTransaction(ctx, 'refund', params.refundId) }),
  customers: (ctx, { query }) => listCustomers(ctx, query),
  customer: async (ctx, { params }) => ({ data: await findCustomer(ctx, params.customerId) }),
  createCustomer: async (ctx, { body }) => ({ data: await addCustomer(ctx, body) }),
  updateCustomer: async (ctx, { params, body }) => ({ data: await changeCustomer(ctx, params.customerId, body) }),
  removeCustomer: async (ctx, { params }) => ({ data: await removeCustomer(ctx, params.customerId) }),
});

export const taxServiceRoutes: Route[] = routes.map(({ endpoint, handler }) => ({
  endpoint,
  async handler(ctx, request) {
    await limit(ctx, `taxjar ${ctx.user.user_id}`, CALLS_PER_MINUTE, 60);
    return handler(ctx, request);
  },
}));
