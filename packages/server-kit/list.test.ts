/** A list in one trip: its rows stand in the order asked for, however the join brought them, and are counted. */
import { expect, test } from 'vitest';
import type { Queryable } from './db.ts';
import { listPage, type ListSpec } from './list.ts';
import { sql } from './sql.ts';

const spec: ListSpec = { base: sql`licenses t`, columns: sql`t.number`, conditions: [],
  sorts: { number: sql`t.number` }, defaultSort: 'number', oneTrip: true };
const args = { page: 1, per_page: 10 };
const answering = (rows: object[]) => ({ query: () => Promise.resolve(rows) }) as unknown as Queryable;

test('rows that the join brought in another order stand in theirs', async () => {
  const rows = [{ list_place: 3, list_total: 13, number: 'C' }, { list_place: 1, list_total: 13, number: 'A' },
    { list_place: 2, list_total: 13, number: 'B' }];
  const { data, meta } = await listPage<{ number: string }>(answering(rows), spec, args, '/licenses');
  expect(data.map((row) => row.number)).toEqual(['A', 'B', 'C']);
  expect(meta).toMatchObject({ total: 13, last_page: 2 });
});

test('a page behind the last one has no row, and still the total', async () => {
  const { data, meta } = await listPage(answering([{ list_place: null, list_total: 13 }]), spec, { ...args, page: 9 },
    '/licenses');
  expect([data, meta.total]).toEqual([[], 13]);
});
