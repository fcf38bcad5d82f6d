/** Runs every example of README.md: a line that ends in `// => text` must answer that text. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/^## (.+?)$|```js\n([\s\S]*?)```/gm)];

const IMPORT = /^import (\{[^}]+\}) from '#kernel\/([^']+)';$/gm;
const ANSWER = /^(.+?);? \/\/ => (.+)$/gm;

type Check = (value: unknown, wanted: string) => void;
type Load = (path: string) => Promise<unknown>;
type Example = (check: Check, load: Load) => Promise<void>;
const AsyncFunction = (async () => undefined).constructor as new (...source: string[]) => Example;

let heading = '';
const named = examples.flatMap(([, title, code]) => {
  if (title !== undefined) heading = title;
  return code === undefined ? [] : [{ heading, code }];
});

test.each(named)('README: $heading', async ({ code }) => {
  let checked = 0;
  const runnable = code
    .replace(IMPORT, (_, names: string, path: string) => `const ${names} = await load('${path}');`)
    .replace(ANSWER, (_, value: string, wanted: string) => `check(${value}, ${JSON.stringify(wanted)});`);
  await new AsyncFunction('check', 'load', runnable)(
    (value, wanted) => {
      checked += 1;
      expect(Array.isArray(value) ? value.join(', ') : String(value)).toBe(wanted);
    },
    (path) => import(/* @vite-ignore */ new URL(`./${path}`, import.meta.url).href),
  );
  expect(checked).toBeGreaterThan(0);
});

test('the README has its examples', () => {
  expect(named.length).toBeGreaterThanOrEqual(5);
});
