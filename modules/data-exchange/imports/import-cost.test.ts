/** Cost of a long list: comparisons and statements grow with its rows, and other requests get their turn meanwhile. */
import { describe, expect, test } from 'vitest';
import type { Queryable } from '#server/db.ts';
import { LISTS } from '#tests/support/import-lists.ts';
import { testApp } from '#tests/support/app.ts';
import { AlikeNames } from './kinds/alike-names.ts';
import { likeness } from './kinds/alike.ts';
import { People } from './kinds/people.server.ts';
import type { ImportModel } from './kinds/import-kind.contract.ts';
import { IMPORT_WORKS } from './works.server.ts';
import { matchHeads } from './import-field.contract.ts';
import { IMPORT_KINDS } from './kinds/import-kind.contract.ts';
import { importMapping, type ImportMapping } from './import.contract.ts';

const app = testApp();



/** As the application's database, with its statements counted. */
function counting(): { db: Queryable; statements(): number } {
  let n = 0;
  const { db } = app.database;
  const counted = new Proxy(db, { get(target, key) {
    const value = Reflect.get(target, key) as unknown;
    if (typeof value !== 'function') return value;
    return (...parts: unknown[]) => {
      n += 1;
      return (value as (...all: unknown[]) => unknown).apply(target, parts);
    };
  } });
  return { db: counted, statements: () => n };
}

function mappingFor(model: ImportModel, header: string[]): ImportMapping {
  return importMapping.parse({ header, columns: matchHeads(header, IMPORT_KINDS[model].fields), constants: {},
    date_format: 'YYYY-MM-DD',
    decimal_style: 'point', amount_unit: 'major', header_row: 1, encoding: 'utf-8', delimiter: ',',
    report_scope: 'week', date_is: 'week_end', changes: 'leave', warnings: [] });
}

async function judged(name: string, rows: number): Promise<{ statements: number; turns: number; rows: number }> {
  const { model, file } = LISTS[name]!;
  const [head = '', ...lines] = file(rows).split('\n');
  const work = IMPORT_WORKS[model as ImportModel];
  const session = work.open(mappingFor(model as ImportModel, head.split(',')), 0);
  const { db, statements } = counting();
  let turns = 0;
  let over = false;
  const turn = (): void => {
    turns += 1;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  let seen = 0;
  for (let at = 0; at < lines.length; at += work.chunk) {
    const chunk = lines.slice(at, at + work.chunk).map((line, n) => ({ row_no: at + n + 2, cells: line.split(',') }));
    seen += (await session.judge(db, chunk)).length;
  }
  over = true;
  return { statements: statements(), turns, rows: seen };
}

describe('a list of many rows', () => {
  test.each(Object.keys(LISTS))('%s: a few statements for each 200 rows, and a turn for others at least as often',
    async (name) => {
      const one = await judged(name, 400);
      const two = await judged(name, 800);
      expect(two.rows).toBe(800);
      expect(two.statements).toBeLessThanOrEqual(one.statements * 2);
      expect(two.statements).toBeLessThanOrEqual(4 * 8);
      expect(two.turns).toBeGreaterThanOrEqual(800 / 50);
    });

  test('a name is compared with a bounded number of others, and the one that is alike is found', () => {
    const names = Array.from({ length: 3000 }, (_, n) => `house${n * 7919} of the ${'abcdefghij'[n % 10]}rena`);
    const alike = new AlikeNames<number>(0.86);
    names.forEach((name, n) => {
      alike.find(name);
      alike.add(name, n);
    });
    expect(alike.compared).toBeLessThanOrEqual(3000 * 300);
    const few = new AlikeNames<string>(0.86);
    const some = names.slice(0, 250);
    for (const name of some) {
      const slow = some.slice(0, some.indexOf(name)).find((other) => likeness(other, name) >= 0.86);
      expect(few.find(name), name).toBe(slow);
      few.add(name, name);
    }
  });

  test('a person is compared with a bounded number of others of the same last word', () => {
    const people = new People();
    for (let n = 0; n < 3000; n += 1) {
      const name = `Jo${n} ${'abcdefghijklmnopqrstuvwxyz'[n % 26]}. Smith`;
      people.alike(name);
      people.add({ id: null, label: name, name, email: null });
    }
    expect(people.compared).toBeLessThanOrEqual(3000 * 300);
    people.add({ id: 1, label: 'Christopher Smith', name: 'Christopher Smith', email: null });
    expect(people.alike('Chris Smith')?.id).toBe(1);
    expect(people.alike('Christopher P. Smith')?.id).toBe(1);
  });

});
