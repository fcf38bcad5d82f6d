/**
 * The royalty of one report by the kernel's functions: week by week (2.4, 2.5), on actual takings (2.3) or as a true-up
 * (2.6), with the trace that the drawer prints. Pure: what was settled before comes in, nothing is read.
 */
import { max, min, sum } from '#kernel/money/money.ts';
import { splitByWeight } from '#kernel/money/split.ts';
import { attendanceOverage, settleActuals, trueUp, type ActualPerformance } from '#kernel/pricing/actuals.ts';
import { Tracer, type TraceStep } from '#kernel/pricing/trace.ts';
import { dateFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { feesOfWeeks, partsOfReturn, type WeekFee, type WeekPart } from '#kernel/pricing/license-weeks.ts';
import { deduct } from '#kernel/pricing/weekly.ts';
import { deductionsAt, settlementOf, withoutTicketTax, type Deal } from './deal.server.ts';
import { runIsReported, runTopUp } from './run-total.server.ts';
import type { ChargedWeek, SettledBefore, Takings } from './takings.ts';

export interface SettledReport {
  deductions: readonly { type: string; amount_minor: bigint; allowed_minor: bigint }[];
  vat_minor: bigint;
  net_minor: bigint;
  percentage_minor: bigint;
  minimum_minor: bigint;
  earned_minor: bigint;
  recouped_minor: bigint;
  trace: readonly TraceStep[];
  /** Charges of the license's weeks with this report; empty if it is not settled week by week. */
  weeks: readonly ChargedWeek[];
  /** A minimum above the percentage is left out for now. */
  minimum_waits: boolean;
}

/**
 * `waits`: a question about the report is open, every minimum waits (domain.md 1.4). `waiting`: weeks of the licence
 * whose minimum waits for the return of another venue.
 */
export function settleReport(
  deal: Deal, report: Takings, before: readonly SettledBefore[], waits: boolean, waiting: ReadonlySet<string>,
): SettledReport {
  switch (settlementOf(deal)) {
    case 'weekly': return settleWeek(deal, report, before, waits, waiting);
    case 'actuals': return settleRun(deal, report, before, waits);
    case 'true_up': return settleTrueUp(deal, report, before);
  }
}

interface NetTakings {
  gross: bigint;
  vat: bigint;
  base: bigint;
  items: SettledReport['deductions'];
}

/** Gross less the tax on tickets and the allowed deductions; never below 0 (2.4). */
export function netTakings(deal: Deal, report: Takings): NetTakings {
  const parts = report.rows.length > 0 ? report.rows.map((row) => row.gross_minor) : [report.gross_minor];
  const gross = sum(parts.map((part) => withoutTicketTax(deal, report.license_venue_id, report.tax_included, part)));
  const { items, base_minor } = deduct(gross, report.deductions, deductionsAt(deal, report.license_venue_id),
    report.gross_minor);
  return { gross, vat: report.gross_minor - gross, base: base_minor, items };
}

/** Contribution of the report to each week of the license. */
export function partsOf(deal: Deal, report: Takings, asked: boolean): WeekPart[] {
  return partsOfReturn({ period_from: report.period_from, period_to: report.period_to,
    base_minor: netTakings(deal, report).base, performances: report.performances_held, waits: asked,
    covered: report.covered, rows: report.rows }, deal.week_start);
}

const partsBefore = (before: readonly SettledBefore[]): WeekPart[] => before.flatMap((one) =>
  one.weeks.map(({ week_on, base_minor, performances }) => ({ week_on, base_minor, performances, waits: one.asked })));

/** Weeks that a return of this deal touches: its own, and with steps of the run every later one. */
const touchedBy = (deal: Deal, fees: readonly WeekFee[], own: readonly WeekPart[]): WeekFee[] =>
  fees.filter((fee) => deal.gross_tiers.length > 0 || own.some((part) => part.week_on === fee.week_on));

function settleWeek(
  deal: Deal, report: Takings, before: readonly SettledBefore[], asked: boolean, waiting: ReadonlySet<string>,
): SettledReport {
  const net = netTakings(deal, report);
  const own = partsOf(deal, report, asked);
  const fees = feesOfWeeks(deal, [...partsBefore(before), ...own], waiting);
  const touched = touchedBy(deal, fees, own);
  const chargedBefore = (week: string): bigint => sum(before.flatMap((one) => one.weeks)
    .filter((one) => one.week_on === week).map((one) => one.charged_minor));
  const weeks = touched.map((fee): ChargedWeek => {
    const part = own.find((one) => one.week_on === fee.week_on);
    const more = fee.fee_minor - chargedBefore(fee.week_on);
    return { week_on: fee.week_on, base_minor: part?.base_minor ?? 0n, performances: part?.performances ?? 0,
      charged_minor: fee.waits ? max(more, 0n) : more };
  });
  const charged = sum(weeks.map((week) => week.charged_minor));
  const percentage = sum(touched.map((fee) => fee.percentage_minor))
    - sum(touchedBy(deal, feesOfWeeks(deal, partsBefore(before)), own).map((fee) => fee.percentage_minor));
  const waits = touched.some((fee) => fee.waits);
  const topUp = asked || waits ? 0n
    : runTopUp(deal, [...before, report], sum(fees.map((fee) => fee.fee_minor)), before, charged);
  const earned = charged + topUp;
  const counting = deal.minimum_counts_toward_advance ? earned : percentage;
  const recouped = max(min(counting, deal.advance_left_minor), 0n);
  const tracer = new Tracer();
  traceBase(tracer, deal, report, net);
  const rule = `license:${deal.license_id}`;
  for (const fee of touched) {
    traceWeek(tracer, deal, fee, { own: own.find((part) => part.week_on === fee.week_on)?.base_minor ?? 0n,
      before: chargedBefore(fee.week_on), of: touched.length });
  }
  if (topUp !== 0n) {
    tracer.add('run', `${rule}.min_per_run`, 'To the guarantee of the whole run, now that it is reported', 'amount',
      { amount_minor: topUp });
  }
  traceAdvance(tracer, rule, earned, recouped, deal.advance_left_minor);
  return {
    deductions: net.items, vat_minor: net.vat, net_minor: net.base, percentage_minor: percentage,
    minimum_minor: sum(touched.map((fee) => (fee.waits || asked ? 0n : fee.minimum_minor))), earned_minor: earned,
    recouped_minor: recouped, trace: tracer.steps, weeks, minimum_waits: waits,
  };
}

/** One week: the base of all its returns, the percentage, the minimum, less what the week was charged before. */
function traceWeek(
  tracer: Tracer, deal: Deal, fee: WeekFee, at: { own: bigint; before: bigint; of: number },
): void {
  const rule = `license:${deal.license_id}`;
  const name = at.of === 1 ? '' : `Week of ${dateFor(documentLanguage(deal.division), fee.week_on)}: `;
  const say = (text: string): string => (name === '' ? text : `${name}${text.charAt(0).toLowerCase()}${text.slice(1)}`);
  if (fee.base_minor !== at.own) {
    tracer.add('week', `${rule}.week_base`, say('Base of the week, with its other returns'), 'sum',
      { amounts_minor: [at.own, fee.base_minor - at.own] });
  }
  if (deal.gross_tiers.length === 0) {
    tracer.add('week', `${rule}.rate`, say('Percentage of the base'), 'rate',
      { amount_minor: fee.base_minor, rate_ppm: deal.rate_ppm });
  } else {
    tracer.add('week', `${rule}.gross_tiers`, say('Percentage by steps of the run, less what was computed before'),
      'amount', { amount_minor: fee.percentage_minor });
  }
  if (!fee.waits && fee.minimum_minor > 0n) {
    tracer.add('week', `${rule}.minimum`, say(`Minimum of the week, ${fee.performances} performances`), 'at_least',
      { amount_minor: fee.percentage_minor, least_minor: fee.minimum_minor });
  }
  if (at.before !== 0n) {
    tracer.add('week', `${rule}.week_before`, say('Less what the week was charged before'), 'less',
      { amount_minor: fee.fee_minor, less_minor: at.before });
  }
}

function traceBase(tracer: Tracer, deal: Deal, report: Takings, net: NetTakings): void {
  if (net.vat > 0n) {
    tracer.add('base', `license:${deal.license_id}.ticket_tax`, 'Gross without ticket tax', 'less',
      { amount_minor: report.gross_minor, less_minor: net.vat });
  }
  let left = net.gross;
  for (const item of net.items.filter((one) => one.allowed_minor > 0n)) {
    left = tracer.add('base', `license:${deal.license_id}.deduction.${item.type}`,
      `Less ${item.type.replaceAll('_', ' ')}`, 'less', { amount_minor: left, less_minor: item.allowed_minor });
  }
}

function traceAdvance(tracer: Tracer, rule: string, earned: bigint, recouped: bigint, left: bigint): void {
  if (left === 0n || recouped === 0n) return;
  tracer.add('advance', `${rule}.advance`, 'Recouped from the advance', 'at_most',
    { amount_minor: recouped, most_minor: left });
  tracer.add('advance', `${rule}.due`, 'Due now', 'less', { amount_minor: earned, less_minor: recouped });
}

/** All reports of the run together, less what was earned before: minimums of week and run see the whole run. */
function settleRun(deal: Deal, report: Takings, before: readonly SettledBefore[], waits: boolean): SettledReport {
  const net = netTakings(deal, report);
  const settled = (returns: readonly Takings[]) => settleActuals({
    terms: deal, gross_tiers: deal.gross_tiers, rule_id: `license:${deal.license_id}`, week_start: deal.week_start,
    language: documentLanguage(deal.division), minimums_wait: waits,
    performances: returns.flatMap((one) => performancesOf(deal, one))
      .sort((a, b) => (a.local_date < b.local_date ? -1 : a.local_date > b.local_date ? 1 : 0)),
  });
  const result = settled([...before, report]);
  const minimumBefore = before.length === 0 ? 0n : settled(before).minimum_minor;
  const earnedBefore = sum(before.map((one) => one.earned_minor));
  const recoupedBefore = sum(before.map((one) => one.recouped_minor));
  const earned = result.royalty_minor - earnedBefore;
  const recouped = max(0n, min(result.royalty_minor, deal.billed_minor) - recoupedBefore);
  const tracer = new Tracer();
  traceBase(tracer, deal, report, net);
  tracer.steps.push(...result.trace);
  if (earnedBefore > 0n) {
    tracer.add('run', `license:${deal.license_id}.before`, 'Less royalty of earlier reports', 'less',
      { amount_minor: result.royalty_minor, less_minor: earnedBefore });
  }
  if (recouped > 0n) {
    tracer.add('run', `license:${deal.license_id}.billed`, 'Less what was billed before', 'less',
      { amount_minor: earned, less_minor: min(recouped, earned) });
  }
  const percentage = result.percentage_minor - sum(before.map((one) => one.percentage_minor));
  return {
    deductions: net.items, vat_minor: net.vat, net_minor: net.base, percentage_minor: percentage,
    minimum_minor: max(0n, result.minimum_minor - minimumBefore), earned_minor: earned,
    recouped_minor: min(recouped, max(earned, 0n)), trace: tracer.steps, weeks: [], minimum_waits: waits,
  };
}

/** One entry per performance held; deductions are shared by takings where performances are settled by themselves. */
function performancesOf(deal: Deal, report: Takings): ActualPerformance[] {
  const net = netTakings(deal, report);
  const given = report.rows.length > 0
    ? report.rows.map((row) => ({ local_date: row.local_date, gross_minor:
        withoutTicketTax(deal, report.license_venue_id, report.tax_included, row.gross_minor) }))
    : Array.from({ length: Math.max(report.performances_held, report.gross_minor > 0n ? 1 : 0) },
      (_, k) => ({ local_date: report.period_from, gross_minor: k === 0 ? net.gross : 0n }));
  const off = net.gross - net.base;
  if (off === 0n) return given;
  const cuts = splitByWeight(off, given.map((one) => one.gross_minor));
  return given.map((one, k) => ({ ...one, gross_minor: one.gross_minor - cuts[k]! }));
}

/**
 * The quoted fee against the takings of the run, and seats above the agreed average: once the run is reported, by one
 * report or by those of its weeks and performances together; a later correction settles the difference.
 */
function settleTrueUp(deal: Deal, report: Takings, before: readonly SettledBefore[]): SettledReport {
  const net = netTakings(deal, report);
  const tracer = new Tracer();
  traceBase(tracer, deal, report, net);
  const rule = `license:${deal.license_id}`;
  const nothing = { deductions: net.items, vat_minor: net.vat, net_minor: net.base, percentage_minor: 0n,
    minimum_minor: 0n, earned_minor: 0n, recouped_minor: 0n, weeks: [], minimum_waits: false };
  const counted = [...before, report];
  if (!runIsReported(deal, counted) && before.every((one) => one.earned_minor === 0n)) {
    tracer.add('run', `${rule}.true_up`, 'Calculated once the full run is reported', 'amount', { amount_minor: 0n });
    return { ...nothing, trace: tracer.steps };
  }
  const held_performances = counted.reduce((all, one) => all + one.performances_held, 0);
  const takings = sum(counted.map((one) => netTakings(deal, one).base));
  const { delta_minor } = trueUp({
    mode: deal.true_up, quote_minor: deal.billed_minor > 0n ? deal.billed_minor : deal.quoted_minor,
    rate_ppm: deal.rate_ppm, gross_minor: takings, held_performances,
    min_per_performance_minor: deal.min_per_performance_minor, min_per_run_minor: deal.min_per_run_minor,
  });
  const seats = counted.map((one) => one.paid_admissions);
  const overage = deal.average_seat_cap === null || seats.includes(null) ? 0n : attendanceOverage({
    mode: deal.true_up, rate_ppm: deal.rate_ppm, average_n: deal.average_price.n, average_d: deal.average_price.d,
    paid_seats: seats.reduce<number>((all, one) => all + (one ?? 0), 0), cap: deal.average_seat_cap, held_performances,
  });
  tracer.add('run', `${rule}.rate`, 'Percentage of gross box office of the run', 'rate',
    { amount_minor: takings, rate_ppm: deal.rate_ppm });
  tracer.add('run', `${rule}.true_up`, `Difference to the fee billed (${deal.true_up.replaceAll('_', ' ')})`, 'amount',
    { amount_minor: delta_minor });
  if (overage > 0n) {
    tracer.add('run', `${rule}.overage`, 'Seats above the agreed average', 'amount', { amount_minor: overage });
  }
  const earnedBefore = sum(before.map((one) => one.earned_minor));
  const earned = delta_minor + overage - earnedBefore;
  if (earnedBefore !== 0n) {
    tracer.add('run', `${rule}.before`, 'Settled with earlier reports', 'amount', { amount_minor: earnedBefore });
  }
  return { ...nothing, earned_minor: earned, trace: tracer.steps };
}
