/** A perusal beside its list: whether it was opened, how far it was read, what it costs and what they wrote. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import PerusalPeek from './perusal-peek.web.tsx';
import type { PerusalRow } from './perusal.contract.ts';

const row = { id: 18, number: 'PR-1018', show_title: 'Iolanthe', customer_name: 'Astoria Community Players',
  status: 'active', format: 'digital', expires_at: '2026-11-29T23:59:00Z', due_back_on: null, returned_on: null,
} as unknown as PerusalRow;
const reading = { ...row, materials: [{ name: 'Perusal script', pages: 8, item_number: 'IOL-PER-1' }], fee_minor: 0,
  shipping_minor: 0, currency: 'USD', requested_by_name: 'Ruth Alderman', sales_order_number: null,
  message: 'For our spring slot', reason: '',
  readers: [{ user_id: 8, name: 'Ruth Alderman', pages: 3, last_at: '2026-11-20T15:00:00Z' }] };
let answer: object = reading;

beforeEach(() => {
  answer = reading;
  vi.spyOn(window, 'fetch').mockImplementation((input) => {
    const { pathname } = new URL(String(input), window.location.origin);
    if (pathname.endsWith('/users/me')) {
      return Promise.resolve(Response.json({ data: { id: 1, role: 'staff_admin', customers: [],
        permission_values: [] } }));
    }
    return Promise.resolve(Response.json(pathname.endsWith('/activity')
      ? { data: [{ id: 2, action: 'approve', actor: 'Theo Lang', created_at: '2026-11-15T10:00:00Z' }],
        meta: { total: 1 } } : { data: answer }));
  });
});
afterEach(() => { vi.restoreAllMocks(); });

const shown = () => staged(
  <QueryClientProvider client={createQueryClient()}><PerusalPeek row={row} /></QueryClientProvider>,
);
const words = (name: string) => page.getByRole('heading', { name }).element().closest('section')!.textContent;

test('says who read how far, what is read and what they wrote', async () => {
  await shown();
  await expect.element(page.getByText(/^Ruth Alderman read 3 of 8 pages, last Nov 20, 2026/)).toBeVisible();
  await expect.element(page.getByText(/^Open until Nov (29|30), 2026$/)).toBeVisible();
  expect(words('Materials')).toContain('Perusal script8 pages');
  expect(words('Materials')).not.toContain('Fee');
  expect(words('Message from customer')).toContain('For our spring slot');
  await expect.poll(() => words('Last happenings')).toContain('Theo Lang');
});

test('nobody has opened it yet', async () => {
  answer = { ...reading, readers: [] };
  await shown();
  await expect.element(page.getByText('Not opened yet')).toBeVisible();
});

test('a book by post says its fee and the order it travels with; nobody is said to read it', async () => {
  answer = { ...reading, format: 'physical', status: 'shipped', readers: [], fee_minor: 1_000, shipping_minor: 500,
    sales_order_number: 'SO-1040', reason: 'Lent longer' };
  await shown();
  // The heading stands while it loads, too.
  await expect.poll(() => words('Materials')).toContain('10.00');
  expect(words('Materials')).toContain('5.00');
  expect(words('Materials')).toContain('Sales orderSO-1040');
  expect(words('Reason')).toContain('Lent longer');
  expect(page.getByText('Not opened yet').elements()).toHaveLength(0);
});
