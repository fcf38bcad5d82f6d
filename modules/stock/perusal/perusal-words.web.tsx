/** Display names of perusals, and the columns of their list. */
import { diffDays } from '#kernel/calendar/calendar.ts';
import { PERUSAL_MACHINE, type PerusalStatus } from '#kernel/licensing/perusal-machine.ts';
import { today } from '#web/data/local-day.ts';
import { Badge, type Tone } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { formatDay } from '#web/data/date-text.tsx';
import type { PerusalFormat, PerusalRow, PerusalStaffEvent } from './perusal.contract.ts';

export const PERUSALS = '/admin/perusals';
export const STATUS_LABELS = PERUSAL_MACHINE.labels;
export const FORMAT_LABELS: Record<PerusalFormat, string> = { digital: 'On screen', physical: 'By post' };
const TONES: Record<PerusalStatus, Tone> = { requested: 'brass', declined: 'outline', approved: 'info', active: 'ok',
  expired: 'neutral', shipped: 'violet', due: 'warn', returned: 'ok', lost_charged: 'error', closed: 'outline' };
export const EVENT_LABELS: Record<PerusalStaffEvent, string> = { approve: 'Approve', decline: 'Decline',
  extend: 'Give more time', ship: 'Ship', return: 'Scan in', charge_lost: 'Charge as lost', close: 'Close' };

/** In which condition books come back. */
export const CONDITIONS = { good: 'Good', marked: 'Marked, to be erased', damaged: 'Damaged' };

/** Actions as worded in the history. */
export const DONE_WORDS: Readonly<Record<string, string>> = { request: 'asked for it', approve: 'approved it',
  decline: 'declined it', extend: 'gave more time', ship: 'shipped it', return: 'scanned it in',
  charge_lost: 'charged it as lost', close: 'closed it', expire: 'ended reading' };

type Lent = Pick<PerusalRow, 'status' | 'due_back_on'>;

/** Days since books that are still out were to be here; 0 where none are late. */
export function daysLate({ status, due_back_on }: Lent, on: string = today()): number {
  const out = status === 'shipped' || status === 'due';
  return out && due_back_on !== null ? Math.max(0, diffDays(due_back_on, on)) : 0;
}

/** '1 day late', '27 days late'. */
export const lateWords = (days: number): string => `${days === 1 ? '1 day' : `${days} days`} late`;

/** Status of the perusal; for overdue books, the days they are late. */
export function PerusalBadge({ perusal, small }: { perusal: Lent; small?: boolean }) {
  const late = daysLate(perusal);
  return (
    <Badge tone={late > 0 ? 'error' : TONES[perusal.status]} {...(small ? { small } : {})}>
      {late > 0 ? lateWords(late) : STATUS_LABELS[perusal.status]}
    </Badge>
  );
}

/** The last day of reading where the reader is: an instant at midnight belongs to the day before. */
export function lastDay(expiresAt: string): string {
  const at = new Date(new Date(expiresAt).getTime() - 1000);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Until when: reading ends, or the books are due. */
export function untilOf(row: Pick<PerusalRow, 'expires_at' | 'due_back_on'>): string | null {
  return row.due_back_on ?? (row.expires_at === null ? null : lastDay(row.expires_at));
}

export const perusalColumns: readonly Column<PerusalRow>[] = [
  { id: 'number', header: 'Number', kind: 'title', cell: (row) => row.number, sort: true, fixed: true, width: 100 },
  { id: 'show', header: 'Show', kind: 'text', cell: (row) => row.show_title, width: 210 },
  { id: 'customer', header: 'Customer', kind: 'text', cell: (row) => row.customer_name, width: 210 },
  { id: 'status', header: 'Status', kind: 'badge', width: 110,
    cell: (row) => <PerusalBadge perusal={row} small /> },
  { id: 'format', header: 'Format', kind: 'muted', cell: (row) => FORMAT_LABELS[row.format], width: 120 },
  { id: 'asked_by', header: 'Asked by', kind: 'muted', cell: (row) => row.requested_by_name, width: 130 },
  { id: 'until', header: 'Until', kind: 'date', cell: (row) => untilOf(row), width: 110 },
  { id: 'order', header: 'Sales order', kind: 'code', cell: (row) => row.sales_order_number, width: 100 },
  { id: 'created_at', header: 'Asked on', kind: 'date', cell: (row) => row.created_at, width: 110 },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, hidden: true,
    width: 110 },
];

type Ending = Pick<PerusalRow, 'expires_at' | 'due_back_on' | 'returned_on' | 'status'>;

/** 'open until Dec 4, 2026', 'due back Dec 4, 2026', 'was due back Dec 4, 2026' or 'came back Dec 4, 2026'. */
export function untilWords(row: Ending): string | null {
  const day = untilOf(row);
  if (row.status === 'lost_charged') return null;
  if (row.returned_on !== null) return `came back ${formatDay(row.returned_on)}`;
  if (day === null) return null;
  const words = row.due_back_on !== null ? daysLate(row) > 0 ? 'was due back' : 'due back'
    : row.status === 'active' ? 'open until' : 'was open until';
  return `${words} ${formatDay(day)}`;
}
