/** The answers of the price calls: previews, the stored price, the customer's version without the rate card. */
import type { LineTax } from '#kernel/money/priced-line.ts';
import { sum } from '#kernel/money/money.ts';
import type * as z from 'zod';
import { isIsoDate } from '#kernel/calendar/calendar.ts';
import { priceRows, type PriceBlock } from '#kernel/pricing/price-rows.ts';
import type { PromisedTerms } from '#kernel/pricing/promised-terms.ts';
import { traceFromJson, type Json, type TraceStep } from '#kernel/pricing/trace.ts';
import { spell } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { findLicense, type License } from '../license-record.server.ts';
import type { ComputedPrice } from './compute-price.server.ts';
import { discountNeedsApproval } from './price-license.server.ts';
import type { PriceAnswer, PriceBlockRow, publicPriceAnswer, StoredPrice } from './pricing.contract.ts';
import { promiseAnswer, promiseOfLicense } from './promise.server.ts';

type PublicPrice = z.infer<typeof publicPriceAnswer>;

const LABELS: Record<string, string> = { deposit: 'Deposit', instalment: 'Installment' };

export function priceAnswerOf(computed: ComputedPrice, promise: PromisedTerms | null, division: string): PriceAnswer {
  const { result } = computed;
  const names = new Map(result.lines.filter((line) => line.venue_id !== null)
    .map((line) => [line.venue_id, line.label.replace(/^Royalty, /, '')]));
  return {
    priced: true, message: null, code: null, currency: result.currency, rate_card_id: computed.card?.id ?? null,
    venues: result.venues.map((venue) => ({
      name: names.get(venue.id) ?? '', number_of_performances: venue.number_of_performances,
      seats: venue.potentials.capacity, capacity_gross_minor: Number(venue.potentials.capacity_gross_minor),
      weighted_gross_minor: Number(venue.potentials.weighted_gross_minor),
      weighted_avg_price_minor: Number(venue.potentials.weighted_avg_price_minor),
      unit_fee_minor: venue.unit_fee_minor === null ? null : Number(venue.unit_fee_minor),
      royalty_minor: Number(venue.royalty_minor),
    })),
    lines: result.lines.map((line) => ({
      key: line.key, kind: line.kind, label: line.label, quantity: line.quantity,
      unit_minor: line.unit_minor === null ? null : Number(line.unit_minor), net_minor: Number(line.net_minor),
      tax_minor: Number(line.tax_minor), total_minor: Number(line.total_minor),
      tax_rate_ppm: Number(line.tax.rate_ppm), tax_reason: line.tax.reason,
    })),
    rows: blocksOf(priceRows(result.lines, result.trace)),
    promise: promiseAnswer(promise, { division, currency: result.currency }),
    totals: totalsOf(computed),
    tax: taxSummary(result.lines.map((line) => line.tax)),
    payment_plan: result.payment_plan.map((row) => ({ label: spell(LABELS[row.label] ?? row.label),
      due_event: isIsoDate(row.due) ? 'date' : row.due, due_on: isIsoDate(row.due) ? row.due : null,
      amount_minor: Number(row.amount_minor), line_kinds: [...row.line_kinds], is_deposit: row.label === 'deposit' })),
    problems: [...result.problems],
    trace: result.trace.map(stepOf),
  };
}

/** Rows as JSON. */
export function blocksOf(blocks: readonly PriceBlock[]): PriceBlockRow[] {
  return blocks.map((block) => ({ kind: block.kind, label: block.label, net_minor: Number(block.net_minor),
    tax_minor: Number(block.tax_minor), lines: [...block.lines], rows: block.rows.map((row) => ({ ...row,
      amount_minor: Number(row.amount_minor),
      unit_minor: row.unit_minor === null ? null : Number(row.unit_minor) })) }));
}

interface ChargeLine { kind: string; description: string; license_venue_id: number | null; quantity: number;
  unit_minor: number; net_minor: number; tax_minor: number }

/** The rows of stored charges and the trace they were stored with. */
export function storedBlocks(charges: readonly ChargeLine[], trace: readonly TraceStep[]): PriceBlockRow[] {
  return blocksOf(priceRows(charges.map((row) => ({ kind: row.kind, label: row.description,
    venue_id: row.license_venue_id, quantity: row.quantity, unit_minor: BigInt(row.unit_minor),
    net_minor: BigInt(row.net_minor), tax_minor: BigInt(row.tax_minor) })), trace));
}

function totalsOf(computed: ComputedPrice): PriceAnswer['totals'] {
  const entries = Object.entries(computed.result.totals).map(([key, value]) => [key, Number(value)]);
  return Object.fromEntries(entries) as PriceAnswer['totals'];
}

function taxSummary(taxes: readonly LineTax[]): PriceAnswer['tax'] {
  const groups = new Map<string, LineTax[]>();
  for (const tax of taxes) {
    const key = `${tax.code} ${tax.jurisdiction} ${tax.rate_ppm}`;
    groups.set(key, [...groups.get(key) ?? [], tax]);
  }
  return [...groups.values()].map((group) => ({ code: group[0]!.code, jurisdiction: group[0]!.jurisdiction,
    rate_ppm: Number(group[0]!.rate_ppm), base_minor: Number(sum(group.map((tax) => tax.base_minor))),
    tax_minor: Number(sum(group.map((tax) => tax.tax_minor))), reason: group[0]!.reason }));
}

export function stepOf(step: TraceStep): PriceAnswer['trace'][number] {
  return { step: step.step, rule_id: step.rule_id, label: step.label, formula: step.formula,
    result_minor: Number(step.result_minor),
    rate_ppm: typeof step.inputs.rate_ppm === 'bigint' ? Number(step.inputs.rate_ppm) : null };
}

const NOTHING: PriceAnswer['totals'] = { gross_royalty_minor: 0, discount_minor: 0, royalty_minor: 0, charges_minor: 0,
  net_minor: 0, tax_minor: 0, total_minor: 0, security_deposit_minor: 0, on_account_deposit_minor: 0, due_minor: 0 };

/** No price yet: what is missing, in words, while somebody is still typing. */
export function unpriced(currency: PriceAnswer['currency'], code: string, message: string): PriceAnswer {
  return { priced: false, message, code, currency, rate_card_id: null, venues: [], lines: [], rows: [], promise: null,
    totals: NOTHING, tax: [],
    payment_plan: [], problems: [], trace: [] };
}

export function publicPrice(answer: PriceAnswer): PublicPrice {
  const { rate_card_id: _card, trace, ...rest } = answer;
  return { ...rest, explanation: trace.map(({ label, formula, result_minor, rate_ppm }) =>
    ({ label, formula, result_minor, rate_ppm })) };
}

/** Refundable amount held on top of the price. */
export function securityDeposit(license: Pick<License, 'deposit_minor' | 'fee_terms'>): number {
  return license.fee_terms?.deposit_kind === 'on_account' ? 0 : license.deposit_minor;
}

interface ChargeRow {
  id: number; kind: string; description: string; quantity: number; unit_minor: number; net_minor: number;
  tax_minor: number; total_minor: number; tax_rate_ppm: number; tax_reason: string; license_venue_id: number | null;
  origin: string; add_on_id: number | null; show_package_id: number | null; invoiced_net_minor: number;
}

/** Person who gave the current discount; someone else has to approve it. */
export async function discountGiver(ctx: WorkContext, licenseId: number): Promise<{ id: number; name: string } | null> {
  return ctx.db.maybeOne<{ id: number; name: string }>(sql`
    select u.id, u.first_name || ' ' || u.last_name as name from users u where u.id = (
      select actor_id from license_events where license_id = ${licenseId} and event = 'discount'
      order by id desc limit 1)`);
}

export async function storedPriceOf(ctx: WorkContext, licenseId: number): Promise<StoredPrice> {
  const license = await findLicense(ctx.db, licenseId);
  const charges = await ctx.db.query<ChargeRow>(sql`
    select * from license_charges where license_id = ${licenseId} order by origin desc, sort, id`);
  const plan = await ctx.db.query<StoredPrice['payment_plan'][number]>(sql`
    select id, label, due_event, due_on, amount_minor, line_kinds, is_deposit, status from license_instalments
    where license_id = ${licenseId} order by sort, id`);
  const approver = license.discount_approved_by_id === null ? null : await ctx.db.maybeOne<{ name: string }>(sql`
    select first_name || ' ' || last_name as name from users where id = ${license.discount_approved_by_id}`);
  const giver = license.discount_type === null ? null : await discountGiver(ctx, licenseId);
  const trace = license.calculation_trace === null ? [] : traceFromJson(license.calculation_trace as Json);
  return {
    license_id: license.id, currency: license.currency, fee_method: license.fee_method,
    rate_card_id: license.rate_card_id, negotiated_reason: license.negotiated_reason,
    discount: license.discount_type === null ? null : { type: license.discount_type, ppm: license.discount_ppm,
      amount_minor: license.discount_amount_minor, reason: license.discount_reason ?? '',
      internal_reason: license.discount_internal_reason, given_by_id: giver?.id ?? null,
      given_by_name: giver?.name ?? null,
      approved_by_id: license.discount_approved_by_id, approved_by_name: approver?.name ?? null,
      needs_approval: discountNeedsApproval(license) },
    priced_at: license.priced_at,
    lines: charges.map((row) => ({ ...row, key: String(row.id), label: row.description })),
    rows: storedBlocks(charges, trace),
    promise: promiseAnswer(license.priced_at === null ? null : await promiseOfLicense(ctx.db, license), license),
    totals: { royalty_minor: license.royalty_total_minor, materials_minor: license.materials_total_minor,
      tax_minor: license.tax_total_minor, deposit_minor: license.deposit_minor,
      security_deposit_minor: securityDeposit(license), grand_total_minor: license.grand_total_minor,
        invoiced_minor: license.invoiced_minor,
      paid_minor: license.paid_minor, balance_minor: license.balance_minor },
    payment_plan: plan,
    trace: trace.map(stepOf),
    version: license.version,
  };
}
