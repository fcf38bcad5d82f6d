/** A table of ten thousand rows: few are drawn, none is out of reach. */
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import type { Column } from './column.ts';
import { DataTable, MANY_ROWS } from './data-table.tsx';
import { rowText } from './found-rows.ts';
import { Badge } from './badge.tsx';

interface Line { id: number; memo: string; day: string; minor: number }
const lines: Line[] = Array.from({ length: 10_000 }, (_, index) => (
  { id: index + 1, memo: `Line ${index + 1}`, day: '2026-03-09', minor: index * 100 }
));
const columns: Column<Line>[] = [
  { id: 'memo', header: 'Memo', kind: 'title', cell: (row) => row.memo },
  { id: 'day', header: 'Day', kind: 'date', cell: (row) => row.day },
  { id: 'state', header: 'State', kind: 'badge', cell: () => <Badge><b>Posted</b></Badge> },
  { id: 'minor', header: 'Amount', kind: 'money', cell: (row) => row.minor, total: 99n },
];
const table = (rows = lines) => (
  <DataTable label="Lines" columns={columns} rows={rows} rowKey={(row) => row.id} selectable
    rowHref={(row) => `/lines/${row.id}`} />
);
const drawn = () => document.querySelectorAll('tbody tr[data-index]').length;
const row = (name: string) => page.getByRole('link', { name, exact: true });

beforeEach(async () => {
  window.history.replaceState(null, '', '/lines');
  await page.viewport(1280, 900);
});

test('few rows are drawn, their number is told, and the last is reached by scrolling', async () => {
  await staged(table());
  await expect.element(row('Line 1')).toBeVisible();
  expect(drawn()).toBeLessThan(100);
  await expect.element(page.getByRole('table')).toHaveAttribute('aria-rowcount', '10001');
  const box = page.getByRole('region', { name: 'Lines' }).element();
  const widths = () => page.getByRole('columnheader').elements().map((one) => one.getBoundingClientRect().width);
  const before = widths();
  expect(before[1]).toBeGreaterThan(400);
  box.scrollTop = box.scrollHeight;
  await expect.element(row('Line 10000')).toBeVisible();
  expect(row('Line 10000').element().closest('tr')?.ariaRowIndex).toBe('10001');
  expect(drawn()).toBeLessThan(100);
  expect(widths()).toEqual(before);
  // The totals stay in view, and so does the head.
  await expect.element(page.getByText('0.99')).toBeVisible();
  await expect.element(page.getByRole('columnheader', { name: 'Memo' })).toBeVisible();
});

test('j leads on beyond what is drawn, x and Enter act on the row it came to', async () => {
  await staged(table());
  await expect.element(row('Line 1')).toBeVisible();
  await userEvent.keyboard('j'.repeat(60));
  await expect.element(row('Line 60')).toBeVisible();
  await userEvent.keyboard('x');
  await expect.element(page.getByRole('checkbox', { name: 'Select row 60', exact: true })).toBeChecked();
  await userEvent.keyboard('{Enter}');
  expect(window.location.pathname).toBe('/lines/60');
});

test('what has the focus stays, however far one scrolls', async () => {
  await staged(table());
  await expect.element(row('Line 3')).toBeVisible();
  (row('Line 3').element() as HTMLElement).focus();
  const box = page.getByRole('region', { name: 'Lines' }).element();
  box.scrollTop = 200_000;
  await expect.poll(() => document.querySelector('tr[data-index="6060"]')).not.toBeNull();
  await expect.element(row('Line 3')).toHaveFocus();
  await userEvent.keyboard('{Tab}');
  expect(document.activeElement?.closest('tr')?.dataset.index).toBe('3');
});

test('rows that are not drawn are found by their words, and an empty find is left again', async () => {
  await staged(table());
  await userEvent.fill(page.getByRole('searchbox', { name: 'Find in these rows' }), 'line 9876');
  await expect.element(row('Line 9876')).toBeVisible();
  expect(drawn()).toBe(1);
  await userEvent.fill(page.getByRole('searchbox'), 'nobody');
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect.element(row('Line 1')).toBeVisible();
  expect(rowText(columns, lines[123]!)).toBe('line 124 2026-03-09 mar 9, 2026 posted 123.00');
});

test('on paper every row stands', async () => {
  await staged(table(lines.slice(0, MANY_ROWS + 50)));
  await expect.element(row('Line 1')).toBeVisible();
  window.dispatchEvent(new Event('beforeprint'));
  expect(drawn()).toBe(MANY_ROWS + 50);
  window.dispatchEvent(new Event('afterprint'));
  await expect.poll(drawn).toBeLessThan(100);
});

test('a table of few rows has no find box and no box of its own', async () => {
  await staged(table(lines.slice(0, MANY_ROWS)));
  expect([drawn(), page.getByRole('searchbox').elements().length]).toEqual([MANY_ROWS, 0]);
});
