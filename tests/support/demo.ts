/** The demo season in a test's own database. */
import { loadDemo } from '#db/demo/load.ts';
import type { TestApp } from './app.ts';

/** Loads the season as seen from the test's clock. */
export async function loadDemoInto(test: TestApp): Promise<void> {
  const today = test.clock.now().toISOString().slice(0, 10);
  await loadDemo({ composition: test, clock: test.clock, today, say: () => {} });
}
