/** Tests the fields an export takes from the columns on screen. */
import { expect, test } from 'vitest';
import type { Column } from './column.ts';
import { exportFields } from './export-fields.ts';
import { Money } from './money.tsx';

interface Row { id: number; customer_id: number; title: string; number: string | null; draft: string;
  total_minor: number; currency: string; phase: string; house: { name: string } }
const row = (number: string | null): Row => ({ id: 1, customer_id: 2, title: 'Iolanthe', number, draft: 'D-1',
  total_minor: 5, currency: 'USD', phase: 'sent', house: { name: 'Hall' } });
function Phase({ of }: { of: Row }) { return <>{of.phase}</>; }
const columns: readonly Column<Row>[] = [
  { id: 'title', header: 'Show', cell: (one) => <a href={`/x/${one.customer_id}/${one.id}`}>{one.title}</a> },
  { id: 'number', header: 'Number', cell: (one) => one.number ?? one.draft },
  { id: 'total', header: 'Fee', kind: 'money', cell: (one) => BigInt(one.total_minor) },
  { id: 'phase', header: 'Phase', cell: (one) => <Phase of={one} /> },
  { id: 'house', header: 'House', cell: (one) => one.house.name },
  { id: 'again', header: 'Again', cell: (one) => <Money minor={one.total_minor} currency={one.currency} /> },
  { id: 'actions', header: 'Do', kind: 'actions', cell: (one) => one.draft },
];

test('the fields that the cells read, each once; links say nothing, amounts bring their currency', () => {
  expect(exportFields(columns, [row('L-1'), row(null)])).toEqual([
    { field: 'title', header: 'Show' }, { field: 'number', header: 'Number' }, { field: 'draft', header: 'Draft' },
    { field: 'total_minor', header: 'Fee' }, { field: 'currency', header: 'Currency' },
    { field: 'phase', header: 'Phase' }, { field: 'house', header: 'House' }]);
  expect(exportFields(columns, [])).toEqual([]);
});
