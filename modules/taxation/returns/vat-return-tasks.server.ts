/** VAT returns that have to be prepared, for the home and as notifications. */
import { addDays, addMonths, dateInWords, endOfMonth, startOfMonth } from '#kernel/calendar/calendar.ts';
import { vatPeriodBefore } from '#kernel/tax/vat-period.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { runBatch, type BatchRun } from '#server/batch.ts';
import type { Ports } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { todoColumns } from '#server/todo-columns.ts';
import { hrefOf, taxesDueHref } from './return-store.server.ts';
import { vatMonths, vatPeriodLeft } from './vat-periods.server.ts';
import { vatDivision, type VatDivisionCode } from './vat-return.contract.ts';

interface DueReturn { division: VatDivisionCode; from: string; to: string; due_on: string }

const isVat = (division: string): division is VatDivisionCode => vatDivision.safeParse(division).success;

/** A month and seven days after the period at HMRC (VAT Notice 700/12), the 23rd of the next month at Irish Revenue. */
export function vatDueOn(division: VatDivisionCode, to: string): string {
  const next = addMonths(startOfMonth(to), 1);
  return division === 'UK' ? addDays(endOfMonth(next), 7) : addDays(next, 22);
}

/** The period that has ended and has no return, as the close checklist asks for it; null where none is open. */
async function openPeriod(db: Queryable, division: VatDivisionCode, today: string): Promise<DueReturn | null> {
  const left = await vatPeriodLeft(db, division, addDays(today, -1))
    ?? await vatPeriodLeft(db, division, vatPeriodBefore(today, await vatMonths(db, division)).to);
  return left && { division, ...left, due_on: vatDueOn(division, left.to) };
}

interface Unpaid { id: number; period_to: string; net_minor: number; currency: string }

/** Filed returns whose tax still stands on 2350 and on no bill: payments settle the oldest first. */
function unpaidReturns(db: Queryable, division: VatDivisionCode): Promise<Unpaid[]> {
  return db.query<Unpaid>(sql`
    with owed as (
      select coalesce((select -sum(e.base_amount_minor) from posted_entries e join ledger_accounts a
          on a.id = e.ledger_account_id where a.division = ${division} and a.system_key = 'vat_control'), 0)
        - coalesce((select sum(l.net_minor) from bill_lines l join bills b on b.id = l.bill_id
          join ledger_accounts a on a.id = l.ledger_account_id and a.system_key = 'vat_control'
          where a.division = ${division} and b.kind = 'bill' and b.status in ('draft', 'submitted')
            and b.deleted_at is null), 0) as minor),
    filed as (
      select t.id, t.period_to, t.net_minor, coalesce(sum(greatest(t.net_minor, 0)) over (order by t.period_to desc
        rows between unbounded preceding and 1 preceding), 0) as later
      from tax_returns t where t.division = ${division} and t.status = 'filed')
    select f.id, f.period_to, least(f.net_minor, owed.minor - f.later)::bigint as net_minor,
      (select functional_currency from divisions where code = ${division}) as currency
    from filed f, owed where f.net_minor > 0 and owed.minor > f.later order by f.period_to`);
}

/** As rows of the home's task list: the return to prepare, and filed ones to pay. A prepared one is an approval. */
export async function vatReturnTasks(db: Queryable, { division, today }: { division: string; today: string }):
Promise<Sql[]> {
  if (!isVat(division)) return [];
  const open = await openPeriod(db, division, today);
  const unpaid = await unpaidReturns(db, division);
  const pay = sql`select ${todoColumns({ kind: 'tax_return', id: sql`x.id`, title: sql`'Pay the VAT return'`,
    detail: sql`x.detail`, due_on: sql`x.due_on`, entity_id: sql`x.id`, currency: sql`x.currency`, minor: sql`x.minor`,
    href: sql`${taxesDueHref(division)}` })}
    from unnest(${unpaid.map((of) => of.id)}::bigint[],
      ${unpaid.map((of) => `Period to ${dateInWords(of.period_to)}`)}::text[],
      ${unpaid.map((of) => vatDueOn(division, of.period_to))}::date[], ${unpaid.map((of) => of.currency)}::text[],
      ${unpaid.map((of) => of.net_minor)}::bigint[]) x (id, detail, due_on, currency, minor)`;
  if (open === null) return [pay];
  return [pay, sql`select ${todoColumns({ kind: 'tax_return', id: sql`0`, title: sql`'Prepare the VAT return'`,
    detail: sql`${`${dateInWords(open.from)} to ${dateInWords(open.to)}`}`, due_on: sql`${open.due_on}`,
    currency: sql`select functional_currency from divisions where code = ${open.division}`,
    href: sql`${hrefOf({ division, state: null, period_from: open.from, period_to: open.to })}` })}`];
}

/** Tells those who may prepare it, once for each period. */
export function remindOfVat(ports: Ports): Promise<BatchRun> {
  return runBatch(ports, { job: 'remind-of-vat', items: vatDivision.options, facts: (division) => ({ division }) },
    async (ctx, division) => {
      const open = await openPeriod(ctx.db, division, await ctx.today(division));
      if (open === null) return 0;
      return notifyStaff(ctx, { kind: 'closing.due',
        title: `Prepare the VAT return of ${division}, due on ${dateInWords(open.due_on)}`,
        href: hrefOf({ division, state: null, period_from: open.from, period_to: open.to }),
        key: `closing.due/vat/${division}/${open.to}` });
    });
}
