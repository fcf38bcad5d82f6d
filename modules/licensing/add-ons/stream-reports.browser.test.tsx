/** Streaming receipts: each leads to its invoice, and is taken back by a button that says so, once. */
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { DataTable } from '#web/data/data-table.tsx';
import type { StaffStreamReport } from './stream-report.contract.ts';
import { takingsColumns } from './stream-reports.web.tsx';

const report: StaffStreamReport = { id: 3, add_on_id: 1, name: 'Live stream', period_from: '2026-11-05',
  period_to: '2026-11-20', currency: 'USD', gross_minor: 184_250, share_ppm: 150_000, fee_minor: 27_638, note: '',
  invoice_id: 29, invoice_number: 'INV-US-2026-000029', from_portal: true, created_at: '2026-11-23T08:00:00Z',
  withdrawn_at: null, withdrawn_reason: null };
const rows = [report, { ...report, id: 4, withdrawn_at: '2026-11-23T09:00:00Z', withdrawn_reason: 'Counted twice' }];

const drawn = (onTakeBack: ((row: StaffStreamReport) => void) | null) => staged(
  <DataTable label="Takings" rows={rows} columns={takingsColumns('USD', onTakeBack)} variant="record"
    rowKey={(row) => row.id} />);

test('the report that stands is taken back, the one that was taken back is not again', async () => {
  const takeBack = vi.fn();
  await drawn(takeBack);
  await expect.element(page.getByRole('link', { name: 'INV-US-2026-000029' }).first())
    .toHaveAttribute('href', '/admin/accounts-receivable/invoices/29');
  expect(page.getByRole('button', { name: 'Take back' }).elements()).toHaveLength(1);
  await page.getByRole('button', { name: 'Take back' }).click();
  expect(takeBack).toHaveBeenCalledWith(report);
});

test('who may only read is offered nothing', async () => {
  await drawn(null);
  await expect.element(page.getByText('Taken back')).toBeVisible();
  expect(page.getByRole('button', { name: 'Take back' }).elements()).toEqual([]);
});
