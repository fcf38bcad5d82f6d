/** The days that a month's page shows: whole weeks from Sunday, the months' names, the steps between them. */
import { addDays } from '#kernel/calendar/calendar.ts';

const NAMES = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
  'November',
  'December'];

/** '2027-02' from the address, else the month of `on`. */
export function monthOf(text: string | null, on: string): string {
  return text && /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : on.slice(0, 7);
}

export function monthWords(month: string): string {
  const [year = '', number = '1'] = month.split('-');
  return `${NAMES[Number(number) - 1] ?? ''} ${year}`;
}

export function stepMonth(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const place = year * 12 + number - 1 + by;
  return `${Math.floor(place / 12)}-${String((place % 12) + 1).padStart(2, '0')}`;
}

function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** Rows of seven ISO days, Sunday first, that cover the month. */
export function monthWeeks(month: string): readonly (readonly string[])[] {
  const first = `${month}-01`;
  const start = addDays(first, -weekday(first));
  const next = `${stepMonth(month, 1)}-01`;
  const weeks: string[][] = [];
  for (let day = start; day < next; day = addDays(day, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(day, index)));
  }
  return weeks;
}
