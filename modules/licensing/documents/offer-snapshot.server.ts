/**
 * Everything an offer says, as it is frozen and hashed: what was signed can be read for ever (domain.md 1.1 edge 2).
 */
import { maxDate } from '#kernel/calendar/calendar.ts';
import { OFFER_VALID_DAYS, offerExpiresAt, SHIP_LEAD_DAYS } from '#kernel/licensing/clocks.ts';
import type { PromisedTerms } from '#kernel/pricing/promised-terms.ts';
import type { ReportScope } from '#kernel/pricing/report-scope.ts';
import { traceFromJson, type Json, type TraceStep } from '#kernel/pricing/trace.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { reportsExpected } from '../box-office/reports-expected.server.ts';
import { offerContract } from '../contracts/offer-contract.server.ts';
import type { OfferContract } from '../contracts/offer-contract.ts';
import { findLicense } from '../licenses/license-record.server.ts';
import { securityDeposit, storedBlocks } from '../licenses/pricing/price-answer.server.ts';
import type { PriceBlockRow } from '../licenses/pricing/pricing.contract.ts';
import { paymentDays, type PaymentDays } from '../licenses/quote/payment-days.server.ts';
import { promiseOfLicense } from '../licenses/pricing/promise.server.ts';

export interface OfferLine {
  kind: string; label: string; quantity: number; unit_minor: number | null; net_minor: number; tax_minor: number;
  total_minor: number; tax_rate_ppm: number; tax_reason: string;
}

export interface OfferVenue {
  name: string; address: Record<string, string> | null; expected_attendance: number | null;
  /** Type: of which performances the band is; absent or null: of all without bands of their own. */
  ticketing: { label: string; number_of_seats: number; price_minor: number; weight: string;
    performance_type?: string | null }[];
  /** Venue's deductions from the gross, at most; earlier versions do not say. */
  deductions?: { type: string; cap_ppm: number }[];
  performances: { local_date: string; local_time: string; type: string; is_free: boolean;
    unit_fee_minor: number | null }[];
}

export interface OfferSnapshot {
  offer_version: number;
  number: string;
  issued_on: string;
  expires_on: string;
  house: { name: string; address: Record<string, string> };
  customer: { name: string; address: Record<string, string> | null };
  title: string; authors_credit: string; show_code: string; category: string; division: string; currency: string;
  producing_organisation: string;
  execution_policy: string;
  venues: OfferVenue[];
  lines: OfferLine[];
  totals: { royalty_minor: number; charges_minor: number; tax_minor: number; deposit_minor: number; due_minor: number;
    discount_minor: number };
  discount_reason: string | null;
  /** Components of the price, row by row; earlier versions have none. */
  rows?: PriceBlockRow[];
  /** Terms that depend on the box-office receipts; null: there are none. Earlier versions do not say. */
  promise?: PromisedTerms | null;
  /** Box-office reports that are expected; null: none. Earlier versions do not say and asked as their terms do. */
  report_scope?: ReportScope | null;
  payment_plan: { label: string; due_event: string; due_on: string | null; amount_minor: number; line_kinds: string[];
    is_deposit: boolean }[];
  /** Days that the plan depends on; earlier versions do not say. */
  payment_days?: PaymentDays;
  explanation: { label: string; formula: string; result_minor: number }[];
  terms: Record<string, unknown>;
  billing: { text: string; percent_of_title_ppm: number; placement: string }[];
  /** Its text and what stands in it beside the offer; versions from before have none. */
  contract?: OfferContract;
}

/** The offer a licence would make today, as version `offerVersion`. */
export async function offerSnapshot(
  ctx: WorkContext, licenseId: number, offerVersion: number,
): Promise<OfferSnapshot> {
  const license = await findLicense(ctx.db, licenseId);
  const today = await ctx.today(license.division);
  const parties = await ctx.db.one<{ customer: string; billing_address: Record<string, string> | null; house: string;
    house_address: Record<string, string>; authors_credit: string }>(sql`
    select coalesce(c.legal_name, c.name) as customer, c.billing_address, d.legal_entity_name as house,
      d.address as house_address, s.authors_credit
    from customers c, divisions d, shows s
    where c.id = ${license.customer_id} and d.code = ${license.division} and s.id = ${license.show_id}`);
  const days = await paymentDays(ctx, license, today);
  const trace = license.calculation_trace === null ? [] : traceFromJson(license.calculation_trace as Json);
  const discount = trace.findLast((step) => step.step === 'discount');
  return {
    offer_version: offerVersion, number: license.number, issued_on: today,
    // A late production is offered for the day itself: an offer never lapses before it is made.
    expires_on: license.first_performance_on === null ? today : maxDate(today, offerExpiresAt({ issued_on: today,
      first_performance_on: license.first_performance_on, ship_lead_days: SHIP_LEAD_DAYS,
      valid_days: OFFER_VALID_DAYS })),
    house: { name: parties.house, address: parties.house_address },
    customer: { name: parties.customer, address: parties.billing_address },
    title: license.title_on_license, authors_credit: parties.authors_credit, show_code: license.show_code,
    category: license.category, division: license.division, currency: license.currency,
    producing_organisation: license.producing_organisation, execution_policy: license.execution_policy,
    venues: await offerVenues(ctx, licenseId), lines: await offerLines(ctx, licenseId),
    totals: { royalty_minor: license.royalty_total_minor, charges_minor: license.materials_total_minor,
      tax_minor: license.tax_total_minor, deposit_minor: license.deposit_minor,
      due_minor: license.grand_total_minor + securityDeposit(license),
      discount_minor: discount ? Math.abs(Number(discount.result_minor)) : 0 },
    discount_reason: license.discount_type === null ? null : license.discount_reason,
    rows: await offerRows(ctx, licenseId, trace), promise: await promiseOfLicense(ctx.db, license),
    report_scope: await reportsExpected(ctx.db, license),
    payment_plan: await ctx.db.query(sql`
      select label, due_event, due_on, amount_minor, line_kinds, is_deposit from license_instalments
      where license_id = ${licenseId} order by sort, id`),
    payment_days: days,
    explanation: trace.map((step) => ({ label: step.label, formula: step.formula,
      result_minor: Number(step.result_minor) })),
    terms: await offerTerms(ctx, licenseId),
    billing: await ctx.db.query(sql`
      select text, percent_of_title_ppm, placement from license_billing_lines where license_id = ${licenseId}
      order by sort, id`),
    contract: await offerContract(ctx, license, today, days.ships_on),
  };
}

function offerLines(ctx: WorkContext, licenseId: number): Promise<OfferLine[]> {
  return ctx.db.query<OfferLine>(sql`
    select kind, description as label, quantity,
      case when unit_minor * quantity = net_minor then unit_minor end as unit_minor, net_minor, tax_minor, total_minor,
      tax_rate_ppm, tax_reason
    from license_charges where license_id = ${licenseId} and quantity > 0 order by origin desc, sort, id`);
}

async function offerRows(
  ctx: WorkContext, licenseId: number, trace: readonly TraceStep[],
): Promise<PriceBlockRow[]> {
  const charges = await ctx.db.query<Parameters<typeof storedBlocks>[0][number]>(sql`
    select kind, description, license_venue_id, quantity, unit_minor, net_minor, tax_minor from license_charges
    where license_id = ${licenseId} and quantity > 0 order by origin desc, sort, id`);
  return storedBlocks(charges, trace);
}

function offerVenues(ctx: WorkContext, licenseId: number): Promise<OfferVenue[]> {
  return ctx.db.query<OfferVenue>(sql`
    select v.name, v.address, v.expected_attendance, v.deductions,
      coalesce((select jsonb_agg(jsonb_build_object('label', label, 'number_of_seats', number_of_seats, 'price_minor',
        price_minor, 'weight', weight::text, 'performance_type', performance_type) order by sort, id)
        from license_venue_tickets where license_venue_id = v.id), '[]') as ticketing,
      coalesce((select jsonb_agg(jsonb_build_object('local_date', local_date, 'local_time',
        to_char(local_time, 'HH24:MI'), 'type', type, 'is_free', is_free, 'unit_fee_minor', unit_fee_minor)
        order by starts_at, id) from performances where license_venue_id = v.id and status <> 'cancelled'), '[]')
        as performances
    from license_venues v where v.license_id = ${licenseId} order by v.sort, v.id`);
}

async function offerTerms(ctx: WorkContext, licenseId: number): Promise<Record<string, unknown>> {
  const row = await ctx.db.maybeOne<Record<string, unknown>>(sql`
    select * from license_terms where license_id = ${licenseId}`);
  const { id: _id, license_id: _of, version: _version, created_at: _made, updated_at: _changed, ...terms } = row ?? {};
  return terms;
}
