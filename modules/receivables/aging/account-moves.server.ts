/** The movements of a customer's account: one row per posting to receivables, in the customer's words. */
import type { ListArgs } from '#kit/endpoint.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { WorkContext } from '#server/context.ts';
import { given, listPage } from '#server/list.ts';
import { containing, sql, type Sql } from '#server/sql.ts';
import type { AccountLine, AccountSummary } from './aging.contract.ts';

/** Invoices, credit notes, receipts, refunds and corrections with the transaction that posted each. */
export const movesOf = (customerId: number): Sql => sql`
  select e.transaction_id, e.division, e.currency, e.transaction_at as on,
    case when i.kind in ('invoice', 'credit_note') then i.kind when p.kind in ('receipt', 'refund') then p.kind
      else 'other' end as kind,
    coalesce(i.invoice_number, p.number, e.kind) as number, coalesce(i.id, p.id) as document_id, i.due_on,
    i.license_id, sum(e.amount_minor)::bigint as amount_minor
  from posted_entries e join ledger_accounts l on l.id = e.ledger_account_id and l.system_key = 'ar'
    join transactions t on t.id = e.transaction_id
    left join invoices i on t.source_type = 'invoice' and i.id = t.source_id
    left join payments p on t.source_type = 'payment' and p.id = t.source_id
  where e.party_type = 'customer' and e.party_id = ${customerId}
    and not e.is_revaluation and e.amount_minor <> 0
  group by e.transaction_id, e.division, e.currency, e.transaction_at, e.kind, i.id, p.id`;

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
  const inAccount = given([
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
    conditions: [...inAccount, ...given([
      query.kind !== undefined && sql`t.kind = ${query.kind}`,
      query.from !== undefined && sql`t.on >= ${query.from}`, query.to !== undefined && sql`t.on <= ${query.to}`,
      query.search !== undefined && sql`(t.number ilike ${containing(query.search)} or exists (select 1 from licenses x
        where x.id = t.license_id and x.search_text like search_fold(${containing(query.search)})))`,
    ])],
    sorts: { on: sql`t.on` }, defaultSort: 'on', defaultDirection: 'desc',
  }, query, path);
  return { ...page, accounts: await summaries(ctx, customerId, query) };
}

/** Opening, what was billed, credited, received and refunded between the days, closing: for each account. */
async function summaries(
  ctx: Pick<WorkContext, 'db'>, customerId: number, { from, to }: AccountFilters,
): Promise<AccountSummary[]> {
  const first = from ?? '0001-01-01';
  const last = to ?? '9999-12-31';
  const of = (kind: string): Sql => sql`coalesce(sum(m.amount_minor) filter (
    where m.kind = ${kind} and m.on between ${first} and ${last}), 0)::bigint`;
  return ctx.db.query<AccountSummary & { currency: Currency }>(sql`
    select m.division, m.currency,
      coalesce(sum(m.amount_minor) filter (where m.on < ${first}), 0)::bigint as opening_minor,
      ${of('invoice')} as invoiced_minor, ${of('credit_note')} as credited_minor, ${of('receipt')} as received_minor,
      ${of('refund')} as refunded_minor, ${of('other')} as other_minor,
      coalesce(sum(m.amount_minor) filter (where m.on <= ${last}), 0)::bigint as closing_minor
    from (${movesOf(customerId)}) m group by m.division, m.currency order by m.division, m.currency`);
}
