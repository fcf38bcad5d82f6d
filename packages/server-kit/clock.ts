/** The one source of "now" for server code: injected, so that tests and the demo season move it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still until it is moved. */
export function fixedClock(at: string): Clock & { set(to: string): void } {
  let current = new Date(at);
  return { now: () => current, set: (to) => { current = new Date(to); } };
}

/** Making one costs more than a thousand uses. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar date in a time zone (IANA name): what day it is there. */
export function localDate(now: Date, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return format.format(now);
}
