/** The list of disputed card payments. */
import type { Ctx } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql } from '#server/sql.ts';
import { disputeEndpoints, type DisputeRow } from './online-payment.contract.ts';

const DASHBOARD = 'https://dashboard.stripe.com';

const COLUMNS = sql`t.id, t.dispute_id, t.division, t.customer_id, c.name as customer_name, o.invoice_id,
  coalesce(v.invoice_number, v.reference, 'Deposit, ' || coalesce(l.license_number, l.number)) as invoice_number,
  o.payment_id as receipt_id, p.number as receipt_number, t.currency, t.amount_minor, t.reason, t.status,
  t.due_at, t.taken_minor, t.fee_minor, t.attention, t.payment_id, o.is_test, t.closed_at, t.created_at, t.updated_at`;
const JOINS = sql`join customers c on c.id = t.customer_id join online_payments o on o.id = t.online_payment_id
  left join invoices v on v.id = o.invoice_id left join deposits e on e.id = o.deposit_id
  left join licenses l on l.id = e.license_id left join payments p on p.id = o.payment_id`;

/** Evidence is given on the processor's own pages; the test processor has none. */
const evidenceUrl = (ctx: Ctx, row: Pick<DisputeRow, 'dispute_id' | 'is_test'>): string | null =>
  (ctx.ports.settings.stripe?.api_url === null
    ? `${DASHBOARD}/${row.is_test ? 'test/' : ''}disputes/${row.dispute_id}` : null);

export const disputeRoutes: Route[] = serve(disputeEndpoints, {
  async list(ctx, { query }) {
    const page = await listPage<Omit<DisputeRow, 'evidence_url'>>(ctx.db, {
      base: sql`processor_disputes t`, columns: COLUMNS, joins: JOINS, conditions: compact([
        query.division !== undefined && sql`t.division = ${query.division}`,
        query.status !== undefined && sql`t.status = ${query.status}`,
        query.customer_id !== undefined && sql`t.customer_id = ${query.customer_id}`,
        query.search !== undefined && sql`(${matches(sql`t.search_text`, query.search)}
          or exists (select 1 from customers s where s.id = t.customer_id
            and ${matches(sql`s.search_text`, query.search)}))`,
      ]),
      sorts: { created_at: sql`t.created_at`, due_at: sql`t.due_at`, amount_minor: sql`t.amount_minor`,
        updated_at: sql`t.updated_at` },
      defaultSort: 'created_at', defaultDirection: 'desc',
    }, query, disputeEndpoints.list.path);
    return { ...page, data: page.data.map((row) => ({ ...row, evidence_url: evidenceUrl(ctx, row) })) };
  },
});
