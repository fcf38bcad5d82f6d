/** One payment with what it settles, its postings, and what its status allows. */
import { refuse } from '#kit/errors.ts';
import type { PaymentDetail, SettledPart } from '#modules/receivables/payments/payment.contract.ts';
import { chargeOf, disputeOfReceipt, openDocuments, refundAtProcessor }
  from '#modules/receivables/receivables.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import { runParts } from '../run/run-store.server.ts';
import { eventsOf } from './payment-events.server.ts';
import { transactionsOf } from './payment-links.server.ts';
import { PAYMENT_COLUMNS, PAYMENT_JOINS } from './payment-list.server.ts';
import { refundPartsOf } from './refund-parts.server.ts';

type Reads = Pick<WorkContext, 'db'>;
type Head = Omit<PaymentDetail, 'applications' | 'open_documents' | 'parts' | 'transactions' | 'allowed'
  | 'remittances' | 'processor' | 'to_card_minor' | 'dispute'> & { has_parts: boolean; run_status: string | null };

const personOf = (column: Sql): Sql => sql`
  (select concat_ws(' ', u.first_name, u.last_name) from users u where u.id = ${column})`;

export async function paymentOf(ctx: Reads, id: number): Promise<PaymentDetail> {
  const head = await ctx.db.maybeOne<Head>(sql`
    select ${PAYMENT_COLUMNS}, t.reversal_transaction_id, t.reversal_reason, t.returned_on, t.credit_note_id,
      t.bank_currency, t.bank_amount_minor,
      case when t.status = 'draft' and t.direction = 'in' then (select coalesce(sum((x ->> 'amount_minor')::bigint), 0)
        from jsonb_array_elements(t.planned -> 'apply_to') x)::bigint end as planned_minor,
      t.created_by_id, ${personOf(sql`t.created_by_id`)} as created_by_name,
      ${personOf(sql`t.approved_by_id`)} as approved_by_name, t.approved_at, t.last_changed_by_id, t.value_on,
      t.payee_last4, coalesce(v.email, r.email) as payee_email, t.outcome_on,
      (select jsonb_build_object('id', d.id, 'number', d.number) from transactions o,
        ledger_document(o.source_type, o.source_id) d
        where o.id = t.transaction_id and d.kind = 'intercompany_entry') as intercompany,
      (select d.id from deposits d where d.payment_id = t.id) as deposit_id, n.status as run_status,
      (exists (select 1 from payment_parts y where y.payment_id = t.id)
        or exists (select 1 from royalty_payment_conversions y where y.payment_id = t.id)) as has_parts
    from payments t ${PAYMENT_JOINS} where t.id = ${id} and t.deleted_at is null`);
  if (!head) throw refuse('not_found');
  const { has_parts, run_status, ...row } = head;
  const processor = row.kind === 'refund' ? await refundAtProcessor(ctx, id) : null;
  return { ...row, processor, applications: await applicationsOf(ctx, id), open_documents: await openOf(ctx, row),
    dispute: row.kind === 'receipt' ? await disputeOfReceipt(ctx, id) : null,
    to_card_minor: row.kind === 'receipt' ? (await chargeOf(ctx, id))?.refundable_minor ?? null : null,
    parts: await partsOf(ctx, row), transactions: await transactionsOf(ctx, id),
    allowed: eventsOf({ ...row, has_parts, run_status, processor: processor?.status ?? null }),
    remittances: await remittancesOf(ctx, id) };
}

function applicationsOf(ctx: Reads, id: number): Promise<PaymentDetail['applications']> {
  return ctx.db.query<PaymentDetail['applications'][number]>(sql`
    select i.id as invoice_id, i.invoice_number as number, sum(a.amount_minor)::bigint as applied_minor,
      max(a.applied_on) as applied_on
    from payment_allocations a join invoices i on i.id = a.invoice_id where a.payment_id = ${id}
    group by i.id having sum(a.amount_minor) <> 0 order by i.id`);
}

async function openOf(ctx: Reads, row: Pick<PaymentDetail, 'kind' | 'status' | 'unapplied_minor' | 'party_id'
  | 'division' | 'currency'>): Promise<PaymentDetail['open_documents']> {
  const usable = ['receipt', 'credit'].includes(row.kind) && ['posted', 'cleared'].includes(row.status)
    && row.unapplied_minor > 0;
  return usable ? openDocuments(ctx, { customer_id: row.party_id, division: row.division, currency: row.currency })
    : [];
}

/** Items of accounts payable, statements of a royaltor, or the receipt that a refund gives back. */
async function partsOf(ctx: Reads, row: Pick<PaymentDetail, 'id' | 'kind'>): Promise<SettledPart[]> {
  if (row.kind === 'royalty' || row.kind === 'royalty_advance') {
    return ctx.db.query<SettledPart>(sql`
      select null::bigint as open_item_id, coalesce(m.number, 'Advance') as document,
        case when m.id is not null then 'royalty_statement' end as document_kind, m.id as document_id,
        coalesce(m.number, '') as payee_number, null::date as due_on, x.paid_minor::bigint as amount_minor,
        0::bigint as discount_minor, '' as discount_reason
      from royalty_payment_conversions x left join royalty_statements m on m.id = x.royalty_statement_id
      where x.payment_id = ${row.id} order by x.id`);
  }
  const parts = await runParts(ctx, [row.id]);
  if (parts.length === 0 && row.kind === 'refund') {
    return (await refundPartsOf(ctx, row.id)).map(({ dated_on: _on, total_minor: _total, ...part }) => ({ ...part,
      open_item_id: null, due_on: null, discount_minor: 0, discount_reason: '' }));
  }
  return parts.map(({ payment_id: _payment, ...part }) => part);
}

function remittancesOf(ctx: Reads, id: number): Promise<PaymentDetail['remittances']> {
  return ctx.db.query<PaymentDetail['remittances'][number]>(sql`
    select e.created_at as at, coalesce(${personOf(sql`e.actor_id`)}, '') as by_name,
      coalesce((select string_agg(r, ', ') from jsonb_array_elements_text(e.after -> 'recipients') r), '') as recipients
    from audit_events e where e.entity = 'payment' and e.entity_id = ${id} and e.action = 'send_remittance'
    order by e.id desc limit 20`);
}
