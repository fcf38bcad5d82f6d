/** Ages of debts: days past due on a day (accounting.md 3.6). */
import { diffDays, type IsoDate } from '../calendar/calendar.ts';

export const AGING_BUCKETS = ['current', 'days_1_30', 'days_31_60', 'days_61_90', 'days_91'] as const;
export type AgingBucket = (typeof AGING_BUCKETS)[number];

/** 'current' until the due date itself has passed. */
export function agingBucket(dueOn: IsoDate, asOf: IsoDate): AgingBucket {
  const late = diffDays(dueOn, asOf);
  if (late <= 0) return 'current';
  if (late <= 30) return 'days_1_30';
  if (late <= 60) return 'days_31_60';
  return late <= 90 ? 'days_61_90' : 'days_91';
}
