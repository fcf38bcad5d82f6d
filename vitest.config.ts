import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['packages/**/*.test.ts', 'modules/**/*.test.ts', 'tests/derived/**/*.test.ts', 'tools/**/*.test.ts', 'db/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.web.test.ts'],
        },
      },
    ],
  },
});
