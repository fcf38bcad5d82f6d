/** The peek beside its list (U5): where it stands, how one comes to it, moves with it and leaves it. */
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import type { Column } from './column.ts';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { PeekView } from './peek-view.tsx';
import { useTableSearch } from './use-table-search.ts';

interface Show { id: number; code: string; name: string; customer: string; state: string; note: string }
const all: Show[] = Array.from({ length: 20 }, (_, index) => ({ id: index + 1, code: `S-${index + 1}`,
  name: `Show ${index + 1}`, customer: 'Larimer Street Stage', state: 'Sent', note: index === 0 ? '' : 'By hand' }));
const columns: readonly Column<Show>[] = [
  { id: 'code', header: 'Code', kind: 'code', cell: (row) => row.code },
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name },
  { id: 'customer', header: 'Customer', kind: 'muted', cell: (row) => row.customer },
  { id: 'state', header: 'State', kind: 'badge', cell: (row) => <b>{row.state}</b> },
  { id: 'note', header: 'Note', cell: (row) => row.note },
];

/** Two pages of ten. */
function Shows(props: Partial<DataTableProps<Show>>) {
  const search = useTableSearch();
  const from = (search.page - 1) * 10;
  return (
    <DataTable label="Shows" columns={columns} rows={search.page === 1 ? first : second} rowKey={(row) => row.id}
      search={search} rowHref={(row) => `/admin/shows/${row.id}`}
      page={{ current_page: search.page, from: from + 1, to: from + 10, last_page: 2, per_page: 10, total: 20 }}
      {...props} />
  );
}
const first = all.slice(0, 10);
const second = all.slice(10);
const panel = () => page.getByRole('complementary');

beforeEach(async () => {
  window.localStorage.clear();
  window.history.replaceState(null, '', '/admin/shows');
  await page.viewport(1280, 900);
  document.body.style.margin = '0';
});

test('no offer lies over the buttons at the end of a row', async () => {
  const { container } = await staged(<Shows columns={[...columns, { id: 'act', header: 'Decision', kind: 'actions',
    cell: (row) => <button type="button">{`Decline ${row.code}`}</button> }]} />);
  await userEvent.hover(container.querySelectorAll('tbody tr')[3]!);
  await userEvent.click(page.getByRole('button', { name: 'Decline S-4', exact: true }), { timeout: 3000 });
  expect(page.getByRole('button', { name: /^Peek at/ }).elements()).toEqual([]);
});

test('it stands beside the list, which is narrower then; the row keeps its height and its place', async () => {
  const { container } = await staged(<Shows />);
  const row = () => container.querySelectorAll('tbody tr')[1]!.getBoundingClientRect();
  const before = row();
  await userEvent.keyboard('jj ');
  await expect.element(panel()).toBeVisible();
  const beside = panel().element().getBoundingClientRect();
  expect([beside.width, getComputedStyle(panel().element()).position]).toEqual([360, 'sticky']);
  expect(container.querySelector('table')!.getBoundingClientRect().right).toBeLessThanOrEqual(beside.left + 1);
  expect([row().top, row().height]).toEqual([before.top, before.height]);
});

test('below 1100 px it lies over the page', async () => {
  await page.viewport(1000, 800);
  await staged(<Shows />);
  await userEvent.keyboard('j ');
  await expect.element(panel()).toBeVisible();
  expect(getComputedStyle(panel().element()).position).toBe('fixed');
});

test('its head has number, title, who and state; a fact that is empty is left out', async () => {
  await staged(<Shows />);
  await userEvent.keyboard('j ');
  await expect.element(panel()).toHaveAccessibleName('Show 1');
  await expect.element(panel().getByText('S-1', { exact: true })).toBeVisible();
  await expect.element(panel().getByText('Larimer Street Stage')).toBeVisible();
  await expect.element(panel().getByText('Sent')).toBeVisible();
  expect(panel().element().querySelectorAll('dt')).toHaveLength(0);
  await userEvent.keyboard('j');
  await expect.element(panel().getByText('By hand')).toBeVisible();
});

test('its arrows and j lead on, over the edge of the page and back', async () => {
  await staged(<Shows />);
  await userEvent.keyboard('j ');
  await expect.element(panel().getByRole('status')).toHaveTextContent('1 of 20');
  await expect.element(panel().getByRole('button', { name: 'Previous row' })).toHaveAttribute('aria-disabled', 'true');
  await panel().getByRole('button', { name: 'Next row' }).click();
  await expect.element(panel().getByRole('status')).toHaveTextContent('2 of 20');
  await userEvent.keyboard('jjjjjjjjj');
  await expect.element(panel().getByRole('heading', { name: 'Show 11' })).toBeVisible();
  await expect.element(panel().getByRole('status')).toHaveTextContent('11 of 20');
  await panel().getByRole('button', { name: 'Previous row' }).click();
  await expect.element(panel().getByRole('heading', { name: 'Show 10' })).toBeVisible();
});

test('Escape gives the focus to the row it came to; what is typed is not its business', async () => {
  await staged(<Shows />);
  await userEvent.keyboard('j ');
  await expect.element(panel()).toBeVisible();
  await userEvent.keyboard('jj');
  await page.getByRole('searchbox').click();
  await userEvent.keyboard('{Escape}');
  await expect.element(panel()).toBeVisible();
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard('{Escape}');
  await expect.element(panel()).not.toBeInTheDocument();
  await expect.element(page.getByRole('link', { name: 'Show 3', exact: true })).toHaveFocus();
});

test('the mouse has a button at the row it is on, one for the whole list', async () => {
  await staged(<Shows />);
  await page.getByText('Show 4').hover();
  const offer = page.getByRole('button', { name: /^Peek at/ });
  await expect.element(offer).toHaveAccessibleName('Peek at Show 4');
  const row = page.getByText('Show 4').element().closest('tr')!.getBoundingClientRect();
  const at = offer.element().getBoundingClientRect();
  expect([at.top >= row.top, at.bottom <= row.bottom, offer.elements().length]).toEqual([true, true, 1]);
  await offer.click();
  await expect.element(panel().getByRole('heading', { name: 'Show 4' })).toBeVisible();
});

test('a finger that rests on a row opens its peek and no record; one that wanders or is lifted does not', async () => {
  const { container } = await staged(<Shows />);
  const cell = container.querySelectorAll('tbody tr')[1]!.querySelector('td:last-child')!;
  const finger = (type: string, at = 300) => cell.dispatchEvent(new PointerEvent(type, { bubbles: true,
    cancelable: true, pointerType: 'touch', clientX: at, clientY: 200 }));
  const press = () => cell.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  const wait = (time: number) => new Promise((done) => { setTimeout(done, time); });
  finger('pointerdown');
  finger('pointermove', 340);
  await wait(700);
  expect(panel().elements(), 'it wandered').toHaveLength(0);
  finger('pointerdown');
  await wait(100);
  finger('pointerup');
  await wait(600);
  expect(panel().elements(), 'it was lifted').toHaveLength(0);
  finger('pointerdown');
  await expect.element(panel()).toBeVisible();
  await expect.element(panel().getByRole('heading', { name: 'Show 2' })).toBeVisible();
  finger('pointerup');
  press();
  expect(window.location.pathname).toBe('/admin/shows');
});

test('a list says what it has to say of a row itself', async () => {
  const peek = ({ row }: { row: Show }) => (
    <PeekView title={row.name} foot={<a href="/admin/shows/1/rights">Clear the rights</a>}>Priced today</PeekView>
  );
  await staged(<Shows peek={peek} />);
  await userEvent.keyboard('j ');
  await expect.element(panel().getByText('Priced today')).toBeVisible();
  await expect.element(panel().getByRole('link', { name: 'Clear the rights' })).toBeVisible();
});

test('it stays with its row when the list is read anew, and goes when the row does', async () => {
  const { rerender } = await staged(<Shows />);
  await userEvent.keyboard('jj ');
  await expect.element(panel().getByRole('heading', { name: 'Show 2' })).toBeVisible();
  await rerender(<Shows rows={[all[4]!, ...first.slice(0, 3)]} />);
  await expect.element(panel().getByRole('heading', { name: 'Show 2' })).toBeVisible();
  await expect.element(panel().getByRole('status')).toHaveTextContent('3 of 20');
  await rerender(<Shows rows={second} />);
  await expect.element(panel()).not.toBeInTheDocument();
});

test('the tools of the list stay on one line beside it, so that no row moves', async () => {
  const { container } = await staged(<Shows tools={<span style={{ flex: 'none', width: 600 }}>Every show</span>} />);
  const head = () => container.querySelector('thead')!.getBoundingClientRect().top;
  const before = head();
  await userEvent.keyboard('j ');
  await expect.element(panel()).toBeVisible();
  expect(head()).toBe(before);
});
