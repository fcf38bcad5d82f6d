/** Closing a period: its name is typed first, and nothing is sent before (U12). */
import { QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { ME_KEY } from '#web/query/current-user.ts';
import { createQueryClient } from '#web/query/query-client.ts';
import { PeriodAction } from './period.web.tsx';

test('a period closes once its name was typed', async () => {
  const sent = vi.fn((_request: unknown) => new Promise(() => {}));
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
  await close.click();
  // Requests the bank accounts that are not reconciled while the dialog is open.
  await vi.waitFor(() => expect(sent.mock.calls.map(([request]) => String(request))).toEqual([
    expect.stringContaining('/periods/202610/unreconciled'), expect.stringContaining('/periods/202610/close')]));
});
