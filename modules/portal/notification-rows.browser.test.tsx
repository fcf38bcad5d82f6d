/** Notification rows of a customer: opening, marking, searching, and no loss while the server is unreachable. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { QueryClientProvider } from '@tanstack/react-query';
import { staged } from '#web/controls/stage.tsx';
import { NavigationProvider, windowNavigation } from '#web/navigation/navigation.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import { NotificationRows } from './notification-rows.web.tsx';

const HERE = '/customer/7/notifications';
const told = (id: number, more: object = {}) => ({ id, kind: 'invoice.issued', title: `Invoice ${id}`,
  body: 'Due on 24 December 2026', href: `/customer/7/invoices/${id}`, read: false, read_at: null,
  created_at: '2026-11-20T10:00:00Z', ...more });
const all = () => [told(3), told(2, { read: true }),
  told(1, { kind: 'people.joined', title: 'Ida joined', href: null })];
let rows = all();
const asked: string[] = [];

beforeEach(() => {
  asked.length = 0;
  rows = all();
  window.history.replaceState(null, '', HERE);
  vi.spyOn(window, 'fetch').mockImplementation((input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : String(input),
      window.location.origin);
    const method = init?.method ?? 'GET';
    asked.push(`${method} ${pathname}`);
    if (pathname.endsWith('/users/me')) {
      return Promise.resolve(Response.json({ data: { id: 1, role: 'customer',
        customers: [{ id: 7, role: 'admin' }] } }));
    }
    if (pathname.endsWith('/meta')) {
      return Promise.resolve(Response.json({ data: { total: rows.length, unread: rows.filter((one) => !one.read).length,
        newest_id: 3 } }));
    }
    if (method === 'PUT') {
      const id = Number(pathname.split('/').at(-2));
      rows = rows.map((one) => (one.id === id ? { ...one, read: pathname.endsWith('mark_read') } : one));
      return Promise.resolve(Response.json({ data: rows.find((one) => one.id === id) ?? { marked: 2 } }));
    }
    const found = rows.filter((one) => one.title.includes(searchParams.get('search') ?? ''));
    return Promise.resolve(Response.json({ data: found, meta: { current_page: 1, from: 1, to: found.length,
      last_page: 1, per_page: 10, total: found.length, total_is_exact: true, path: pathname } }));
  });
});
afterEach(() => { vi.restoreAllMocks(); });

const shown = () => staged(
  <QueryClientProvider client={createQueryClient()}>
    <NavigationProvider port={{ ...windowNavigation, params: { customerId: '7' } }}>
      <NotificationRows />
    </NavigationProvider>
  </QueryClientProvider>,
);

test('an unread row says so, leads to what it is about and is read by that', async () => {
  await shown();
  const row = page.getByRole('link', { name: /^Unread: Invoice 3/ });
  await expect.element(row).toHaveAttribute('href', '/customer/7/invoices/3');
  await row.click();
  expect(window.location.pathname).toBe('/customer/7/invoices/3');
  await expect.poll(() => asked).toContain('PUT /api/customers/7/notifications/3/mark_read');
});

test('what leads nowhere is marked by its button, and unread again', async () => {
  await shown();
  await page.getByRole('button', { name: 'Mark read: Ida joined' }).click();
  await page.getByRole('button', { name: 'Mark unread: Ida joined' }).click();
  await expect.element(page.getByRole('button', { name: 'Mark read: Ida joined' })).toBeVisible();
  await expect.element(page.getByRole('status').filter({ hasText: '2 unread' })).toBeVisible();
});

test('a search that finds nothing offers everything again', async () => {
  await shown();
  await userEvent.fill(page.getByRole('textbox', { name: 'Search what you were told' }), 'never');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.element(page.getByRole('link', { name: /^Invoice 2/ })).toBeVisible();
  expect(window.location.search).toBe('');
});
