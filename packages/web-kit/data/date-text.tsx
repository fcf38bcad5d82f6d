/**
 * Days and instants in words. A day ('2027-02-11') is never moved by a zone; an instant is shown in the reader's zone
 * with the zone in the tooltip (U37). Screens are en-US with the month in words, so 03/04 is never read two ways.
 */
import { dayOf } from './local-day.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

export type DayStyle = 'full' | 'short' | 'weekday';

/** '2027-02-11' as 'Feb 11, 2027' (full), 'Feb 11' (short), 'Thu, Feb 11, 2027' (weekday); '' for no day; of an
 * instant the reader's day. */
export function formatDay(day: string | null | undefined, style: DayStyle = 'full'): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(dayOf(day) ?? '');
  if (!match) return '';
  const [, year = '', month = '', date = ''] = match;
  const short = `${MONTHS[Number(month) - 1] ?? ''} ${Number(date)}`;
  if (style === 'short') return short;
  if (style === 'full') return `${short}, ${year}`;
  const weekday = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date))).getUTCDay();
  return `${WEEKDAYS[weekday] ?? ''}, ${short}, ${year}`;
}

/** 'Feb 11 to 14, 2027'; over two months 'Feb 27 to Mar 2, 2027'; one day 'Feb 11, 2027'; none is ''. */
export function daySpan(from: string | null, to: string | null): string {
  if (!from) return '';
  if (!to || from === to) return formatDay(from);
  if (from.slice(0, 4) !== to.slice(0, 4)) return `${formatDay(from)} to ${formatDay(to)}`;
  const sameMonth = from.slice(0, 7) === to.slice(0, 7);
  const end = sameMonth ? `${Number(to.slice(8))}, ${to.slice(0, 4)}` : formatDay(to);
  return `${formatDay(from, 'short')} to ${end}`;
}

/** An instant in the reader's zone: 'Nov 12, 2026, 2:05 PM'; `zone` names another one ('America/New_York'). */
export function formatInstant(instant: string | null | undefined, zone?: string): string {
  if (!instant) return '';
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return '';
  return new Intl.DateTimeFormat('en-US', {
    month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit',
    ...(zone ? { timeZone: zone } : {}),
  }).format(date);
}

function zoneOf(instant: string, zone?: string): string {
  return new Intl.DateTimeFormat('en-US', {
    dateStyle: 'full', timeStyle: 'long', ...(zone ? { timeZone: zone } : {}),
  }).format(new Date(instant));
}

export interface DateTextProps {
  /** 'YYYY-MM-DD' is a day, anything longer an instant. */
  value: string | null | undefined;
  style?: DayStyle | undefined;
  zone?: string | undefined;
}

export function DateText({ value, style = 'full', zone }: DateTextProps) {
  if (!value) return null;
  if (value.length === 10) return <time dateTime={value}>{formatDay(value, style)}</time>;
  const text = formatInstant(value, zone);
  return text ? <time dateTime={value} title={zoneOf(value, zone)}>{text}</time> : null;
}
