/** Exchange rates of the demo season, invented, entered by hand on the first of every month. */
import type { SeasonContext } from './load-licenses.ts';

const RATES = '/api/admin/staff/accounting/exchange_rates';
/** Units of each currency for one euro: about here, and a little up and down. */
const AROUND = { USD: 1.084, GBP: 0.857 } as const;
const DRIFT = [0, 6, 11, 4, -7, -12, -3, 9, 14, 2, -5, -9] as const;

export function planRates(season: SeasonContext, since: string): void {
  const first = Number(since.slice(0, 4)) * 12 + Number(since.slice(5, 7)) - 1;
  for (let month = first; ; month += 1) {
    const on = `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;
    if (on > season.today) return;
    if (on < since) continue;
    season.calendar.add(on, async () => {
      for (const [quote, around] of Object.entries(AROUND)) {
        const rate = (around + DRIFT[month % DRIFT.length]! / 1000).toFixed(4);
        await season.staff.post(RATES, { base: 'EUR', quote, on, rate });
      }
    });
  }
}
