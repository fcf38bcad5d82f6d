/**
 * The calendar of the demo season: what happens on which day. Every entry runs on its day, in order, with the clock
 * set to it; an entry may add later ones.
 */
import { addDays } from '#kernel/calendar/calendar.ts';

export interface Calendar {
  add(on: string, run: () => Promise<void>): void;
  /** Runs everything up to and including `last`, each day once through `eachDay` after its entries. */
  runUntil(last: string): Promise<void>;
}

export function calendar(
  start: string,
  setDay: (day: string) => void,
  eachWeek: (day: string) => Promise<void>,
): Calendar {
  const days = new Map<string, (() => Promise<void>)[]>();
  let current = start;
  return {
    add(on, run) {
      const day = on < current ? current : on;
      days.set(day, [...(days.get(day) ?? []), run]);
    },
    async runUntil(last) {
      for (let week = 0; current <= last; current = addDays(current, 1), week += 1) {
        const due = () => days.get(current);
        if (week % 7 === 0 || due() || current === last) setDay(current);
        for (let at = 0; at < (due()?.length ?? 0); at += 1) await due()![at]!();
        days.delete(current);
        if (week % 7 === 0 || current === last) await eachWeek(current);
      }
    },
  };
}
