/**
 * Every table that stands on a page of its own can be taken out as a file: a list of useList brings its export along
 * when its state is handed to the table, a report that is whole on screen says so with `readPage`. Tables inside a
 * record are parts of it. A new table without either is told here, with its reason or as an omission.
 */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Tables without an export by intent. */
const NONE: Readonly<Record<string, string>> = {
  '"Tax registrations"': 'a handful of settings, whole on screen',
  '"Holidays"': 'settings of one year, entered from a public calendar',
  '"Periods"': 'the months of a year and their state',
  '"Journal entries"': 'lines of one transaction',
  '"Lines to reconcile"': 'the lines of one reconciliation; the list of bank transactions exports them',
  '"Jobs"': 'the state of the machine at this moment',
  "{trash ? 'Found in the trash' : 'Search results'}": 'records of many kinds; each list has its own',
};

interface Table { file: string; tag: string; label: string }

/** The opening tag of each table, to its end: a `>` outside braces that is no arrow. */
function tablesOf(file: string): Table[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/<DataTable\b(?:<\w+>)?/g)].map(({ index, 0: start }) => {
    let depth = 0;
    let end = index + start.length;
    while (depth > 0 || text[end] !== '>') {
      if (text[end] === '{') depth += 1;
      if (text[end] === '}') depth -= 1;
      end += 1;
    }
    const tag = text.slice(index, end);
    return { file, tag, label: /label=("[^"]*"|\{[^}]*\})/.exec(tag)?.[1] ?? '' };
  });
}

const files = globSync(['modules/**/*.web.tsx', 'packages/web-kit/layout/*.tsx'])
  .filter((file) => !file.includes('.test.'));
const tables = files.flatMap(tablesOf).filter(({ tag }) => !/variant="record"/.test(tag));
const exported = ({ tag }: Table): boolean => /readPage=/.test(tag)
  || (/\{\.\.\.list\}/.test(tag) && !/exportOf=\{undefined\}/.test(tag));

test('every table on a page of its own can be exported', () => {
  expect(tables.length).toBeGreaterThan(60);
  expect(tables.filter((one) => !exported(one) && NONE[one.label] === undefined)
    .map(({ file, label }) => `${file}: ${label}`)).toEqual([]);
});

test('a table that can be exported is not excused', () => {
  const excused = tables.filter((one) => !exported(one)).map(({ label }) => label);
  expect(Object.keys(NONE).filter((label) => !excused.includes(label))).toEqual([]);
});
