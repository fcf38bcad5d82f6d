/**
 * Interest on an overdue amount: simple, from the day after the due date through the day of payment, on the amount open
 * on each day, at 365 days to a year. An agreed rate per month is twelve times as much a year.
 */
import { addDays, diffDays, type IsoDate } from '../calendar/calendar.ts';
import { divHalfAway, PPM } from '../money/money.ts';

export interface LateRate { readonly ppm: bigint; readonly per: 'month' | 'year' }
/** Money that reached the debt; it counts from the day after. */
export interface Settlement { readonly on: IsoDate; readonly amount_minor: bigint }
export interface LateDebt {
  readonly due_on: IsoDate;
  readonly principal_minor: bigint;
  readonly settlements: readonly Settlement[];
  readonly rate: LateRate;
}
/** Days with one open amount, first and last included. */
export interface InterestStep {
  readonly from_on: IsoDate;
  readonly to_on: IsoDate;
  readonly days: number;
  readonly principal_minor: bigint;
  readonly interest_minor: bigint;
}
export interface DayRange { readonly from_on: IsoDate; readonly to_on: IsoDate }

const DAYS_OF_YEAR = 365n;

export function yearlyPpm(rate: LateRate): bigint {
  return rate.per === 'month' ? rate.ppm * 12n : rate.ppm;
}

/**
 * Steps of a range of days, without those on which nothing was open. Each amount is the difference of two rounded sums
 * since the due date, so that the parts of a period add up to the whole, whatever they are billed in.
 */
export function lateInterest(debt: LateDebt, range: DayRange): InterestStep[] {
  const from_on = range.from_on > debt.due_on ? range.from_on : addDays(debt.due_on, 1);
  const steps: InterestStep[] = [];
  for (const span of spans(debt, range.to_on)) {
    const first = span.from_on > from_on ? span.from_on : from_on;
    if (first > span.to_on || span.principal_minor <= 0n) continue;
    const before = interestOf(debt, span, addDays(first, -1));
    steps.push({ from_on: first, to_on: span.to_on, days: diffDays(first, span.to_on) + 1,
      principal_minor: span.principal_minor, interest_minor: interestOf(debt, span, span.to_on) - before });
  }
  return steps;
}

interface Span extends DayRange {
  readonly principal_minor: bigint;
  /** Sum of open amount times days before this span. */
  readonly before: bigint;
}

/** From the day after the due date, cut after each day that money came. */
function spans(debt: LateDebt, to: IsoDate): Span[] {
  const paid = (until: IsoDate): bigint => debt.settlements.filter((one) => one.on < until)
    .reduce((all, one) => all + one.amount_minor, 0n);
  const starts = [debt.due_on, ...debt.settlements.map((one) => one.on).filter((on) => on > debt.due_on && on < to)]
    .map((on) => addDays(on, 1));
  const ordered = [...new Set(starts)].sort();
  const found: Span[] = [];
  let before = 0n;
  for (const [k, from_on] of ordered.entries()) {
    const next = ordered[k + 1];
    const to_on = next === undefined ? to : addDays(next, -1);
    const principal_minor = debt.principal_minor - paid(from_on);
    found.push({ from_on, to_on, principal_minor, before });
    if (principal_minor > 0n) before += principal_minor * BigInt(diffDays(from_on, to_on) + 1);
  }
  return found.filter((span) => span.from_on <= span.to_on);
}

/** Rounded sum of interest since the due date through a day of the span. */
function interestOf(debt: LateDebt, span: Span, on: IsoDate): bigint {
  const days = BigInt(diffDays(span.from_on, on) + 1);
  return divHalfAway((span.before + span.principal_minor * days) * yearlyPpm(debt.rate), DAYS_OF_YEAR * PPM);
}

/** Days of a range that no other range covers, in order. */
export function openDays(range: DayRange, taken: readonly DayRange[]): DayRange[] {
  const open: DayRange[] = [];
  let from_on = range.from_on;
  for (const one of [...taken].sort((a, b) => a.from_on.localeCompare(b.from_on))) {
    if (one.to_on < from_on) continue;
    if (one.from_on > range.to_on) break;
    if (one.from_on > from_on) open.push({ from_on, to_on: addDays(one.from_on, -1) });
    from_on = addDays(one.to_on, 1);
  }
  return from_on <= range.to_on ? [...open, { from_on, to_on: range.to_on }] : open;
}
