/** A sales order beside its list: what has left and what the rest waits for, where it goes, and that it is unpaid. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import OrderPeek from './order-peek.web.tsx';
import type { SalesOrderRow } from './sales-order.contract.ts';

const row = { id: 4, number: 'SO-1036', kind: 'license', title: 'HMS Pinafore', status: 'released', customer_id: 7,
  customer_name: 'Astoria Community Players', license_id: 5, currency: 'USD' } as unknown as SalesOrderRow;
const line = (id: number, quantity: number, description: string, more: object) =>
  ({ id, quantity, description, qty_shipped: 0, qty_cancelled: 0, waiting: null, ...more });
const event = (id: number, to_status: string, occurred_at: string) =>
  ({ id, to_status, actor_name: 'Theo Lang', occurred_at });
const whole = { ...row, warehouse_name: 'Long Island City', ship_to_name: 'Ruth Alderman', ship_to: {
  country_code: 'US', thoroughfare: '31-05 Vernon Blvd', locality: 'Long Island City', administrative_area: 'NY',
  postal_code: '11106' },
ship_on: '2026-12-01', shipped_on: null, return_due_on: '2027-02-01', outstanding: 0, total_minor: 12_760,
invoices: [] as object[],
lines: [line(1, 3, 'Vocal books', { qty_shipped: 2, qty_cancelled: 1 }),
  line(2, 2, 'Orchestra parts', { waiting: { pieces: 2, why: 'return', back_on: '2027-01-04', elsewhere: null } })],
events: [event(1, 'released', '2026-11-01T10:00:00Z'), event(2, 'picking', '2026-11-02T10:00:00Z')] };
let answer = whole;
let rights: string[] = [];

beforeEach(() => {
  answer = whole;
  rights = ['license_material.show', 'license.show'];
  vi.spyOn(window, 'fetch').mockImplementation((input) => {
    const { pathname } = new URL(String(input), window.location.origin);
    return Promise.resolve(Response.json({ data: pathname.endsWith('/users/me')
      ? { id: 1, role: 'staff_user', customers: [], permission_values: rights } : answer }));
  });
});
afterEach(() => { vi.restoreAllMocks(); });

const shown = () => staged(
  <QueryClientProvider client={createQueryClient()}><OrderPeek row={row} /></QueryClientProvider>,
);
const words = (name: string) => page.getByRole('heading', { name }).element().closest('section')!;
const itemsOf = (name: string) => [...words(name).querySelectorAll('li')]
  .map((one) => [...one.querySelector('span')!.childNodes].map((part) => part.textContent).join(' ').trim());

test('says which lines have left or never will, and what the others wait for', async () => {
  await shown();
  await expect.poll(() => page.getByRole('heading', { name: 'Lines' }).elements()).toHaveLength(1);
  await expect.poll(() => itemsOf('Lines')).toEqual(['3 × Vocal books , done shipped',
    '2 × Orchestra parts , open 2 wait: all are lent, due back Jan 4, 2027']);
  expect(words('On its way').textContent).toContain('Ruth Alderman, 31-05 Vernon Blvd, Long Island City, NY 11106');
  expect(words('On its way').textContent).toContain('Ships onDec 1, 2026');
  expect(words('Last happenings').querySelector('li')!.textContent).toMatch(/^Theo Lang moved it to pick/);
  expect(page.getByText('Not paid yet').elements()).toHaveLength(0);
});

test('one that is not paid says that nothing is packed', async () => {
  answer = { ...whole, invoices: [{ id: 1, unpaid: true }] };
  await shown();
  await expect.element(page.getByText('Not paid yet')).toBeVisible();
});

test('leads to the materials of its licence whom it concerns, and reads nothing for who may not', async () => {
  await shown();
  await expect.element(page.getByRole('link', { name: 'Materials of the license' }))
    .toHaveAttribute('href', '/admin/customers/7/productions/5/materials');
});

test('who may not open orders sees the row alone, and nothing waits', async () => {
  rights = [];
  await shown();
  await expect.element(page.getByRole('heading', { name: 'HMS Pinafore' })).toBeVisible();
  await expect.poll(() => vi.mocked(window.fetch).mock.calls.length).toBeGreaterThan(0);
  await expect.poll(() => page.getByRole('heading', { name: 'Lines' }).elements()).toHaveLength(0);
  expect(page.getByRole('link', { name: 'Materials of the license' }).elements()).toHaveLength(0);
  expect(vi.mocked(window.fetch).mock.calls.some(([input]) => String(input).includes('sales_orders'))).toBe(false);
});
