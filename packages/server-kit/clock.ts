import { AsyncLocalStorage } from 'node:async_hooks';

/** The one source of "now" for server code: injected, so that tests and the demo season move it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export interface FixedClock extends Clock {
  set(to: string): void;
  /** Does `work` at this moment, in everything it awaits, whatever moment it is for others meanwhile. */
  during<T>(at: string, work: () => Promise<T>): Promise<T>;
}

/** A clock that stands still until it is moved. */
export function fixedClock(at: string): FixedClock {
  let current = new Date(at);
  const moments = new AsyncLocalStorage<Date>();
  return {
    now: () => moments.getStore() ?? current,
    set: (to) => { current = new Date(to); },
    during: (moment, work) => moments.run(new Date(moment), work),
  };
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
