import { afterEach, describe, expect, it, vi } from 'vitest';
import { daySpan, formatDay } from './date-text.tsx';
import { dayOf, today } from './local-day.ts';

const EVENING_IN_NEW_YORK = '2026-11-24T00:30:00.000Z';

afterEach(() => vi.unstubAllEnvs());

describe("the reader's days (U37)", () => {
  it.each([['America/New_York', '2026-11-23', 'Nov 23, 2026'], ['Pacific/Auckland', '2026-11-24', 'Nov 24, 2026']])(
    'an instant is of the day that its reader in %s has', (zone, day, words) => {
      vi.stubEnv('TZ', zone);
      expect(dayOf(EVENING_IN_NEW_YORK)).toBe(day);
      expect(formatDay(EVENING_IN_NEW_YORK)).toBe(words);
      expect(today()).toBe(new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date()));
    });

  it.each(['America/New_York', 'Pacific/Auckland'])('a day is that day in %s too', (zone) => {
    vi.stubEnv('TZ', zone);
    expect(dayOf('2026-11-23')).toBe('2026-11-23');
    expect(formatDay('2026-11-23', 'weekday')).toBe('Mon, Nov 23, 2026');
  });

  it.each([
    ['2027-02-11', '2027-02-11', 'Feb 11, 2027'], ['2027-02-11', null, 'Feb 11, 2027'],
    ['2027-02-11', '2027-02-14', 'Feb 11 to 14, 2027'], ['2027-02-27', '2027-03-02', 'Feb 27 to Mar 2, 2027'],
    ['2026-12-30', '2027-01-02', 'Dec 30, 2026 to Jan 2, 2027'], [null, '2027-01-02', ''],
  ])('the days from %s to %s are %s', (from, to, words) => expect(daySpan(from, to)).toBe(words));

  it('what is no day is none', () => {
    expect([dayOf(null), dayOf(undefined), dayOf(''), dayOf('2026'), dayOf('2026-11-23Tea')]).toEqual(
      [null, null, null, null, null]);
    expect(formatDay('soon')).toBe('');
  });
});
