/** Voiding a signature takes a reason and the licence's number, whichever way the form is sent (U12). */
import { QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import { LicenseDialog } from '../license-dialogs.web.tsx';
import type { LicenseView } from '../license-view.web.ts';

const view = { license: { id: 4, number: 'Q-US-2026-000007', license_number: null, version: 3, phase: 'accepted' } };

test('a signature is void once the number was typed', async () => {
  const sent = vi.fn((_request: unknown) => new Promise(() => {}));
  vi.stubGlobal('fetch', sent);
  await staged(
    <QueryClientProvider client={createQueryClient()}>
      <LicenseDialog dialog="void_signature" view={view as LicenseView} onClose={() => {}} />
    </QueryClientProvider>,
  );
  const name = page.getByRole('textbox', { name: 'Type Q-US-2026-000007 to confirm' });
  await userEvent.fill(page.getByRole('textbox', { name: /^Reason/ }), 'Signed by the wrong person');
  await userEvent.click(name);
  await userEvent.keyboard('{Enter}');
  const press = page.getByRole('button', { name: 'Void signature' });
  await expect.element(press).toHaveAttribute('aria-disabled', 'true');
  expect(sent).not.toHaveBeenCalled();
  await userEvent.fill(name, 'Q-US-2026-000007');
  await press.click();
  await vi.waitFor(() => expect(sent.mock.calls.map(([request]) => String(request))).toEqual(
    [expect.stringContaining('/licenses/4/')]));
});
