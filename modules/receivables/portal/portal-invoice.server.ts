/** The customer's invoices: read, download, pay (X147 to X151). Drafts and voided documents are not theirs to see. */
import type { QueryOf, ResponseIn } from '#kit/endpoint.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { formatMinor, formatMoney } from '#kernel/money/money.ts';
import type { OnlineMethod } from '#kernel/receivables/online-payment.ts';
import { withCounterRole, type Ctx } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { accountLines } from '../aging/account-moves.server.ts';
import { accountStatement } from '../aging/account-statement.server.ts';
import { invoiceDocument } from '../documents/invoice-document.server.ts';
import { transferTo, waysToPay } from '../documents/ways-to-pay.server.ts';
import { statementDocument } from '../documents/statement-document.server.ts';
import { invoiceDetail, invoiceList } from '../invoices/invoice-queries.server.ts';
import { refreshTax } from '../invoices/refresh-tax.server.ts';
import type { InvoiceDetail, InvoiceRow } from '../invoices/invoice.contract.ts';
import { beginPayment, type PayableDocument } from '../online/begin-payment.server.ts';
import { askProcessor, lastOnline, paysInvoice } from './online-state.server.ts';
import { offeredMethods, type PortalMethod } from './payment-port.server.ts';
import { portalInvoiceEndpoints } from './portal-invoice.contract.ts';

type Shown = ResponseIn<typeof portalInvoiceEndpoints.show>['data'];
type Answer = ResponseIn<typeof portalInvoiceEndpoints.pay>['data'];

const isPayable = (row: InvoiceRow): boolean => row.balance_minor > 0
  && (row.status === 'proforma' || (row.kind === 'invoice' && ['issued', 'part_paid'].includes(row.status)));

async function list(ctx: Ctx, customerId: number, query: QueryOf<typeof portalInvoiceEndpoints.list>) {
  const page = await invoiceList(ctx, { ...query, customer_id: customerId }, false, sql`t.status <> 'draft'`,
    portalInvoiceEndpoints.list.path.replace('{id}', String(customerId)));
  return { ...page, data: page.data.map((row) => ({ ...row, payable: isPayable(row) })) };
}

async function visible(ctx: Ctx, customerId: number, id: number): Promise<InvoiceDetail> {
  const invoice = await invoiceDetail(ctx, id, customerId);
  if (invoice.status === 'draft' || invoice.status === 'void') throw refuse('not_found');
  return invoice;
}

async function show(ctx: Ctx, customerId: number, id: number): Promise<Shown> {
  const invoice = await visible(ctx, customerId, id);
  const { orders } = await ctx.db.one<{ orders: boolean }>(sql`
    select purchase_orders_accepted as orders from customers where id = ${customerId}`);
  const payable = isPayable(invoice);
  const { division } = invoice;
  const ways = payable ? await waysToPay(ctx, invoice) : null;
  const payment_methods = ways
    ? offeredMethods(ctx.ports.settings, { division, ways, purchaseOrders: orders }) : [];
  return { ...invoice, payable, online_payment: await lastOnline(ctx, paysInvoice(id)), payment_methods,
    others: payment_methods.some((one) => isOnline(one.method)) ? await othersOf(ctx, customerId, invoice) : [],
    transfer: ways && transferTo(ways, invoice.number), check_to: ways && ways.check };
}

const isOnline = (method: PortalMethod): method is OnlineMethod =>
  method !== 'bank_transfer' && method !== 'purchase_order';

/** Open documents beside this one that the same payment can pay; none with a bank debit on its way. */
function othersOf(ctx: Ctx, customerId: number, of: Pick<InvoiceDetail, 'id' | 'division' | 'currency'>):
Promise<Shown['others']> {
  return ctx.db.query<Shown['others'][number]>(sql`
    select i.id, coalesce(i.invoice_number, i.reference) as number, i.kind, l.title_on_license as license_title,
      i.due_on, i.balance_minor
    from invoices i left join licenses l on l.id = i.license_id
    where i.customer_id = ${customerId} and i.id <> ${of.id} and i.division = ${of.division}
      and i.currency = ${of.currency} and i.balance_minor > 0
      and (i.status = 'proforma' or (i.kind = 'invoice' and i.status in ('issued', 'part_paid')))
      and not exists (select 1 from online_payment_documents d join online_payments o on o.id = d.online_payment_id
        where d.invoice_id = i.id and o.status = 'processing')
    order by i.due_on nulls last, i.id limit ${20}`);
}

interface PayBody {
  method: PortalMethod;
  amount_minor: number;
  purchase_order_no?: string | undefined;
  also?: readonly { invoice_id: number; amount_minor: number }[] | undefined;
}

async function pay(ctx: Ctx, customerId: number, id: number, body: PayBody): Promise<Answer> {
  const invoice = await show(ctx, customerId, id);
  if (!invoice.payable) throw conflict('invoice.not_open', 'Nothing is open on this invoice.');
  if (body.amount_minor > invoice.balance_minor) {
    throw invalidField('amount_minor', `Only ${formatMinor(BigInt(invoice.balance_minor))} is open on this invoice`);
  }
  if (invoice.status === 'proforma' && body.amount_minor !== invoice.balance_minor) {
    throw invalidField('amount_minor', `A pro forma is paid whole: ${formatMinor(BigInt(invoice.balance_minor))}`);
  }
  if (!invoice.payment_methods.some((offered) => offered.method === body.method)) {
    throw invalidField('method', 'This way of paying is not offered here');
  }
  // Nobody is charged another sum than the page shows; the page asks for the new one.
  if (await refreshTax(ctx, id, customerId)) {
    const { balance_minor } = await show(ctx, customerId, id);
    throw conflict('proforma.tax_changed', `The tax has changed since you opened this page: the total is now ${
      formatMoney(balance_minor, invoice.currency)}. Check it and pay again.`);
  }
  if (body.method === 'bank_transfer') return instructions(ctx, invoice, body.amount_minor);
  if (body.method === 'purchase_order') return purchaseOrder(ctx, invoice, body.purchase_order_no);
  const first = { ...invoice, customer_id: customerId, pays_minor: body.amount_minor };
  return online(ctx, invoice, [first, ...await alsoPaid(ctx, customerId, invoice, body.also ?? [])], body.method);
}

/** The other documents of the same payment, each open and paid whole. 422 at `also.N.amount_minor`. */
async function alsoPaid(ctx: Ctx, customerId: number, first: Shown, also: NonNullable<PayBody['also']>):
Promise<PayableDocument[]> {
  const documents: PayableDocument[] = [];
  for (const [k, one] of also.entries()) {
    const field = `also.${k}.amount_minor`;
    if ([first.id, ...documents.map((other) => other.id)].includes(one.invoice_id)) {
      throw invalidField(field, 'Choose each document once');
    }
    const invoice = await visible(ctx, customerId, one.invoice_id);
    if (await refreshTax(ctx, one.invoice_id, customerId)) {
      throw conflict('proforma.tax_changed', `The tax on ${invoice.number ?? 'one of the documents'} has changed. Open `
        + 'it to see the new total, then choose it again.');
    }
    if (!isPayable(invoice)) throw conflict('invoice.not_open', 'One of the documents has been paid. Choose again.');
    if (invoice.division !== first.division || invoice.currency !== first.currency) {
      throw invalidField(field, 'Choose documents in one currency');
    }
    if (one.amount_minor !== invoice.balance_minor) {
      throw invalidField(field, `The total is now ${formatMinor(BigInt(invoice.balance_minor))}. Choose again`);
    }
    documents.push({ id: invoice.id, customer_id: customerId, number: invoice.number, division: invoice.division,
      currency: invoice.currency, pays_minor: one.amount_minor });
  }
  return documents;
}

/** A transfer is money only once the bank shows it: the answer says what to write on it, nothing is recorded. */
async function instructions(ctx: Ctx, invoice: Shown, amount: number): Promise<Answer> {
  const { name } = await ctx.db.one<{ name: string }>(sql`
    select legal_entity_name as name from divisions where code = ${invoice.division}`);
  await ctx.audit({ action: 'ask_transfer', entity: 'invoice', entity_id: invoice.id });
  return { outcome: 'instructions', reference: invoice.number, payment_id: null, invoice_id: invoice.id,
    redirect_to: null,
    message: `Transfer ${formatMoney(amount, invoice.currency)} to ${name} and write ${invoice.number
    } as the reference, so that we find your payment. The invoice stays open until it arrives.` };
}

/** A purchase order is a promise, not payment: it is recorded with the licence and staff are told. */
async function purchaseOrder(ctx: Ctx, invoice: Shown, number: string | undefined): Promise<Answer> {
  if (!number) throw invalidField('purchase_order_no', 'Purchase order number is required');
  if (invoice.license_id !== null) {
    await ctx.ports.money.licensing.purchaseOrderGiven(ctx, { license_id: invoice.license_id,
      purchase_order_no: number });
  }
  if (invoice.status === 'proforma') {
    await ctx.db.exec(sql`
      update invoices set purchase_order_no = ${number}, version = version + 1 where id = ${invoice.id}`);
  }
  await ctx.audit({ action: 'purchase_order', entity: 'invoice', entity_id: invoice.id,
    after: { purchase_order_no: number } });
  return { outcome: 'purchase_order_recorded', reference: number, payment_id: null, invoice_id: invoice.id,
    redirect_to: null,
    message: `Purchase order ${number} is recorded. It is not a payment: the invoice stays open until it is paid.` };
}

/** Starts a payment by card or bank debit on the processor's page, which sends the customer back here. */
async function online(
  ctx: Ctx, invoice: Shown, documents: [PayableDocument, ...PayableDocument[]], method: OnlineMethod,
): Promise<Answer> {
  const { redirect_to } = await beginPayment(ctx, documents, method);
  return { outcome: 'redirect', reference: invoice.number, payment_id: null, invoice_id: invoice.id,
    redirect_to,
    message: 'You pay on the page of our payment service and come back here afterwards.' };
}

async function checkPayment(ctx: Ctx, customerId: number, id: number): Promise<Shown> {
  await visible(ctx, customerId, id);
  await askProcessor(ctx, paysInvoice(id));
  return show(ctx, customerId, id);
}

export const portalInvoiceRoutes: Route[] = serve(portalInvoiceEndpoints, {
  list: (ctx, { params, query }) => list(ctx, params.id, query),
  show: async (ctx, { params }) => ({ data: await show(ctx, params.id, params.invoiceId) }),
  async document(ctx, { params }) {
    await visible(ctx, params.id, params.invoiceId);
    return invoiceDocument(ctx, params.invoiceId, params.id);
  },
  checkPayment: async (ctx, { params }) => ({ data: await checkPayment(ctx, params.id, params.invoiceId) }),
  async refreshTax(ctx, { params }) {
    await visible(ctx, params.id, params.invoiceId);
    await refreshTax(ctx, params.invoiceId, params.id);
    return { data: await show(ctx, params.id, params.invoiceId) };
  },
  pay: async (ctx, { params, body }) => ({ data: await pay(ctx, params.id, params.invoiceId, body) }),
  transactions: (ctx, { params, query }) => withCounterRole(ctx, (house) =>
    accountLines(house, params.id, query, `/api/customers/${params.id}/transactions`)),
  statement: async (ctx, { params, query }) => ({ data: await withCounterRole(ctx, (house) =>
    accountStatement(house, params.id, query)) }),
  statementDocument: (ctx, { params, query }) => withCounterRole(ctx, (house) =>
    statementDocument(house, params.id, query)),
});
