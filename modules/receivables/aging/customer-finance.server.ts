/** A customer's money at a glance: balances, ages and deposits (A151), from invoices, payments and deposits. */
import { AGING_BUCKETS, agingBucket } from '#kernel/receivables/aging.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { customerOf } from './account-statement.server.ts';
import type { CustomerFinance as Finance } from './aging.contract.ts';

type Reader = Pick<WorkContext, 'db' | 'today'>;

/** A customer's figures per division and currency (A151). */
export async function customerFinance(ctx: Reader, customerId: number): Promise<Finance> {
  const customer = await customerOf(ctx, customerId);
  const today = await ctx.today(customer.default_division);
  const accounts = await ctx.db.query<Omit<Finance['accounts'][number], 'ages'>>(sql`
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
  const open = await openInvoices(ctx, customerId);
  return {
    customer_id: customer.id, credit_hold: customer.credit_hold, credit_hold_reason: customer.credit_hold_reason,
    credit_limit_minor: customer.credit_limit_minor, payment_terms_days: customer.payment_terms_days,
    accounts: accounts.map((account) => ({ ...account, ages: agesOf(open.filter((row) =>
      row.division === account.division && row.currency === account.currency), today) })),
    deposits: await depositsOf(ctx, customerId),
  };
}

interface OpenInvoice { division: string; currency: string; due_on: string; balance_minor: number }

function openInvoices(ctx: Reader, customerId: number): Promise<OpenInvoice[]> {
  return ctx.db.query<OpenInvoice>(sql`
    select division, currency, coalesce(due_on, issued_on) as due_on, balance_minor from invoices
    where customer_id = ${customerId} and kind = 'invoice' and status in ('issued', 'part_paid')
      and balance_minor > 0`);
}

function agesOf(open: readonly OpenInvoice[], today: string): Finance['accounts'][number]['ages'] {
  return AGING_BUCKETS.map((bucket) => {
    const own = open.filter((row) => agingBucket(row.due_on, today) === bucket);
    return { bucket, count: own.length, minor: own.reduce((sum, row) => sum + row.balance_minor, 0) };
  });
}

function depositsOf(ctx: Reader, customerId: number): Promise<Finance['deposits']> {
  return ctx.db.query<Finance['deposits'][number]>(sql`
    select d.id, d.license_id, coalesce(n.license_number, n.number) as license_number, n.title_on_license as title,
      d.kind, d.status, d.currency, d.amount_minor, d.remaining_minor
    from deposits d join licenses n on n.id = d.license_id
    where n.customer_id = ${customerId} order by d.created_at desc, d.id desc limit 100`);
}
