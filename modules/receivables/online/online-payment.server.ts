/** The lists of payments by card and bank debit, and of what the processor paid out of them. */
import type { QueryOf } from '#kit/endpoint.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql } from '#server/sql.ts';
import {
  onlinePaymentEndpoints, payoutEndpoints, type ClearingRow, type OnlinePaymentRow, type OpenRefund, type PayoutRow,
  type UnknownEvent,
} from './online-payment.contract.ts';

const COLUMNS = sql`t.id, t.customer_id, c.name as customer_name, t.invoice_id,
  coalesce(v.invoice_number, v.reference, 'Deposit, ' || coalesce(l.license_number, l.number)) as invoice_number,
  (select count(*)::int from online_payment_documents d where d.online_payment_id = t.id) as document_count,
  t.division, t.currency, t.amount_minor, t.method, t.status, t.is_test, t.charged_minor,
  t.charged_currency, t.failure, t.attention, t.session_id, t.payment_intent_id,
  t.payment_id, p.number as payment_number, (select concat_ws(' ', first_name, last_name) from users
    where id = t.started_by_id) as started_by_name, t.expires_at, t.settled_at, t.created_at, t.updated_at`;
const JOINS = sql`join customers c on c.id = t.customer_id left join invoices v on v.id = t.invoice_id
  left join deposits e on e.id = t.deposit_id left join licenses l on l.id = e.license_id
  left join payments p on p.id = t.payment_id`;

const list = (ctx: Ctx, query: QueryOf<typeof onlinePaymentEndpoints.list>) => listPage<OnlinePaymentRow>(ctx.db, {
  base: sql`online_payments t`, columns: COLUMNS, joins: JOINS, conditions: compact([
    query.division !== undefined && sql`t.division = ${query.division}`,
    query.status !== undefined && sql`t.status = ${query.status}`,
    query.method !== undefined && sql`t.method = ${query.method}`,
    query.customer_id !== undefined && sql`t.customer_id = ${query.customer_id}`,
    query.attention === 'true' && sql`t.attention <> ''`, query.attention === 'false' && sql`t.attention = ''`,
    query.search !== undefined && matches(sql`t.search_text`, query.search),
  ]),
  sorts: { created_at: sql`t.created_at`, amount_minor: sql`t.amount_minor`, updated_at: sql`t.updated_at` },
  defaultSort: 'created_at', defaultDirection: 'desc',
}, query, onlinePaymentEndpoints.list.path);

const DAYS_SHOWN = 30;

export const onlinePaymentRoutes: Route[] = serve(onlinePaymentEndpoints, {
  list: (ctx, { query }) => list(ctx, query),
  unknown: async (ctx) => ({ data: await ctx.db.query<UnknownEvent>(sql`
    select id, division, event_id, type, object_id, note, happened_at from processor_events
    where status = 'unknown' and created_at > ${ctx.now().toISOString()}::timestamptz - make_interval(days =>
      ${DAYS_SHOWN}) order by id desc limit ${100}`) }),
  clearing: async (ctx) => ({ data: await ctx.db.query<ClearingRow>(sql`
    select a.division, b.currency, sum(b.debit_minor - b.credit_minor)::bigint as ledger_minor
    from ledger_accounts a join ledger_balances b on b.ledger_account_id = a.id
    where a.system_key = 'card_clearing' group by a.division, b.currency
    having sum(b.debit_minor - b.credit_minor) <> 0 order by a.division, b.currency`) }),
  refunds: async (ctx) => ({ data: await ctx.db.query<OpenRefund>(sql`
    select r.id, r.payment_id, o.payment_id as receipt_id, c.name as customer_name, r.currency, r.amount_minor,
      coalesce(r.refund_id, '') as refund_id, r.attention
    from processor_refunds r join online_payments o on o.id = r.online_payment_id
      join customers c on c.id = r.customer_id
    where r.attention <> '' order by r.id desc limit ${100}`) }),
});

const PAYOUT_COLUMNS = sql`t.id, t.payout_id, t.division, t.currency, t.amount_minor, t.fee_minor, t.paid_on, t.status,
  t.note, b.name as bank_account, (select count(*)::int from processor_payout_parts x
    where x.processor_payout_id = t.id) as part_count, t.transaction_id, t.created_at, t.updated_at`;

export const payoutRoutes: Route[] = serve(payoutEndpoints, {
  list: (ctx, { query }) => listPage<PayoutRow>(ctx.db, {
    base: sql`processor_payouts t`, columns: PAYOUT_COLUMNS,
    joins: sql`left join bank_accounts b on b.id = t.bank_account_id`, conditions: compact([
      query.division !== undefined && sql`t.division = ${query.division}`,
      query.status !== undefined && sql`t.status = ${query.status}`,
      query.search !== undefined && matches(sql`t.search_text`, query.search),
    ]),
    sorts: { paid_on: sql`t.paid_on`, amount_minor: sql`t.amount_minor`, updated_at: sql`t.updated_at` },
    defaultSort: 'paid_on', defaultDirection: 'desc',
  }, query, payoutEndpoints.list.path),
});
