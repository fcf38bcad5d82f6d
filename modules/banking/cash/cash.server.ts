/** Cash at a glance, from the ledger's own lines: balances agree with the trial balance. Reads only. */
import { addDays, addMonths, startOfMonth } from '#kernel/calendar/calendar.ts';
import { refuse } from '#kit/errors.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { cashEndpoints, type AccountCash } from './cash.contract.ts';

const MONTHS = 12;
const WEEKS = 4;

interface Account { id: number; ledger_account_id: number; division: string; currency: string; is_default: boolean }
interface Moved { month: string; in_minor: number; out_minor: number }
interface Expected { due: string; in_minor: number; out_minor: number }

/** The balance at the end of each month; what lies before the first of them is one sum. */
async function monthsOf(ctx: WorkContext, account: Account, today: string): Promise<AccountCash['months']> {
  const first = addMonths(startOfMonth(today), 1 - MONTHS);
  const rows = await ctx.db.query<Moved>(sql`
    select greatest(date_trunc('month', e.transaction_at)::date, ${addMonths(first, -1)}::date)::text as month,
      coalesce(sum(e.amount_minor) filter (where e.amount_minor > 0), 0)::bigint as in_minor,
      coalesce(-sum(e.amount_minor) filter (where e.amount_minor < 0), 0)::bigint as out_minor
    from posted_entries e
    where e.ledger_account_id = ${account.ledger_account_id} and e.currency = ${account.currency} group by 1`);
  const of = (month: string): Moved => rows.find((row) => row.month === month) ?? { month, in_minor: 0, out_minor: 0 };
  const before = of(addMonths(first, -1));
  let balance = before.in_minor - before.out_minor;
  return Array.from({ length: MONTHS }, (_, at) => {
    const moved = of(addMonths(first, at));
    balance += moved.in_minor - moved.out_minor;
    return { ...moved, balance_minor: balance };
  });
}

/**
 * Movements to come until a day: open invoices, bills and refunds by their due date on the default account, payments
 * that are prepared by their own day. What a payment reserves is expected with it, not with its bill.
 */
function expectedBy(ctx: WorkContext, account: Account, until: string): Promise<Expected[]> {
  return ctx.db.query<Expected>(sql`
    select i.due_on::text as due, sum(i.balance_minor)::bigint as in_minor, 0 as out_minor from invoices i
    where i.kind = 'invoice' and i.status in ('issued', 'part_paid') and i.balance_minor > 0
      and i.division = ${account.division} and i.currency = ${account.currency} and ${account.is_default}
      and i.due_on <= ${until} group by 1
    union all
    select b.pay_on::text, 0, sum(p.amount_minor)::bigint from royalty_payment_batches b
      join payments p on p.royalty_payment_batch_id = b.id and p.status in ('draft', 'approved')
        and p.deleted_at is null
    where b.status in ('approved', 'scheduled') and p.ledger_account_id = ${account.ledger_account_id}
      and b.pay_on <= ${until} group by 1
    union all
    select i.due_date::text, 0, sum(i.free_minor)::bigint from payable_items i
    where i.division = ${account.division} and i.currency = ${account.currency} and ${account.is_default}
      and i.free_minor <> 0 and i.due_date <= ${until} group by 1
    union all
    select p.paid_on::text, 0, sum(p.amount_minor)::bigint from payments p
    where p.ledger_account_id = ${account.ledger_account_id} and p.kind in ('vendor', 'refund', 'tax')
      and p.direction = 'out' and p.status in ('draft', 'approved') and p.deleted_at is null and p.paid_on <= ${until}
    group by 1`);
}

async function forecastOf(ctx: WorkContext, account: Account, from: { today: string; balance: number }) {
  const expected = await expectedBy(ctx, account, addDays(from.today, WEEKS * 7 - 1));
  let balance = from.balance;
  return Array.from({ length: WEEKS }, (_, week) => {
    const [first, last] = [addDays(from.today, week * 7), addDays(from.today, week * 7 + 6)];
    const own = expected.filter(({ due }) => due <= last && (week === 0 || due >= first));
    const sum = (pick: (one: Expected) => number): number => own.reduce((all, one) => all + pick(one), 0);
    const [moneyIn, moneyOut] = [sum((one) => one.in_minor), sum((one) => one.out_minor)];
    balance += moneyIn - moneyOut;
    return { from: first, to: last, in_minor: moneyIn, out_minor: moneyOut, balance_minor: balance };
  });
}

async function cashOf(ctx: Ctx, id: number): Promise<AccountCash> {
  const account = await ctx.db.maybeOne<Account>(sql`
    select id, ledger_account_id, division, currency, is_default from bank_accounts
    where id = ${id} and deleted_at is null`);
  if (!account) throw refuse('not_found');
  const today = await ctx.today(account.division);
  const months = await monthsOf(ctx, account, today);
  const balance = months.at(-1)?.balance_minor ?? 0;
  return { today, ledger_minor: balance, months, is_default: account.is_default,
    forecast: await forecastOf(ctx, account, { today, balance }) };
}

export const cashRoutes: Route[] = serve(cashEndpoints, {
  show: async (ctx, { params }) => ({ data: await cashOf(ctx, params.id) }),
});
