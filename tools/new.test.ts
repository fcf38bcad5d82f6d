/** Tests of the files and lines that `npm run new` writes, against the registers as they are. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { namesOf, registersOf, skeletonOf } from './new/skeleton.ts';

const names = namesOf('operations', 'stage type', 'venue');

test('four files by hand, every name filled in', () => {
  const files = skeletonOf(names, '20261127T0915');
  expect(Object.keys(files)).toEqual([
    'modules/operations/stage-type/stage-type.contract.ts', 'modules/operations/stage-type/stage-type.server.ts',
    'modules/operations/stage-type/stage-type-screens.web.tsx', 'db/migrations/20261127T0915-add-stage-types.sql',
  ]);
  for (const text of Object.values(files)) {
    expect(text).not.toMatch(/%\w+%|undefined/);
    expect(text).toMatch(/stage.?type/i);
  }
});

test.each(['operations', 'stock', 'banking', 'catalogue'])('a resource of %s finds its registers', (module) => {
  const some = namesOf(module, 'loading bay', 'venue');
  for (const { file, enter } of registersOf(some)) {
    const before = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
    const lines = enter(before, some).split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(before.split('\n').length);
    expect(lines.some((line) => /loading.?bay/i.test(line)), file).toBe(true);
  }
});

test('a noun in another shape is refused', () => {
  expect(() => namesOf('operations', 'Stage Type', 'venue')).toThrow('A noun in lower case');
});
