/** A refund is withdrawn, a receipt taken back, once its number was typed, whichever way the form is sent (U12). */
import { QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import type { PaymentDetail } from './payment.contract.ts';
import { ReasonForm } from './receipt-page.web.tsx';

const payment = { id: 8, number: 'P-US-2026-000031', party_name: 'Astoria Community Players', amount_minor: 12_500,
  currency: 'USD', version: 2 } as PaymentDetail;

test.each([['void', 'Withdraw refund', 'USD 125.00 is on account again, and can be used or refunded anew.'],
  ['returned', 'Take the receipt back', 'The bank took USD 125.00 back: what it paid is owed again.'],
] as const)('%s: waits for the number', async (to, button, words) => {
  const sent = vi.fn((_request: unknown) => new Promise(() => {}));
  vi.stubGlobal('fetch', sent);
  await staged(
    <QueryClientProvider client={createQueryClient()}>
      <ReasonForm payment={payment} to={to} onClose={() => {}} />
    </QueryClientProvider>,
  );
  await expect.element(page.getByText(words)).toBeVisible();
  await userEvent.fill(page.getByRole('textbox', { name: /^Reason/ }), 'Paid by cheque after all');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  const press = page.getByRole('button', { name: button });
  await expect.element(press).toHaveAttribute('aria-disabled', 'true');
  expect(sent).not.toHaveBeenCalled();
  await userEvent.fill(page.getByRole('textbox', { name: 'Type P-US-2026-000031 to confirm' }), 'P-US-2026-000031');
  await press.click();
  await vi.waitFor(() => expect(sent.mock.calls.map(([request]) => String(request))).toEqual(
    [expect.stringContaining('/payments/8/status')]));
});
