/** Tests the columns a list has of a declaration's fields. */
import { expect, test } from 'vitest';
import { field } from '#kit/field.ts';
import type { Column } from './column.ts';
import { columnsFrom } from './columns-from.ts';

interface Row { name: string; phone: string | null; seats: number; active: boolean; contact_name: string }
const fields = { name: field.text('Name'), phone: field.optionalText('Phone'), seats: field.integer('Seats'),
  active: field.bool('Active'), contact_name: field.text('Contact'), notes: field.longText('Notes'),
  division: field.division() };
const columns: readonly Column<Row>[] = [
  { id: 'name', header: 'Name', cell: (row) => row.name },
  { id: 'contact', header: 'Contact', cell: (row) => row.contact_name,
    edit: { field: 'contact_name', as: 'text', value: (row) => row.contact_name } },
];

test('a simple field without a column gets a hidden one; written columns stay as they are', () => {
  const all = columnsFrom(fields, columns, ['active']);
  expect(all.slice(0, 2)).toEqual(columns);
  expect(all.slice(2).map(({ id, header, kind, hidden }) => [id, header, kind, hidden]))
    .toEqual([['phone', 'Phone', 'muted', true], ['seats', 'Seats', 'number', true]]);
});

test('a cell shows the value; a box is Yes or No', () => {
  const row = { name: 'Savoy', phone: null, seats: 880, active: false, contact_name: 'Ann' };
  expect(columnsFrom(fields, columns).slice(2).map(({ cell }) => cell(row))).toEqual([null, 880, 'No']);
});
