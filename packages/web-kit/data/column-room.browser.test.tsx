/** Where room is lacking, the air around figures goes before the names do, and figures are never cut. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';

interface Row { id: number; number: string; customer: string; on: string; total: bigint; open: bigint }
const rows: Row[] = [{ id: 1, number: 'INV-US-2026-000028', customer: 'Astoria Community Players of Ravenswood, Queens',
  on: '2026-11-23', total: 12_345_678n, open: -98_765_432n }];
const columns: readonly Column<Row>[] = [
  { id: 'number', header: 'Number', kind: 'title', cell: (row) => row.number, width: 190 },
  { id: 'customer', header: 'Customer', kind: 'muted', cell: (row) => row.customer, width: 260 },
  { id: 'on', header: 'Issued', kind: 'date', cell: (row) => row.on, width: 150 },
  { id: 'total', header: 'Total', kind: 'money', cell: (row) => row.total, width: 150 },
  { id: 'open', header: 'Open', kind: 'money', cell: (row) => row.open, width: 150 },
];

async function widths(at: number): Promise<{ wide: number[]; cut: boolean[]; sideways: boolean }> {
  await page.viewport(1400, 600);
  await staged(
    <div style={{ width: at }}>
      <DataTable label="Invoices" columns={columns} rows={rows} rowKey={(row) => row.id} />
    </div>,
  );
  await document.fonts.ready;
  const cells = [...document.querySelectorAll<HTMLElement>('tbody td')];
  const box = document.querySelector('table')!.parentElement!;
  return { wide: cells.map((cell) => Math.round(cell.getBoundingClientRect().width)),
    cut: cells.map((cell) => cell.scrollWidth > cell.clientWidth), sideways: box.scrollWidth > box.clientWidth };
}

test('with room enough each column has its width or more', async () => {
  const { wide, sideways } = await widths(1200);
  expect(sideways).toBe(false);
  expect(wide.map((width, index) => width >= columns[index]!.width!)).toEqual([true, true, true, true, true]);
});

test('a little less takes the air of figures and days, and no letter of a name', async () => {
  const { wide, cut, sideways } = await widths(860);
  expect([cut[0], sideways]).toEqual([false, false]);
  expect(wide.slice(2).every((width) => width < 150)).toBe(true);
  expect(wide[0]).toBeGreaterThanOrEqual(185);
});

test('much less cuts the longest name, never the number of the row nor a figure', async () => {
  const { cut, sideways } = await widths(640);
  expect(cut).toEqual([false, true, false, false, false]);
  expect(sideways).toBe(false);
});
