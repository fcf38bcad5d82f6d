/** Takings typed on a phone: every cell of the grid says what it is, since no row of headings stands above it there. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import type { LicenseRow } from '../licenses/license.contract.ts';
import type { PerformanceRow } from '../licenses/performances/performance.contract.ts';
import { ReportForm } from './report-form.web.tsx';

const evening = { id: 7, license_venue_id: 3, venue_name: 'Ravenswood Playhouse', local_date: '2027-01-21',
  local_time: '19:30', status: 'planned' } as PerformanceRow;
const license = { id: 1, currency: 'USD', performances: [evening], license_venues: [],
  first_performance_on: '2027-01-21', last_performance_on: '2027-01-21' } as unknown as LicenseRow;

const headings = (): string[] => [...document.querySelectorAll('table td')].map((cell) =>
  getComputedStyle(cell, '::before').content.replaceAll('"', ''));

afterEach(() => page.viewport(1280, 900));

test('cells have their headings above them on a phone, and none of their own under the row of headings', async () => {
  await page.viewport(390, 844);
  await staged(
    <QueryClientProvider client={createQueryClient()}>
      <ReportForm license={license} onClose={() => undefined} onSaved={() => undefined} />
    </QueryClientProvider>,
  );
  await expect.element(page.getByLabelText('Sold, Thu, Jan 21, 2027, 7:30 PM')).toBeVisible();
  expect(headings()).toEqual(['Sold', 'Free', 'Gross receipts', 'Sold', 'Free', 'Gross receipts']);
  await page.viewport(1280, 900);
  await expect.element(page.getByRole('columnheader', { name: 'Gross receipts, USD' })).toBeVisible();
  expect(headings()).toEqual(Array(6).fill('none'));
});
