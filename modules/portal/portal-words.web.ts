/** Words and days of the portal, pure: spans, counts, countdowns. Days are 'YYYY-MM-DD'. */
import { diffDays, timeFor } from '#kernel/calendar/calendar.ts';
import { dayWithReason, reasonWords, type DueReason } from '#kernel/licensing/pay-by.ts';
import { formatMoney, formatRate } from '#kernel/money/money.ts';
import { readerLanguage, spell } from '#kernel/text/english.ts';
import { formatDay } from '#web/data/date-text.tsx';

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven',
  'twelve'];

/** 6 is 'six', 13 is '13'. */
export function inWords(count: number): string {
  return NUMBERS[count] ?? count.toLocaleString('en-US');
}

/** `counted(1, 'performance')` is 'one performance', `counted(6, 'performance')` 'six performances'. */
export function counted(count: number, noun: string): string {
  return `${inWords(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const ORDINALS = ['', 'a first', 'a second', 'a third', 'a fourth', 'a fifth', 'a sixth', 'a seventh', 'an eighth',
  'a ninth', 'a tenth', 'an eleventh', 'a twelfth'];

/** 5 is 'a fifth', 13 'one more'. */
export function ordinal(place: number): string {
  return ORDINALS[place] ?? 'one more';
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Facts of a row in one line, which begins as a sentence does: 'Signed Nov 24, 2026, 37 KB'. */
export function factLine(facts: readonly (string | false | null | undefined)[]): string {
  return sentence(facts.filter(Boolean).join(', '));
}

/** Text on the ticket stub about a run. */
export function countdown(first: string | null, last: string | null, on: string): { figure: string; caption: string } {
  if (!first) return { figure: '·', caption: 'dates open' };
  const left = diffDays(on, first);
  if (left > 1) return { figure: String(left), caption: 'days to opening' };
  if (left === 1) return { figure: '1', caption: 'day to opening' };
  if (left === 0) return { figure: 'Today', caption: 'opening night' };
  const rest = last ? diffDays(on, last) : -1;
  if (rest >= 0) return { figure: String(rest), caption: rest === 1 ? 'day to closing' : 'days to closing' };
  return { figure: String(-rest), caption: rest === -1 ? 'day since closing' : 'days since closing' };
}

/** 'By Tue, Nov 24' within a week, 'By Jan 21' later, 'Was due Nov 20' when past, with a year that is not this one. */
export function dueText(day: string | null, on: string): string {
  if (!day) return '';
  const left = diffDays(on, day);
  const words = formatDay(day, day.slice(0, 4) === on.slice(0, 4) ? 'short' : 'full');
  if (left < 0) return `Was due ${words}`;
  if (left === 0) return 'Due today';
  return `By ${left < 7 ? formatDay(day, 'near') : words}`;
}

/** 'Jan 14, 2027, so that your materials can ship on Jan 21, 2027': both days as screens write them. */
export function dayAndReason(day: string, reason: DueReason | null): string {
  return dayWithReason(formatDay(day), reasonWords(reason, (date) => formatDay(date)));
}

/** After other facts of a line: 'Oct 8, was due Oct 8'. */
export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Time left until an instant: '3 days and 4 hours', '2 hours and 5 minutes', '' when it has passed. */
export function timeLeft(until: string, now: number): string {
  const minutes = Math.floor((new Date(until).getTime() - now) / 60_000);
  if (minutes < 0) return '';
  const part = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
  const days = Math.floor(minutes / 1440);
  const hours = Math.floor(minutes / 60) % 24;
  if (days > 0) return `${part(days, 'day')} and ${part(hours, 'hour')}`;
  if (hours > 0) return `${part(hours, 'hour')} and ${part(minutes % 60, 'minute')}`;
  return part(minutes % 60, 'minute');
}

/** '19:30' as '7:30 PM', British '7.30pm'. */
export const clock = (time: string): string => timeFor(readerLanguage(), time);

/** Sentence on the customer's options in each phase (domain.md 1.1). */
export const PHASE_WORDS: Record<string, string> = {
  sent: 'Your offer is here: read it and sign',
  accepted: spell`Signed; your license follows once the conditions are met`,
  licensed: 'You may announce and sell tickets',
  in_production: 'You are on stage',
  settlement: 'Your run is over; we settle the figures',
  closed: 'Closed',
  expired: 'This offer has run out',
  declined: 'You declined this offer',
  cancelled: spell`This production is canceled`,
};

/** 'Total USD 1,173.00', or 'USD 480.00 guaranteed, plus 15% of gross' where a percentage follows. */
export function totalInWords(
  row: { grand_total_minor: number; currency: string; percentage_ppm: number | null },
): string {
  const amount = formatMoney(row.grand_total_minor, row.currency);
  return row.percentage_ppm === null ? `Total ${amount}`
    : `${amount} guaranteed, plus ${formatRate(BigInt(row.percentage_ppm))} of gross`;
}

/** 'Town Hall', 'Town Hall, Barn' and 'Town Hall and 13 more': a tour's venues stand on its tab of performances. */
export function firstAndMore(names: readonly string[]): string {
  return names.length > 2 ? `${names[0]!} and ${names.length - 1} more` : names.join(', ');
}
