/** docs/asvs.csv holds every requirement of level 2 with an honest status, and the tests and files it names exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { ROOT } from './steps.ts';

const STATUSES = ['met', 'partly', 'not met', 'not applicable'];
interface Row { id: string; level: string; status: string; place: string; test: string; title: string;
  note: string }
const rows = parse(readFileSync(join(ROOT, 'docs/asvs.csv')), { columns: true }) as unknown as Row[];

/** Also of `it.each([…])('refuses %s at the field'`, whose title stands behind the table. */
const TITLE = /\b(?:it|test)(?:\.\w+)?\(\s*'((?:[^'\\]|\\.)+)'|\)\(\s*'((?:[^'\\]|\\.)+)',/g;
function titlesOf(file: string): Set<string> {
  const source = readFileSync(join(ROOT, file), 'utf8');
  return new Set([...source.matchAll(TITLE)].map((match) => (match[1] ?? match[2])!.replaceAll("\\'", "'")));
}

describe('the list of ASVS 5.0', () => {
  it('names each requirement once, with a known status', () => {
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
    expect(rows.filter((row) => !STATUSES.includes(row.status))).toEqual([]);
  });

  it('names files that exist: the place and the test', () => {
    const named = rows.flatMap((row) => [row.place, row.test].filter(Boolean).map((file) => `${row.id} ${file}`));
    expect(named.filter((line) => !existsSync(join(ROOT, line.split(' ')[1]!)))).toEqual([]);
  });

  it('says why where a requirement does not apply, is met in part or not at all', () => {
    expect(rows.filter((row) => row.status !== 'met' && row.note === '')).toEqual([]);
    expect(rows.filter((row) => row.status === 'met' && row.place === '')).toEqual([]);
  });

  it('names the test of what is met by file and title, or says why there is none', () => {
    const bare = rows.filter(({ status, test, note }) =>
      status === 'met' && test === '' && !/^(documentation|no test): \S/.test(note));
    expect(bare.map((row) => row.id)).toEqual([]);
    const untested = rows.filter((row) => row.test !== '' && !/\.(test\.tsx?|spec\.ts)$/.test(row.test));
    expect(untested.map((row) => row.id)).toEqual([]);
    expect(rows.filter(({ test, title }) => (test === '') !== (title === '')).map((row) => row.id)).toEqual([]);
  });

  it('names titles that stand in their files', () => {
    const wrong = rows.filter(({ test, title }) => test !== '' && !titlesOf(test).has(title));
    expect(wrong.map((row) => `${row.id} ${row.test}: ${row.title}`)).toEqual([]);
  });

  const source = join(process.env.SHARED_DATA ?? join(ROOT, '../shared/data'), 'security/asvs-5.0.0.csv');
  it.skipIf(!existsSync(source))('holds every requirement of levels 1 and 2, no other', () => {
    const wanted = parse(readFileSync(source), { columns: true, bom: true, relax_column_count: true,
    }) as unknown as { req_id: string; L: string }[];
    const ids = wanted.filter((one) => one.L === '1' || one.L === '2').map((one) => `${one.req_id} ${one.L}`);
    expect(ids.length).toBe(253);
    expect(rows.map((row) => `${row.id} ${row.level}`)).toEqual(ids);
  });
});
