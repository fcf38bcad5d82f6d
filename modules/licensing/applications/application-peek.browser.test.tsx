/** An application beside its list: rights and price of each title, its nights in order, and what it waits for. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import ApplicationPeek from './application-peek.web.tsx';
import type { ApplicationRow } from './application.contract.ts';

const row = { id: 26, number: 'A-US-2026-000025', show_titles: 'Iolanthe, The Winter Debt', venue_names: 'Playhouse',
  customer_name: 'Astoria Community Players', status: 'info_requested', sla_due_at: null, sla_paused: true,
} as unknown as ApplicationRow;
const price = (net: number, tax: number) => ({ priced: true, message: null, currency: 'USD',
  lines: [{ key: 'r', label: 'Royalty, Playhouse', net_minor: net }],
  rows: [{ kind: 'royalty', label: 'Royalty, Playhouse', net_minor: net, tax_minor: tax, lines: [0], rows: [{
    kind: 'item', label: 'Royalty, Playhouse', quantity: null, unit_minor: null, amount_minor: net }] }],
  promise: null, totals: { tax_minor: tax, total_minor: net + tax } });
const event = (id: number, name: string, created_at: string) =>
  ({ id, event: name, actor_name: 'Ruth Alderman', created_at });
const whole = { ...row, warnings: ['The first performance is in the past.'], message: 'Our hall is free.',
  organisation_type: 'community', is_free_admission: false, cast_size: 15, license_rep_name: null,
  information_requests: [{ message: 'Old one', answered_at: '2026-11-01T10:00:00Z' },
    { message: 'How many seats?', answered_at: null }],
  outlook: [{ show_id: 1, title: 'Iolanthe', price: price(259_500, 0),
    availability: { verdict: 'clear', reason_internal: 'Nothing stands against it' } },
  { show_id: 2, title: 'The Winter Debt', price: price(100_000, 8_875),
    availability: { verdict: 'blocked', reason_internal: 'A tour holds the spring' } }],
  license_venues: [{ id: 3, name: 'Playhouse', performances: [{ local_date: '2027-05-01', local_time: '19:30' },
    { local_date: '2027-04-29', local_time: '19:30' }] }],
  events: [event(1, 'submit', '2026-11-20T10:00:00Z'), event(2, 'request_info', '2026-11-21T10:00:00Z')] };
let answer: object = whole;

beforeEach(() => {
  answer = whole;
  vi.spyOn(window, 'fetch').mockImplementation((input) => {
    const { pathname } = new URL(String(input), window.location.origin);
    return Promise.resolve(Response.json({ data: pathname.endsWith('/users/me')
      ? { id: 1, role: 'staff_admin', customers: [], permission_values: [] } : answer }));
  });
});
afterEach(() => { vi.restoreAllMocks(); });

const shown = () => staged(
  <QueryClientProvider client={createQueryClient()}><ApplicationPeek row={row} /></QueryClientProvider>,
);
const words = (name: string) => page.getByRole('heading', { name }).element().closest('section')!;
const rowsOf = (table: string) => page.getByRole('table', { name: table }).getByRole('row').elements()
  .map((one) => [...one.children].map((cell) => cell.textContent).join(' '));

test('each title has its rights and a price that adds up; only what stands against one is explained', async () => {
  await shown();
  await expect.poll(() => rowsOf('Price of Iolanthe')).toEqual(['Royalty, Playhouse 2,595.00', 'Total USD 2,595.00']);
  expect(rowsOf('Price of The Winter Debt')).toEqual(['Royalty, Playhouse 1,000.00', 'Tax 88.75',
    'Total USD 1,088.75']);
  expect(words('Rights and price').textContent).toContain('A tour holds the spring');
  expect(words('Rights and price').textContent).not.toContain('Nothing stands against it');
});

test('says what it waits for, warns, and what happened last comes first', async () => {
  await shown();
  await expect.element(page.getByText('How many seats?')).toBeVisible();
  expect(page.getByText('Old one').elements()).toHaveLength(0);
  await expect.element(page.getByText('The first performance is in the past.')).toBeVisible();
  const happened = [...words('Last happenings').querySelectorAll('li')].map((one) => one.textContent);
  expect(happened).toHaveLength(2);
  expect(happened[0]).toContain('Nov 21, 2026');
});

test('its nights stand in their order', async () => {
  await shown();
  await expect.element(page.getByText('7:30 PM, Playhouse')).toBeVisible();
  const text = words('Performances').textContent;
  expect(text).toContain('Apr');
  expect(text.indexOf('Apr')).toBeLessThan(text.indexOf('May'));
});
