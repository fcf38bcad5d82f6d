/** A quote beside its list: a price that adds up, what still holds it up, and whether the customer has opened it. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import type { LicenseRow } from './license.contract.ts';
import LicensePeek from './license-peek.web.tsx';

const row = { id: 5, number: 'Q-US-2026-000100', license_number: null, phase: 'sent', status: 'Sent', group: 'QUOTE',
  division: 'US', currency: 'USD', customer_id: 7, customer_name: 'Astoria Community Players',
  title_on_license: 'The Salt Road', show_title: 'The Salt Road', venue_names: 'Ravenswood Playhouse',
  number_of_performances: 2, on_hold: false, dispute: false, offer_version: 1, offer_sent_at: '2026-11-22T15:00:00Z',
} as unknown as LicenseRow;
const line = (id: number, kind: string, label: string, quantity: number, unit_minor: number) =>
  ({ id, kind, label, quantity, unit_minor, net_minor: quantity * unit_minor });
const block = (kind: string, label: string, quantity: number, unit_minor: number) => ({ kind, label, lines: [],
  net_minor: quantity * unit_minor, tax_minor: 0,
  rows: [{ kind: 'item', label, quantity, unit_minor, amount_minor: quantity * unit_minor }] });
const price = { license_id: 5, currency: 'USD', priced_at: '2026-11-20T10:00:00Z', trace: [],
  lines: [line(1, 'royalty', 'Royalty', 2, 45_000), line(2, 'rental', 'Rental', 1, 65_000)],
  promise: null, rows: [block('royalty', 'Royalty', 2, 45_000), block('rental', 'Rental', 1, 65_000)],
  totals: { royalty_minor: 90_000, materials_minor: 65_000, tax_minor: 2_860, grand_total_minor: 157_860,
    security_deposit_minor: 40_000, paid_minor: 10_000, balance_minor: 147_860 } };
const task = (id: number, label: string, status: string, blocks_phase: string) =>
  ({ id, label, status, blocks_phase, owner: 'customer', due_on: null });
const shows = (day: string, id: number) => ({ id, local_date: day, local_time: '19:30', starts_at: `${day}T00:30:00Z`,
  venue_name: 'Ravenswood Playhouse', status: 'scheduled' });
let documents: object[] = [];

const ANSWERS: readonly [RegExp, () => unknown][] = [
  [/users\/me/, () => ({ id: 1, role: 'staff_admin', customers: [], permission_values: [] })],
  [/price_trace/, () => price],
  [/documents/, () => documents],
  [/checklist/, () => [task(1, 'Signature', 'open', 'accepted'), task(2, 'Tax certificate', 'done', 'accepted'),
    task(3, 'Ship the books', 'open', 'in_production')]],
  [/events/, () => []],
  [/licenses\/5/, () => ({ ...row, performances: [shows('2027-02-26', 2), shows('2027-02-25', 1)] })],
];

beforeEach(() => {
  documents = [];
  vi.spyOn(window, 'fetch').mockImplementation((input) => {
    const { pathname } = new URL(String(input), window.location.origin);
    const data = ANSWERS.find(([path]) => path.test(pathname))?.[1]() ?? [];
    return Promise.resolve(Response.json({ data, ...(Array.isArray(data) && { meta: { total: data.length } }) }));
  });
});
afterEach(() => { vi.restoreAllMocks(); });

const shown = () => staged(
  <QueryClientProvider client={createQueryClient()}><LicensePeek row={row} /></QueryClientProvider>,
);
const words = (name: string) => page.getByRole('heading', { name }).element().closest('section')?.textContent ?? '';

test('the lines and the tax of its price add up to the total; deposit and what is open are told apart', async () => {
  await shown();
  await expect.element(page.getByText('450.00 × 2')).toBeVisible();
  const amounts = (words('Price').match(/\d{1,3}(,\d{3})*\.\d\d(?! ×)/g) ?? []).map((one) =>
    Number(one.replaceAll(/[,.]/g, '')));
  const total = amounts.at(-3)!;
  expect(amounts.slice(0, -3).reduce((sum, one) => sum + one, 0)).toBe(total);
  expect([total, ...amounts.slice(-2)]).toEqual([157_860, 40_000, 147_860]);
});

test('what holds it up before it can be accepted, what is done first; later tasks are not told', async () => {
  await shown();
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Signature' })).toBeVisible();
  expect(words('Before it can be accepted')).toMatch(/Tax certificate.*done.*Signature.*open.*Customer/);
  expect(page.getByText('Ship the books').elements()).toHaveLength(0);
});

test('its nights in their order, with the time and the house', async () => {
  await shown();
  await expect.element(page.getByText('Feb 25 to 26, 2027, 7:30 PM, Ravenswood Playhouse')).toBeVisible();
});

test('says whether the customer has opened the offer', async () => {
  documents = [{ license_id: 5, status: 'sent', viewed_at: null }];
  const { unmount } = await shown();
  await expect.element(page.getByText('Not opened yet')).toBeVisible();
  await unmount();
  documents = [{ license_id: 5, status: 'viewed', viewed_at: '2026-11-23T15:00:00Z' }];
  await shown();
  await expect.element(page.getByText('Opened, not signed')).toBeVisible();
});
