/** Recurring bills in words. */
import type { RepeatUnit } from '#kernel/calendar/repetition.ts';
import { Badge } from '#web/data/badge.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import type { BillScheduleRow, ScheduleState } from './bill-schedule.contract.ts';

export const SCHEDULES = '/admin/accounting/recurring-bills';
export const SCHEDULE_STATE_LABELS: Readonly<Record<ScheduleState, string>> = { active: 'Active', paused: 'Paused',
  ended: 'Ended' };
const TONES = { active: 'ok', paused: 'warn', ended: 'neutral' } as const;
export const UNIT_LABELS: Readonly<Record<RepeatUnit, string>> = { week: 'Weeks', month: 'Months',
  quarter: 'Quarters', year: 'Years' };

type Rhythm = Pick<BillScheduleRow, 'every_count' | 'every_unit'>;
export const everyWords = ({ every_count: count, every_unit: unit }: Rhythm): string =>
  (count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`);

export function untilWords(row: Pick<BillScheduleRow, 'ends_on' | 'times' | 'made_count'>): string {
  if (row.ends_on !== null) return `Until ${formatDay(row.ends_on)}`;
  return row.times === null ? 'Without end' : `${row.made_count} of ${row.times} made`;
}

export function scheduleBadge(row: Pick<BillScheduleRow, 'status' | 'failure'>, small = false) {
  if (row.failure !== null) return <Badge tone="error" small={small}>Not made</Badge>;
  return <Badge tone={TONES[row.status]} small={small}>{SCHEDULE_STATE_LABELS[row.status]}</Badge>;
}
