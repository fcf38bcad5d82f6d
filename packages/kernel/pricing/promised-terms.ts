/**
 * Terms a priced version promises beyond its fixed amounts: the percentage of the takings, its base, its minimums, the
 * advance, when takings are reported and paid, and an example. One function derives them; the snapshot of an offer
 * stores them, so every document and screen says the same (domain.md 2.2 to 2.6).
 */
import type { DayOfWeek, IsoDate } from '../calendar/calendar.ts';
import { startOfWeek } from '../calendar/calendar.ts';
import { applyPpm, max, min, sum } from '../money/money.ts';
import { netOfTax, settleActuals, trueUp, type TrueUpMode } from './actuals.ts';
import { potentials } from './potentials.ts';
import type { PriceVenue } from './price-types.ts';
import type { GuaranteeScope, RateTerms } from './rate-card.ts';
import { percentages, weekMinimum } from './weekly.ts';

export type SettlementKind = 'weekly' | 'actuals' | 'true_up';

/** Settlement of a deal: week by week, on the performances' takings, or as a true-up of a quoted fee. */
export function settlementKind(
  terms: { readonly fee_method: string; readonly rate_ppm: bigint; readonly guarantee_scope: GuaranteeScope;
    readonly gross_tiers: readonly unknown[] },
): SettlementKind {
  const onActuals = ['percent_actual', 'greater_of', 'negotiated'].includes(terms.fee_method) && terms.rate_ppm > 0n;
  if (!onActuals && terms.gross_tiers.length === 0) return 'true_up';
  return terms.guarantee_scope === 'week' ? 'weekly' : 'actuals';
}

export interface PromiseInput {
  /** With the steps in force now. */
  readonly terms: RateTerms;
  /** Every step of the deal, those that wait for the recoupment too; absent: the steps in force. */
  readonly tiers?: PromisedTerms['tiers'];
  readonly true_up: TrueUpMode;
  readonly minimum_counts_toward_advance: boolean;
  readonly week_start: DayOfWeek;
  readonly venues: readonly PriceVenue[];
  /** Tax held in the ticket prices, by venue; a venue that is not named has none. */
  readonly ticket_tax_ppm: ReadonlyMap<number, bigint>;
  /** The royalty as quoted: what a true-up compares with. */
  readonly quoted_royalty_minor: bigint;
  /** The advance that is asked for when the offer is signed; 0 where none is. */
  readonly advance_minor: bigint;
  readonly deposit: { readonly kind: 'security' | 'on_account'; readonly amount_minor: bigint } | null;
  /** Instalments with their tax; a security deposit is none. */
  readonly plan: readonly { readonly due_event: string; readonly amount_minor: bigint;
    readonly line_kinds: readonly string[] }[];
  readonly report_frequency: string;
  readonly report_due_days: number;
  readonly payment_days: number;
}

/** Amounts are minor units as JSON numbers: the snapshot of an offer holds it as it is. */
export interface PromisedTerms {
  readonly kind: SettlementKind;
  readonly true_up: TrueUpMode;
  readonly rate_ppm: number;
  readonly tiers: readonly { from_gross_minor: number; rate_ppm: number; mode: 'marginal' | 'retroactive';
    after_recoupment: boolean }[];
  readonly scope: GuaranteeScope;
  readonly deductions: readonly { type: string; cap_ppm: number | null }[];
  /** Ticket prices hold tax, which is no part of the gross. */
  readonly ticket_tax: boolean;
  readonly min_per_performance_minor: number;
  readonly min_per_week_minor: number;
  readonly min_per_run_minor: number;
  readonly min_performances: number;
  readonly full_week_performances: number | null;
  readonly empty_week_owes_minimum: boolean;
  readonly minimum_counts_toward_advance: boolean;
  readonly advance_minor: number;
  readonly on_account_minor: number;
  readonly security_deposit_minor: number;
  /** Amount that signing makes due, tax included, security deposit excluded. */
  readonly now_minor: number;
  /** Fixed amounts that fall due later, by their event; what only secures the royalty is not among them. */
  readonly later: readonly { due_event: string; amount_minor: number }[];
  readonly report_frequency: string;
  readonly report_due_days: number;
  readonly payment_days: number;
  readonly sample: PromiseSample | null;
}

export interface PromiseSample {
  /** Part of the potential, ppm. */
  readonly share_ppm: number;
  readonly gross_minor: number;
  /** The gross without tax on tickets, less the deductions that have a cap, each at its cap. */
  readonly base_minor: number;
  /** Those deductions; absent in the snapshot of an offer made before they were taken off. */
  readonly deducted_minor?: number | undefined;
  readonly royalty_minor: number;
}

/** The example of the papers: takings of 70% of the potential. */
export const SAMPLE_SHARE_PPM = 700_000n;
const NOW: readonly string[] = ['acceptance', 'execution'];
const OF_ROYALTY: readonly string[] = ['royalty', 'advance'];

/** null where the price is the whole price: nothing follows from the takings. */
export function promisedTerms(input: PromiseInput): PromisedTerms | null {
  const { terms } = input;
  const kind = settlementKind(terms);
  if (terms.rate_ppm === 0n && terms.gross_tiers.length === 0) return null;
  if (kind === 'true_up' && input.true_up === 'none') return null;
  const planned = sum(input.plan.map((row) => row.amount_minor));
  const agreed = input.deposit?.kind === 'on_account' ? input.deposit.amount_minor : 0n;
  // Never more on account than the price that the plan splits; without a fixed price, all of it beside the plan.
  const onAccount = planned > 0n ? min(agreed, planned) : agreed;
  const security = input.deposit?.kind === 'security' ? input.deposit.amount_minor : 0n;
  const due = (wanted: boolean) => input.plan.filter((row) => NOW.includes(row.due_event) === wanted);
  return {
    kind, true_up: input.true_up, rate_ppm: Number(terms.rate_ppm), scope: terms.guarantee_scope,
    tiers: input.tiers ?? terms.gross_tiers.map((tier) => ({ from_gross_minor: Number(tier.from_gross_minor),
      rate_ppm: Number(tier.rate_ppm), mode: tier.mode, after_recoupment: Boolean(tier.after_recoupment_on) })),
    deductions: terms.box_office_deductions
      .map((one) => ({ type: one.type, cap_ppm: one.cap_ppm === null ? null : Number(one.cap_ppm) })),
    ticket_tax: input.venues.some((venue) => (input.ticket_tax_ppm.get(venue.id) ?? 0n) > 0n),
    min_per_performance_minor: Number(terms.min_per_performance_minor),
    min_per_week_minor: kind === 'weekly' || terms.guarantee_scope === 'week' ? Number(terms.min_per_week_minor) : 0,
    min_per_run_minor: Number(terms.min_per_run_minor), min_performances: terms.min_performances,
    full_week_performances: terms.full_week_performances,
    empty_week_owes_minimum: terms.empty_week_owes_minimum,
    minimum_counts_toward_advance: input.minimum_counts_toward_advance,
    advance_minor: Number(input.advance_minor), on_account_minor: Number(onAccount),
    security_deposit_minor: Number(security),
    now_minor: Number(sum(due(true).map((row) => row.amount_minor)) + (planned > 0n ? 0n : onAccount)),
    later: due(false).filter((row) => !row.line_kinds.some((line) => OF_ROYALTY.includes(line)))
      .map((row) => ({ due_event: row.due_event, amount_minor: Number(row.amount_minor) })),
    report_frequency: input.report_frequency, report_due_days: input.report_due_days,
    payment_days: input.payment_days, sample: sampleOf(input, kind),
  };
}

interface Night {
  readonly local_date: IsoDate; readonly gross: bigint; readonly deducted: bigint; readonly base: bigint;
}

/** The most that the deductions with a cap can take off a gross as reported ({@link deduct}). */
function mostDeducted(terms: RateTerms, gross: bigint): bigint {
  return sum(terms.box_office_deductions.map((one) => (one.cap_ppm === null ? 0n : applyPpm(gross, one.cap_ppm))));
}

function sampleOf(input: PromiseInput, kind: SettlementKind): PromiseSample | null {
  const nights = input.venues.flatMap((venue) => venue.performances
    .filter((one) => one.status !== 'cancelled' && one.status !== 'postponed').map((one): Night => {
      const full = one.is_free ? 0n : potentials(one.ticketing_override ?? venue.ticketing).capacity_gross_minor;
      const gross = applyPpm(full, SAMPLE_SHARE_PPM);
      const net = netOfTax(gross, input.ticket_tax_ppm.get(venue.id) ?? 0n);
      const deducted = min(mostDeducted(input.terms, gross), net);
      return { local_date: one.local_date, gross, deducted, base: net - deducted };
    }));
  const gross = sum(nights.map((night) => night.gross));
  if (gross === 0n) return null;
  return { share_ppm: Number(SAMPLE_SHARE_PPM), gross_minor: Number(gross),
    base_minor: Number(sum(nights.map((night) => night.base))),
    deducted_minor: Number(sum(nights.map((night) => night.deducted))),
    royalty_minor: Number(royaltyOf(input, kind, nights)) };
}

/** By the functions that settle the real takings. */
function royaltyOf(input: PromiseInput, kind: SettlementKind, nights: readonly Night[]): bigint {
  const { terms } = input;
  if (kind === 'weekly') return weeklyRoyalty(input, nights);
  if (kind === 'actuals') {
    return settleActuals({ terms, gross_tiers: terms.gross_tiers, rule_id: 'sample', week_start: input.week_start,
      performances: nights.map((night) => ({ local_date: night.local_date, gross_minor: night.base })) }).royalty_minor;
  }
  return trueUp({ mode: input.true_up, quote_minor: input.quoted_royalty_minor, rate_ppm: terms.rate_ppm,
    gross_minor: sum(nights.map((night) => night.base)), min_per_performance_minor: terms.min_per_performance_minor,
    min_per_run_minor: terms.min_per_run_minor, held_performances: nights.length }).charged_minor;
}

function weeklyRoyalty({ terms, week_start }: PromiseInput, nights: readonly Night[]): bigint {
  const percentage = percentages(terms);
  const weekOf = (night: Night): IsoDate => startOfWeek(night.local_date, week_start);
  const fees = [...new Set(nights.map(weekOf))].sort().map((week) => {
    const own = nights.filter((night) => weekOf(night) === week);
    const last = own.map((night) => night.local_date).sort().at(-1)!;
    return max(percentage(sum(own.map((night) => night.base)), last), weekMinimum(terms, own.length));
  });
  return sum(fees);
}
