/** Every form that changes a record names it, so that two writers merge (U27); read from the sources. */
import { expect, test } from 'vitest';

const sources = import.meta.glob<string>('../../../../modules/**/*.web.tsx', { query: '?raw', import: 'default',
  eager: true });

/** The text between the bracket at `start` and the one that closes it. */
function inside(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if ('({'.includes(text[at]!)) depth += 1;
    if (')}'.includes(text[at]!)) depth -= 1;
    if (depth === 0) return text.slice(start, at);
  }
  return '';
}

const forms = Object.entries(sources).flatMap(([file, text]) =>
  [...text.matchAll(/useResourceForm(<[^(]*?>)?\(\{/g)].map((hit) => ({ file, text,
    form: inside(text, hit.index + hit[0].length - 1) })));
/** Saves over `update` with the version it started from: no act of its own (approve, void), where one looks again. */
const changing = forms.filter(({ form }) => /\.update\w*,/.test(form) && /\bversion\b/.test(form));

test('every form that changes a record merges', () => {
  expect(changing.length).toBeGreaterThan(30);
  expect(changing.filter(({ form }) => !form.includes('record:')).map(({ file }) => file)).toEqual([]);
});

test('no form is drawn anew because its record has a new version: what was typed would be gone', () => {
  const names = forms.flatMap(({ text, form }) => {
    const before = text.slice(0, text.indexOf(form));
    return [...before.matchAll(/function (\w+)\(/g)].at(-1)?.[1] ?? [];
  });
  const drawn = Object.entries(sources).flatMap(([file, text]) => names
    .filter((name) => new RegExp(`<${name} key=\\{[^}]*version`).test(text)).map((name) => `${file} ${name}`));
  expect(drawn).toEqual([]);
});
