/** What a return says of its period, and what an earlier one came to. */
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
}

/** An accepted report of the same licence, in the order of acceptance. */
export interface SettledBefore extends Takings {
  percentage_minor: bigint;
  earned_minor: bigint;
  recouped_minor: bigint;
  /** A question was open: its minimum is not in what it earned. */
  minimum_waits: boolean;
}
