/** The sum of a licence in one line: it adds up, and leads to its lines where they do not stand below it. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import type { LicenseRow } from '../license.contract.ts';
import { PriceStrip } from './price-panel.web.tsx';

const license = { id: 5, currency: 'USD', priced_at: '2026-11-20T10:00:00Z', phase: 'sent', tax_total_minor: 2_860,
  royalty_total_minor: 90_000, materials_total_minor: 65_000, grand_total_minor: 157_860,
  security_deposit_minor: 40_000, percentage_ppm: null,
  price_parts: [{ kind: 'royalty', net_minor: 90_000 }, { kind: 'rental', net_minor: 65_000 }],
} as unknown as LicenseRow;

beforeEach(() => {
  vi.spyOn(window, 'fetch').mockImplementation(() => Promise.resolve(Response.json({ data: { id: 1,
    role: 'staff_admin', customers: [], permission_values: [] } })));
});
afterEach(() => { vi.restoreAllMocks(); });

const shown = (linesAt?: string) => staged(
  <QueryClientProvider client={createQueryClient()}>
    <PriceStrip license={license} price={undefined} open={false} onToggle={() => undefined} linesAt={linesAt} />
  </QueryClientProvider>,
);
const figures = () => [...page.getByRole('group', { name: 'Price of the license' }).element().querySelectorAll('dd')]
  .map((one) => one.textContent);

test('stands with the licence, before its steps are read, and adds up', async () => {
  await shown();
  await expect.poll(figures).toEqual(['900.00', '650.00', '28.60', '1,578.60', '400.00']);
  expect(page.getByRole('link').elements()).toHaveLength(0);
});

test('[U20] every sum leads to the lines of the price', async () => {
  await shown('/admin/quotes/5/price');
  await expect.poll(() => page.getByRole('link').elements().map((one) => one.getAttribute('href')))
    .toEqual(Array.from({ length: 5 }, () => '/admin/quotes/5/price'));
});
