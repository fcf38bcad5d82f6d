/** Contents of a report for its period, and the result of an earlier one. */
import type { ClaimedDeduction } from '#kernel/pricing/weekly.ts';

export interface Takings {
  report_id: number;
  license_venue_id: number | null;
  scope: 'performance' | 'week' | 'run';
  period_from: string;
  period_to: string;
  gross_minor: bigint;
  tax_included: boolean;
  performances_held: number;
  paid_admissions: number | null;
  deductions: readonly ClaimedDeduction[];
  /** Takings by performance, where they were given. */
  rows: readonly { local_date: string; gross_minor: bigint }[];
  /** Days of the performances that it covers. */
  covered: readonly string[];
}

/** Contribution of a report to a week of the license, and the week's charge with it. */
export interface ChargedWeek {
  week_on: string;
  base_minor: bigint;
  performances: number;
  charged_minor: bigint;
}

/** An accepted report of the same licence, in the order of acceptance. */
export interface SettledBefore extends Takings {
  percentage_minor: bigint;
  earned_minor: bigint;
  recouped_minor: bigint;
  /** The return that takes its place once that is accepted. */
  replaced_by_id: number | null;
  /** A question about it is open that holds the minimum back. */
  asked: boolean;
  /** The minimum of its week is not charged yet. */
  minimum_waits: boolean;
  /** By week, where the licence is settled week by week. */
  weeks: readonly ChargedWeek[];
}
