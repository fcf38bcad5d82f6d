/**
 * Journeys in a real browser against servers of their own (tests/journeys/server.ts), started once and stopped at the
 * end: the pages against one, what people do with each other against two behind a proxy, over the same season.
 * `npm test` names the browser in CHROMIUM. JOURNEYS_URL names a server that is running already, for all of them.
 */
import { defineConfig } from '@playwright/test';
import { createServer, type AddressInfo } from 'node:net';
import type { LiveOption } from './tests/journeys/visitor.ts';
import { FULL } from './tests/support/full.ts';

function freePort(): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(String(port)));
    });
  });
}

// Workers read this file again: what was chosen once is handed on in the environment.
const env = process.env;
const running = env.JOURNEYS_URL !== undefined && env.JOURNEYS_PORT === undefined;
if (!running) {
  const [one, pair] = await Promise.all([freePort(), freePort()]);
  env.JOURNEYS_PORT ??= one;
  env.JOURNEYS_PAIR_PORT ??= pair;
  env.JOURNEYS_URL = `http://127.0.0.1:${env.JOURNEYS_PORT}`;
}
/** Sessions, limits, rights and live events are what a second process could get wrong (issue 3). */
const ON_TWO = ['people.spec.ts', 'thread.spec.ts', 'two-factor.spec.ts'];

/** Reads what the others have seen. */
const AFTER = 'links.spec.ts';

export default defineConfig<object, LiveOption>({
  testDir: 'tests/journeys',
  outputDir: 'test-results/journeys',
  // Files side by side: while a page waits for its server, another is looked at. Of a file, one test after the other,
  // but for the many of pages.spec.ts.
  workers: 3,
  forbidOnly: true,
  // For a browser that hangs, alone: whatever failed once is a failure (tools/reports.ts).
  retries: env.CI ? 1 : 0,
  // Time a slow and busy machine may take; a test that waits for nothing is no slower for it.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    baseURL: env.JOURNEYS_URL ?? '',
    browserName: 'chromium',
    launchOptions: { executablePath: env.CHROMIUM ?? '/usr/bin/chromium' },
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // Pictures of every step cost a fifth of the time, and nobody sees them where the run is not on one's own machine.
    trace: env.CI ? 'off' : 'retain-on-failure',
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
  },
  projects: [
    // They meet each other's people: one after the other, and first, beside the screens, for two workers would wait.
    { name: running ? 'one server' : 'two replicas', testMatch: ON_TWO, workers: 1,
      use: { live: true, ...(running ? {} : { baseURL: `http://127.0.0.1:${env.JOURNEYS_PAIR_PORT}` }) } },
    { name: 'screens', testIgnore: [...ON_TWO, AFTER, ...(FULL ? [] : ['checklist.spec.ts'])] },
    { name: 'links', testMatch: AFTER, dependencies: ['screens'] },
  ],
  ...(running ? {} : {
    webServer: {
      command: 'node_modules/.bin/node tests/journeys/server.ts',
      url: `${env.JOURNEYS_URL}/health/ready`,
      // The season is played through the API, two years of it.
      timeout: 15 * 60_000,
      gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 15_000 },
      stdout: 'pipe' as const,
    },
  }),
});
