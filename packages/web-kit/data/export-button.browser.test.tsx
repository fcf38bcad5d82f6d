/** The export of the current view: every page, the columns on screen, plain amounts and dates; it can stop. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { ActionMenu } from './action-menu.tsx';
import { PhaseBadge } from './badge.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import { DateText } from './date-text.tsx';
import { EXPORT_PAGE, type ReadPage } from './export-button.tsx';
import { Money } from './money.tsx';
import { dismiss, toast, Toasts } from './toast.tsx';
import { useTableSearch } from './use-table-search.ts';

interface Quote { id: number; title: string; fee_minor: number; total_minor: number; currency: string }
const quote = (id: number): Quote =>
  ({ id, title: id === 2 ? '=Formula' : `Show ${id}`, fee_minor: id * -5, total_minor: 100 * id, currency: 'GBP' });
const columns: Column<Quote>[] = [
  { id: 'title', header: 'Title', kind: 'title', cell: (row) => row.title, fixed: true },
  { id: 'phase', header: 'Phase', kind: 'badge', cell: () => <PhaseBadge phase="in_production" small /> },
  { id: 'fee', header: 'Fee, USD', kind: 'money', cell: (row) => row.fee_minor },
  { id: 'total', header: 'Total', cell: (row) => <Money minor={row.total_minor} currency={row.currency} /> },
  { id: 'seen', header: 'Seen', cell: () => <DateText value="2026-11-12T19:05:00Z" /> },
  { id: 'opening', header: 'Opening', kind: 'date', cell: () => '2027-02-11' },
  { id: 'house', header: 'House', cell: (row) => <span>Astoria <small>no. {row.id}</small></span> },
  { id: 'hidden', header: 'Hidden', cell: () => 'never', hidden: true },
  { id: 'actions', header: 'Actions', kind: 'actions', cell: () => <ActionMenu actions={[{ label: 'Edit' }]} /> },
];

function Quotes({ readPage }: { readPage?: ReadPage<Quote> }) {
  const search = useTableSearch();
  const facts = { current_page: 1, from: 1, to: 2, last_page: 1, per_page: 10, total: 3 };
  return (
    <>
      <DataTable label="Quotes" columns={columns} rows={[quote(1), quote(2)]} rowKey={(row) => row.id} search={search}
        page={facts} readPage={readPage} />
      <Toasts />
    </>
  );
}

const saved: { name: string; blob: Blob }[] = [];
beforeEach(() => {
  saved.length = 0;
  window.localStorage.clear();
  let blob = new Blob();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((given) => { blob = given as Blob; return 'blob:file'; });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob });
  });
});
afterEach(() => { vi.restoreAllMocks(); const last = toast(''); for (let id = 0; id <= last; id += 1) dismiss(id); });

const exportButton = () => page.getByRole('button', { name: 'Export' });

test('all pages of the view with its columns; amounts and dates are plain, nothing runs as a formula', async () => {
  const readPage = vi.fn<ReadPage<Quote>>((at) =>
    Promise.resolve({ rows: at === 1 ? [quote(1), quote(2)] : [quote(3)], pages: 2, total: 3 }));
  await staged(<Quotes readPage={readPage} />);
  await exportButton().click();
  await expect.element(page.getByText('3 rows exported')).toBeVisible();
  expect(readPage.mock.calls.map(([at]) => at)).toEqual([1, 2]);
  expect(saved[0]?.name).toMatch(/^quotes-\d{4}-\d\d-\d\d\.csv$/);
  const row = (id: number, title: string) =>
    `${title},In production,${(id * -0.05).toFixed(2)},${id}.00,GBP,2026-11-12T19:05:00Z,2027-02-11,Astoria no. ${id}`;
  expect((await saved[0]!.blob.text()).split('\r\n')).toEqual([
    'Title,Phase,"Fee, USD",Total,"Total, currency",Seen,Opening,House',
    row(1, 'Show 1'), row(2, "'=Formula"), row(3, 'Show 3'), '',
  ]);
  await expect.element(exportButton()).toBeVisible();
});

test('says how far it is and stops when asked to, without a file', async () => {
  let answer: (value: Awaited<ReturnType<ReadPage<Quote>>>) => void = () => {};
  const signals: AbortSignal[] = [];
  await staged(<Quotes readPage={(at, signal) => {
    signals.push(signal);
    if (at > 1) return new Promise((resolve) => { answer = resolve; });
    return Promise.resolve({ rows: [quote(1), quote(2)], pages: 3, total: 6 });
  }} />);
  await exportButton().click();
  const stop = page.getByRole('button', { name: /Stop exporting/ });
  await expect.element(stop).toHaveTextContent('Stop exporting 2 of 6 rows');
  await stop.click();
  expect(signals[0]?.aborted).toBe(true);
  answer({ rows: [quote(3)], pages: 3, total: 6 });
  await expect.element(exportButton()).toBeVisible();
  expect(saved).toEqual([]);
});

test('a read that fails is told, nothing is saved, and it can be tried again', async () => {
  await staged(<Quotes readPage={() => Promise.reject(new Error('Network Error'))} />);
  await exportButton().click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Network Error');
  await expect.element(exportButton()).toBeVisible();
  expect(saved).toEqual([]);
});

test('without the right to export there is no button', async () => {
  await staged(<Quotes />);
  await expect.element(page.getByRole('button', { name: 'Columns' })).toBeVisible();
  expect(exportButton().elements()).toHaveLength(0);
  await userEvent.keyboard('{Escape}');
  expect(EXPORT_PAGE).toBe(100);
});
