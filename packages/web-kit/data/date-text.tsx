/**
 * Days and instants in words. A day ('2027-02-11') is never moved by a zone; an instant is shown in the reader's zone
 * with the zone in the tooltip (U37). The month is in words, so 03/04 is never read two ways; its place, and the clock,
 * are as the reader writes them: 'Feb 11, 2027, 2:05 PM' or '11 Feb 2027, 2.05pm'.
 */
import { timeFor } from '#kernel/calendar/calendar.ts';
import { readerLanguage } from '#kernel/text/english.ts';
import { dayOf } from './local-day.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

export type DayStyle = 'full' | 'short' | 'weekday' | 'near';

/** '2027-02-11' as 'Feb 11, 2027' (full), 'Feb 11' (short), 'Thu, Feb 11, 2027' (weekday), 'Thu, Feb 11'
 * (near), to British readers '11 Feb 2027', '11 Feb', 'Thu 11 Feb 2027', 'Thu 11 Feb'; '' for no day; of an instant the
 * reader's day. */
export function formatDay(day: string | null | undefined, style: DayStyle = 'full'): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(dayOf(day) ?? '');
  if (!match) return '';
  const [, year = '', month = '', date = ''] = match;
  const british = readerLanguage() === 'en-GB';
  const name = MONTHS[Number(month) - 1] ?? '';
  const short = british ? `${Number(date)} ${name}` : `${name} ${Number(date)}`;
  if (style === 'short') return short;
  const full = british ? `${short} ${year}` : `${short}, ${year}`;
  if (style === 'full') return full;
  const weekday = WEEKDAYS[new Date(Date.UTC(Number(year), Number(month) - 1, Number(date))).getUTCDay()] ?? '';
  const rest = style === 'near' ? short : full;
  return british ? `${weekday} ${rest}` : `${weekday}, ${rest}`;
}

/** 'Feb 11 to 14, 2027', British '11 to 14 Feb 2027'; over two months 'Feb 27 to Mar 2, 2027'; none is ''. */
export function daySpan(from: string | null, to: string | null): string {
  if (!from) return '';
  if (!to || from === to) return formatDay(from);
  if (from.slice(0, 4) !== to.slice(0, 4)) return `${formatDay(from)} to ${formatDay(to)}`;
  const sameMonth = from.slice(0, 7) === to.slice(0, 7);
  if (readerLanguage() === 'en-GB') {
    return `${sameMonth ? Number(from.slice(8)) : formatDay(from, 'short')} to ${formatDay(to)}`;
  }
  const end = sameMonth ? `${Number(to.slice(8))}, ${to.slice(0, 4)}` : formatDay(to);
  return `${formatDay(from, 'short')} to ${end}`;
}

/** An instant in the reader's zone: 'Nov 12, 2026, 2:05 PM', '12 Nov 2026, 2.05pm'; `zone` names another. */
export function formatInstant(instant: string | null | undefined, zone?: string): string {
  if (!instant) return '';
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return '';
  const parts = new Intl.DateTimeFormat('en-CA', {
    year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23',
    ...(zone ? { timeZone: zone } : {}),
  }).formatToParts(date);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((one) => one.type === type)?.value ?? '';
  const day = `${part('year')}-${part('month')}-${part('day')}`;
  return `${formatDay(day)}, ${timeFor(readerLanguage(), `${part('hour')}:${part('minute')}`)}`;
}

/** A moment that somebody has to keep to, with its zone: 'Nov 12, 2026, 2:05 PM EST', '12 Nov 2026, 2.05pm GMT'. */
export function formatDeadline(instant: string | null | undefined, zone?: string): string {
  const said = formatInstant(instant, zone);
  if (said === '') return '';
  const name = new Intl.DateTimeFormat(readerLanguage(), { timeZoneName: 'short', ...(zone ? { timeZone: zone } : {}) })
    .formatToParts(new Date(instant!)).find((part) => part.type === 'timeZoneName')?.value;
  return [said, name].filter(Boolean).join(' ');
}

function zoneOf(instant: string, zone?: string): string {
  return new Intl.DateTimeFormat(readerLanguage(), {
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
