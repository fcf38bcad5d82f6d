/** Payment endpoints with their handlers: all money in and out. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { paymentEndpoints, type PaymentDetail } from '#modules/receivables/payments/payment.contract.ts';
import {
  holdReceiptAsDeposit, openDocuments, receiptDocument, recordReceipt, refundReceipt, type ReceiptInput,
} from '#modules/receivables/receivables.public.server.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { purgeDisbursement, restoreDisbursement, trashDisbursement }
  from '../disbursement/trash-disbursement.server.ts';
import { decidePayment } from './decide-payment.server.ts';
import { changePayment } from './pay.server.ts';
import { paymentOf } from './payment-detail.server.ts';
import { candidatePage, linkTransactions, transactionPage, unlinkTransaction } from './payment-links.server.ts';
import { paymentList } from './payment-list.server.ts';

/** The payment after the work. */
async function after(ctx: WorkContext, id: number, work: Promise<unknown>): Promise<{ data: PaymentDetail }> {
  await work;
  return { data: await paymentOf(ctx, id) };
}

async function trash(ctx: Ctx, id: number): Promise<void> {
  const payment = await ctx.db.maybeOne<{ direction: string; kind: string; status: string }>(sql`
    select direction, kind, status from payments where id = ${id} and deleted_at is null`);
  if (!payment) throw refuse('not_found');
  if (payment.direction === 'out' && ['vendor', 'refund', 'tax'].includes(payment.kind)) {
    return trashDisbursement(ctx, id, ctx.ifMatch);
  }
  if (payment.direction === 'out' && ['draft', 'approved'].includes(payment.status)) {
    throw conflict('payment.kind', 'A royalty payment is taken out of its batch.');
  }
  throw refuse('posted_document', 'A posted payment is never deleted. Return or reverse it.');
}

const living = sql`t.deleted_at is null`;
const pathOf = (path: string, id: number): string => path.replace('{id}', String(id));

export const paymentRoutes: Route[] = serve(paymentEndpoints, {
  list: (ctx, { query }) => paymentList(ctx, query, living, paymentEndpoints.list.path),
  receipts: (ctx, { query }) => paymentList(ctx, query, sql`${living} and t.party_type = 'customer'`,
    paymentEndpoints.receipts.path),
  payable: (ctx, { query }) => paymentList(ctx, query, sql`${living} and t.direction = 'out'`,
    paymentEndpoints.payable.path),
  trash: (ctx, { query }) => paymentList(ctx, query, sql`t.deleted_at is not null`, paymentEndpoints.trash.path),
  show: async (ctx, { params }) => ({ data: await paymentOf(ctx, params.id) }),
  openDocuments: async (ctx, { query }) => ({ data: await openDocuments(ctx, query) }),
  async holdAsDeposit(ctx, { params, body }) {
    const payment = await ctx.db.maybeOne<{ division: string }>(sql`
      select division from payments where id = ${params.id} and deleted_at is null`);
    if (!payment) throw refuse('not_found');
    return after(ctx, params.id, holdReceiptAsDeposit(ctx, { payment_id: params.id, deposit_id: body.deposit_id,
      on: await ctx.today(payment.division) }));
  },
  async create(ctx, { body }) {
    const { withheld_minor, ...rest } = body;
    const input: ReceiptInput = { ...rest, ...(withheld_minor === undefined ? {} : { withheld_minor }) };
    const { payment_id } = await recordReceipt(ctx, input);
    return { data: await paymentOf(ctx, payment_id) };
  },
  update: (ctx, { params, body }) => after(ctx, params.id, changePayment(ctx, params.id, body)),
  remove: (ctx, { params }) => trash(ctx, params.id),
  restore: (ctx, { params }) => after(ctx, params.id, restoreDisbursement(ctx, params.id)),
  purge: (ctx, { params }) => purgeDisbursement(ctx, params.id),
  status: (ctx, { params, body }) => after(ctx, params.id, decidePayment(ctx, params.id, body)),
  transactions: (ctx, { params, query }) => transactionPage(ctx, params.id, query,
    pathOf(paymentEndpoints.transactions.path, params.id)),
  candidates: (ctx, { params, query }) => candidatePage(ctx, params.id, query,
    pathOf(paymentEndpoints.candidates.path, params.id)),
  link: (ctx, { params, body }) => after(ctx, params.id, linkTransactions(ctx, params.id, body.transaction_ids)),
  unlink: (ctx, { params }) => unlinkTransaction(ctx, params.id, params.transactionId),
  async refund(ctx, { params, body }) {
    const payment = await ctx.db.maybeOne<{ division: string; currency: string }>(sql`
      select division, currency from payments where id = ${params.id} and direction = 'in'`);
    if (!payment) throw refuse('not_found');
    if (body.amount_minor <= 0) throw invalidField('amount_minor', 'Enter an amount above zero');
    const { payment_id } = await refundReceipt(ctx, { payment_id: params.id, ...body,
      on: await ctx.today(payment.division) });
    return { data: await paymentOf(ctx, payment_id) };
  },
  document: (ctx, { params }) => receiptDocument(ctx, params.id),
});
