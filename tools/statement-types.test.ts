import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import ts from 'typescript';
import { afterAll, expect, it } from 'vitest';
import { compareStatements } from './statement-types.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'statements-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const CODE = `
interface Db { query<Row>(text: string): Promise<Row[]>; one<Row>(text: string): Promise<Row> }
interface Venue { id: number; name: string; closed_on: string | null; tags: readonly string[]; facts: object }
type Kind = 'stage' | 'hall';
export async function read<Anything>(db: Db): Promise<unknown> {
  return [
    await db.query<Venue>('every column as it is typed'),
    await db.one<{ kind: Kind; note?: string }>('a part of a record'),
    await db.query<Anything>('whatever the caller says'),
    await db.one<{ amount: number }>('a numeric, which arrives as text'),
    await db.one<{ name: string }>('a null'),
    await db.one<{ name: string }>('no such column'),
    await db.one<{ name: string }>('nobody asks'),
  ];
}
`;
const INT8 = 20, TEXT = 25, DATE = 1082, NUMERIC = 1700, TEXT_ARRAY = 1009, JSON_OID = 114;
const column = (oid: number, wasNull = false) => ({ oid, null: wasNull });

it('says which row is typed otherwise than PostgreSQL answers', () => {
  const file = path.join(folder, 'venues.ts');
  fs.writeFileSync(file, CODE);
  const program = ts.createProgram([file], { strict: true, target: ts.ScriptTarget.ESNext, types: [] });
  const at = (line: number): string => `venues.ts:${line}`;
  const { compared, unseen, wrong } = compareStatements(program, {
    [at(7)]: { id: column(INT8), name: column(TEXT), closed_on: column(DATE, true), tags: column(TEXT_ARRAY),
      facts: column(JSON_OID) },
    [at(8)]: { kind: column(TEXT) },
    [at(9)]: { id: column(INT8, true) },
    [at(10)]: { amount: column(NUMERIC) },
    [at(11)]: { name: column(TEXT, true) },
    [at(12)]: { title: column(TEXT) },
  }, folder);
  expect(wrong).toEqual([
    'venues.ts:10 amount is text (type 1700), typed number',
    'venues.ts:11 name was null, typed string',
    'venues.ts:12 name is no column of the answer',
  ]);
  expect({ compared, unseen }).toEqual({ compared: 6, unseen: [at(13)] });
});
