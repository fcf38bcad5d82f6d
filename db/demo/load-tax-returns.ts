/** VAT returns of the UK and the EU: the period before the last is filed, the last one waits for a second person. */
import { addDays } from '#kernel/calendar/calendar.ts';
import { vatPeriodBefore, type VatPeriodMonths } from '#kernel/tax/vat-period.ts';
import type { SeasonContext } from './load-licenses.ts';

const RETURNS = '/api/admin/staff/accounting/tax_returns';
/** Days after the end of a period on which its return is worked on. */
const DAYS_AFTER = 20;
/** As HMRC and Irish Revenue grant them. */
const MONTHS: Readonly<Record<'UK' | 'EU', VatPeriodMonths>> = { UK: 3, EU: 2 };

export function planTaxReturns(season: SeasonContext): void {
  for (const division of ['UK', 'EU'] as const) {
    const last = vatPeriodBefore(addDays(season.today, -DAYS_AFTER), MONTHS[division]);
    for (const { from, to } of [vatPeriodBefore(last.from, MONTHS[division]), last]) {
      season.calendar.add(addDays(to, DAYS_AFTER), async () => {
        const { data: prepared } = await season.staff.post(RETURNS, { division, from, to });
        if (to === last.to) return;
        await season.second.put(`${RETURNS}/${prepared.id}/file`, { version: prepared.version,
          receipt: division === 'UK' ? '256660290587' : '' });
      });
    }
  }
}
