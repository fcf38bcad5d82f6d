/** All money in and out, as lists show it: one table with receipts, refunds, royalties and payments to vendors. */
import type { QueryOf } from '#kit/endpoint.ts';
import type { paymentEndpoints, PaymentRow } from '#modules/receivables/payments/payment.contract.ts';
import { currentVendor, vendorAndMerged } from '#modules/operations/operations.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage, type Page } from '#server/list.ts';
import { matches, type Sql, sql } from '#server/sql.ts';

type Query = QueryOf<typeof paymentEndpoints.list>;

export const PAYMENT_COLUMNS = sql`t.id, t.number, t.number as name, t.direction, t.kind, t.status, t.party_type,
  coalesce(v.id, t.party_id) as party_id, coalesce(c.name, v.name, r.name, x.name, '') as party_name, t.license_id,
  t.division, t.currency, t.amount_minor, t.withheld_minor, t.applied_minor, t.unapplied_minor, t.method, t.paid_on,
  t.reference, t.memo,
  a.code || ' ' || a.name as account, ba.id as bank_account_id, ba.name as bank_account, t.transaction_id,
  t.payment_run_id, n.number as payment_run, t.royalty_payment_batch_id as batch_id, rb.number as batch_number,
  k.id as check_id, k.check_number::text as check_number, t.outcome, t.deleted_at, t.version, t.created_at,
  t.updated_at`;
export const PAYMENT_JOINS = sql`left join customers c on c.id = t.customer_id
  left join vendors v on v.id = ${currentVendor(sql`t.vendor_id`)} left join royaltors r on r.id = t.royaltor_id
  left join tax_authorities x on t.party_type = 'tax_authority' and x.id = t.party_id
  join ledger_accounts a on a.id = t.ledger_account_id
  left join bank_accounts ba on ba.ledger_account_id = t.ledger_account_id
  left join payment_runs n on n.id = t.payment_run_id
  left join royalty_payment_batches rb on rb.id = t.royalty_payment_batch_id
  left join lateral (select h.id, h.check_number from checks h where h.payment_id = t.id
    order by h.id desc limit 1) k on true`;

/** Number, reference, and the name of whom it is from or for. */
function searched(search: string): Sql {
  const party = (table: Sql, column: Sql): Sql => sql`exists (select 1 from ${table} s where s.id = ${column}
    and ${matches(sql`s.search_text`, search)})`;
  return sql`(${matches(sql`search_words(t.number, t.reference)`, search)}
    or ${party(sql`customers`, sql`t.customer_id`)} or ${party(sql`vendors`, sql`t.vendor_id`)}
    or ${party(sql`royaltors`, sql`t.royaltor_id`)})`;
}

/** `only` is true of every row of the list. */
export function paymentList(ctx: Ctx, query: Query, only: Sql, path: string): Promise<Page<PaymentRow>> {
  return listPage<PaymentRow>(ctx.db, {
    base: sql`payments t`, columns: PAYMENT_COLUMNS, joins: PAYMENT_JOINS, conditions: compact([
      only, query.division !== undefined && sql`t.division = ${query.division}`,
      query.status !== undefined && sql`t.status = ${query.status}`,
      query.method !== undefined && sql`t.method = ${query.method}`,
      query.kind !== undefined && sql`t.kind = ${query.kind}`,
      query.direction !== undefined && sql`t.direction = ${query.direction}`,
      query.party_type !== undefined && sql`t.party_type = ${query.party_type}`,
      query.currency !== undefined && sql`t.currency = ${query.currency}`,
      query.customer_id !== undefined && sql`t.customer_id = ${query.customer_id}`,
      query.vendor_id !== undefined && sql`t.vendor_id in ${vendorAndMerged(query.vendor_id)}`,
      query.royaltor_id !== undefined && sql`t.royaltor_id = ${query.royaltor_id}`,
      query.paid_from !== undefined && sql`t.paid_on >= ${query.paid_from}`,
      query.paid_to !== undefined && sql`t.paid_on <= ${query.paid_to}`,
      query.bank_account_id !== undefined && sql`exists (select 1 from bank_accounts b
        where b.ledger_account_id = t.ledger_account_id and b.id = ${query.bank_account_id})`,
      query.unapplied === 'true' && sql`t.applied_minor < t.amount_minor and t.status in ('posted', 'cleared')
        and t.direction = 'in'`,
      Boolean(query.search) && searched(query.search ?? '')]),
    sorts: { paid_on: sql`t.paid_on`, number: sql`t.number`, amount_minor: sql`t.amount_minor`,
      unapplied_minor: sql`t.unapplied_minor`, updated_at: sql`t.updated_at`,
      party: sql`coalesce((select s.name from customers s where s.id = t.customer_id),
        (select s.name from vendors s where s.id = t.vendor_id),
        (select s.name from royaltors s where s.id = t.royaltor_id)) collate "und-x-icu"` },
    defaultSort: 'paid_on', defaultDirection: 'desc',
  }, query, path);
}
