/** Columns leave a list that is too narrow, from its end, and the reader can have each of them back. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { settled, staged } from '#web/controls/stage.tsx';
import { ActionMenu } from './action-menu.tsx';
import { PhaseBadge } from './badge.tsx';
import type { Column } from './column.ts';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { dismiss, toast } from './toast.tsx';
import { useTableSearch } from './use-table-search.ts';

interface Row { id: number; customer: string; total: bigint }
const rows: Row[] = [{ id: 28, customer: 'Astoria Community Players of Ravenswood, Queens', total: 12_345_678n },
  { id: 29, customer: 'The Foundry', total: -98_765_432n }];
const columns: readonly Column<Row>[] = [
  { id: 'number', header: 'Number', kind: 'title', cell: (row) => `INV-US-2026-0000${row.id}`, width: 190 },
  { id: 'customer', header: 'Customer', kind: 'muted', cell: (row) => row.customer, width: 260 },
  { id: 'code', header: 'Code', kind: 'code', cell: () => 'L-US-2026-000058', sort: true },
  { id: 'currency', header: 'Currency', cell: () => 'USD', width: 90 },
  { id: 'total', header: 'Total', kind: 'money', cell: (row) => row.total },
  { id: 'phase', header: 'Phase', kind: 'badge', cell: () => <PhaseBadge phase="in_production" small /> },
  { id: 'on', header: 'Issued', kind: 'date', cell: () => '11/23/2026', sort: 'issued_on' },
  { id: 'place', header: 'Place', cell: () => 'Long Island City' },
  { id: 'actions', header: 'Actions', kind: 'actions', cell: () => <ActionMenu actions={[{ label: 'Edit' }]} /> },
];
const ALL = columns.map(({ header }) => header);
/** From the end: words, days and codes, then what is looked for. */
const LEAVING = ['Place', 'Issued', 'Code', 'Customer', 'Phase', 'Total', 'Currency'];
const NARROW = 640;

function Invoices({ at, ...props }: Partial<DataTableProps<Row>> & { at: number }) {
  const search = useTableSearch();
  return (
    <div style={{ width: at }}>
      <DataTable label="Invoices" columns={columns} rows={rows} rowKey={(row) => row.id} search={search} {...props} />
    </div>
  );
}

const heads = (): string[] => [...document.querySelectorAll<HTMLElement>('thead [data-column]')]
  .map((head) => columns.find(({ id }) => id === head.dataset.column)!.header);
function sideways(): boolean {
  const box = document.querySelector('table')!.parentElement!;
  return box.scrollWidth > box.clientWidth;
}
const without = (gone: readonly string[]): string[] => ALL.filter((header) => !gone.includes(header));
const opener = () => page.getByRole('button', { name: /^Columns/u });

async function drawn(at: number, props: Partial<DataTableProps<Row>> = {}) {
  const screen = await staged(<Invoices at={at} {...props} />);
  await document.fonts.ready;
  await settled();
  return { ...screen, wide: async (next: number) => {
    await screen.rerender(<Invoices at={next} {...props} />);
    await settled();
  } };
}

beforeEach(async () => {
  window.localStorage.clear();
  window.history.replaceState(null, '', '/admin/invoices');
  await page.viewport(1600, 700);
});
afterEach(() => { vi.restoreAllMocks(); const last = toast(''); for (let id = 0; id <= last; id += 1) dismiss(id); });

test('they leave from the end, sums and states and currencies last, and nothing is reached sideways', async () => {
  const { wide } = await drawn(1500);
  expect(heads()).toEqual(ALL);
  const gone: number[] = [];
  for (let at = 1500; at >= 340; at -= 80) {
    await wide(at);
    gone.push(ALL.length - heads().length);
    expect([at, heads(), sideways()]).toEqual([at, without(LEAVING.slice(0, gone.at(-1))), false]);
  }
  expect(gone).toEqual(gone.toSorted((one, other) => one - other));
  // The row's own name and what can be done with it stay to the end.
  expect(heads()).toEqual(['Number', 'Currency', 'Actions']);
});

test('what finds room once the rows are there stands there before, at a first visit, too', async () => {
  for (const at of [1200, 1100]) {
    window.localStorage.clear();
    const { rerender, unmount } = await drawn(at, { rows: undefined });
    const before = heads();
    await rerender(<Invoices at={at} />);
    await settled();
    expect([at, before]).toEqual([at, heads()]);
    await unmount();
  }
});

test('each column that is left can be read', async () => {
  const { wide } = await drawn(1500);
  for (let at = 1500; at >= 660; at -= 80) {
    await wide(at);
    const narrow = [...document.querySelectorAll<HTMLElement>('thead [data-column]')]
      .filter((head) => ['number', 'customer'].includes(head.dataset.column!))
      .map((head) => Math.round(head.getBoundingClientRect().width));
    expect(Math.min(...narrow), `${at}`).toBeGreaterThanOrEqual(119);
  }
});

test('what the list is sorted by stays', async () => {
  await drawn(NARROW);
  expect(heads()).toEqual(without(LEAVING.slice(0, 4)));
  window.history.replaceState(null, '', '/admin/invoices?sort_by=issued_on&sort_direction=desc');
  window.dispatchEvent(new PopStateEvent('popstate'));
  await expect.poll(heads).toContain('Issued');
  expect([heads().includes('Place'), sideways()]).toEqual([false, false]);
});

test('the button counts them, and one that the reader ticks comes and stays', async () => {
  const { wide } = await drawn(NARROW);
  const gone = LEAVING.slice(0, 4);
  await expect.element(opener()).toHaveAccessibleName('Columns 4 of 8');
  await opener().click();
  const tick = (name: string) => page.getByRole('checkbox', { name: new RegExp(`^${name}`, 'u') });
  for (const name of gone) await expect.element(tick(name)).not.toBeChecked();
  await expect.element(tick('Currency')).toBeChecked();
  expect(page.getByText('no room', { exact: true }).elements()).toHaveLength(4);
  await expect.element(page.getByText(/too narrow for 4 columns/u)).toBeVisible();

  for (const name of gone) await tick(name).click();
  // The others leave for them; where nothing is left to leave the list scrolls.
  expect([heads().filter((name) => gone.includes(name)).length, sideways()]).toEqual([4, false]);
  await wide(420);
  expect([heads(), sideways()]).toEqual([without(['Phase', 'Total', 'Currency']), true]);
  await page.getByRole('button', { name: 'Reset' }).click();
  await wide(NARROW);
  expect([heads(), sideways()]).toEqual([without(gone), false]);
});

test('each line of the chooser has a line of its own, whatever stands in it', async () => {
  await drawn(NARROW);
  await opener().click();
  await expect.element(page.getByText('no room', { exact: true }).first()).toBeVisible();
  const lines = [...document.querySelectorAll('label')].filter((label) => label.textContent.includes('no room'));
  expect(lines.map((label) => label.getBoundingClientRect().height < 30)).toEqual(lines.map(() => true));
  expect(lines).toHaveLength(4);
});

test('a wider list has them back, and its button counts no more', async () => {
  const { wide } = await drawn(NARROW);
  expect(heads()).not.toEqual(ALL);
  await wide(1500);
  expect(heads()).toEqual(ALL);
  await expect.element(opener()).toHaveAccessibleName('Columns');
});

test('one whose words are wider than was thought stays away: it is known what it needs', async () => {
  const long: readonly Column<Row>[] = [...columns.slice(0, 2), { id: 'code', header: 'Code', kind: 'code', width: 40,
    cell: () => 'L-US-2026-000058-AMENDED-2027-03' }];
  const { wide } = await drawn(1500, { columns: long });
  await wide(440);
  expect(heads()).toEqual(['Number', 'Customer']);
  await wide(448);
  await settled();
  expect([heads(), sideways()]).toEqual([['Number', 'Customer'], false]);
});

test('the next visit leaves out the same from its first paint', async () => {
  const first = await drawn(NARROW);
  const before = heads();
  await first.unmount();
  await staged(<Invoices at={NARROW} rows={undefined} />);
  await settled();
  expect(heads()).toEqual(before);
});

test('on a phone each card has all of them', async () => {
  await page.viewport(640, 800);
  await drawn(600);
  const facts = [...document.querySelectorAll('tbody tr')].map((row) => row.querySelectorAll('td').length);
  expect(facts).toEqual([ALL.length, ALL.length]);
  await expect.element(page.getByText('Long Island City').first()).toBeVisible();
  // Actions of the row open at the corner of its card, beside its name.
  const card = document.querySelector('tbody tr')!.getBoundingClientRect();
  const dots = page.getByRole('button', { name: 'More actions' }).first().element().getBoundingClientRect();
  expect([dots.top - card.top < 6, card.right - dots.right < 6, dots.width, dots.height]).toEqual([true, true, 44, 44]);
  await page.viewport(1600, 800);
  await expect.poll(heads).toEqual(without(LEAVING.slice(0, 4)));
});

test('where the reader has no list of columns to have them back from, none leaves', async () => {
  await drawn(NARROW, { search: undefined });
  expect([heads(), sideways()]).toEqual([ALL, true]);
});

test('a file has those that found no room', async () => {
  let blob = new Blob();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((given) => { blob = given as Blob; return 'blob:file'; });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  await drawn(NARROW, { readPage: () => Promise.resolve({ rows, pages: 1, total: 2 }) });
  await page.getByRole('button', { name: 'Export' }).click();
  await expect.poll(() => click.mock.calls.length).toBe(1);
  expect((await blob.text()).replace('\uFEFF', '').split('\r\n')[0])
    .toBe('Number,Customer,Code,Currency,Total,Phase,Issued,Place');
});
