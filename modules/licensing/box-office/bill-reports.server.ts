/** Effects of acceptance on money: invoices for amounts due, credit notes for overcharges, the advance recouped. */
import { periodFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { min } from '#kernel/money/money.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import {
  creditInvoice, issueReportInvoices, recoupAdvance, type ReportInvoice,
} from '#modules/receivables/receivables.public.server.ts';
import type { Deal } from './deal.server.ts';
import type { LoadedReport } from './load-reports.server.ts';

export interface Bill {
  report: LoadedReport;
  deal: Deal;
  /** Differences to what was settled before; minor units, the first may be negative. */
  due_minor: bigint;
  recouped_minor: bigint;
  /** Text before the period on the invoice. */
  about?: string;
  /** Basis of the amount, after the period. */
  basis?: string;
}

/** Bills in order; answers the invoice of each report that has one. `on` is the accounting date, else today. */
export async function billReports(
  ctx: WorkContext, bills: readonly Bill[], on?: string,
): Promise<Map<number, ReportInvoice>> {
  const days = new Map<string, string>();
  for (const { report } of bills) {
    if (!days.has(report.division)) days.set(report.division, on ?? await ctx.today(report.division));
  }
  const dayOf = (bill: Bill): string => days.get(bill.report.division)!;
  const billed = bills.filter((bill) => bill.due_minor > 0n);
  const issued = await issueReportInvoices(ctx, billed.map((bill) => ({
    box_office_report_id: bill.report.id, license_id: bill.report.license_id,
    license_venue_id: bill.report.license_venue_id, customer_id: bill.deal.customer_id, division: bill.report.division,
    currency: bill.report.currency, description: describe(bill), net_minor: Number(bill.due_minor),
    issued_on: dayOf(bill),
  })));
  for (const bill of bills) {
    if (bill.recouped_minor > 0n) {
      await recoupAdvance(ctx, { license_id: bill.report.license_id, amount_minor: Number(bill.recouped_minor),
        on: dayOf(bill) });
    }
    if (bill.due_minor < 0n) await credit(ctx, bill, dayOf(bill));
  }
  return new Map(billed.map((bill, k) => [bill.report.id, issued[k]!]));
}

function describe({ report, deal, about, basis }: Bill): string {
  const period = periodFor(documentLanguage(deal.division), report.period_from, report.period_to);
  return `${about ?? 'Royalty on box office'}, ${deal.title}, ${period}${
    basis === undefined ? '' : `: ${basis}`}`.slice(0, 500);
}

/** The newest invoice of the report first, then the fee of the licence itself, then other reports of the licence. */
async function credit(ctx: WorkContext, bill: Bill, on: string): Promise<void> {
  let left = -bill.due_minor;
  const items = await ctx.db.query<{ id: number; invoice_id: number; open: number }>(sql`
    with recursive chain (id) as (
      select ${bill.report.id}::bigint union all
      select b.id from box_office_reports b join chain on chain.id = b.replaced_by_id)
    select t.id, t.invoice_id, (t.net_minor - coalesce((select sum(n.net_minor) from invoice_items n
      where n.credits_item_id = t.id), 0))::bigint as open
    from invoice_items t join invoices i on i.id = t.invoice_id
    where i.kind = 'invoice' and i.invoice_number is not null and i.license_id = ${bill.report.license_id}
      and (t.box_office_report_id is not null or t.kind in ('royalty', 'minimum'))
    order by case when t.box_office_report_id in (select id from chain) then 0
      when t.box_office_report_id is null then 1 else 2 end, t.id desc`);
  for (const item of items) {
    const part = min(left, BigInt(item.open));
    if (part <= 0n) continue;
    await creditInvoice(ctx, { invoice_id: item.invoice_id, on, box_office_report_id: bill.report.id,
      reason: describe({ ...bill, about: 'Box office corrected' }),
      lines: [{ invoice_item_id: item.id, amount_minor: Number(part) }] });
    left -= part;
  }
}
