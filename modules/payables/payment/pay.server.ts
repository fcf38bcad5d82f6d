/** One payee paid by itself: what can be paid, the draft, and its remittance advice. */
import { addDays } from '#kernel/calendar/calendar.ts';
import type { BodyOf, QueryOf } from '#kit/endpoint.ts';
import { invalidField } from '#kit/errors.ts';
import type { paymentEndpoints } from '#modules/receivables/payments/payment.contract.ts';
import { notePayment } from '#modules/receivables/receivables.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { askApproval } from '../disbursement/ask-approval.server.ts';
import { changeDisbursement, makeDisbursement, methodsOf } from '../disbursement/disbursement.server.ts';
import { lockDisbursement } from '../disbursement/disbursement-store.server.ts';
import { withheldOf } from '../disbursement/withhold.server.ts';
import { payeeBankOf } from '../payee/payee-bank.server.ts';
import { prenoteHints } from '../prenote/prenote-store.server.ts';
import { heldBecause, keyOf } from '../run/payees.server.ts';
import { cashOf, freeItems, runAccount } from '../run/propose-run.server.ts';
import { refuseInRun } from './decide-payment.server.ts';
import { payEndpoints, type Payables } from './pay.contract.ts';
import { paymentOf } from './payment-detail.server.ts';
import { remittanceFile, sendRemittance, sendRunRemittances } from './remittance.server.ts';

/** Items due within a week are proposed. */
const SOON_DAYS = 7;

async function payablesOf(ctx: WorkContext, query: QueryOf<typeof payEndpoints.payables>): Promise<Payables> {
  const account = await runAccount(ctx, query.bank_account_id);
  const methods = methodsOf(account.division, account.currency);
  const method = query.method ?? methods[0]!;
  if (!methods.includes(method)) throw invalidField('method', 'This account cannot pay that way');
  const cash = await cashOf(ctx, account, query);
  if (!await isKnown(ctx, query)) return { methods, method, payee: null, ...cash };
  const payee = await payeeBankOf(ctx, query.party_type, query.party_id);
  const on = query.on ?? await ctx.today(account.division);
  const withheld = await withheldOf(ctx, { ...account, method, on,
    vendor_ids: query.party_type === 'vendor' ? [query.party_id] : [] });
  const rows = await freeItems(ctx, account, { due_by: addDays(await ctx.today(account.division), SOON_DAYS), on,
    payment_id: query.payment_id, party: query });
  // A refund is a payment already.
  const items = rows.filter((row) => row.refund_id === null)
    .map(({ party_type: _type, party_id: _id, name: _name, ...item }) => item);
  return { methods, method, ...cash,
    payee: items.length === 0 ? null : { party_type: query.party_type, party_id: query.party_id, name: payee.name,
      held: method === 'card' ? null : heldBecause(payee, method, account),
      hint: method === 'ach' ? (await prenoteHints(ctx, account.id)).get(keyOf(query)) ?? null : null,
      other_method: null, last4: payee.bank?.last4 ?? null, withholding: withheld.get(query.party_id) ?? null,
      items } };
}

async function isKnown(ctx: WorkContext, of: { party_type: 'vendor' | 'customer'; party_id: number }):
Promise<boolean> {
  return await ctx.db.maybeOne(of.party_type === 'vendor' ? sql`select 1 from vendors where id = ${of.party_id}`
    : sql`select 1 from customers where id = ${of.party_id}`) !== null;
}

async function pay(ctx: WorkContext, body: BodyOf<typeof payEndpoints.create>): Promise<number> {
  const account = await runAccount(ctx, body.bank_account_id);
  if (!await isKnown(ctx, body)) throw invalidField('party_id', 'Choose a payee that exists');
  const { payment_id } = await makeDisbursement(ctx, { ...body, division: account.division,
    currency: account.currency });
  await askApproval(ctx, payment_id);
  return payment_id;
}

/** The note alone changes nothing that was approved; anything else does. */
export async function changePayment(ctx: WorkContext, id: number, body: BodyOf<typeof paymentEndpoints.update>):
Promise<void> {
  const { version, ...change } = body;
  const own = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  if (Object.keys(own).every((key) => key === 'memo')) return notePayment(ctx, id, version, change.memo);
  const payment = await lockDisbursement(ctx, id, version);
  refuseInRun(payment);
  await changeDisbursement(ctx, id, own);
  await askApproval(ctx, id);
}

export const payRoutes: Route[] = serve(payEndpoints, {
  payables: async (ctx, { query }) => ({ data: await payablesOf(ctx, query) }),
  create: async (ctx, { body }) => ({ data: await paymentOf(ctx, await pay(ctx, body)) }),
  remittance: (ctx, { params }) => remittanceFile(ctx, params.id),
  sendRemittance: async (ctx, { params, body }) => {
    await sendRemittance(ctx, params.id, body);
    return { data: { recipients: body.recipients } };
  },
  sendRunRemittances: async (ctx, { params }) => ({ data: await sendRunRemittances(ctx, params.id) }),
});
