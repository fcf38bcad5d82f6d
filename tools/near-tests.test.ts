import { expect, it } from 'vitest';
import { foldersOf } from './near-tests.ts';

it('a changed file asks for the tests of its context, package or folder, once', () => {
  expect(foldersOf(['modules/stock/shop/shop.server.ts', 'modules/stock/shop/shop.web.tsx', 'db/migrations/0400-x.sql',
    'packages/kernel/money/money.ts', 'tools/gates.ts', 'tests/derived/calls.test.ts']))
    .toEqual(['db/', 'modules/stock/', 'packages/kernel/', 'tests/derived/', 'tools/']);
});

it('what has no tests near it asks for none', () => {
  expect(foldersOf(['README.md', 'vitest.config.ts', 'tests/support/app.ts', 'docs/asvs.csv'])).toEqual([]);
});
