/** Weekly settlement of a professional deal: deductions, escalation, minimum, advance (domain.md 2.4, 2.5). */
import type { IsoDate } from '../calendar/calendar.ts';
import { applyPpm, divHalfAway, max, min, PPM, sum } from '../money/money.ts';
import type { AllowedDeduction, GrossTier, RateTerms } from './rate-card.ts';

export interface WeeklyDeal {
  readonly rate_ppm: bigint;
  /** Empty: the one rate, every week rounded by itself. Else on the cumulative base of the run. */
  readonly gross_tiers: readonly GrossTier[];
  readonly min_per_week_minor: bigint;
  readonly min_per_performance_minor: bigint;
  readonly advance_minor: bigint;
  readonly deductions: readonly AllowedDeduction[];
  /** false: only the percentage recoups the advance, a minimum's top-up is paid. */
  readonly minimum_counts_toward_advance: boolean;
  readonly full_week_performances: number | null;
  readonly empty_week_owes_minimum: boolean;
}

export interface ClaimedDeduction {
  readonly type: string;
  readonly amount_minor: bigint;
}

export interface WeekReport {
  readonly period_to: IsoDate;
  /** Without the tax on tickets. */
  readonly gross_minor: bigint;
  /** As reported, the tax on tickets included: the cap of a deduction is a part of it. Absent where it is the same. */
  readonly reported_minor?: bigint;
  readonly performances: number;
  readonly deductions: readonly ClaimedDeduction[];
  readonly paid_admissions?: number;
  readonly capacity_available?: number;
}

export type WeekQuestion = 'gross_without_performances' | 'over_capacity' | 'deduction_not_allowed';

export interface DeductionResult extends ClaimedDeduction {
  readonly allowed_minor: bigint;
}

export interface SettledWeek {
  readonly period_to: IsoDate;
  readonly deductions: readonly DeductionResult[];
  readonly base_minor: bigint;
  readonly percentage_minor: bigint;
  readonly minimum_minor: bigint;
  readonly earned_minor: bigint;
  readonly recouped_minor: bigint;
  readonly due_minor: bigint;
  readonly advance_left_minor: bigint;
  /** The percentage stands; the minimum is posted as a delta when somebody has answered (domain.md 1.4). */
  readonly minimum_waits: boolean;
  readonly questions: readonly WeekQuestion[];
}

export interface WeeklySettlement {
  readonly weeks: readonly SettledWeek[];
  readonly earned_minor: bigint;
  readonly recouped_minor: bigint;
  readonly due_minor: bigint;
  /** Kept at close: the advance is not refunded (breakage). */
  readonly unrecouped_minor: bigint;
}

/**
 * Deducts each claim from the base: min(claimed, round(cap × reported gross)); a claim that the deal does not list
 * takes nothing and queries the report. Several claims of one type share its cap. The base is `grossMinor`, which is
 * net of the tax on tickets, less the allowed claims, never below 0; the cap is computed on the gross as reported.
 */
export function deduct(
  grossMinor: bigint, claimed: readonly ClaimedDeduction[], allowed: readonly AllowedDeduction[],
  reportedMinor: bigint = grossMinor,
): { items: DeductionResult[]; base_minor: bigint; refused: boolean } {
  const taken = new Map<string, bigint>();
  let refused = false;
  const items = claimed.map((claim): DeductionResult => {
    const rule = allowed.find((candidate) => candidate.type === claim.type);
    if (!rule) {
      refused = true;
      return { ...claim, allowed_minor: 0n };
    }
    const used = taken.get(claim.type) ?? 0n;
    const room = rule.cap_ppm === null ? claim.amount_minor : max(applyPpm(reportedMinor, rule.cap_ppm) - used, 0n);
    const amount = min(claim.amount_minor, room);
    taken.set(claim.type, used + amount);
    return { ...claim, allowed_minor: amount };
  });
  const base = max(grossMinor - sum(items.map((item) => item.allowed_minor)), 0n);
  return { items, base_minor: base, refused };
}

/**
 * F(cumulative) in units of a minor unit × 1,000,000, so that it is rounded only once. Marginal tiers charge each
 * slice at its rate; a retroactive tier, once reached, charges the whole at its rate.
 */
export function escalatedPpm(cumulative: bigint, baseRatePpm: bigint, tiers: readonly GrossTier[]): bigint {
  const steps = [...tiers].sort((a, b) => compare(a.from_gross_minor, b.from_gross_minor));
  let rate = baseRatePpm;
  let from = 0n;
  let fee = 0n;
  for (const tier of steps) {
    if (cumulative < tier.from_gross_minor) break;
    fee = tier.mode === 'retroactive'
      ? tier.from_gross_minor * tier.rate_ppm
      : fee + (tier.from_gross_minor - from) * rate;
    rate = tier.rate_ppm;
    from = tier.from_gross_minor;
  }
  return fee + (cumulative - from) * rate;
}

/**
 * Tiers in force for a week that ends on `periodTo`. A tier of the recoupment counts from its day on and then
 * replaces the tier with the same from_gross.
 */
export function tiersInForce(tiers: readonly GrossTier[], periodTo: IsoDate): GrossTier[] {
  const recouped = tiers.filter((tier) => tier.after_recoupment_on && tier.after_recoupment_on <= periodTo);
  const replaced = (tier: GrossTier) => recouped.some((other) => other.from_gross_minor === tier.from_gross_minor);
  return [...tiers.filter((tier) => !tier.after_recoupment_on && !replaced(tier)), ...recouped];
}

/** Weeks in order of period_to; the fee of a week is round(F) minus the percentages computed before it. */
export function settleWeeks(deal: WeeklyDeal, reports: readonly WeekReport[]): WeeklySettlement {
  const percentage = percentages(deal);
  let advanceLeft = deal.advance_minor;
  const weeks = reports.map((report): SettledWeek => {
    const { items, base_minor: base, refused } = deduct(report.gross_minor, report.deductions,
      deal.deductions, report.reported_minor);
    const questions = questionsOf(report, refused);
    const percent = percentage(base, report.period_to);
    const waits = questions.some((question) => question !== 'deduction_not_allowed');
    const minimum = waits ? 0n : weekMinimum(deal, report.performances);
    const earned = max(percent, minimum);
    const counting = deal.minimum_counts_toward_advance ? earned : percent;
    const recouped = max(min(counting, advanceLeft), 0n);
    advanceLeft -= recouped;
    return {
      period_to: report.period_to, deductions: items, base_minor: base, percentage_minor: percent,
      minimum_minor: minimum, earned_minor: earned, recouped_minor: recouped, due_minor: earned - recouped,
      advance_left_minor: advanceLeft, minimum_waits: waits, questions,
    };
  });
  return {
    weeks,
    earned_minor: sum(weeks.map((week) => week.earned_minor)),
    recouped_minor: sum(weeks.map((week) => week.recouped_minor)),
    due_minor: sum(weeks.map((week) => week.due_minor)),
    unrecouped_minor: advanceLeft,
  };
}

export type WeekMinimumTerms = Pick<RateTerms,
  'min_per_week_minor' | 'full_week_performances' | 'empty_week_owes_minimum'>;

/**
 * The minimum of one week with so many performances, the same for a quote and for a settlement: pro-rated only when
 * agreed (three of eight performances owe 187.50 of 500.00); a week without a performance owes none unless agreed.
 */
export function minimumOfWeek(terms: WeekMinimumTerms, performances: number): bigint {
  if (performances <= 0) return terms.empty_week_owes_minimum ? terms.min_per_week_minor : 0n;
  const full = terms.full_week_performances;
  if (full === null || full <= 0) return terms.min_per_week_minor;
  return divHalfAway(terms.min_per_week_minor * BigInt(Math.min(performances, full)), BigInt(full));
}

/** Minimum owed on takings for a week: the week's own, or that of each performance held. */
export function weekMinimum(
  terms: WeekMinimumTerms & Pick<RateTerms, 'min_per_performance_minor'>, held: number,
): bigint {
  return max(minimumOfWeek(terms, held), terms.min_per_performance_minor * BigInt(Math.max(held, 0)));
}

/**
 * One rate: each week by itself. Tiers: on the cumulative base, with the exact fee at the moment of recoupment kept,
 * so that the rate after it applies to what is earned after it. Each call is the next week.
 */
export function percentages(
  deal: Pick<WeeklyDeal, 'rate_ppm' | 'gross_tiers'>,
): (base: bigint, periodTo: IsoDate) => bigint {
  if (deal.gross_tiers.length === 0) return (base) => applyPpm(base, deal.rate_ppm);
  let cumulative = 0n;
  let exact = 0n;
  let before = 0n;
  return (base, periodTo) => {
    const tiers = tiersInForce(deal.gross_tiers, periodTo);
    const start = escalatedPpm(cumulative, deal.rate_ppm, tiers);
    cumulative += base;
    exact += escalatedPpm(cumulative, deal.rate_ppm, tiers) - start;
    const fee = divHalfAway(exact, PPM) - before;
    before += fee;
    return fee;
  };
}

function questionsOf(report: WeekReport, refused: boolean): WeekQuestion[] {
  const questions: WeekQuestion[] = [];
  if (report.performances === 0 && report.gross_minor > 0n) questions.push('gross_without_performances');
  const { paid_admissions: paid, capacity_available: capacity } = report;
  if (paid !== undefined && capacity !== undefined && paid > capacity) questions.push('over_capacity');
  if (refused) questions.push('deduction_not_allowed');
  return questions;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
