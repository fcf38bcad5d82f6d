/** Columns take what their words need: room for all where there is enough, and the longest names give way first. */
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import { measureColumns } from './use-column-widths.ts';

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

beforeEach(() => window.localStorage.clear());

async function widths(at: number, shown: readonly Column<Row>[] = columns) {
  await page.viewport(1400, 600);
  const screen = await staged(
    <div style={{ width: at }}>
      <DataTable label="Invoices" columns={shown} rows={rows} rowKey={(row) => row.id} />
    </div>,
  );
  await document.fonts.ready;
  const cells = [...screen.container.querySelectorAll<HTMLElement>('tbody td')];
  const table = screen.container.querySelector('table')!;
  const box = table.parentElement!;
  const needs = Object.values(measureColumns(table)).map(({ cells: most, head }) => Math.max(most, head));
  return { wide: cells.map((cell) => Math.round(cell.getBoundingClientRect().width)), needs,
    cut: cells.map((cell) => cell.scrollWidth > cell.clientWidth), sideways: box.scrollWidth > box.clientWidth };
}

test('with room enough nothing is cut, and all columns together are as wide as the list', async () => {
  const { wide, cut, needs, sideways } = await widths(1200);
  expect([cut, sideways]).toEqual([[false, false, false, false, false], false]);
  expect(wide.map((width, index) => width >= needs[index]!)).toEqual([true, true, true, true, true]);
  expect(Math.abs(wide.reduce((sum, width) => sum + width, 0) - 1200)).toBeLessThan(3);
});

test('while a name is cut no other column is wider than its widest cell or its head', async () => {
  const { wide, cut, needs, sideways } = await widths(760);
  expect([cut, sideways]).toEqual([[false, true, false, false, false], false]);
  expect(wide.filter((width, index) => !cut[index] && width > needs[index]! + 2)).toEqual([]);
});

test('much less cuts the longest name, never the number of the row nor a figure', async () => {
  const { cut, sideways } = await widths(640);
  expect(cut).toEqual([false, true, false, false, false]);
  expect(sideways).toBe(false);
});

test('the longer of two names gives way, down to where the other begins', async () => {
  const short: Column<Row> = { id: 'short', header: 'Place', kind: 'muted', cell: () => 'Long Island City' };
  const { cut, wide } = await widths(780, [...columns, short]);
  expect([cut[1], cut[5]]).toEqual([true, false]);
  expect(wide[1]).toBeGreaterThanOrEqual(wide[5]! - 2);
});

test('rows that come change nothing that the last visit has measured', async () => {
  const first = (await widths(1200)).wide;
  await page.viewport(1400, 600);
  const screen = await staged(
    <div style={{ width: 1200 }}>
      <DataTable label="Invoices" columns={columns} rows={undefined} rowKey={(row) => row.id} />
    </div>,
  );
  const heads = [...screen.container.querySelectorAll('thead th')];
  expect(heads.map((head) => Math.round(head.getBoundingClientRect().width))).toEqual(first);
});

test('what opens by a button is whole where there is room and ends in dots where there is none', async () => {
  for (const [at, whole] of [[1200, true], [500, false]] as const) {
    await page.viewport(1400, 600);
    const screen = await staged(
      <div style={{ width: at }}>
        <DataTable label="Invoices" columns={columns} rows={rows} rowKey={(row) => row.id} onOpen={() => undefined} />
      </div>,
    );
    await document.fonts.ready;
    const opener = screen.getByRole('button', { name: 'INV-US-2026-000028' }).element();
    if (!whole) (opener.closest('td')!).style.setProperty('--room', '60px');
    expect(opener.scrollWidth <= opener.clientWidth, `${at}`).toBe(whole);
    expect(getComputedStyle(opener).textOverflow).toBe('ellipsis');
    await screen.unmount();
  }
});
