/** Every filter that a list of staff documents is answered; with records in db/demo/demo.test.ts. */
import { expect, it } from 'vitest';
import { testApp } from '#tests/support/app.ts';
import { askEveryFilter } from '#tests/support/filters.ts';

const test = testApp();

it('no parameter that the contract names brings a list down', { timeout: 300_000 }, async () => {
  const admin = await test.signedIn('system_admin');
  const { requests, faults, silent } = await askEveryFilter(test.database.db, admin);
  expect(faults).toEqual([]);
  expect(silent).toEqual([]);
  expect(requests).toBeGreaterThan(1000);
});
