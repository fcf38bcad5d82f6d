/** The proxy of the tax service: 60 calls a minute for each person, whichever they are (reliability.md 1.5). */
import { grants } from '#kit/permission.ts';
import { STAFF_ROLES } from '#kit/auth.ts';
import { invalidField } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { limit } from '#server/rate-limit.ts';
import { serve, type Route } from '#server/routes.ts';
import { ownAddress, ownCategories, ownRates, ownRegions, ownSummary } from './own-tax-answers.server.ts';
import { ownTaxes } from './own-taxes.server.ts';
import { addCustomer, changeCustomer, findCustomer, isExempt, listCustomers, removeCustomer }
  from './tax-customers.server.ts';
import { taxServiceEndpoints, type TaxCalculation, type TaxQuestion, type VatValidation }
  from './tax-service.contract.ts';
import { addTransaction, changeTransaction, findTransaction, listTransactions, removeTransaction }
  from './transactions.server.ts';
import { checkVatNumber } from './vat-number.server.ts';

const CALLS_PER_MINUTE = 60;

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
  return ownTaxes(ctx, asked, exempt);
}

function vatAnswer(text: string): VatValidation {
  const { country_code, number, format_valid, check_digit_valid } = checkVatNumber(text);
  return { valid: format_valid && check_digit_valid, exists: null, vies_available: false, vies_response: null,
    country_code, vat_number: number, format_valid, check_digit_valid, source: 'own' };
}

const routes = serve(taxServiceEndpoints, {
  categories: async () => ({ data: ownCategories() }),
  rates: async (ctx, { query }) => ({ data: await ownRates(ctx, query) }),
  taxes: async (ctx, { body }) => ({ data: await taxes(ctx, body) }),
  nexusRegions: async (ctx) => ({ data: await ownRegions(ctx) }),
  validateAddress: async (_ctx, { body }) => ({ data: [ownAddress(body.address)] }),
  validation: async (_ctx, { query }) => ({ data: vatAnswer(query.vat) }),
  summaryRates: async (ctx) => ({ data: await ownSummary(ctx) }),
  orders: (ctx, { query }) => listTransactions(ctx, 'order', query),
  order: async (ctx, { params }) => ({ data: await findTransaction(ctx, 'order', params.orderId) }),
  createOrder: async (ctx, { body }) => ({ data: await addTransaction(ctx, 'order', body) }),
  updateOrder: async (ctx, { params, body }) => ({ data: await changeTransaction(ctx, 'order', params.orderId, body) }),
  removeOrder: async (ctx, { params }) => ({ data: await removeTransaction(ctx, 'order', params.orderId) }),
  refunds: (ctx, { query }) => listTransactions(ctx, 'refund', query),
  refund: async (ctx, { params }) => ({ data: await findTransaction(ctx, 'refund', params.refundId) }),
  createRefund: async (ctx, { body }) => ({ data: await addTransaction(ctx, 'refund', body) }),
  updateRefund: async (ctx, { params, body }) =>
    ({ data: await changeTransaction(ctx, 'refund', params.refundId, body) }),
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
