/** Words of box-office reports: states, deductions, questions. */
import type { Tone } from '#web/data/badge.tsx';
import { daySpan, formatDay } from '#web/data/date-text.tsx';
import type { HELD_KINDS, ReportRow } from './box-office.contract.ts';

export const REPORT_LOOKS: Readonly<Record<ReportRow['status'], { label: string; tone: Tone }>> = {
  expected: { label: 'Expected', tone: 'neutral' }, submitted: { label: 'Submitted', tone: 'info' },
  queried: { label: 'Asked back', tone: 'warn' }, accepted: { label: 'Accepted', tone: 'ok' },
  estimated: { label: 'Estimated', tone: 'violet' }, replaced: { label: 'Replaced', tone: 'outline' },
};
type ReportState = Pick<ReportRow, 'status' | 'held' | 'overdue'>;
/** The state as people read it: what is held says so before anything else. */
export function reportLook(row: ReportState): { label: string; tone: Tone } {
  if (row.held) return { label: 'Held', tone: 'error' };
  return row.overdue ? { label: 'Overdue', tone: 'error' } : REPORT_LOOKS[row.status];
}

/** Reason a report is held, as the heading of its question. */
export const HOLD_WORDS: Readonly<Record<(typeof HELD_KINDS)[number], string>> = {
  overlap: 'Overlaps another report', outside_run: 'Outside the licensed run', in_future: 'Not performed yet',
  gross_over_limit: 'Gross above gross potential', attendance_over_limit: 'Admissions above capacity',
  no_running_costs: 'Running costs missing',
};

export const SCOPE_CHOICES = [
  { value: 'performance', label: 'One performance' }, { value: 'week', label: 'A week' }, { value: 'run',
    label: 'The run' },
] as const;

/** 'Feb 11, 2027' or 'Feb 8 to 14, 2027'. */
export function periodWords(report: Pick<ReportRow, 'period_from' | 'period_to'>): string {
  if (report.period_from === report.period_to) return formatDay(report.period_from, 'weekday');
  return daySpan(report.period_from, report.period_to);
}
