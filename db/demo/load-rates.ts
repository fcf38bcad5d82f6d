/**
 * Exchange rates of the demo season, invented, entered by hand: of the first and the last day of a month, and of today.
 * The last day of last month has rates of its own (load-books.ts).
 */
import { addDays, endOfMonth, startOfMonth } from '#kernel/calendar/calendar.ts';
import type { SeasonContext } from './load-licenses.ts';

const RATES = '/api/admin/staff/accounting/exchange_rates';
/** Units of each currency for one euro: about here, and a little up and down. */
const AROUND = { USD: 1.084, GBP: 0.857 } as const;
const DRIFT = [0, 6, 11, 4, -7, -12, -3, 9, 14, 2, -5, -9] as const;

/** In thousandths above or below what they are about. */
function enter(season: SeasonContext, on: string, drift: number): void {
  season.calendar.add(on, async () => {
    for (const [quote, around] of Object.entries(AROUND)) {
      await season.staff.post(RATES, { base: 'EUR', quote, on, rate: (around + drift / 1000).toFixed(4) });
    }
  });
}

export function planRates(season: SeasonContext, since: string): void {
  const first = Number(since.slice(0, 4)) * 12 + Number(since.slice(5, 7)) - 1;
  if (!since.endsWith('-01')) enter(season, since, DRIFT[first % DRIFT.length]!);
  for (let month = first; ; month += 1) {
    const on = `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;
    if (on > season.today) return;
    if (on < since) continue;
    enter(season, on, DRIFT[month % DRIFT.length]!);
    enterLastDay(season, on, month);
  }
}

/** As the month began, so that nothing is gained or lost within it; a year ends at the rate of the next month. */
function enterLastDay(season: SeasonContext, starts: string, month: number): void {
  const ends = endOfMonth(starts);
  const on = ends > season.today ? season.today : ends;
  const isOwn = ends === addDays(startOfMonth(season.today), -1) && !ends.endsWith('-12-31');
  if (on !== starts && !isOwn) enter(season, on, DRIFT[(month + (on.endsWith('-12-31') ? 1 : 0)) % DRIFT.length]!);
}
