/** Many rows at once: all that match, the question before, how far it is, what was refused, undo. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { bulk, trashing } from '#kit/bulk.ts';
import { endpoint } from '#kit/endpoint.ts';
import { staff } from '#kit/auth.ts';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import { dismiss, toast, Toasts } from './toast.tsx';

const path = '/api/admin/staff/venues';
const list = endpoint({ method: 'GET', path, auth: staff('venue.list'), summary: '', response: null });
const calls = {
  remove: endpoint({ method: 'DELETE', path: `${path}/{id}`, auth: staff('venue.delete'), summary: '',
    response: null }),
  restore: endpoint({ method: 'PUT', path: `${path}/{id}/restore`, auth: staff('venue.delete'), summary: '',
    response: null }),
  update: endpoint({ method: 'PUT', path: `${path}/{id}`, auth: staff('venue.update'), summary: '', response: null }),
};
const venues = bulk(list, { noun: ['venue', 'venues'], href: null }, [
  { label: 'Close', endpoint: calls.update, body: { active: false } }, trashing(calls)]);

interface Row { id: number; name: string }
const columns: readonly Column<Row>[] = [{ id: 'name', header: 'House', kind: 'title', cell: (row) => row.name }];
const rows: readonly Row[] = [{ id: 1, name: 'Hall' }, { id: 2, name: 'Barn' }];
const filter = { kind: 'theatre' };

let job: object;
let sent: { method: string; url: string; body: unknown }[] = [];
const running = { id: 'bulk-9', record_id: 9, status: 'running', rows_done: 2, rows_total: 1204, rows_refused: 1,
  failure: null };

beforeEach(() => {
  job = running;
  sent = [];
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    const method = init.method ?? 'GET';
    const body = typeof init.body === 'string' ? JSON.parse(init.body) as unknown : null;
    if (method !== 'GET') sent.push({ method, url, body });
    if (url.includes('/rows')) {
      return Promise.resolve(Response.json({ data: [{ id: 4, label: 'Hall', href: '/admin/venues/1',
        reason: 'It is still in use.' }], meta: { last_page: 1, total: 1 } }));
    }
    return Promise.resolve(Response.json({ data: method === 'POST' ? { id: 9, job_id: 'bulk-9' } : job }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  const last = toast('');
  for (let id = 0; id <= last; id += 1) dismiss(id);
});

async function opened(total = 1204, exact = true) {
  await staged(
    <QueryClientProvider client={createQueryClient()}>
      <DataTable label="Venues" columns={columns} rows={rows} rowKey={(row) => row.id}
        bulkOf={{ list: venues, actions: venues.actions, source: { model_name: 'staff/venues', filter } }}
        page={{ current_page: 3, from: 1, to: 2, last_page: 602, per_page: 2, total, total_is_exact: exact }} />
      <Toasts />
    </QueryClientProvider>,
  );
}
const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
async function chooseAll() {
  await page.getByRole('checkbox', { name: /all/i }).click();
  await press('Select all 1,204 that match');
}

test('all that match: their number is confirmed, typed where they go away, and sent with the filter', async () => {
  await opened();
  await chooseAll();
  await expect.element(page.getByText('All 1,204 selected')).toBeVisible();
  await press('Move to trash');
  const confirm = page.getByRole('button', { name: 'Move to trash 1,204 venues' });
  await expect.element(confirm).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('textbox', { name: 'Type 1204 to confirm' }).fill('1204');
  await confirm.click();
  await expect.element(page.getByText('Move to trash: 2 of 1,204, 1 refused')).toBeVisible();
  expect(sent).toEqual([{ method: 'POST', url: '/api/admin/staff/bulk', body: {
    endpoint: 'DELETE /api/admin/staff/venues/{id}', body: {}, model_name: 'staff/venues', expected: 1204, filter } }]);
  await press('Stop');
  await vi.waitFor(() => expect(sent.at(-1)).toMatchObject({ method: 'DELETE', url: '/api/jobs/bulk-9' }));
});

test('rows of the page go by their ids; what was refused is told with its reason', async () => {
  await opened();
  await page.getByRole('checkbox', { name: 'Select row 2' }).click();
  await press('Move to trash');
  job = { ...running, status: 'done', rows_done: 1, rows_total: 1, rows_refused: 1 };
  await press('Move to trash 1 venue');
  await press('See why');
  await expect.element(page.getByText('It is still in use.')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Hall' })).toHaveAttribute('href', '/admin/venues/1');
  expect(sent[0]?.body).toMatchObject({ ids: [2], expected: 1, filter: { ...filter, page: 3, per_page: 2 } });
});

test('done without refusals says so and offers to take it back', async () => {
  await opened();
  await chooseAll();
  await press('Move to trash');
  await page.getByRole('textbox', { name: 'Type 1204 to confirm' }).fill('1204');
  job = { ...running, status: 'done', rows_done: 1204, rows_refused: 0 };
  await press('Move to trash 1,204 venues');
  await expect.element(page.getByText('Move to trash: 1,204 venues', { exact: true })).toBeVisible();
  await press('Undo');
  await vi.waitFor(() => expect(sent.at(-1)?.body).toEqual({
    endpoint: 'PUT /api/admin/staff/venues/{id}/restore', undo_of: 9 }));
});

test('more than the server takes at once is not offered', async () => {
  await opened(10_000, false);
  await page.getByRole('checkbox', { name: /all/i }).click();
  await expect.element(page.getByText('More than 10,000 match: narrow the list to take all')).toBeVisible();
});
