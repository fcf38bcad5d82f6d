/** Closing a period: its name is typed first, and nothing is sent before (U12). */
import { QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { ME_KEY } from '#web/query/current-user.ts';
import { createQueryClient } from '#web/query/query-client.ts';
import { PeriodAction } from './period.web.tsx';
import { FiscalYears } from './year-end.web.tsx';

test('a period closes once its name was typed', async () => {
  const checklist = { data: { division: 'US', period: 202610, starts: '2026-10-01', ends: '2026-10-31', state: 'open',
    closed_by_name: null, closed_at: null, confirmed_by_name: null, requested_by_name: null, open: 1, periods: [202610],
    items: [{ key: 'revaluation', title: 'Foreign balances are revalued', state: 'open', done: null,
      detail: 'Balances in other currencies are not revalued', href: '/x' },
    { key: 'earlier', title: 'Earlier months are closed', state: 'warning', done: null, href: '/earlier',
      detail: 'Still open: September 2026. Closing October 2026 does not close earlier months' }] } };
  const sent = vi.fn((request: unknown) => (String(request).includes('close_checklist')
    ? Promise.resolve(new Response(JSON.stringify(checklist), { headers: { 'content-type': 'application/json' } }))
    : new Promise(() => {})));
  vi.stubGlobal('fetch', sent);
  const client = createQueryClient();
  client.setQueryData(ME_KEY, { id: 1, email: 'ada@house.example', role: 'staff_admin',
    permission_values: ['transaction.update'] });
  await staged(
    <QueryClientProvider client={client}>
      <PeriodAction row={{ id: 1, division: 'US', period: 202610, starts: '2026-10-01', ends: '2026-10-31',
        state: 'open', closed_at: null, closed_by_name: null, confirmed_by_name: null, requested_state: null,
        requested_by_id: null, requested_by_name: null, request_id: null, version: 1 }} />
    </QueryClientProvider>,
  );
  await page.getByRole('button', { name: 'Close' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close October 2026 of US?' });
  const close = dialog.getByRole('button', { name: 'Close' });
  await expect.element(close).toHaveAttribute('aria-disabled', 'true');
  await userEvent.fill(dialog.getByRole('textbox', { name: 'Type October 2026 to confirm' }),
    'October 2026');
  // Open checks are named, and a word about them asked for.
  await expect.element(dialog.getByRole('listitem')).toHaveTextContent(
    'Foreign balances are revalued: Balances in other currencies are not revalued');
  await expect.element(dialog.getByText(
    'Still open: September 2026. Closing October 2026 does not close earlier months.')).toBeVisible();
  await expect.element(close).toHaveAttribute('aria-disabled', 'true');
  await userEvent.fill(dialog.getByRole('textbox', { name: 'Reason to close all the same' }), 'Rate is late');
  await close.click();
  await vi.waitFor(() => expect(sent.mock.calls.map(([request]) => String(request))).toEqual([
    expect.stringContaining('/close_checklist?'), expect.stringContaining('/periods/202610/close')]));
});

test('a year whose books changed after its closing entry can be closed again, and says that it differs', async () => {
  const year = { division: 'US', currency: 'USD', starts: '2025-01-01', ends: '2025-12-31', result_minor: 1_000_000,
    closed_minor: 990_000, state: 'closed', transaction_id: 7 };
  vi.stubGlobal('fetch', vi.fn(() => Promise.resolve(new Response(JSON.stringify({ data: [year] }),
    { headers: { 'content-type': 'application/json' } }))));
  const client = createQueryClient();
  client.setQueryData(ME_KEY, { id: 1, email: 'ada@house.example', role: 'staff_admin',
    permission_values: ['transaction.update'] });
  await staged(<QueryClientProvider client={client}><FiscalYears division="US" /></QueryClientProvider>);
  await expect.element(page.getByText('Differs')).toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Prepare closing entry' })).toBeInTheDocument();
  await expect.element(page.getByRole('link', { name: 'Open entry' })).toBeInTheDocument();
});
