import { describe, expect, it } from 'vitest';
import { reminderStep } from './reminders.ts';

// 2026-12-31 is a Thursday.
const at = (today: string, since: string | null = null, holidays: string[] = []) =>
  reminderStep('quote.expiring', '2026-12-31', { today, since, holidays });

describe('reminders of an offer that ends on 31 December', () => {
  it('go out 14, 7 and 2 days before', () => {
    expect(at('2026-12-16')).toBeNull();
    expect(at('2026-12-17')).toEqual({ days: -14, on: '2026-12-17' });
    expect(at('2026-12-24')).toEqual({ days: -7, on: '2026-12-24' });
    expect(at('2026-12-29')).toEqual({ days: -2, on: '2026-12-29' });
  });

  it('wait for the next business day of the division', () => {
    // Two days before is Christmas Day, a Friday; the Monday after is the 28th.
    const christmas = (today: string) => reminderStep('quote.expiring', '2026-12-27', { today, since: null,
      holidays: ['2026-12-25'] });
    expect(christmas('2026-12-26')).toBeNull();
    expect(christmas('2026-12-28')).toEqual({ days: -2, on: '2026-12-28' });
  });

  it('a missed step is made up for within four days, an older one is let go', () => {
    expect(at('2026-12-21')).toEqual({ days: -14, on: '2026-12-17' });
    expect(at('2026-12-22')).toBeNull();
  });

  it('an offer sent on the day of a step, or later, has just been read', () => {
    expect(at('2026-12-24', '2026-12-24')).toBeNull();
    expect(at('2026-12-24', '2026-12-23')).toEqual({ days: -7, on: '2026-12-24' });
  });
});
