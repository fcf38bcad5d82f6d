import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { timeOf } from './tests/support/full.ts';
import { browserContracts } from './tools/browser-contracts.ts';

/** Chromium of the machine: no browser is downloaded for a test run. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          globalSetup: ['tests/support/global-setup.ts'],
          include: ['packages/**/*.test.ts', 'modules/**/*.test.ts', 'apps/**/*.test.ts', 'tests/derived/**/*.test.ts',
            'tests/stories/**/*.test.ts', 'tools/**/*.test.ts', 'db/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.browser.test.*'],
          testTimeout: timeOf(30_000),
          hookTimeout: 60_000,
          // A test that asks PostgreSQL waits for it: with one processor kept free, as is usual, one would be idle.
          maxWorkers: availableParallelism(),
        },
      },
      {
        plugins: [react(), browserContracts()],
        optimizeDeps: {
          include: [
            'react', 'react-dom', 'react-dom/client', 'react/jsx-dev-runtime', 'react/jsx-runtime', '@mantine/core',
            '@mantine/dates', '@mantine/form', '@radix-ui/react-tooltip', '@react-google-maps/marker-clusterer',
            '@tanstack/react-query',
            '@tanstack/react-router', '@tanstack/react-table', 'axe-core', 'get-nonce', 'lucide-react', 'match-sorter',
            'vitest-browser-react',
          ],
        },
        test: {
          name: 'browser',
          include: ['packages/web-kit/**/*.browser.test.tsx', 'modules/**/*.browser.test.tsx',
            'apps/web/**/*.browser.test.tsx'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: { executablePath } }),
            instances: [{ browser: 'chromium', viewport: { width: 1280, height: 900 } }],
          },
        },
      },
    ],
  },
});
