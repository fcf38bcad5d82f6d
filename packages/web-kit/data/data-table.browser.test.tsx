/** The table in a real browser: paging and sorting through the address, its states and its keys. */
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { ThemeProvider } from '#web/theme/theme-provider.tsx';
import { COLUMN_WIDTH, type Column } from './column.ts';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { PAGE_SIZE, useTableSearch } from './use-table-search.ts';

interface Venue { id: number; name: string; fee_minor: number }
const venues: Venue[] = Array.from({ length: 10 }, (_, index) => ({
  id: index + 1, name: `Venue ${index + 1}`, fee_minor: (index - 1) * 12345,
}));
const columns: Column<Venue>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true },
  { id: 'fee', header: 'Fee', kind: 'money', cell: (row) => row.fee_minor, total: 55000n },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => `V-${row.id}`, hidden: true },
];

function Venues(props: Partial<DataTableProps<Venue>>) {
  const search = useTableSearch({ filters: ['state'] });
  return (
    <DataTable label="Venues" columns={columns} rows={venues} rowKey={(row) => row.id} search={search} selectable
      rowHref={(row) => `/admin/venues/${row.id}`}
      page={{ current_page: search.page, from: 1, to: 10, last_page: 3, per_page: search.perPage, total: 26 }}
      {...props} />
  );
}
const staged = (props: Partial<DataTableProps<Venue>> = {}) => render(
  <ThemeProvider><Venues {...props} /></ThemeProvider>,
);

beforeEach(async () => {
  window.localStorage.clear();
  window.history.replaceState(null, '', '/admin/venues');
  await page.viewport(1280, 900);
});

test('[S104] [C77] [C78] page size 10 and column width 150 are the defaults', async () => {
  await staged({ rows: undefined });
  expect([PAGE_SIZE, COLUMN_WIDTH]).toEqual([10, 150]);
  await expect.element(page.getByRole('combobox', { name: 'Rows per page' })).toHaveValue('10');
  const head = page.getByRole('columnheader', { name: 'Name' }).element() as HTMLElement;
  expect([head.style.width, head.closest('table')!.style.getPropertyValue('--w-0')])
    .toEqual(['var(--w-0)', expect.stringMatching(/^calc\(150px /)]);
});

test('in a record the list takes its whole place while it is on its way: what follows is not pushed', async () => {
  const below = () => page.getByText('What follows').element().getBoundingClientRect().top;
  const shown = (rows: Venue[] | undefined) => (
    <ThemeProvider>
      <Venues rows={rows} expectedRows={3} variant="record" {...(rows ? {} : { page: undefined })} /><p>What follows</p>
    </ThemeProvider>
  );
  const { rerender } = await render(shown(undefined));
  const before = below();
  await rerender(shown(venues.slice(0, 3)));
  await expect.element(page.getByRole('link', { name: 'Venue 3' })).toBeVisible();
  // The row of totals comes with its figures; it has its place from the start in a record.
  expect(below()).toBe(before);
});

test('paging and sorting are kept in the address', async () => {
  await staged();
  await page.getByRole('button', { name: 'Next page' }).click();
  expect(window.location.search).toBe('?page=2');
  await page.getByRole('button', { name: 'Name' }).click();
  expect(window.location.search).toBe('?sort_by=name&sort_direction=asc');
  await expect.element(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
  await page.getByRole('button', { name: 'Name' }).click();
  expect(window.location.search).toBe('?sort_by=name&sort_direction=desc');
  await page.getByRole('button', { name: 'Name' }).click();
  expect(window.location.search).toBe('');
});

test('search waits for the typing to end and leads back to page 1', async () => {
  window.history.replaceState(null, '', '/admin/venues?page=3');
  await staged();
  await userEvent.fill(page.getByRole('searchbox'), 'raven');
  await expect.poll(() => window.location.search).toBe('?search=raven');
});

test('amounts: negative in parentheses, zero kept, total under the rows', async () => {
  await staged();
  await expect.element(page.getByText(/minus \(123\.45\)/).first()).toBeVisible();
  await expect.element(page.getByText('0.00', { exact: true })).toBeVisible();
  await expect.element(page.getByText('550.00')).toBeVisible();
});

test('an empty list and a filter without result are two things', async () => {
  const screen = await staged({ rows: [] });
  await expect.element(page.getByText('No venues yet')).toBeVisible();
  await screen.unmount();
  window.history.replaceState(null, '', '/admin/venues?state=closed');
  await staged({ rows: [] });
  await page.getByRole('button', { name: 'Clear filter' }).click();
  expect(window.location.search).toBe('');
});

test('a failed load says why and tries again', async () => {
  const onRetry = vi.fn();
  await staged({ rows: undefined, error: new Error('Network Error'), onRetry });
  await expect.element(page.getByText('Network Error')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(onRetry).toHaveBeenCalledOnce();
});

test('j, x and Enter: move, select, open; never while someone types', async () => {
  const bulk = vi.fn(() => <button type="button">Close</button>);
  await staged({ bulk });
  await userEvent.keyboard('jjx');
  await expect.element(page.getByText('1 selected')).toBeVisible();
  expect(bulk).toHaveBeenLastCalledWith([2], expect.any(Function));
  await userEvent.fill(page.getByRole('searchbox'), 'jjj');
  await userEvent.keyboard('x');
  await expect.element(page.getByText('1 selected')).toBeVisible();
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard('{Enter}');
  expect(window.location.pathname).toBe('/admin/venues/2');
});

test('Space shows the row beside the list, hidden columns too, follows j, and Escape closes it', async () => {
  await staged();
  const panel = page.getByRole('complementary');
  await userEvent.keyboard(' ');
  expect(panel.elements()).toHaveLength(0);
  await userEvent.keyboard('j ');
  await expect.element(panel.getByRole('heading', { name: 'Venue 1' })).toBeVisible();
  await expect.element(panel.getByText('V-1')).toBeVisible();
  await userEvent.keyboard('j');
  await expect.element(panel.getByText('V-2')).toBeVisible();
  await expect.element(panel.getByRole('link', { name: 'Open' })).toHaveAttribute('href', '/admin/venues/2');
  await userEvent.keyboard('{Escape}');
  expect(panel.elements()).toHaveLength(0);
  (page.getByRole('link', { name: 'Venue 3' }).element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await expect.element(panel.getByText('V-3')).toBeVisible();
  await userEvent.keyboard(' ');
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(page.getByRole('link', { name: 'Venue 3' })).toHaveFocus();
});

test('the column chooser shows a hidden column and remembers it', async () => {
  const screen = await staged();
  expect(page.getByText('V-3').elements()).toHaveLength(0);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Number' }).click();
  await expect.element(page.getByText('V-3')).toBeVisible();
  await screen.unmount();
  await staged();
  await expect.element(page.getByText('V-3')).toBeVisible();
});

test('in a record that is half in view, the foot of a table is below its rows and covers none', async () => {
  const screen = await render(
    <ThemeProvider><div style={{ paddingTop: 800 }}><Venues variant="record" /></div></ThemeProvider>);
  const foot = screen.getByText('1–10 of 26').element().parentElement!.getBoundingClientRect();
  const last = screen.getByRole('cell', { name: 'Venue 10' }).element().getBoundingClientRect();
  expect(last.bottom).toBeGreaterThan(window.innerHeight);
  expect(foot.top).toBeGreaterThanOrEqual(last.bottom);
});

test('the column chooser begins where a column is found, not on what takes every choice back', async () => {
  await staged();
  await page.getByRole('button', { name: 'Columns' }).click();
  await expect.element(page.getByRole('searchbox', { name: 'Find a column' })).toHaveFocus();
});

test('columns are those that the server keeps for the person, and what is chosen goes there', async () => {
  const keep = vi.fn();
  const keptColumns = { keep, of: () => ({ shown: { number: true }, order: ['name', 'number', 'fee'], pinned: true }) };
  await page.viewport(660, 900);
  const { container } = await staged({ keptColumns });
  const heads = page.getByRole('columnheader').elements().map((one) => one.textContent);
  expect(heads).toEqual(['', 'Name', 'Number', 'Fee']);
  const scroll = container.querySelector('table')!.parentElement!;
  const name = () => page.getByRole('link', { name: 'Venue 1', exact: true }).element().getBoundingClientRect().left;
  container.querySelector('table')!.style.width = '1500px';
  scroll.scrollLeft = 200;
  const before = name();
  scroll.scrollLeft = 400;
  expect([scroll.scrollLeft, name() - before]).toEqual([400, 0]);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Keep the first in view' }).click();
  expect(keep).toHaveBeenLastCalledWith('Venues', { shown: { number: true }, order: ['name', 'number', 'fee'],
    pinned: false });
});

test('on a phone rows are cards and nothing scrolls sideways', async () => {
  await page.viewport(390, 844);
  await staged();
  await expect.element(page.getByRole('link', { name: 'Venue 1', exact: true })).toBeVisible();
  const row = page.getByRole('link', { name: 'Venue 1', exact: true }).element().closest('tr');
  expect(row && getComputedStyle(row).display).toBe('grid');
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});

test('rows come closer where the reader wants them dense, and stay so', async () => {
  const first = await staged();
  const height = () => page.getByRole('cell', { name: 'Venue 2' }).element().getBoundingClientRect().height;
  const comfortable = height();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('radio', { name: 'Dense' }).click({ force: true });
  expect([comfortable - height(), height()]).toEqual([5, 28]);
  await first.unmount();
  await staged();
  expect(height()).toBe(28);
});

test('names of 120 characters give way to figures and are told whole; nothing scrolls sideways', async () => {
  const long = 'The Amateur Operatic and Dramatic Society of '.repeat(3).slice(0, 120);
  const words = ['one', 'two', 'three', 'four'].map((id): Column<Venue> => ({ id, header: id, cell: () => long }));
  const { container } = await staged({ columns: [...columns.slice(0, 2), ...words], rows: [
    { id: 1, name: long, fee_minor: 123_456_789_00 }] });
  const scroll = container.querySelector('table')!.parentElement!;
  expect(scroll.scrollWidth).toBe(scroll.clientWidth);
  const cell = page.getByRole('cell', { name: long }).first();
  await cell.hover();
  await expect.element(cell).toHaveAttribute('title', long);
  const fee = page.getByText('123,456,789.00').element();
  expect(fee.getBoundingClientRect().height).toBeLessThan(24);
  expect(fee.closest('td')!.scrollWidth).toBe(fee.closest('td')!.clientWidth);
});

test('a report waits in its own geometry: its rows push down neither its head nor its total (U13)', async () => {
  const report = (rows: readonly Venue[] | undefined) => (
    <ThemeProvider>
      <DataTable label="Trial balance" variant="ledger" columns={columns} rows={rows} rowKey={(row) => row.id}
        totalLabel="Total" readPage={() => Promise.resolve({ rows: venues, pages: 1, total: 10 })} />
    </ThemeProvider>
  );
  const { rerender } = await render(report(undefined));
  const top = () => page.getByRole('columnheader', { name: 'Fee' }).element().getBoundingClientRect().top;
  const waiting = top();
  await expect.element(page.getByRole('button', { name: 'Export' })).toBeDisabled();
  expect(page.getByRole('cell', { name: 'Total', exact: true }).elements()).toHaveLength(0);
  await rerender(report(venues));
  await expect.element(page.getByRole('cell', { name: 'Total', exact: true })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Export' })).toBeEnabled();
  expect(top()).toBe(waiting);
});

test('as many rows wait as are known to come (U13)', async () => {
  const rowsOf = (screen: Awaited<ReturnType<typeof staged>>) => screen.container.querySelectorAll('tbody tr').length;
  const screen = await staged({ rows: undefined, page: undefined, variant: 'record', expectedRows: 2 });
  expect(rowsOf(screen)).toBe(2);
  await screen.rerender(<ThemeProvider><Venues rows={undefined} variant="record" /></ThemeProvider>);
  expect(rowsOf(screen)).toBe(3);
});

test('as cards, a caption has the width of the table and the total its word for a heading', async () => {
  await page.viewport(390, 844);
  await staged({ variant: 'record', totalLabel: 'Sum', caption: 'What cancelling costs, Standard policy, USD' });
  const caption = page.getByText('What cancelling costs, Standard policy, USD').element();
  expect(caption.getBoundingClientRect().width).toBe(caption.closest('table')!.getBoundingClientRect().width);
  const sum = page.getByText('Sum', { exact: true }).element();
  expect(getComputedStyle(sum, '::before').display).toBe('none');
});

test('who moves by keys reads cut words whole: the row of focus or cursor, the table of a focused box', async () => {
  const long = 'The Very Long Name of a House '.repeat(4).trim();
  const one = [{ id: 1, name: long, fee_minor: 0 }, { id: 2, name: long, fee_minor: 0 }];
  await page.viewport(700, 900);
  const { rerender } = await render(<ThemeProvider><Venues rows={one} /></ThemeProvider>);
  const cut = (row: number) => {
    const cell = document.querySelectorAll('tbody tr')[row]!.querySelector<HTMLElement>('[data-kind="title"]')!;
    return cell.scrollWidth > cell.clientWidth;
  };
  expect([cut(0), cut(1)]).toEqual([true, true]);
  (document.querySelector('tbody tr input') as HTMLElement).focus();
  await userEvent.keyboard('{Tab}');
  await expect.poll(() => [cut(0), cut(1)]).toEqual([false, true]);
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard('jj');
  await expect.poll(() => [cut(0), cut(1)]).toEqual([true, false]);
  await rerender(
    <ThemeProvider><DataTable label="Venues" columns={columns} rows={one} rowKey={(row) => row.id} /></ThemeProvider>);
  expect([cut(0), cut(1)]).toEqual([true, true]);
  (page.getByRole('region', { name: 'Venues' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{Shift}');
  await expect.poll(() => [cut(0), cut(1)]).toEqual([false, false]);
});

test('a column moves by single presses, without dragging [2.5.7]', async () => {
  await staged();
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('button', { name: 'Move Fee up' }).click();
  const heads = () => [...document.querySelectorAll('thead th')].map((head) => head.textContent).filter(Boolean);
  await expect.poll(heads).toEqual(['Fee', 'Name']);
  await page.getByRole('button', { name: 'Move Fee down' }).click();
  await expect.poll(heads).toEqual(['Name', 'Fee']);
});

test('the only table of a record has the keys of a list; beside another one, only while it has the focus', async () => {
  const cursor = () => document.querySelectorAll('tr[data-cursor]').length;
  const record = (count: number) => render(
    <ThemeProvider><main>{Array.from({ length: count }, (_, at) => <Venues key={at} variant="record" />)}</main>
    </ThemeProvider>,
  );
  const alone = await record(1);
  await userEvent.keyboard('/');
  await expect.element(page.getByRole('searchbox')).toHaveFocus();
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard('j');
  await expect.poll(cursor).toBe(1);
  await alone.unmount();
  await record(2);
  await userEvent.keyboard('j');
  expect(cursor()).toBe(0);
  document.querySelector<HTMLElement>('td a')!.focus();
  await userEvent.keyboard('j');
  await expect.poll(cursor).toBe(1);
});

test('a short heading is a whole word on cards and to who points at it', async () => {
  const short: readonly Column<{ id: number; name: string; currency: string }>[] = [
    { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name },
    { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency },
  ];
  const { container } = await render(
    <ThemeProvider>
      <DataTable label="Accounts" columns={short} rows={[{ id: 1, name: 'Bank', currency: 'USD' }]}
        rowKey={(row) => row.id} />
    </ThemeProvider>,
  );
  await expect.element(page.getByText('Cur.')).toHaveAttribute('title', 'Currency');
  expect(container.querySelector('td[data-label]:last-child')!.getAttribute('data-label')).toBe('Currency');
});
