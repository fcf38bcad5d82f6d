/** Values that are changed in their cell (U10): keys, what is refused, who was faster, undo. */
import axe from 'axe-core';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ApiError } from '#kit/client.ts';
import { staged, still } from '#web/controls/stage.tsx';
import type { Column, RowEdits } from './column.ts';
import { DataTable } from './data-table.tsx';
import { Toasts } from './toast.tsx';

interface Venue { id: number; name: string; phone: string | null; kind: string; fee_minor: number | null;
  opening: string | null; version: number }
const columns: Column<Venue>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name },
  { id: 'phone', header: 'Phone', cell: (row) => row.phone,
    edit: { field: 'phone', as: 'text', value: (row) => row.phone, when: (row) => row.id !== 2 } },
  { id: 'kind', header: 'Kind', cell: (row) => row.kind, edit: { field: 'kind', as: 'select', value: (row) => row.kind,
    options: [{ value: 'theatre', label: 'Theatre' }, { value: 'church', label: 'Church' }] } },
  { id: 'fee', header: 'Fee', kind: 'money', cell: (row) => row.fee_minor === null ? null : BigInt(row.fee_minor),
    edit: { field: 'fee_minor', as: 'money', value: (row) => row.fee_minor, optional: true } },
  { id: 'opening', header: 'Opening', kind: 'date', cell: (row) => row.opening,
    edit: { field: 'opening', as: 'date', value: (row) => row.opening, optional: true } },
];
const VENUES: Venue[] = [1, 2].map((id) => ({ id, name: `Venue ${id}`, phone: '555-0100', kind: 'theatre',
  fee_minor: 12_345, opening: '2027-03-12', version: 1 }));

/** Action of the server on the next save; by default it saves. */
let next: (() => void) | undefined;
const saves = vi.fn();

function Venues({ may = true }: { may?: boolean }) {
  const [rows, setRows] = useState(VENUES);
  const write = (id: number, changes: object) => setRows((old) => old.map((row) => row.id === id
    ? { ...row, ...changes, version: row.version + 1 } : row));
  const edits: RowEdits<Venue> = {
    save: async (row, changes, key) => {
      saves({ id: row.id, version: row.version, ...changes }, key);
      const refuse = next;
      next = undefined;
      await Promise.resolve();
      refuse?.();
      write(row.id, changes);
      return { ...row, ...changes, version: row.version + 1 };
    },
    reread: async () => { await Promise.resolve(); write(1, { phone: '555-0999' }); },
  };
  return (
    <main>
      <DataTable label="Venues" columns={columns} rows={rows} rowKey={(row) => row.id} edits={may ? edits : undefined}
        rowHref={(row) => `/admin/venues/${row.id}`} />
      <Toasts />
    </main>
  );
}
const pencil = (label: string) => page.getByRole('button', { name: `Edit ${label}` });
const field = (label: string) => page.getByRole('textbox', { name: label });
const last = () => saves.mock.lastCall?.[0] as unknown;

beforeEach(() => { saves.mockClear(); next = undefined; window.history.replaceState(null, '', '/admin/venues'); });

test('Enter opens and saves, the focus returns, and the change can be undone', async () => {
  await staged(<Venues />);
  (pencil('Phone of Venue 1').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(field('Phone of Venue 1')).toHaveFocus();
  await still();
  expect((await axe.run(document.body)).violations.map((one) => one.id)).toEqual([]);
  await userEvent.keyboard('555-0111{Enter}');
  await expect.element(page.getByText('555-0111', { exact: true })).toBeVisible();
  expect(last()).toEqual({ id: 1, version: 1, phone: '555-0111' });
  await expect.element(pencil('Phone of Venue 1')).toHaveFocus();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(last).toEqual({ id: 1, version: 2, phone: '555-0100' });
  expect(window.location.pathname).toBe('/admin/venues');
});

test('Escape gives up; what did not change is not sent; a row or a person that may not has no pencil', async () => {
  const screen = await staged(<Venues />);
  await pencil('Phone of Venue 1').click();
  await userEvent.keyboard('x{Escape}');
  await pencil('Phone of Venue 1').click();
  await expect.element(field('Phone of Venue 1')).toHaveValue('555-0100');
  await userEvent.keyboard('{Enter}');
  await expect.element(pencil('Phone of Venue 1')).toHaveFocus();
  expect(saves).not.toHaveBeenCalled();
  expect(pencil('Phone of Venue 2').elements()).toEqual([]);
  await screen.unmount();
  await staged(<Venues may={false} />);
  expect(page.getByRole('button', { name: /^Edit/ }).elements()).toEqual([]);
});

test('Tab saves and goes on: text, choice, money, date; a text that is no amount stays', async () => {
  await staged(<Venues />);
  await userEvent.keyboard('j{F2}');
  await expect.element(field('Phone of Venue 1')).toHaveFocus();
  await userEvent.keyboard('1{Tab}');
  await expect.element(page.getByRole('combobox', { name: 'Kind of Venue 1' })).toHaveFocus();
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Kind of Venue 1' }), 'church');
  await userEvent.keyboard('{Tab}');
  await expect.element(field('Fee of Venue 1')).toHaveFocus();
  await expect.element(field('Fee of Venue 1')).toHaveValue('123.45');
  await userEvent.keyboard('much{Tab}');
  await expect.element(page.getByText('Enter an amount, such as 1,234.50')).toBeVisible();
  await userEvent.keyboard('{Control>}a{/Control}1,500{Tab}');
  await expect.element(field('Opening of Venue 1')).toHaveFocus();
  expect(last()).toEqual({ id: 1, version: 3, fee_minor: 150_000 });
  await userEvent.keyboard('4/1/2027{Tab}');
  await expect.element(page.getByRole('combobox', { name: 'Kind of Venue 2' })).toHaveFocus();
  expect(last()).toEqual({ id: 1, version: 4, opening: '2027-04-01' });
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
  await expect.element(field('Opening of Venue 1')).toHaveFocus();
});

test('what is refused stays typed with its reason; without an answer the same command is sent again', async () => {
  await staged(<Venues />);
  next = () => { throw new ApiError(422, 'Wrong', { errors: { phone: ['Too long by far'] } }); };
  await pencil('Phone of Venue 1').click();
  await userEvent.keyboard('5{Enter}');
  await expect.element(field('Phone of Venue 1')).toHaveAccessibleDescription('Too long by far');
  await expect.element(field('Phone of Venue 1')).toHaveValue('5');
  next = () => { throw new ApiError(0, 'Network Error'); };
  await userEvent.keyboard('{Enter}');
  await expect.element(field('Phone of Venue 1')).toHaveAccessibleDescription('Network Error');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('5', { exact: true })).toBeVisible();
  const keys = saves.mock.calls.map((one) => one[1] as string);
  expect([keys[0] === keys[1], keys[1] === keys[2]]).toEqual([false, true]);
});

test('who was faster is told, with the new value, and Enter decides', async () => {
  await staged(<Venues />);
  next = () => { throw new ApiError(412, 'Changed meanwhile', { code: 'stale' }); };
  await pencil('Phone of Venue 1').click();
  await userEvent.keyboard('555-0222{Enter}');
  await expect.element(field('Phone of Venue 1')).toHaveAccessibleDescription(
    'Changed meanwhile; it is now "555-0999". Enter saves yours, Escape leaves it.');
  await expect.element(field('Phone of Venue 1')).toHaveValue('555-0222');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('555-0222', { exact: true })).toBeVisible();
  expect(last()).toEqual({ id: 1, version: 2, phone: '555-0222' });
});

test('a half-typed cell is not left without a question', async () => {
  const leave = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  await staged(<Venues />);
  await pencil('Phone of Venue 1').click();
  await expect.element(field('Phone of Venue 1')).toHaveFocus();
  expect(leave()).toBe(false);
  await userEvent.fill(field('Phone of Venue 1'), '555-0');
  expect(leave()).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(field('Phone of Venue 1')).not.toBeInTheDocument();
  expect(leave()).toBe(false);
});
