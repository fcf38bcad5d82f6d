import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { timeOf } from './tests/support/full.ts';
import { browserContracts } from './tools/browser-contracts.ts';

/** Chromium of the machine: no browser is downloaded for a test run. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

const WITH_A_SCREEN = ['packages/web-kit/**/*.browser.test.tsx', 'modules/**/*.browser.test.tsx',
  'apps/web/**/*.browser.test.tsx'];
/** About parts that are loaded when somebody comes near them, which happens once a page. */
const OF_FIRST_LOADS = ['late/late', 'late/late-popover', 'select/select-in-form'].map((name) =>
  `packages/web-kit/controls/${name}.browser.test.tsx`);

/** Tests in Chromium; a worker keeps its page, and the modules in it, from one file to the next unless isolated. */
const browserProject = (name: string, files: { include: string[]; exclude?: string[] }, isolate: boolean) => ({
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
    ...files,
    name,
    isolate,
    setupFiles: ['tests/support/browser-file.ts'],
    maxWorkers: availableParallelism(),
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: { executablePath } }),
      instances: [{ browser: 'chromium' as const, viewport: { width: 1280, height: 900 } }],
    },
  },
});

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          globalSetup: ['tests/support/global-setup.ts'],
          setupFiles: ['tests/support/properties.ts', 'tests/support/statement-record.ts'],
          include: ['packages/**/*.test.ts', 'modules/**/*.test.ts', 'apps/**/*.test.ts', 'tests/derived/**/*.test.ts',
            'tests/stories/**/*.test.ts', 'tools/**/*.test.ts', 'db/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.browser.test.*'],
          // Time limit for hanging tests; a slow and busy machine is not a fault. Longer tests set their own.
          testTimeout: timeOf(240_000),
          hookTimeout: 240_000,
          // A test that asks PostgreSQL waits for it: with one processor kept free, as is usual, one would be idle.
          maxWorkers: availableParallelism(),
          // Modules stay loaded from one file to the next: a file leaves nothing behind in them.
          isolate: false,
        },
      },
      browserProject('browser', { include: WITH_A_SCREEN, exclude: ['**/node_modules/**', ...OF_FIRST_LOADS] }, false),
      browserProject('browser-apart', { include: OF_FIRST_LOADS }, true),
    ],
  },
});
