/** A report on hold in the portal: why, what was reported, how it is answered, and corrected as it was sent. */
import { QueryClientProvider } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import { nightsToReport, reportBody, reportValues, type Report } from './box-office-values.web.ts';
import { HeldReport } from './held-report.web.tsx';
import type { ProductionProps } from './production-frame.web.tsx';

const question = { id: 1, kind: 'overlap', answer: null, performances: null, note: null, answered_by_name: null,
  answered_at: null, question: 'Its dates are already in another report: November 2, 2026 to November 8, 2026 '
    + '(24,688.00).' } as const;
const report = { id: 7, license_id: 3, license_venue_id: 5, scope: 'week', performance_id: null, currency: 'USD',
  period_from: '2026-11-02', period_to: '2026-11-08', gross_minor: 2_500_000, performances_held: 5,
  paid_admissions: 971, complimentary: 12, capacity_available: 1200, tax_included: false, running_costs_minor: null,
  certified_name: 'Ada Byron', query_note: null, rows: [], deductions: [], attachments: [], questions: [question],
  version: 1 } as unknown as Report;
const production = { id: 3, currency: 'USD' } as ProductionProps['production'];
const portal = (maySee: boolean) => ({ customerId: 2, maySee }) as unknown as ProductionProps['portal'];

const shown = (maySee: boolean) => staged(
  <QueryClientProvider client={createQueryClient()}>
    <HeldReport report={report} production={production} portal={portal(maySee)} />
  </QueryClientProvider>,
);

test('a signer reads which report it overlaps, replaces that one, or counts both for a reason', async () => {
  await shown(true);
  await expect.element(page.getByText(/November 2, 2026 to November 8, 2026 \(24,688\.00\)/)).toBeVisible();
  await expect.element(page.getByText(/25,000\.00/)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Replace the other report' })).toBeEnabled();
  await expect.element(page.getByRole('button', { name: 'Count both reports' }))
    .toHaveAttribute('aria-disabled', 'true');
  await page.getByLabelText('Reason').fill('Sold by the festival');
  await expect.element(page.getByRole('button', { name: 'Count both reports' }))
    .not.toHaveAttribute('aria-disabled', 'true');
});

test('a member reads who answers it', async () => {
  await shown(false);
  await expect.element(page.getByText(/An admin or signer/)).toBeVisible();
  expect(page.getByRole('button').elements()).toHaveLength(0);
});

test('a period that was reported as one sum is corrected as one, with its performances', () => {
  const night = { id: 1, local_date: '2026-11-03', status: 'performed', license_venue_id: 5 };
  const nights = nightsToReport(report, [night] as unknown as Parameters<typeof nightsToReport>[1]);
  expect(nights).toEqual([]);
  expect(reportBody(report, { ...reportValues(report, nights), whole: 2_400_000 }, true)).toMatchObject({
    gross_minor: 2_400_000, performances_held: 5, paid_admissions: 971, complimentary: 12 });
});
