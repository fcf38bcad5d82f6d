/** The deal of a licence as reports are settled by it: frozen terms, advance left, what was billed (domain.md 2). */
import { min } from '#kernel/money/money.ts';
import { netOfTax } from '#kernel/pricing/actuals.ts';
import { usualBands } from '#kernel/pricing/price-bands.ts';
import type { AllowedDeduction, GrossTier, GuaranteeScope } from '#kernel/pricing/rate-card.ts';
import type { TrueUpMode } from '#kernel/pricing/actuals.ts';
import { settlementKind, type SettlementKind } from '#kernel/pricing/promised-terms.ts';
import type { DayOfWeek } from '#kernel/calendar/calendar.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

export interface Deal {
  license_id: number;
  customer_id: number;
  show_id: number;
  division: string;
  currency: string;
  number: string;
  title: string;
  phase: string;
  fee_method: string;
  guarantee_scope: GuaranteeScope;
  rate_ppm: bigint;
  min_per_performance_minor: bigint;
  min_per_week_minor: bigint;
  min_per_run_minor: bigint;
  min_performances: number;
  full_week_performances: number | null;
  empty_week_owes_minimum: boolean;
  minimum_counts_toward_advance: boolean;
  week_start: DayOfWeek;
  true_up: TrueUpMode;
  gross_tiers: readonly GrossTier[];
  deductions: readonly AllowedDeduction[];
  /** Advance lines of issued invoices that no report has recouped yet. */
  advance_left_minor: bigint;
  /** Royalty lines billed before any report, less what was credited. */
  billed_minor: bigint;
  quoted_minor: bigint;
  average_seat_cap: number | null;
  /** Performances that are neither cancelled nor postponed; 0 where none is planned. */
  performances_agreed: number;
  /** Deductions of each venue, as applied for; empty: those of the deal. */
  venue_deductions: ReadonlyMap<number, readonly AllowedDeduction[]>;
  /** Tax on tickets by venue. */
  ticket_tax_ppm: ReadonlyMap<number, bigint>;
  average_price: { n: bigint; d: bigint };
  /** Dearest ticket of the quote; 0 where none is quoted. */
  top_price_minor: number;
  /** Royaltors share in a pool of the operating profit: a week is reported with its running costs. */
  shares_profit: boolean;
}

interface DealRow {
  license_id: number; customer_id: number; show_id: number; division: string; currency: string; number: string;
  title: string; phase: string; fee_method: string | null; guarantee_scope: GuaranteeScope | null;
  rate_ppm: number | null; min_per_performance_minor: number | null; min_per_week_minor: number | null;
  min_per_run_minor: number | null; min_performances: number | null; full_week_performances: number | null;
  empty_week_owes_minimum: boolean | null; minimum_counts_toward_advance: boolean | null;
  week_start: number | null; true_up: TrueUpMode | null;
  recoupment_declared_on: string | null; quoted_minor: number; average_seat_cap: number | null;
  advance_left: number; billed: number; performances_agreed: number; shares_profit: boolean;
  fee_terms: { gross_tiers?: { from_gross_minor: number; rate_ppm: number; mode: 'marginal' | 'retroactive';
    after_recoupment?: boolean }[];
    box_office_deductions?: { type: AllowedDeduction['type']; cap_ppm: number | null }[] } | null;
  venues: { id: number; ppm: number | null; deductions: { type: string; cap_ppm: number }[] }[] | null;
  tickets: { seats: number; price: number; weight: number; performance_type: string | null }[] | null;
}

/** Deals of some licences, their rows locked in order so that two acceptances of one licence wait for each other. */
export async function dealsOf(db: Queryable, licenseIds: readonly number[], lock: boolean): Promise<Map<number, Deal>> {
  const ids = [...new Set(licenseIds)];
  if (lock) {
    await db.query(sql`select 1 from licenses where id = any(${ids}::bigint[]) order by id for no key update`);
  }
  const rows = await db.query<DealRow>(sql`
    select l.id as license_id, l.customer_id, l.show_id, l.division, l.currency, l.number, l.title_on_license as title,
      l.phase, l.fee_method, l.guarantee_scope, l.rate_ppm, l.min_per_performance_minor, l.min_per_week_minor,
      l.min_per_run_minor, l.min_performances, l.full_week_performances, l.empty_week_owes_minimum,
      l.minimum_counts_toward_advance, l.week_start, l.true_up, l.recoupment_declared_on,
      l.royalty_total_minor as quoted_minor, l.fee_terms,
      (select average_seat_cap from license_terms where license_id = l.id) as average_seat_cap,
      coalesce((select sum(r.amount_minor - r.credited_minor) from release_schedule r
        join invoice_items t on t.id = r.invoice_item_id join invoices i on i.id = t.invoice_id
        where i.license_id = l.id and t.release_rule = 'as_recouped' and r.status = 'planned'), 0)::bigint
        as advance_left,
      coalesce((select sum(case i.kind when 'invoice' then t.net_minor else -t.net_minor end) from invoices i
        join invoice_items t on t.invoice_id = i.id where i.license_id = l.id and i.kind <> 'proforma'
          and i.tax_point_on is not null and t.box_office_report_id is null and not exists (select 1
            from invoice_items o where o.id = t.credits_item_id and o.box_office_report_id is not null)
          and t.kind in ('royalty', 'minimum', 'advance')), 0)::bigint as billed,
      (select count(*)::int from performances p where p.license_id = l.id and p.status in ('planned', 'performed'))
        as performances_agreed,
      shares_profit(l.id) as shares_profit,
      (select jsonb_agg(jsonb_build_object('id', v.id, 'ppm', v.vat_on_tickets_ppm, 'deductions', v.deductions))
        from license_venues v
        where v.license_id = l.id) as venues,
      (select jsonb_agg(jsonb_build_object('seats', k.number_of_seats, 'price',
        k.price_minor, 'weight', k.weight * 10000, 'performance_type', k.performance_type)) from license_venues v
        join license_venue_tickets k on k.license_venue_id = v.id where v.license_id = l.id) as tickets
    from licenses l where l.id = any(${ids}::bigint[]) and l.deleted_at is null`);
  return new Map(rows.map((row) => [row.license_id, dealOf(row)]));
}

function dealOf(row: DealRow): Deal {
  const big = (value: number | null): bigint => BigInt(value ?? 0);
  return {
    ...row, fee_method: row.fee_method ?? 'negotiated', guarantee_scope: row.guarantee_scope ?? 'run',
    rate_ppm: big(row.rate_ppm), min_per_performance_minor: big(row.min_per_performance_minor),
    min_per_week_minor: big(row.min_per_week_minor), min_per_run_minor: big(row.min_per_run_minor),
    min_performances: row.min_performances ?? 0,
    empty_week_owes_minimum: row.empty_week_owes_minimum ?? false,
    minimum_counts_toward_advance: row.minimum_counts_toward_advance ?? true,
    week_start: (row.week_start ?? 1) as DayOfWeek, true_up: row.true_up ?? 'none',
    gross_tiers: (row.fee_terms?.gross_tiers ?? [])
      .filter((tier) => !tier.after_recoupment || row.recoupment_declared_on !== null)
      .map((tier) => ({ from_gross_minor: BigInt(tier.from_gross_minor), rate_ppm: BigInt(tier.rate_ppm),
        mode: tier.mode, after_recoupment_on: tier.after_recoupment ? row.recoupment_declared_on : null })),
    deductions: (row.fee_terms?.box_office_deductions ?? [])
      .map((one) => ({ type: one.type, cap_ppm: one.cap_ppm === null ? null : BigInt(one.cap_ppm) })),
    advance_left_minor: big(row.advance_left), billed_minor: big(row.billed), quoted_minor: big(row.quoted_minor),
    venue_deductions: new Map((row.venues ?? []).map((venue) => [venue.id, venue.deductions.map((one) => ({
      type: one.type as AllowedDeduction['type'], cap_ppm: BigInt(one.cap_ppm) }))])),
    ticket_tax_ppm: new Map((row.venues ?? []).map((venue) => [venue.id, big(venue.ppm)])),
    average_price: averagePrice(usualBands(row.tickets ?? [])),
    top_price_minor: Math.max(0, ...(row.tickets ?? []).map((ticket) => ticket.price)),
  };
}

/** Weighted average price as a fraction; by seats where no weight is given (domain.md 2.1). */
function averagePrice(tickets: readonly { seats: number; price: number; weight: number }[]): Deal['average_price'] {
  const weighted = tickets.some((row) => row.weight > 0);
  const parts = tickets.map((row) => ({ price: BigInt(row.price), w: BigInt(weighted ? row.weight : row.seats) }));
  const d = parts.reduce((all, part) => all + part.w, 0n);
  return d === 0n ? { n: 0n, d: 1n } : { n: parts.reduce((all, part) => all + part.price * part.w, 0n), d };
}

/** Settlement kind of a deal, from its promised terms. */
export function settlementOf(deal: Deal): SettlementKind {
  return settlementKind(deal);
}

/** Deductions allowed at a venue: those of the deal, no more than was applied for there. */
export function deductionsAt(deal: Deal, venueId: number | null): readonly AllowedDeduction[] {
  const own = venueId === null ? [] : deal.venue_deductions.get(venueId) ?? [];
  if (own.length === 0) return deal.deductions;
  return deal.deductions.flatMap((rule) => {
    const cap = own.find((one) => one.type === rule.type)?.cap_ppm ?? null;
    if (cap === null) return [];
    return [{ ...rule, cap_ppm: rule.cap_ppm === null ? cap : min(rule.cap_ppm, cap) }];
  });
}

/** Takings without the tax on tickets, at the venue's rate; unchanged where the report is net already. */
export function withoutTicketTax(deal: Deal, venueId: number | null, taxIncluded: boolean, gross: bigint): bigint {
  if (!taxIncluded) return gross;
  const rate = venueId === null ? [...deal.ticket_tax_ppm.values()][0] : deal.ticket_tax_ppm.get(venueId);
  return netOfTax(gross, rate ?? 0n);
}
