import { expect, it } from 'vitest';
import { deadClasses, tidyFile } from './tidy.ts';

const repeat = (line: string, times: number): string => `${line}\n`.repeat(times);

it('accepts a tidy file', () => {
  expect(tidyFile('packages/a.ts', repeat('const a = 1;', 400))).toEqual([]);
});

it.each([
  ['a line of 121', `// ${'x'.repeat(118)}`, /121 characters/],
  ['a file of 401 lines', repeat('let a;', 401), /401 lines/],
  ['a function of 71 lines', `function f() {\n${repeat('  f();', 69)}}`, /function of 71 lines/],
  ['unfinished work', '// FIXME later', /FIXME is banned/],
  ['two spellings of a word', "const label = 'E-mail';", /E-mail is banned/],
  ['a lonely test', 'it.only("x", () => {});', /it\.only\( is banned/],
  ['a type check switched off', '// @ts-ignore', /fix the type/],
  ['printing', 'console.log(1);', /the logger/],
  ['a comment that opens with a clause', '/** What a customer owes. */', /a noun or a verb/],
  ['a type named by a participle', 'interface Told { id: number }', /a noun/],
])('finds %s', (_what, text, expected) => {
  expect(tidyFile('packages/a.ts', text).join('\n')).toMatch(expected);
});

it('a function of 70 lines and a describe of any length are fine', () => {
  expect(tidyFile('packages/a.ts', `function f() {\n${repeat('  f();', 68)}}`)).toEqual([]);
  expect(tidyFile('packages/a.test.ts', `describe('x', () => {\n${repeat('  f();', 90)}});`)).toEqual([]);
});

it('programs for the terminal may print', () => {
  expect(tidyFile('tools/a.ts', 'console.log(1);')).toEqual([]);
});

it('a document has one title and no dead link', () => {
  expect(tidyFile('README.md', '# A\n\n```\n# not a title\n```\n')).toEqual([]);
  expect(tidyFile('README.md', '# A\n# B\n')).toEqual(['README.md: 2 titles (# ...), exactly one']);
  expect(tidyFile('README.md', '# A\n[x](docs/nowhere.md)')).toEqual(['README.md: no such file docs/nowhere.md']);
});

it('what is registered stands there once', () => {
  expect(tidyFile('apps/server/src/routes.ts', '  ...aRoutes,\n  ...bRoutes,\n  ...aRoutes,\n'))
    .toEqual(['apps/server/src/routes.ts:3: aRoutes stands here twice']);
  const twice = "call tenant_table('a', 'x');\ncall house_table('b');\ncall shared_table('a', 'y');\n";
  expect(tidyFile('db/migrations/access.sql', twice)).toEqual(['db/migrations/access.sql:3: a stands here twice']);
});

it('a style that no code names is gone with its class', () => {
  const files = new Map([
    ['a/card.module.css',
      '.card { top: 0; }\n@media print { .card .count { top: .5em; } }\n:global(.gr-link) .old { top: 0; }'],
    ['a/card.web.tsx', "import styles from './card.module.css';\nconst card = styles.card; const n = styles.count;"],
    ['a/tone.module.css', '.red { top: 0; }'],
    ['a/tone.web.tsx', "import styles from './tone.module.css';\nconst tone = styles[kind];"],
  ]);
  expect(deadClasses(files)).toEqual(['a/card.module.css: no code names .old']);
});
