/** The approver of a batch of royalties sees the changed bank details of its royaltors, until the batch is paid. */
import { QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { NavigationProvider, windowNavigation } from '#web/navigation/navigation.tsx';
import { ME_KEY } from '#web/query/current-user.ts';
import { createQueryClient } from '#web/query/query-client.ts';
import BatchPage from './batch-page.web.tsx';

const batch = { id: 4, number: 'PR-US-2026-000004', division: 'US', currency: 'USD', pay_on: '2026-12-01',
  method: 'ach', status: 'draft', payment_count: 1, total_minor: 15_000, withheld_minor: 0, payment_run_id: 9,
  payment_run_number: 'PR-US-2026-000004', file_name: null, value_moved: null, failure: null, created_by_id: 1,
  created_by_name: 'Ann Ash', approved_at: null, scheduled_at: null, posted_at: null, bank_account: 'Operating',
  version: 1, created_at: '2026-11-27T15:00:00Z', payments: [], allowed_events: [] };
const change = { old_last4: '6789', old_country: 'US', old_holder: null, new_last4: '4321', new_country: 'US',
  new_holder: null, changed_by_name: 'Cat Cole', changed_at: '2026-11-26T15:00:00Z', verified_by_name: 'Ben Birch',
  verified_at: '2026-11-27T15:00:00Z', note: 'Called her agent' };
const payments = [{ id: 1, party_type: 'royaltor', party_id: 2, party_name: 'Ada Author', bank_change: change },
  { id: 2, party_type: 'vendor', party_id: 3, party_name: 'Alder Print', bank_change: change },
  { id: 3, party_type: 'royaltor', party_id: 5, party_name: 'Bo Barnes', bank_change: null }];

/** Answers whether its run was read. */
async function shown(status: string): Promise<boolean> {
  const sent = vi.fn((url: string) => Promise.resolve(Response.json({
    data: url.endsWith('/royalty_payment_batches/4') ? { ...batch, status }
      : url.endsWith('/payment_runs/9') ? { id: 9, payments } : { names: ['Ben Birch'], more: 0 } })));
  vi.stubGlobal('fetch', sent);
  const client = createQueryClient();
  client.setQueryData(ME_KEY, { id: 7, email: 'ada@house.example', role: 'staff_admin', permission_values: [] });
  await staged(
    <QueryClientProvider client={client}>
      <NavigationProvider port={{ ...windowNavigation, params: { batchId: '4' } }}><BatchPage /></NavigationProvider>
    </QueryClientProvider>,
  );
  await expect.element(page.getByRole('heading', { name: 'About this batch' })).toBeVisible();
  return sent.mock.calls.some(([url]) => url.endsWith('/payment_runs/9'));
}
const table = page.getByRole('table', { name: 'New bank details' });

test('names the royaltor with the account before and the one now', async () => {
  expect(await shown('draft')).toBe(true);
  await expect.element(table).toBeVisible();
  const text = table.element().textContent;
  for (const word of ['Ada Author', '…6789, US', '…4321, US', 'Cat Cole', 'Ben Birch', 'Called her agent']) {
    expect(text).toContain(word);
  }
  expect(text).not.toMatch(/Alder Print|Bo Barnes/);
});

test('shows none once it is paid', async () => {
  expect(await shown('posted')).toBe(false);
  await expect.element(table).not.toBeInTheDocument();
});
