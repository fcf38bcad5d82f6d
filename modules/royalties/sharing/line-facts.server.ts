/** Facts of an invoice line needed for sharing (domain.md 3.2). Lines that bear no royalty are left out. */
import { INCOME } from '#kernel/ledger/income-accounts.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { Division } from '#kernel/money/division.ts';
import type { IncomeType } from '#kernel/royalties/terms.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

export interface LineFacts {
  invoice_item_id: number;
  invoice_id: number;
  box_office_report_id: number | null;
  license_id: number;
  /** The number valid now, of the quote before there is a license. */
  license_number: string;
  customer_id: number;
  show_id: number;
  division: Division;
  currency: Currency;
  /** The line excluding tax; a credit note's line is the mirror of its original and never shared by itself. */
  net_minor: number;
  /** Amounts that credit notes took off it so far, net of tax, in their order. */
  credited: readonly number[];
  income_type: IncomeType;
  /** Deferred until released, or income at once where it was earned when billed. */
  source_account: '2100' | typeof INCOME.reported;
  /** Functional units per unit of the invoice's currency: income keeps it, and so does the cost that follows it. */
  rate: string;
  category: 'Amateur' | 'Pro';
  country: string | null;
  customer_classification_id: number | null;
  add_on_id: number | null;
  performance_on: string | null;
  tax_point_on: string;
  performances_held: number;
  units: number;
  recoupment_declared_on: string | null;
}

/** Shows of the lines: what to lock before their facts are read. */
export async function showsOf(db: Queryable, itemIds: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select distinct l.show_id as id from invoice_items t join invoices i on i.id = t.invoice_id
      join licenses l on l.id = i.license_id
    where t.id = any(${[...itemIds]}::bigint[]) and t.royalty_bearing order by l.show_id`);
  return rows.map((row) => row.id);
}

/** Facts of royalty-bearing lines of issued invoices, by line id. Call under the lock of their shows. */
export async function lineFacts(db: Queryable, itemIds: readonly number[]): Promise<Map<number, LineFacts>> {
  const rows = await db.query<LineFacts>(sql`
    select t.id as invoice_item_id, i.id as invoice_id, t.box_office_report_id, l.id as license_id,
      coalesce(l.license_number, l.number) as license_number, i.customer_id,
      l.show_id, i.division, i.currency, t.net_minor, t.income_type,
      coalesce((select jsonb_agg(n.net_minor order by n.id) from invoice_items n
        where n.credits_item_id = t.id), '[]') as credited,
      case when t.kind = 'overage' or t.box_office_report_id is not null then ${INCOME.reported}
        else '2100' end as source_account,
      coalesce(i.functional_rate, 1)::text as rate, l.category,
      coalesce(v.address ->> 'country_code', c.billing_address ->> 'country_code') as country,
      l.customer_classification_id, t.add_on_id,
      coalesce(b.period_to, p.local_date, case when t.income_type in ('royalty', 'advance') then
        l.first_performance_on end) as performance_on,
      i.tax_point_on, coalesce(b.performances_held, l.number_of_performances) as performances_held,
      t.quantity as units, l.recoupment_declared_on
    from invoice_items t join invoices i on i.id = t.invoice_id join licenses l on l.id = i.license_id
      join customers c on c.id = i.customer_id
      left join box_office_reports b on b.id = t.box_office_report_id
      left join performances p on p.id = t.performance_id
      left join lateral (select address from license_venues where license_id = l.id
        and id = coalesce(t.license_venue_id, b.license_venue_id, id) order by sort, id limit 1) v on true
    where t.id = any(${[...itemIds]}::bigint[]) and t.royalty_bearing and i.kind = 'invoice' and t.net_minor > 0
      and i.tax_point_on is not null and t.income_type not in ('shipping', 'fee')`);
  return new Map(rows.map((row) => [row.invoice_item_id, row]));
}
