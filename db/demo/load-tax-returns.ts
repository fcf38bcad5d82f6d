/** VAT returns of the UK and the EU: the quarter before the last is filed, the last one waits for a second person. */
import { addDays, addMonths, startOfMonth } from '#kernel/calendar/calendar.ts';
import type { SeasonContext } from './load-licenses.ts';

const RETURNS = '/api/admin/staff/accounting/tax_returns';
/** Days after the end of a quarter on which its return is worked on. */
const DAYS_AFTER = 20;

/** First day of the calendar quarter of a day. */
function quarterOf(day: string): string {
  return startOfMonth(addMonths(`${day.slice(0, 7)}-01`, -((Number(day.slice(5, 7)) - 1) % 3)));
}

export function planTaxReturns(season: SeasonContext): void {
  const last = addMonths(quarterOf(addDays(season.today, -DAYS_AFTER - 1)), -3);
  for (const [from, files] of [[addMonths(last, -3), true], [last, false]] as const) {
    const to = addDays(addMonths(from, 3), -1);
    season.calendar.add(addDays(to, DAYS_AFTER), async () => {
      for (const division of ['UK', 'EU']) {
        const { data: prepared } = await season.staff.post(RETURNS, { division, from, to });
        if (!files) continue;
        await season.second.put(`${RETURNS}/${prepared.id}/file`, { version: prepared.version,
          receipt: division === 'UK' ? '256660290587' : '' });
      }
    });
  }
}
