/**
 * Whether the customer of a license reports the box office, and for what. Contract, offer, portal, checklist, reminders
 * and the schedule of reports ask here, so that no paper asks for a report that nobody waits for.
 */
import type { TrueUpMode } from './actuals.ts';
import { settlementKind } from './promised-terms.ts';

export type ReportScope = 'performance' | 'week' | 'run';

export type ReportedDeal = Parameters<typeof settlementKind>[0] & {
  readonly true_up: TrueUpMode;
  /** Seats on average over the run; null where attendance is not checked. */
  readonly average_seat_cap: number | null;
  /** As agreed: a scope, or 'none'. */
  readonly report_frequency: string;
};

/**
 * null: none is expected. A fee that no receipts change owes none, unless its attendance is checked; a percentage is
 * always reported: by the week where it is settled by the week, else as agreed, at least once for the run (domain.md
 * 1.4, 2.3).
 */
export function reportScope(deal: ReportedDeal): ReportScope | null {
  const kind = settlementKind(deal);
  if (kind === 'weekly') return 'week';
  const onReceipts = kind === 'actuals' || deal.true_up !== 'none';
  const agreed = deal.report_frequency === 'none' ? null : deal.report_frequency as ReportScope;
  if (onReceipts) return agreed ?? 'run';
  return deal.average_seat_cap === null ? null : agreed;
}
