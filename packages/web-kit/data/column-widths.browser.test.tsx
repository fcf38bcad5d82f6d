/** Widths that the reader gives (U9): dragged, by keys, by single presses; kept, and taken back by Reset. */
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { settled, staged } from '#web/controls/stage.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import type { KeptColumns, StoredColumns } from './use-column-choices.ts';
import { useTableSearch } from './use-table-search.ts';

interface Venue { id: number; name: string; city: string; fee: number }
const rows: Venue[] = [{ id: 1, name: 'The Foundry', city: 'Long Island City', fee: 12_345 },
  { id: 2, name: 'Ravenswood Playhouse', city: 'Queens', fee: 0 }];
const columns: readonly Column<Venue>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name },
  { id: 'city', header: 'City', kind: 'muted', cell: (row) => row.city },
  { id: 'fee', header: 'Fee', kind: 'money', cell: (row) => row.fee },
];

function Venues({ kept }: { kept?: KeptColumns }) {
  const search = useTableSearch();
  return <DataTable label="Venues" columns={columns} rows={rows} rowKey={(row) => row.id} search={search}
    keptColumns={kept} rowHref={(row) => `/admin/venues/${row.id}`} />;
}
const edge = (name: string) => page.getByRole('separator', { name: `Width of ${name}` });
const wide = (name: string) => Math.round(page.getByRole('columnheader', { name }).element()
  .getBoundingClientRect().width);

beforeEach(async () => {
  window.localStorage.clear();
  window.history.replaceState(null, '', '/admin/venues');
  await page.viewport(1000, 700);
});

test('arrow keys on the edge make a column wider and narrower, Enter fits it to its words', async () => {
  await staged(<Venues />);
  await document.fonts.ready;
  await settled();
  const before = wide('Name');
  (edge('Name').element() as HTMLElement).focus();
  const grown = () => Math.round((wide('Name') - before) / 5) * 5;
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(grown).toBe(10);
  await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}');
  await expect.poll(grown).toBe(-40);
  await userEvent.keyboard('{Enter}');
  const cell = page.getByRole('link', { name: 'Ravenswood Playhouse' }).element().closest('td')!;
  expect(cell.scrollWidth).toBe(cell.clientWidth);
  expect(wide('Name')).toBeLessThan(before - 40);
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(edge('City')).toHaveFocus();
});

test('all edges are one stop of Tab, and the head of a column keeps its name', async () => {
  await staged(<Venues />);
  expect(page.getByRole('separator').elements().map((one) => (one as HTMLElement).tabIndex)).toEqual([0, -1, -1]);
  await expect.element(page.getByRole('columnheader', { name: 'City', exact: true })).toBeVisible();
});

test('a column made narrower than its words cuts them, and nothing else moves it', async () => {
  await staged(<Venues />);
  (edge('City').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}{Shift>}{ArrowLeft}{/Shift}');
  const cell = page.getByText('Long Island City').element();
  expect([cell.scrollWidth > cell.clientWidth, Math.round(cell.getBoundingClientRect().width)])
    .toEqual([true, wide('City')]);
});

test('the edge follows the pointer, a double click fits', async () => {
  await staged(<Venues />);
  const at = edge('Name').element();
  const { right, top } = at.getBoundingClientRect();
  const before = wide('Name');
  const pointer = (type: string, x: number) => at.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0,
    pointerId: 1, clientX: x, clientY: top + 5 }));
  at.setPointerCapture = () => undefined;
  pointer('pointerdown', right);
  pointer('pointermove', right + 60);
  expect(Math.round(at.getBoundingClientRect().right - right)).toBe(60);
  pointer('pointerup', right + 60);
  await expect.poll(() => wide('Name')).toBe(before + 60);
  await userEvent.dblClick(edge('Name'));
  await expect.poll(() => wide('Name')).toBeLessThan(before);
});

test('widths are kept for the person, the chooser sets them by presses and Reset takes them back [2.5.7]', async () => {
  const keep = vi.fn();
  const stored: StoredColumns = { shown: {}, order: [], widths: { city: 300 } };
  const { rerender } = await staged(<Venues kept={{ of: () => stored, keep }} />);
  expect(wide('City')).toBe(300);
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('radio', { name: 'Width' }).click({ force: true });
  await page.getByRole('button', { name: 'Make City wider' }).click();
  expect(keep).toHaveBeenLastCalledWith('Venues', { shown: {}, order: [], widths: { city: 310 } });
  await page.getByRole('button', { name: 'Reset' }).click();
  expect(keep).toHaveBeenLastCalledWith('Venues', { shown: {}, order: [] });
  await rerender(<Venues kept={{ of: () => ({ shown: {}, order: [] }), keep }} />);
  expect(wide('City')).not.toBe(300);
});
