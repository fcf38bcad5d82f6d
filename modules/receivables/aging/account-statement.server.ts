/** What happened on a customer's account between two days, per division and currency, from the ledger's own items. */
import { refuse } from '#kit/errors.ts';
import type { ResponseIn } from '#kit/endpoint.ts';
import { addMonths } from '#kernel/calendar/calendar.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { AccountStatement, agingEndpoints } from './aging.contract.ts';

type Reader = Pick<WorkContext, 'db' | 'today'>;
type Account = AccountStatement['accounts'][number];
interface Move {
  division: Account['division']; currency: Account['currency']; on: string; kind: Account['lines'][number]['kind'];
  number: string | null; document_id: number | null; due_on: string | null; amount_minor: number;
}

async function customerOf(ctx: Reader, id: number) {
  const row = await ctx.db.maybeOne<{ id: number; name: string; default_division: string; credit_hold: boolean;
    credit_limit_minor: number | null; payment_terms_days: number }>(sql`
    select id, name, default_division, credit_hold, credit_limit_minor, payment_terms_days
    from customers where id = ${id} and deleted_at is null`);
  if (!row) throw refuse('not_found');
  return row;
}

/** Opening balance, every document and payment with the balance after it, closing balance. Default: twelve months. */
export async function accountStatement(
  ctx: Reader, customerId: number, range: { from?: string | undefined; to?: string | undefined },
): Promise<AccountStatement> {
  const customer = await customerOf(ctx, customerId);
  const to = range.to ?? await ctx.today(customer.default_division);
  const from = range.from ?? addMonths(to, -12);
  const moves = await ctx.db.query<Move>(sql`
    select e.division, e.currency, e.transaction_at as on,
      case when i.kind in ('invoice', 'credit_note') then i.kind when p.kind in ('receipt', 'refund') then p.kind
        else 'other' end as kind,
      coalesce(i.invoice_number, p.number, e.kind) as number, coalesce(i.id, p.id) as document_id, i.due_on,
      sum(e.amount_minor)::bigint as amount_minor
    from posted_entries e join ledger_accounts l on l.id = e.ledger_account_id and l.system_key = 'ar'
      join transactions t on t.id = e.transaction_id
      left join invoices i on t.source_type = 'invoice' and i.id = t.source_id
      left join payments p on t.source_type = 'payment' and p.id = t.source_id
    where e.party_type = 'customer' and e.party_id = ${customerId} and e.transaction_at <= ${to}
      and not e.is_revaluation and e.amount_minor <> 0
    group by e.transaction_id, e.division, e.currency, e.transaction_at, e.kind, i.id, p.id
    order by e.transaction_at, e.transaction_id`);
  const accounts = [...Map.groupBy(moves, (move) => `${move.division} ${move.currency}`).values()]
    .map((own) => account(own, from));
  return { customer_id: customer.id, customer_name: customer.name, from, to, accounts };
}

function account(moves: readonly Move[], from: string): Account {
  const first = moves[0]!;
  const before = moves.filter((move) => move.on < from);
  const opening = before.reduce((all, move) => all + move.amount_minor, 0);
  let balance = opening;
  const lines = moves.filter((move) => move.on >= from).map((move) => {
    balance += move.amount_minor;
    const { division: _division, currency: _currency, ...line } = move;
    return { ...line, balance_minor: balance };
  });
  return { division: first.division, currency: first.currency, opening_minor: opening, closing_minor: balance, lines };
}

/** A customer's figures per division and currency (A151). */
export async function customerFinance(ctx: Reader, customerId: number):
Promise<ResponseIn<typeof agingEndpoints.finance>['data']> {
  const customer = await customerOf(ctx, customerId);
  const today = await ctx.today(customer.default_division);
  const accounts = await ctx.db.query<ResponseIn<typeof agingEndpoints.finance>['data']['accounts'][number]>(sql`
    select k.division, k.currency,
      coalesce(sum(i.balance_minor) filter (where i.open), 0)::bigint as open_minor,
      coalesce(sum(i.balance_minor) filter (where i.open and i.due_on < ${today}), 0)::bigint as overdue_minor,
      coalesce(sum(i.total_minor) filter (where i.kind = 'invoice'), 0)::bigint
        - coalesce(sum(i.total_minor) filter (where i.kind = 'credit_note'), 0)::bigint as invoiced_minor,
      coalesce((select sum(p.unapplied_minor) from payments p where p.customer_id = ${customerId}
        and p.direction = 'in' and p.status in ('posted', 'cleared') and p.division = k.division
        and p.currency = k.currency), 0)::bigint as on_account_minor,
      coalesce((select sum(p.amount_minor) from payments p where p.customer_id = ${customerId}
        and p.direction = 'in' and p.status in ('posted', 'cleared') and p.division = k.division
        and p.currency = k.currency), 0)::bigint as paid_minor,
      coalesce((select sum(d.remaining_minor) from deposits d join licenses n on n.id = d.license_id
        where n.customer_id = ${customerId} and d.status = 'held' and d.division = k.division
        and d.currency = k.currency), 0)::bigint as deposits_held_minor
    from (select division, currency from invoices where customer_id = ${customerId} and status not in ('draft', 'void')
        union select division, currency from payments where customer_id = ${customerId}) k
      left join lateral (select x.*, x.kind = 'invoice' and x.status in ('issued', 'part_paid') as open from invoices x
        where x.customer_id = ${customerId} and x.division = k.division and x.currency = k.currency
          and x.invoice_number is not null) i on true
    group by k.division, k.currency order by k.division, k.currency`);
  return { customer_id: customer.id, credit_hold: customer.credit_hold,
    credit_limit_minor: customer.credit_limit_minor, payment_terms_days: customer.payment_terms_days, accounts };
}
