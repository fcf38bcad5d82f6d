import { expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { loadDemoInto } from '#tests/support/demo.ts';
import { demoState } from './load.ts';

const test = testApp();

it('the demo season loads through the API into an empty database', { timeout: 240_000 }, async () => {
  await loadDemoInto(test);
  expect(await demoState(test.ports.db)).toBe('loaded');
  const { n } = await test.ports.db.one<{ n: number }>(sql`select count(*) as n from shows`);
  expect(n).toBeGreaterThan(20);
  const phases = await test.ports.db.query(sql`select phase, count(*) as n from licenses group by 1`);
  process.stdout.write(`${JSON.stringify(phases)}\n`);
});
