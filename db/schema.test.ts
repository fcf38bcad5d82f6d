/** Documentation of the schema matches the result of the migrations. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase } from '#tests/support/database.ts';
import { differences } from '../tools/compare-schemas.ts';
import { describeSchema } from '../tools/schema.ts';
import { readSchema } from '../tools/schema/catalogue.ts';
import { readOwners, TABLES, TYPES, type TableRow } from '../tools/schema/render.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const database = testDatabase();
let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: database.owner_url });
  await client.connect();
});
afterAll(() => client.end());

const rowsOf = async (text: string): Promise<TableRow[]> => (await client.query<TableRow>(text)).rows;

it('db/schema.sql and docs/domain/data-model.md follow the migrations; `npm run schema` writes them', async () => {
  const { rows: [server] } = await client.query<{ v: number }>(
    `select current_setting('server_version_num')::int as v`);
  if (server!.v < 180000) return; // An older server prints views and defaults in other words.
  const stale = [];
  for (const [file, text] of await describeSchema(client)) {
    if (await readFile(file, 'utf8') !== text) stale.push(`${relative(root, file)}: run npm run schema`);
  }
  expect(stale).toEqual([]);
});

it('every table and every column type has a comment', async () => {
  const [tables, types] = [await rowsOf(TABLES), await rowsOf(TYPES)];
  expect(tables.length).toBeGreaterThan(180);
  expect([...tables, ...types].filter(({ comment }) => !comment?.endsWith('.')).map(({ name }) => name)).toEqual([]);
});

it('every table has one owner, which is a module', async () => {
  const owners = readOwners(await readFile(new URL('migrations/owners.txt', import.meta.url), 'utf8'));
  expect([...owners.keys()].sort()).toEqual((await rowsOf(TABLES)).map(({ name }) => name).sort());
  expect([...new Set(owners.values())].filter((owner) => !existsSync(`${root}modules/${owner}`))).toEqual([]);
  expect(() => readOwners('one: a, b\ntwo: c,\n  b\n')).toThrow('b has two owners: one and two');
});

it('a comparison of two schemas finds what differs', async () => {
  const schema = async (): Promise<Map<string, string>> =>
    new Map((await readSchema(client)).map(({ name, statement }) => [name, statement]));
  const before = await schema();
  await client.query('begin');
  try {
    await client.query(`alter table shows alter column title drop not null;
      alter table customers disable trigger touch_updated_at; drop index invoices_latest;
      grant delete on payments to app_rw; comment on table venues is 'Others.'`);
    const found = differences(before, await schema()).map((line) => line.split('\n')[0]);
    expect(found).toEqual(['differs: column shows.title', 'differs: comment table public.venues',
      'only in the first: index invoices_latest', 'differs: table payments',
      'differs: trigger customers.touch_updated_at']);
  } finally {
    await client.query('rollback');
  }
});
