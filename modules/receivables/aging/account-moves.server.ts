/** The movements of a customer's account: one row per posting to receivables, in the customer's words. */
import type { ListArgs } from '#kit/endpoint.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { WorkContext } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { matches, mentions, type Sql, sql } from '#server/sql.ts';
import type { AccountLine, AccountSummary } from './aging.contract.ts';

/**
 * Every posting to receivables of a customer, by what it is: a document, money, a deposit that pays, what was written
 * off or taken back. A mirror takes the document of what it mirrors.
 */
export const movesOf = (customerId: number): Sql => sql`
  select e.transaction_id, e.division, e.currency, e.transaction_at as on,
    case when i.kind = 'invoice' and t.kind in ('write_off', 'invoice')
        then case t.kind when 'invoice' then 'invoice' else 'write_off' end
      when i.kind = 'credit_note' then 'credit_note'
      when p.kind = 'receipt' and o.kind = 'receipt' and o.source_event = 'received'
        then case when t.reverses_id is null then 'receipt' else 'returned' end
      when p.kind = 'receipt' and o.kind in ('receipt', 'write_off') then 'write_off'
      when o.kind = 'write_off' then 'write_off'
      when p.kind = 'refund' then 'refund'
      when p.kind = 'dispute' then 'returned'
      when o.kind in ('deposit_return', 'deposit') then 'deposit' else 'other' end as kind,
    coalesce(i.invoice_number, p.number, case when d.id is null then e.kind end) as number,
    coalesce(i.id, p.id) as document_id, i.due_on, coalesce(i.license_id, p.license_id, d.license_id) as license_id,
    sum(e.amount_minor)::bigint as amount_minor,
    case when i.kind = 'invoice' and t.kind = 'invoice' and t.reverses_id is null
      then i.prepaid_net_minor + i.prepaid_tax_minor else 0 end::bigint as set_off_minor
  from posted_entries e join ledger_accounts l on l.id = e.ledger_account_id and l.system_key = 'ar'
    join transactions t on t.id = e.transaction_id join transactions o on o.id = coalesce(t.reverses_id, t.id)
    left join invoices i on o.source_type = 'invoice' and i.id = o.source_id
    left join payments p on o.source_type = 'payment' and p.id = o.source_id
    left join deposits d on o.source_type = 'deposit' and d.id = o.source_id
  where e.party_type = 'customer' and e.party_id = ${customerId}
    and not e.is_revaluation and e.amount_minor <> 0
  group by e.transaction_id, e.division, e.currency, e.transaction_at, e.kind, i.id, p.id, d.id, t.kind, t.reverses_id,
    o.kind, o.source_event`;

export interface AccountFilters {
  division?: string | undefined;
  currency?: string | undefined;
  kind?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Balances are those of the whole account, whatever is filtered; the newest movement stands first. */
export async function accountLines(
  ctx: Pick<WorkContext, 'db'>, customerId: number, query: ListArgs & AccountFilters, path: string,
) {
  const inAccount = compact([
    query.division !== undefined && sql`t.division = ${query.division}`,
    query.currency !== undefined && sql`t.currency = ${query.currency}`,
  ]);
  const page = await listPage<AccountLine>(ctx.db, {
    base: sql`(select m.*, row_number() over (order by m.on, m.transaction_id, m.currency) as id,
        sum(m.amount_minor) over (partition by m.division, m.currency order by m.on, m.transaction_id)::bigint
          as balance_minor
      from (${movesOf(customerId)}) m) t`,
    columns: sql`t.*, n.title_on_license as license_title`,
    joins: sql`left join licenses n on n.id = t.license_id`,
    conditions: [...inAccount, ...compact([
      query.kind !== undefined && sql`t.kind = ${query.kind}`,
      query.from !== undefined && sql`t.on >= ${query.from}`, query.to !== undefined && sql`t.on <= ${query.to}`,
      query.search !== undefined && sql`(${mentions(sql`t.number`, query.search)} or exists (select 1 from licenses x
        where x.id = t.license_id and ${matches(sql`x.search_text`, query.search)}))`,
    ])],
    sorts: { on: sql`t.on` }, defaultSort: 'on', defaultDirection: 'desc',
  }, query, path);
  return { ...page, accounts: await summaries(ctx, customerId, query) };
}

/**
 * Opening, what was billed, credited, received and so on between the days, closing: for each account. Its parts are
 * what every screen says of an account. `requested_minor` is asked for and no debt yet: open
 * pro formas and deposits.
 */
export async function summaries(
  ctx: Pick<WorkContext, 'db'>, customerId: number, { from, to }: AccountFilters,
): Promise<AccountSummary[]> {
  const first = from ?? '0001-01-01';
  const last = to ?? '9999-12-31';
  const of = (kind: string): Sql => sql`coalesce(sum(m.amount_minor) filter (
    where m.kind = ${kind} and m.on between ${first} and ${last}), 0)::bigint`;
  return ctx.db.query<AccountSummary & { currency: Currency }>(sql`
    with moves as (${movesOf(customerId)}), asked as (
      select division, currency, sum(minor) as minor from (
        select division, currency, balance_minor as minor from invoices
        where customer_id = ${customerId} and kind = 'proforma' and status = 'proforma'
        union all
        select d.division, d.currency, d.amount_minor from deposits d join licenses l on l.id = d.license_id
        where l.customer_id = ${customerId} and d.status = 'requested') x group by 1, 2),
    set_off as (
      select division, currency, sum(prepaid_net_minor + prepaid_tax_minor)::bigint as minor from invoices
      where customer_id = ${customerId} and kind = 'invoice' and issued_on between ${first} and ${last}
        and prepaid_net_minor + prepaid_tax_minor > 0 group by 1, 2)
    select k.division, k.currency,
      coalesce(sum(m.amount_minor) filter (where m.on < ${first}), 0)::bigint as opening_minor,
      ${of('invoice')} as invoiced_minor, ${of('credit_note')} as credited_minor, ${of('receipt')} as received_minor,
      ${of('returned')} as returned_minor, ${of('refund')} as refunded_minor, ${of('deposit')} as deposits_minor,
      ${of('write_off')} as written_off_minor, ${of('other')} as other_minor,
      coalesce(sum(m.amount_minor) filter (where m.on <= ${last}), 0)::bigint as closing_minor,
      coalesce((select minor from asked a where a.division = k.division and a.currency = k.currency), 0)::bigint
        as requested_minor,
      coalesce((select minor from set_off s where s.division = k.division and s.currency = k.currency), 0)::bigint
        as set_off_minor
    from (select division, currency from moves union select division, currency from asked
        union select division, currency from set_off) k
      left join moves m on m.division = k.division and m.currency = k.currency
    group by k.division, k.currency order by k.division, k.currency`);
}
