import { expect, it } from 'vitest';
import { outflowWeeks, weekIndex } from './outflow.ts';

it('what falls due is expected this week, in one of the weeks after it, or later; the day itself is this week', () => {
  const weeks = outflowWeeks('2026-11-26');
  expect(weeks.slice(0, 3)).toEqual([{ from: null, to: '2026-11-25' }, { from: '2026-11-26', to: '2026-11-29' },
    { from: '2026-11-30', to: '2026-12-06' }]);
  expect(weeks.at(-1)).toEqual({ from: '2027-01-18', to: null });
  expect(['2026-11-25', '2026-11-26', '2026-11-29', '2026-11-30', '2027-01-17', '2027-01-18']
    .map((day) => weekIndex(weeks, day))).toEqual([0, 1, 1, 2, 8, 9]);
  expect(outflowWeeks('2026-11-29')[1]).toEqual({ from: '2026-11-29', to: '2026-11-29' });
});
