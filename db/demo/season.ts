/**
 * The calendar of the demo season: what happens on which day. Entries of a lane run one after the other, each on its
 * day; lanes have nothing to do with each other and go through the days of a week side by side, so that one computes
 * while another waits for the database. Entries without a lane, and what comes every week, have the season to
 * themselves. An entry may add later ones to its lane.
 */
import { addDays } from '#kernel/calendar/calendar.ts';

interface Entry {
  day: string;
  /** Null: by itself. */
  lane: string | null;
  run: () => Promise<void>;
}

export interface Calendar {
  add(on: string, run: () => Promise<void>, lane?: string): void;
  /** Runs everything up to and including `last`, and `eachWeek` after the last day of every week. */
  runUntil(last: string): Promise<void>;
}

export interface Days {
  /** Does the work of an entry on its day. */
  on: (entry: Entry) => Promise<void>;
  eachWeek: (day: string) => Promise<void>;
}

export function calendar(start: string, days: Days): Calendar {
  const entries: Entry[] = [];
  let first = start;
  function take(lane: string | null, until: string): Entry | undefined {
    const next = entries.filter((entry) => entry.lane === lane && entry.day <= until)
      .reduce<Entry | undefined>((least, entry) => (least && least.day <= entry.day ? least : entry), undefined);
    if (next) entries.splice(entries.indexOf(next), 1);
    return next;
  }
  async function runLane(lane: string | null, until: string): Promise<void> {
    for (let entry = take(lane, until); entry; entry = take(lane, until)) await days.on(entry);
  }
  async function runLanes(until: string): Promise<void> {
    const lanes = new Set(entries.flatMap(({ lane, day }) => (lane !== null && day <= until ? [lane] : [])));
    await Promise.all([...lanes].map((lane) => runLane(lane, until)));
  }
  async function runWeek(last: string): Promise<void> {
    const alone = new Set(entries.flatMap(({ lane, day }) => (lane === null && day <= last ? [day] : [])));
    for (const day of [...alone].toSorted()) {
      await runLanes(day);
      await runLane(null, day);
    }
    await runLanes(last);
    await days.eachWeek(last);
  }
  return {
    add: (on, run, lane) => { entries.push({ day: on < first ? first : on, lane: lane ?? null, run }); },
    async runUntil(last) {
      while (first <= last) {
        const end = addDays(first, 6);
        await runWeek(end < last ? end : last);
        first = addDays(end, 1);
      }
    },
  };
}
