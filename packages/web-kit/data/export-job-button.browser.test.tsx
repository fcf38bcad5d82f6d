/** Export of a list as a job: what is asked for, how far it is, the file, stopping, a failure. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import type { Column } from './column.ts';
import { ExportJobButton } from './export-job-button.tsx';
import { dismiss, toast, Toasts } from './toast.tsx';

interface Row { id: number; name: string; total_minor: number; currency: string }
const columns: readonly Column<Row>[] = [
  { id: 'name', header: 'House', cell: (row) => row.name },
  { id: 'total', header: 'Fee', kind: 'money', cell: (row) => BigInt(row.total_minor) },
];
const rows: readonly Row[] = [{ id: 1, name: 'Hall', total_minor: 5, currency: 'USD' }];
const running = { id: 'export-9', record_id: 9, status: 'running', rows_done: 2000, rows_total: 5000, failure: null };
let job: object = running;
let calls: { method: string; url: string; body: unknown }[] = [];
let saved: string[] = [];

beforeEach(() => {
  job = running;
  calls = [];
  saved = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(new URL(this.href).pathname);
  });
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    const method = init.method ?? 'GET';
    calls.push({ method, url, body: typeof init.body === 'string' ? JSON.parse(init.body) as unknown : null });
    return Promise.resolve(Response.json({ data: method === 'POST' ? { id: 9, job_id: 'export-9' } : job }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  const last = toast('');
  for (let id = 0; id <= last; id += 1) dismiss(id);
});

const opened = () => staged(
  <QueryClientProvider client={createQueryClient()}>
    <ExportJobButton label="Venues" columns={columns} rows={rows}
      source={{ model_name: 'staff/venues', filter: { kind: 'theatre', sort_by: 'name' } }} />
    <Toasts />
  </QueryClientProvider>,
);
async function start(format: string) {
  await opened();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: format }).click();
}

test('asks for the view on screen, tells how far it is and saves the file', async () => {
  await start('Excel workbook');
  const stop = page.getByRole('button', { name: /Stop exporting/ });
  await expect.element(stop).toHaveTextContent('Stop exporting 2,000 of 5,000 rows');
  expect(calls[0]).toEqual({ method: 'POST', url: '/api/admin/staff/export_jobs', body: { model_name: 'staff/venues',
    title: 'Venues', format: 'xlsx', filter: { kind: 'theatre', sort_by: 'name' },
    columns: ['name', 'total_minor', 'currency'], headers: ['House', 'Fee', 'Currency'] } });
  job = { ...running, status: 'done', rows_done: 5000 };
  await expect.element(page.getByRole('button', { name: 'Export' })).toBeVisible();
  expect(saved).toEqual(['/api/admin/staff/export_csv/9/download']);
});

test('stops when asked to, without a file', async () => {
  await start('File for an import');
  await page.getByRole('button', { name: /Stop exporting/ }).click();
  await expect.element(page.getByRole('button', { name: 'Export' })).toBeVisible();
  expect(calls[0]).toMatchObject({ body: { format: 'csv', columns: expect.arrayContaining(['address.locality']),
    headers: expect.arrayContaining(['City']) } });
  expect(calls.at(-1)).toMatchObject({ method: 'DELETE', url: '/api/jobs/export-9' });
  expect(saved).toEqual([]);
});

test('an export that cannot be made says why', async () => {
  job = { ...running, status: 'failed', failure: 'A workbook of 3 columns holds 100,000 rows.' };
  await start('Excel workbook');
  await expect.element(page.getByRole('alert')).toHaveTextContent('A workbook of 3 columns holds 100,000 rows.');
  expect(saved).toEqual([]);
});

test('stands there while the list is being read, and says why nothing is exported yet', async () => {
  await staged(
    <QueryClientProvider client={createQueryClient()}>
      <ExportJobButton label="Venues" columns={columns} rows={undefined}
        source={{ model_name: 'staff/venues', filter: {} }} />
    </QueryClientProvider>,
  );
  await page.getByRole('button', { name: 'Export' }).click();
  const line = page.getByRole('menuitem', { name: /CSV file/ });
  await expect.element(line).toHaveAttribute('aria-disabled', 'true');
  await expect.element(page.getByText('The list is still being read').first()).toBeVisible();
  await line.click({ force: true });
  expect(calls).toEqual([]);
});
