/**
 * Facts that only the whole run decides: whether it is reported, and a guarantee of the run above what its weeks earned
 * (domain.md 2.2, 2.6). Reports of weeks and performances together make up the run.
 */
import { max, sum } from '#kernel/money/money.ts';
import type { Deal } from './deal.server.ts';
import type { SettledBefore, Takings } from './takings.ts';

/** All performances that were agreed have been reported, or the licence is past its run. */
export function runIsReported(
  deal: Pick<Deal, 'phase' | 'performances_agreed'>, reports: readonly Pick<Takings, 'scope' | 'performances_held'>[],
): boolean {
  if (['settlement', 'closed'].includes(deal.phase) || reports.some((report) => report.scope === 'run')) return true;
  const held = reports.reduce((all, report) => all + report.performances_held, 0);
  return deal.performances_agreed > 0 && held >= deal.performances_agreed;
}

/** Whether a deal that is settled week by week promises anything for the run as a whole. */
export function guaranteesRun(
  deal: Pick<Deal, 'min_per_run_minor' | 'min_performances' | 'min_per_performance_minor'>,
): boolean {
  return deal.min_per_run_minor > 0n || (deal.min_performances > 0 && deal.min_per_performance_minor > 0n);
}

/**
 * Amount a report adds to its weeks' charges so that all weeks together reach the guarantee of the run: performances
 * short of the agreed number at their minimum, then the minimum of the run. 0 while weeks are missing; negative if an
 * earlier report added more than is needed now. `fees`: of all weeks of the run, with this report.
 */
export function runTopUp(
  deal: Deal, all: readonly Takings[], fees: bigint, before: readonly SettledBefore[], charged: bigint,
): bigint {
  if (!guaranteesRun(deal)) return 0n;
  const given = sum(before.map((one) => one.earned_minor));
  const inWeeks = sum(before.flatMap((one) => one.weeks).map((one) => one.charged_minor));
  if (given === inWeeks && !runIsReported(deal, all)) return 0n;
  const held = all.reduce((count, one) => count + one.performances_held, 0);
  const missing = BigInt(Math.max(0, deal.min_performances - held)) * deal.min_per_performance_minor;
  return max(fees + missing, deal.min_per_run_minor) - given - charged;
}
