/** Payment endpoints with their handlers: money from customers, and refunds to them. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { given, listPage, type Page } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, type Sql, sql } from '#server/sql.ts';
import type { QueryOf } from '#kit/endpoint.ts';
import { holdReceiptAsDeposit } from '../deposits/receive-deposit.server.ts';
import { receiptDocument } from '../documents/invoice-document.server.ts';
import type { ReceiptInput } from '../receivables-types.ts';
import { paymentEndpoints, type PaymentDetail, type PaymentRow } from './payment.contract.ts';
import { openDocuments } from './open-documents.server.ts';
import { lockPayment } from './payment-store.server.ts';
import { withdrawPlanned } from './post-dated.server.ts';
import { recordReceipt } from './record-receipt.server.ts';
import { approveRefund, payRefund, refundReceipt, voidRefund } from './refund.server.ts';
import { returnReceipt } from './return-receipt.server.ts';

type Query = QueryOf<typeof paymentEndpoints.list>;

const columns = sql`t.id, t.number, t.direction, t.kind, t.status, t.party_type, t.party_id,
  coalesce(c.name, r.name, '') as party_name, t.license_id, t.division, t.currency, t.amount_minor, t.applied_minor,
  t.unapplied_minor, t.method, t.paid_on, t.reference, t.memo, a.code || ' ' || a.name as account,
  ba.id as bank_account_id, ba.name as bank_account, t.transaction_id,
  t.version, t.created_at, t.updated_at`;
const joins = sql`left join customers c on c.id = t.customer_id left join royaltors r on r.id = t.royaltor_id
  join ledger_accounts a on a.id = t.ledger_account_id
  left join bank_accounts ba on ba.ledger_account_id = t.ledger_account_id`;

function paymentList(ctx: Ctx, query: Query, only: Sql | null, path: string): Promise<Page<PaymentRow>> {
  const search = query.search && sql`(${matches(sql`search_words(t.number, t.reference)`, query.search)}
    or exists (select 1 from customers s where s.id = t.customer_id
    and ${matches(sql`s.search_text`, query.search)}))`;
  return listPage<PaymentRow>(ctx.db, {
    base: sql`payments t`, columns, joins, conditions: given([
      sql`t.deleted_at is null`, only, query.division !== undefined && sql`t.division = ${query.division}`,
      query.status !== undefined && sql`t.status = ${query.status}`,
      query.method !== undefined && sql`t.method = ${query.method}`,
      query.kind !== undefined && sql`t.kind = ${query.kind}`,
      query.direction !== undefined && sql`t.direction = ${query.direction}`,
      query.customer_id !== undefined && sql`t.customer_id = ${query.customer_id}`,
      query.bank_account_id !== undefined && sql`exists (select 1 from bank_accounts b
        where b.ledger_account_id = t.ledger_account_id and b.id = ${query.bank_account_id})`,
      query.unapplied === 'true' && sql`t.applied_minor < t.amount_minor and t.status in ('posted', 'cleared')
        and t.direction = 'in'`,
      search ? search : null]),
    sorts: { paid_on: sql`t.paid_on`, number: sql`t.number`, amount_minor: sql`t.amount_minor`,
      unapplied_minor: sql`t.unapplied_minor`, updated_at: sql`t.updated_at` },
    defaultSort: 'paid_on', defaultDirection: 'desc',
  }, query, path);
}

async function paymentDetail(ctx: Pick<WorkContext, 'db'>, id: number): Promise<{ data: PaymentDetail }> {
  const row = await ctx.db.maybeOne<Omit<PaymentDetail, 'applications' | 'open_documents'>>(sql`
    select ${columns}, t.reversal_transaction_id, t.reversal_reason, t.returned_on, t.credit_note_id,
      case when t.status = 'draft' and t.direction = 'in' then (select coalesce(sum((x ->> 'amount_minor')::bigint), 0)
        from jsonb_array_elements(t.planned -> 'apply_to') x)::bigint end as planned_minor,
      t.created_by_id, b.first_name || ' ' || b.last_name as created_by_name,
      p.first_name || ' ' || p.last_name as approved_by_name,
      (select d.id from deposits d where d.payment_id = t.id) as deposit_id
    from payments t ${joins} left join users b on b.id = t.created_by_id left join users p on p.id = t.approved_by_id
    where t.id = ${id} and t.deleted_at is null`);
  if (!row) throw refuse('not_found');
  const applications = await ctx.db.query<PaymentDetail['applications'][number]>(sql`
    select i.id as invoice_id, i.invoice_number as number, sum(a.amount_minor)::bigint as applied_minor,
      max(a.applied_on) as applied_on
    from payment_allocations a join invoices i on i.id = a.invoice_id where a.payment_id = ${id}
    group by i.id having sum(a.amount_minor) <> 0 order by i.id`);
  const usable = ['receipt', 'credit'].includes(row.kind) && ['posted', 'cleared'].includes(row.status)
    && row.unapplied_minor > 0;
  const open = usable ? await openDocuments(ctx, { customer_id: row.party_id, division: row.division,
    currency: row.currency }) : [];
  return { data: { ...row, applications, open_documents: open } };
}

async function changeStatus(ctx: Ctx, id: number, body: { status: 'approved' | 'posted' | 'void' | 'returned';
  version: number; on?: string | undefined; reason: string; fee_minor: number; recharge: boolean }): Promise<void> {
  const payment = await ctx.db.maybeOne<{ division: string; kind: string; version: number; run: string | null }>(sql`
    select p.division, p.kind, p.version, n.number as run from payments p
      left join payment_runs n on n.id = p.payment_run_id where p.id = ${id} and p.deleted_at is null`);
  if (!payment) throw refuse('not_found');
  if (payment.version !== body.version) throw refuse('stale');
  if (payment.run !== null) {
    throw conflict('payment.in_run', `The payment is in payment run ${payment.run}. Decide it there.`);
  }
  const on = body.on ?? await ctx.today(payment.division);
  if (body.status === 'returned') {
    await returnReceipt(ctx, { payment_id: id, on, reason: body.reason, fee_minor: body.fee_minor,
      recharge: body.recharge });
    return;
  }
  if (payment.kind === 'receipt' && body.status === 'void') {
    await withdrawPlanned(ctx, id, body.reason);
    return;
  }
  if (payment.kind !== 'refund') {
    throw conflict('payment.kind', 'Only refunds to customers are approved, paid or withdrawn here.');
  }
  if (body.status === 'approved') await approveRefund(ctx, id);
  else if (body.status === 'posted') await payRefund(ctx, id, on);
  else await voidRefund(ctx, id, on, body.reason);
}

export const paymentRoutes: Route[] = serve(paymentEndpoints, {
  list: (ctx, { query }) => paymentList(ctx, query, null, paymentEndpoints.list.path),
  receipts: (ctx, { query }) => paymentList(ctx, query, sql`t.party_type = 'customer'`,
    paymentEndpoints.receipts.path),
  show: (ctx, { params }) => paymentDetail(ctx, params.id),
  openDocuments: async (ctx, { query }) => ({ data: await openDocuments(ctx, query) }),
  async holdAsDeposit(ctx, { params, body }) {
    const payment = await ctx.db.maybeOne<{ division: string }>(sql`
      select division from payments where id = ${params.id} and deleted_at is null`);
    if (!payment) throw refuse('not_found');
    await holdReceiptAsDeposit(ctx, { payment_id: params.id, deposit_id: body.deposit_id,
      on: await ctx.today(payment.division) });
    return paymentDetail(ctx, params.id);
  },
  async create(ctx, { body }) {
    const { withheld_minor, ...rest } = body;
    const input: ReceiptInput = { ...rest, ...(withheld_minor === undefined ? {} : { withheld_minor }) };
    const { payment_id } = await recordReceipt(ctx, input);
    return paymentDetail(ctx, payment_id);
  },
  async update(ctx, { params, body }) {
    const before = await lockPayment(ctx, params.id);
    if (before.version !== body.version) throw refuse('stale');
    await ctx.db.exec(sql`update payments set memo = ${body.memo}, version = version + 1 where id = ${params.id}`);
    await ctx.audit({ action: 'update', entity: 'payment', entity_id: params.id, after: { memo: body.memo } });
    return paymentDetail(ctx, params.id);
  },
  async remove(ctx, { params }) {
    const payment = await lockPayment(ctx, params.id);
    // Refunds have posted their payable already: they are withdrawn, which takes that posting back.
    if (payment.kind === 'refund' && ['draft', 'approved'].includes(payment.status)) {
      throw conflict('payment.posted', 'Withdraw the refund: its credit then stands on account again.');
    }
    throw refuse('posted_document', 'A posted payment is never deleted. Return or reverse it.');
  },
  async status(ctx, { params, body }) {
    await changeStatus(ctx, params.id, body);
    return paymentDetail(ctx, params.id);
  },
  async refund(ctx, { params, body }) {
    const payment = await ctx.db.maybeOne<{ division: string; currency: string }>(sql`
      select division, currency from payments where id = ${params.id} and direction = 'in'`);
    if (!payment) throw refuse('not_found');
    if (body.amount_minor <= 0) throw invalidField('amount_minor', 'Enter an amount above zero');
    const { payment_id } = await refundReceipt(ctx, { payment_id: params.id, ...body,
      on: await ctx.today(payment.division) });
    return paymentDetail(ctx, payment_id);
  },
  document: (ctx, { params }) => receiptDocument(ctx, params.id),
});
