/**
 * The demo season as it is seen from a day that is named: `DEMO_DAY=2027-03-01 npx vitest run db/demo/days.test.ts`.
 * What it plans depends on the day of the week, and who meets whom nearby on the day; a start must load on each.
 */
import { expect, it } from 'vitest';
import { testApp } from '#tests/support/app.ts';
import { loadDemoInto } from '#tests/support/demo.ts';
import { demoState } from './load.ts';

const test = testApp();
const day = process.env.DEMO_DAY;

it.skipIf(!day)('the demo season loads on the day that is named', async () => {
  test.clock.set(`${day}T12:00:00Z`);
  await loadDemoInto(test);
  expect(await demoState(test.ports.db)).toBe('loaded');
}, 900_000);
