/** Voiding a statement: its number is typed first, whichever way the form is sent (U12). */
import { QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import { VoidForm } from './statement-actions.web.tsx';
import type { StatementDetail } from './statement.contract.ts';

const statement = { id: 5, number: 'S-US-2026-000012', royaltor_name: 'A. Author', version: 3 } as StatementDetail;

test('a statement is void once its number was typed', async () => {
  const sent = vi.fn((_request: unknown) => new Promise(() => {}));
  vi.stubGlobal('fetch', sent);
  await staged(
    <QueryClientProvider client={createQueryClient()}>
      <VoidForm statement={statement} onClose={() => {}} />
    </QueryClientProvider>,
  );
  await userEvent.fill(page.getByRole('textbox', { name: /^Reason/ }), 'Sent to the wrong estate');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  const press = page.getByRole('button', { name: 'Void statement' });
  await expect.element(press).toHaveAttribute('aria-disabled', 'true');
  expect(sent).not.toHaveBeenCalled();
  await userEvent.fill(page.getByRole('textbox', { name: 'Type S-US-2026-000012 to confirm' }), 'S-US-2026-000012');
  await press.click();
  await vi.waitFor(() => expect(sent.mock.calls.map(([request]) => String(request))).toEqual(
    [expect.stringContaining('/royalty_statements/5/void')]));
});
