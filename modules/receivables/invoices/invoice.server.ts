/** Invoice endpoints with their handlers. */
import { foldName } from '#kernel/text/fold.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { contactOf, greetingOf } from '#modules/identity/identity.public.server.ts';
import { markProofChecked, markTaxChecked } from '#modules/taxation/taxation.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { queueMail } from '#server/mail.ts';
import { serve, type Route } from '#server/routes.ts';
import { refuseFutureDocument } from '#server/money-day.ts';
import { refuseUnprintable } from '#server/pdf-words.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { invoiceDocument, invoicePaper } from '../documents/invoice-document.server.ts';
import { refreshTax } from './refresh-tax.server.ts';
import { previewNumber } from '../ledger/post.server.ts';
import { applyReceiptToInvoice, unapplyReceipt } from '../payments/apply-receipt.server.ts';
import { recordReceipt } from '../payments/record-receipt.server.ts';
import type { ReceiptInput } from '../receivables-types.ts';
import { creditInvoice } from './credit-invoice.server.ts';
import {
  createDraft, deleteDraft, editLine, issueDraft, restoreDraft, updateDraft, voidDraft, type InvoiceInput,
} from './edit-draft.server.ts';
import { invoiceDetail, invoiceItems, invoiceList, invoicePayments, invoiceTotals, onePage }
  from './invoice-queries.server.ts';
import { invoiceEndpoints, type InvoiceDetail } from './invoice.contract.ts';
import { previewInvoice } from './preview-invoice.server.ts';
import { recoverWriteOff, writeOff } from './write-off.server.ts';

/** An issued invoice's division decides which day today is. */
async function divisionOf(ctx: Ctx, id: number): Promise<{ division: string; currency: string; customer_id: number;
  kind: string }> {
  const row = await ctx.db.maybeOne<{ division: string; currency: string; customer_id: number; kind: string }>(sql`
    select division, currency, customer_id, kind from invoices where id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

const shown = async (ctx: Ctx, id: number): Promise<{ data: InvoiceDetail }> => ({ data: await invoiceDetail(ctx,
  id) });

/** SPEC's `amount` or ours: one of them. */
function amountOf(body: { amount?: number | undefined; amount_minor?: number | undefined }): number {
  if ((body.amount === undefined) === (body.amount_minor === undefined)) {
    throw invalidField('amount', 'Enter the amount once');
  }
  return body.amount ?? body.amount_minor!;
}

/** A new receipt for the document, or one on account; a pro forma becomes its tax invoice, which is answered. */
async function pay(ctx: Ctx, id: number, body: {
  amount?: number | undefined; amount_minor?: number | undefined; payment_id?: number | undefined;
  received_on?: string | undefined; method: ReceiptInput['method']; bank_account_id: number | null; reference: string;
  accept_short: boolean;
  withheld_minor?: number | undefined; duplicate_confirmed: boolean;
  lines?: { invoice_item_id: number; amount_minor: number }[] | undefined;
}): Promise<{ data: InvoiceDetail }> {
  const of = await divisionOf(ctx, id);
  const amount_minor = amountOf(body);
  const on = body.received_on ?? await ctx.today(of.division);
  const lines = body.lines === undefined ? {} : { lines: body.lines };
  if (body.payment_id !== undefined) {
    const applied = await applyReceiptToInvoice(ctx, { payment_id: body.payment_id, invoice_id: id, amount_minor, on,
      ...lines, accept_short: body.accept_short, withheld_minor: body.withheld_minor ?? 0 });
    return shown(ctx, applied.invoice_id);
  }
  const made = await atAmount(recordReceipt(ctx, {
    customer_id: of.customer_id, division: of.division, currency: of.currency, amount_minor, method: body.method,
    received_on: on, bank_account_id: body.bank_account_id, reference: body.reference, accept_short: body.accept_short,
    duplicate_confirmed: body.duplicate_confirmed,
    ...(body.withheld_minor === undefined ? {} : { withheld_minor: body.withheld_minor }),
    apply_to: [{ invoice_id: id, amount_minor, ...lines }],
  }));
  return shown(ctx, of.kind === 'proforma' ? made.invoice_ids[0] ?? id : id);
}

/** The form has one amount: refusals of the receipt's first document stand there. */
async function atAmount<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { errors } = error as { errors?: Record<string, string[]> };
    const text = errors?.['apply_to.0.amount_minor']?.[0];
    if (text !== undefined) throw invalidField('amount_minor', text);
    throw error;
  }
}

export const invoiceRoutes: Route[] = serve(invoiceEndpoints, {
  async taxChecked(ctx, { params }) {
    if (!await markProofChecked(ctx, params.id)) await markTaxChecked(ctx, params.id);
    return shown(ctx, params.id);
  },
  list: (ctx, { query }) => invoiceList(ctx, query),
  totals: async (ctx, { query }) => ({ data: await invoiceTotals(ctx, query) }),
  nextNumber: async (ctx, { query }) => ({ data: {
    number: await previewNumber(ctx, query.division, 'invoice', await ctx.today(query.division)) } }),
  trash: (ctx, { query }) => invoiceList(ctx, query, true),
  show: (ctx, { params }) => shown(ctx, params.id),
  create: async (ctx, { body }) => shown(ctx, await createDraft(ctx, body)),
  preview: async (ctx, { body }) => ({ data: await previewInvoice(ctx, body) }),
  async update(ctx, { params, body }) {
    await updateDraft(ctx, params.id, body as Partial<InvoiceInput> & { version: number });
    return shown(ctx, params.id);
  },
  remove: (ctx, { params }) => voidDraft(ctx, params.id),
  async restore(ctx, { params }) {
    await restoreDraft(ctx, params.id);
    return shown(ctx, params.id);
  },
  force: (ctx, { params }) => deleteDraft(ctx, params.id),
  async issue(ctx, { params, body }) {
    await issueDraft(ctx, params.id, body);
    return shown(ctx, params.id);
  },
  async refreshTax(ctx, { params }) {
    await refreshTax(ctx, params.id);
    return shown(ctx, params.id);
  },
  async credit(ctx, { params, body }) {
    const { division } = await divisionOf(ctx, params.id);
    const on = body.on ?? await ctx.today(division);
    await refuseFutureDocument(ctx, { division, on, field: 'on', confirmed: body.dated_ahead_confirmed });
    const { credit_note_id } = await creditInvoice(ctx, { invoice_id: params.id, reason: body.reason, on,
      ...(body.lines === undefined ? {} : { lines: body.lines }) });
    return shown(ctx, credit_note_id);
  },
  async writeOff(ctx, { params, body }) {
    const { division } = await divisionOf(ctx, params.id);
    await writeOff(ctx, { invoice_id: params.id, ...body, on: await ctx.today(division) });
    return shown(ctx, params.id);
  },
  async recover(ctx, { params, body }) {
    const { division } = await divisionOf(ctx, params.id);
    await recoverWriteOff(ctx, { invoice_id: params.id, ...body, on: await ctx.today(division) });
    return shown(ctx, params.id);
  },
  async send(ctx, { params, body }) {
    const invoice = await invoiceDetail(ctx, params.id);
    if (invoice.status === 'draft' || invoice.status === 'void') {
      throw conflict('invoice.not_issued', 'Issue the invoice before you send it.');
    }
    await sendInvoice(ctx, invoice, body);
    return { data: { recipients: body.recipients } };
  },
  document: (ctx, { params }) => invoiceDocument(ctx, params.id),
  payments: async (ctx, { params, query }) => {
    await divisionOf(ctx, params.id);
    return onePage(await invoicePayments(ctx, params.id), query,
      invoiceEndpoints.payments.path.replace('{id}', String(params.id)));
  },
  pay: (ctx, { params, body }) => pay(ctx, params.id, body),
  async changePayment(ctx, { params, body }) {
    const { division } = await divisionOf(ctx, params.id);
    const on = await ctx.today(division);
    await unapplyReceipt(ctx, { payment_id: params.paymentId, invoice_id: params.id, on });
    await applyReceiptToInvoice(ctx, { payment_id: params.paymentId, invoice_id: params.id,
      amount_minor: amountOf(body),
      on });
    return shown(ctx, params.id);
  },
  async unapply(ctx, { params }) {
    const { division } = await divisionOf(ctx, params.id);
    await unapplyReceipt(ctx, { payment_id: params.paymentId, invoice_id: params.id, on: await ctx.today(division) });
  },
  items: async (ctx, { params, query }) => {
    await divisionOf(ctx, params.invoiceId);
    const wanted = foldName(query.search ?? '');
    const lines = await invoiceItems(ctx, params.invoiceId);
    return onePage(lines.filter((line) => foldName(line.description).includes(wanted)), query,
      invoiceEndpoints.items.path.replace('{invoiceId}', String(params.invoiceId)));
  },
  item: async (ctx, { params }) => ({ data: await itemOf(ctx, params.invoiceId, params.id) }),
  createItem: async (ctx, { params, body }) => {
    const { local_rates = [], ...line } = body;
    const id = await editLine(ctx, params.invoiceId, { line, local_rates });
    return { data: await itemOf(ctx, params.invoiceId, id!) };
  },
  updateItem: async (ctx, { params, body }) => {
    const { local_rates = [], ...line } = body;
    const id = await editLine(ctx, params.invoiceId, { itemId: params.id, line, local_rates });
    return { data: await itemOf(ctx, params.invoiceId, id!) };
  },
  removeItem: async (ctx, { params }) => { await editLine(ctx, params.invoiceId, { itemId: params.id }); },
});

async function itemOf(ctx: Ctx, invoiceId: number, id: number) {
  const item = (await invoiceItems(ctx, invoiceId)).find((row) => row.id === id);
  if (!item) throw refuse('not_found');
  return item;
}

/** The mail carries the stored document; the same bytes as on screen. */
async function sendInvoice(ctx: Ctx, invoice: InvoiceDetail,
  body: { recipients: string[]; message: string; unprintable_accepted: boolean }): Promise<void> {
  await refuseUnprintable([await invoicePaper(ctx, invoice)], body.unprintable_accepted);
  await invoiceDocument(ctx, invoice.id);
  const file = await ctx.db.maybeOne<{ storage_key: string }>(sql`
    select f.storage_key from invoices i join files f on f.id = i.document_id where i.id = ${invoice.id}`);
  const name = invoice.kind === 'proforma' ? 'Pro forma' : invoice.kind === 'credit_note' ? 'Credit note' : 'Invoice';
  await queueMail(ctx.db, {
    template: 'invoice.issued', to: body.recipients, subject: `${name} ${invoice.number}`, entity: 'invoice',
    entity_id: invoice.id,
    letter: {
      greeting: body.message === '' ? await greetingOf(ctx.db, body.recipients) : null,
      paragraphs: [body.message, `${name} ${invoice.number} for ${invoice.billing_name} is attached. Total: ${
        formatMoney(invoice.total_minor, invoice.currency)}, open: ${
        formatMoney(invoice.balance_minor, invoice.currency)}.`],
      link: { label: invoice.balance_minor > 0 ? 'See and pay' : `See the ${name.toLowerCase()}`,
        href: linkTo(ctx.ports.settings, `/customer/${invoice.customer_id}/invoices/${invoice.id}`) },
      contact: await contactOf(ctx.db, ctx.user.user_id),
    },
    attachments: file ? [{ filename: `${invoice.number}.pdf`, content_type: 'application/pdf',
      storage_key: file.storage_key }] : [],
  });
  await ctx.audit({ action: 'send', entity: 'invoice', entity_id: invoice.id, after: { recipients: body.recipients } });
}
