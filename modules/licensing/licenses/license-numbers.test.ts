/** A licence is called by the number that is valid now, the former beside it: in sentences, rows and on screens. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { numbersOf } from './license-numbers.server.ts';

const app = testApp();

test.each([['Q-US-1', null, 'Q-US-1'], ['Q-US-1', 'L-US-1', 'L-US-1 (formerly Q-US-1)']])(
  'quote %s, licence %s: %s', async (number, license_number, words) => {
    expect(numbersInWords({ number, license_number })).toBe(words);
    const row = await app.database.db.one<{ words: string }>(sql`
      select ${numbersOf(sql`l`)} as words from (select ${number}::text as number,
        ${license_number}::text as license_number) l`);
    expect(row.words).toBe(words);
  });

/** The mark in a file, a typed name and a breadcrumb hold one number; a list has a column for the former. */
const ONE_NUMBER = ['downloads/download.server.ts', 'licenses/license-dialogs.web.tsx',
  'licenses/license-frame.web.tsx', 'licenses/production-list.web.tsx', 'customer/customer-licensing.web.tsx'];

test('no text picks one of the numbers by itself', () => {
  const found = globSync('modules/**/*.{server,web}.{ts,tsx}')
    .filter((file) => /license_number\s*\?\?\s*\w+\.number\b/.test(readFileSync(file, 'utf8')))
    .filter((file) => !ONE_NUMBER.some((end) => file.endsWith(end)));
  expect(found).toEqual([]);
});
