import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { fixedClock } from '#server/clock.ts';
import { calendar } from './season.ts';

/** A season that writes down what it did, and the day it was for whoever did it, after having waited. */
function diary() {
  const clock = fixedClock('2026-01-01T15:00:00Z');
  const lines: string[] = [];
  const plan = calendar('2026-01-01', {
    on: (entry) => clock.during(`${entry.day}T15:00:00Z`, entry.run),
    eachWeek: async (day) => { lines.push(`week until ${day}`); },
  });
  const note = (name: string, wait: number, more?: () => void) => async (): Promise<void> => {
    await pause(wait);
    lines.push(`${name} on ${clock.now().toISOString().slice(0, 10)}`);
    more?.();
  };
  return { lines, plan, note };
}

it('lanes run side by side, each in the order of its days and on them', async () => {
  const { lines, plan, note } = diary();
  plan.add('2026-01-04', note('second here', 0), 'US');
  plan.add('2026-01-02', note('first here', 60), 'US');
  plan.add('2026-01-05', note('there', 10), 'UK');
  await plan.runUntil('2026-01-07');
  expect(lines).toEqual(['there on 2026-01-05', 'first here on 2026-01-02', 'second here on 2026-01-04',
    'week until 2026-01-07']);
});

it('what has no lane waits for all before it, and all after it wait', async () => {
  const { lines, plan, note } = diary();
  plan.add('2026-01-05', note('after', 0), 'UK');
  plan.add('2026-01-03', note('alone', 20));
  plan.add('2026-01-02', note('before', 40), 'US');
  await plan.runUntil('2026-01-07');
  expect(lines.slice(0, 3)).toEqual(['before on 2026-01-02', 'alone on 2026-01-03', 'after on 2026-01-05']);
});

it('what an entry adds runs on its day, in this week or a later one, and not after the last day', async () => {
  const { lines, plan, note } = diary();
  plan.add('2026-01-02', note('asked', 0, () => {
    plan.add('2026-01-06', note('answered', 0), 'US');
    plan.add('2026-01-09', note('paid', 0), 'US');
    plan.add('2026-01-11', note('never', 0), 'US');
  }), 'US');
  await plan.runUntil('2026-01-10');
  expect(lines).toEqual(['asked on 2026-01-02', 'answered on 2026-01-06', 'week until 2026-01-07',
    'paid on 2026-01-09', 'week until 2026-01-10']);
});
