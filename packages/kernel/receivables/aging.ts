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

type Aged = { readonly customer_id: number; readonly currency: string }
  & { readonly [bucket in AgingBucket as `${bucket}_minor`]: number };

/**
 * Customers who owe something of one age or, without an age, of any. A customer with debts of several ages is one
 * customer: the counts of the ages do not add up to their total.
 */
export function customersOwing(rows: readonly Aged[], currency: string, bucket?: AgingBucket): number {
  const ages = bucket === undefined ? AGING_BUCKETS : [bucket];
  const owing = rows.filter((row) => row.currency === currency && ages.some((age) => row[`${age}_minor`] !== 0));
  return new Set(owing.map((row) => row.customer_id)).size;
}
