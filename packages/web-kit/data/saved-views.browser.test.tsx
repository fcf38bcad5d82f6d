/** Saved views of a list: opened by address, named, kept, the default by itself (U7, U8). */
import { QueryClientProvider } from '@tanstack/react-query';
import * as z from 'zod';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many } from '#kit/endpoint.ts';
import { createQueryClient } from '#web/query/query-client.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { pageKeyOf, useSavedViews, type SavedView } from '#web/query/use-saved-views.ts';
import { ThemeProvider } from '#web/theme/theme-provider.tsx';
import { DataTable } from './data-table.tsx';
import { SavedViewsMenu } from './saved-views-menu.tsx';

const list = endpoint({ method: 'GET', path: '/api/test/quotes', auth: staff(null), summary: 'Quotes',
  query: listQuery({ filters: { phase: z.string().optional() }, sort: ['title'] }),
  response: many(z.object({ id: z.int(), title: z.string() })) });
const person = (role: string) => ({ id: 1, email: 'a@b.example', first_name: 'Ada', last_name: 'Byron', role,
  permission_values: [], customers: [], acting_customer: null });
const view = (change: Partial<SavedView> = {}): SavedView => ({ id: 7, page_key: '/admin/quotes', name: 'Waiting',
  search: { phase: 'sent' }, columns: [], shared: false, is_default: false, mine: true, owner_name: 'Ada Byron',
  version: 1, ...change });
let kept: SavedView[] = [];
let sent: { method: string; url: string; body: unknown }[] = [];

function Quotes() {
  const quotes = useList(list, {}, { filters: ['phase'] });
  return (
    <DataTable label="Quotes" {...quotes} rowKey={(row) => row.id} columns={[
      { id: 'title', header: 'Title', kind: 'title', cell: (row) => row.title, fixed: true },
      { id: 'id', header: 'Number', cell: (row) => row.id },
    ]} />
  );
}

const DAYS = ['from', 'to'];
function Report() {
  const state = useSavedViews(true, DAYS);
  return <>{state && <SavedViewsMenu state={state} choices={undefined} of="report" />}<p>The Mikado</p></>;
}

async function open(address: string, role = 'staff_admin', Screen = Quotes) {
  window.history.replaceState(null, '', address);
  vi.stubGlobal('fetch', (url: string, request: RequestInit) => {
    if (url === '/api/users/me') return Promise.resolve(Response.json({ data: person(role) }));
    const body: unknown = typeof request.body === 'string' ? JSON.parse(request.body) : null;
    sent.push({ method: request.method ?? 'GET', url, body });
    if (!url.startsWith('/api/users/me/views')) {
      return Promise.resolve(Response.json({ data: [{ id: 1, title: 'The Mikado' }], links: {},
        meta: { current_page: 1, from: 1, to: 1, last_page: 1, per_page: 10, total: 1 } }));
    }
    if (request.method === 'GET') return Promise.resolve(Response.json({ data: kept }));
    const row = view({ id: 8, ...(body as Partial<SavedView>) });
    kept = [row];
    return Promise.resolve(Response.json({ data: row }));
  });
  await render(<QueryClientProvider client={createQueryClient()}><ThemeProvider><Screen /></ThemeProvider>
  </QueryClientProvider>);
  await expect.element(page.getByText('The Mikado')).toBeVisible();
}
const opener = (name: string) => page.getByRole('button', { name, exact: true });

beforeEach(async () => { kept = []; sent = []; window.localStorage.clear(); await page.viewport(1280, 900); });
afterEach(() => { vi.unstubAllGlobals(); });

test('a view is opened by its address and says so; leaving its filters marks it as changed', async () => {
  kept = [view(), view({ id: 9, name: 'Elsewhere', page_key: '/admin/venues' })];
  await open('/admin/quotes');
  await opener('Views').click();
  expect(page.getByText('Elsewhere').elements()).toHaveLength(0);
  await page.getByRole('button', { name: /^Waiting/ }).click();
  expect(window.location.search).toBe('?phase=sent&saved=7');
  await expect.element(opener('Waiting')).toBeVisible();
  await userEvent.fill(page.getByRole('searchbox'), 'mikado');
  await expect.element(page.getByText('changed')).toBeVisible();
});

test('the menu counts the rows of each view as its list does', async () => {
  kept = [view()];
  await open('/admin/quotes?search=mik&page=2');
  const asked = () => sent.filter(({ url }) => url.includes('per_page=1&') || url.endsWith('per_page=1'));
  expect(asked()).toEqual([]);
  await opener('Views').click();
  await expect.element(page.getByRole('button', { name: /^Waiting ?, rows: 1$/ })).toBeVisible();
  expect(asked().map(({ url }) => url)).toEqual(['/api/test/quotes?phase=sent&page=1&per_page=1']);
});

test('the default opens by itself, but not where the address asks for something', async () => {
  kept = [view({ is_default: true })];
  await open('/admin/quotes?division=UK');
  await expect.poll(() => window.location.search).toBe('?phase=sent&saved=7&division=UK');
  await opener('Waiting').click();
  await page.getByRole('button', { name: 'Everything' }).click();
  expect(window.location.search).toBe('');
});

test('a shared link wins over the default', async () => {
  kept = [view({ is_default: true })];
  await open('/admin/quotes?phase=draft');
  await expect.element(opener('Views')).toBeVisible();
  await expect.poll(() => sent.some((one) => one.url.startsWith('/api/users/me/views'))).toBe(true);
  expect(window.location.search).toBe('?phase=draft');
});

test('what is on screen is kept under a name: filters, order and columns', async () => {
  await open('/admin/quotes?phase=sent&sort_by=title&page=1');
  await opener('Views').click();
  await page.getByRole('button', { name: 'Save what you see as a view' }).click();
  await userEvent.fill(page.getByRole('textbox', { name: 'Name' }), 'My offers');
  await page.getByRole('checkbox', { name: 'Open this list with it' }).click();
  await page.getByRole('button', { name: 'Save the view' }).click();
  await expect.element(opener('My offers')).toBeVisible();
  expect(sent.find((one) => one.method === 'POST')?.body).toEqual({ name: 'My offers', shared: false, is_default: true,
    page_key: '/admin/quotes', search: { phase: 'sent', sort_by: 'title' }, columns: ['title', 'id'] });
});

test('a view brings its columns, and what is changed on it stays with it', async () => {
  kept = [view({ columns: ['title'] })];
  await open('/admin/quotes?phase=sent&saved=7');
  await expect.element(opener('Waiting')).toBeVisible();
  await expect.element(page.getByRole('columnheader', { name: 'Number' })).not.toBeInTheDocument();
  await opener('Waiting').click();
  await page.getByRole('button', { name: 'Everything' }).click();
  await expect.element(page.getByRole('columnheader', { name: 'Number' })).toBeVisible();
});

test('customers have no views; numbers in an address are no lists of their own', async () => {
  await open('/admin/quotes', 'customer');
  expect(opener('Views').elements()).toHaveLength(0);
  expect(pageKeyOf('/admin/customers/5/users')).toBe('/admin/customers/:id/users');
});

test('a view of a report keeps its settings without the days, which stay when it opens', async () => {
  await open('/admin/finance/profit-loss?from=2026-01-01&to=2026-03-31&basis=cash&compare=months', 'staff_admin',
    Report);
  await opener('Views').click();
  await page.getByRole('button', { name: 'Save what you see as a view' }).click();
  await userEvent.fill(page.getByRole('textbox', { name: 'Name' }), 'Board');
  await page.getByRole('checkbox', { name: 'Offer it to all staff who open this report' }).click();
  await page.getByRole('button', { name: 'Save the view' }).click();
  await expect.element(opener('Board')).toBeVisible();
  expect(sent.find((one) => one.method === 'POST')?.body).toEqual({ name: 'Board', shared: true, is_default: false,
    page_key: '/admin/finance/profit-loss', search: { basis: 'cash', compare: 'months' }, columns: [] });
  await opener('Board').click();
  await page.getByRole('button', { name: 'Plain report' }).click();
  expect(window.location.search).toBe('?from=2026-01-01&to=2026-03-31');
  await opener('Views').click();
  await page.getByRole('button', { name: /^Board/ }).click();
  expect(Object.fromEntries(new URLSearchParams(window.location.search))).toEqual({ from: '2026-01-01',
    to: '2026-03-31', basis: 'cash', compare: 'months', saved: '8' });
});
