/** Year-end forms of the last whole year: the 1099s are filed, 1042-S waits for a second person. */
import { addDays } from '#kernel/calendar/calendar.ts';
import type { SeasonContext } from './load-licenses.ts';

const BOOKS = '/api/admin/staff/accounting';
/** Day of January on which the forms are prepared. */
const PREPARED_ON = 25;

export function planYearEnd(season: SeasonContext): void {
  const year = Number(addDays(season.today, -PREPARED_ON - 1).slice(0, 4)) - 1;
  season.calendar.add(`${year + 1}-01-${PREPARED_ON}`, async () => {
    const { data: report } = await season.staff.get(`${BOOKS}/reports/year_end_forms?division=US&year=${year}`);
    for (const { form, blocked } of report.forms as { form: string; blocked: string | null }[]) {
      if (blocked !== null) continue;
      const { data: filing } = await season.staff.post(`${BOOKS}/year_end_filings`, { division: 'US', year, form });
      if (form === '1042_s') continue;
      await season.second.put(`${BOOKS}/year_end_filings/${filing.id}/file`, { version: filing.version,
        receipt: form === '1099_nec' ? 'IRIS-2710045' : 'IRIS-2710046' });
    }
  });
}
