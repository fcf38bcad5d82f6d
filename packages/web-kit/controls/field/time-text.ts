/** Clock times: 'HH:MM' on the wire, '7:30 PM' or '7.30pm' on screens. '730p', '19:30', '7 pm' are read alike. */
import { timeFor } from '#kernel/calendar/calendar.ts';
import { readerLanguage } from '#kernel/text/english.ts';

const CLOCK = /^(\d{1,2})(?:[:.]?(\d{2}))?\s*([ap])?\.?(?:m\.?)?$/i;

/** 'HH:MM' of a text, null for an empty one, undefined where it is no time of a day. */
export function timeFromText(text: string): string | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const match = CLOCK.exec(trimmed);
  if (!match) return undefined;
  let hour = Number(match[1]);
  const minute = Number(match[2] ?? '0');
  const half = match[3]?.toLowerCase();
  if (half && (hour < 1 || hour > 12)) return undefined;
  if (half === 'p' && hour < 12) hour += 12;
  if (half === 'a' && hour === 12) hour = 0;
  if (hour > 23 || minute > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** '19:30' -> '7:30 PM', British '7.30pm'; a value that is no time shows as it is. */
export function timeToText(value: string | null): string {
  const match = /^\d{2}:\d{2}/.exec(value ?? '');
  return match ? timeFor(readerLanguage(), match[0]) : value ?? '';
}

/** The time `minutes` later on the same clock; arrow keys of the time field. */
export function shiftTime(value: string, minutes: number): string {
  const [hour = '0', minute = '0'] = value.split(':');
  const total = (((Number(hour) * 60 + Number(minute) + minutes) % 1440) + 1440) % 1440;
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`;
}
