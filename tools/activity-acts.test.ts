import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { actionWords, isKnownAction } from '#web/data/activity-acts.ts';

test('every act that the server records has words', () => {
  const root = new URL('../', import.meta.url).pathname;
  const acts = globSync('{modules/**/*.server.ts,packages/server-kit/*.ts}', { cwd: root })
    .flatMap((file) => [...readFileSync(root + file, 'utf8')
      .matchAll(/(?:audit\(\{ action: |change\(ctx, id, body.version, )(?:'(\w+)'|[^,\n]*\? '(\w+)' : '(\w+)')/g)]
      .flatMap(([, ...names]) => names.filter((name) => name !== undefined)));
  expect(acts.length).toBeGreaterThan(150);
  expect([...new Set(acts)].filter((act) => !isKnownAction(act))).toEqual([]);
  expect(['attach_user', 'never_heard_of'].map(actionWords)).toEqual(['added a user', 'never heard of']);
});
