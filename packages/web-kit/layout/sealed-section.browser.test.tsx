/** Bank details: the button that verifies them is off for the person who wrote them, and says why. */
import { QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { signedIn } from '#kit/auth.ts';
import { endpoint } from '#kit/endpoint.ts';
import { staged } from '#web/controls/stage.tsx';
import { ME_KEY } from '#web/query/current-user.ts';
import { createQueryClient } from '#web/query/query-client.ts';
import { SealedSection } from './sealed-section.tsx';

const call = endpoint({ method: 'PUT', path: '/api/admin/staff/vendors/{id}/bank_details', auth: signedIn,
  summary: 'Bank details', response: null });
const endpoints = { list: call, bankDetails: call, verifyBankDetails: call, declineBankDetails: call, taxId: call };
const ROW = { id: 1, version: 2, bank_account_last4: '4471', bank_verified_at: null, tin_last4: '0000',
  bank_kind: null, bank_country: null, bank_holder: null, bank_written_by_name: 'Ada Lowe',
  bank_details_changed_at: null, bank_verified_by_name: null, bank_verified_note: null };

async function shownTo(id: number) {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const client = createQueryClient();
  client.setQueryData(ME_KEY, { id, email: 'ada@house.example', role: 'staff_admin', permission_values: [] });
  await staged(
    <QueryClientProvider client={client}>
      <SealedSection row={{ ...ROW, bank_written_by_id: 7 }} endpoints={endpoints} mayWrite />
    </QueryClientProvider>,
  );
  return page.getByRole('button', { name: 'Verify' });
}

test('who wrote them reads that another person verifies', async () => {
  const verify = await shownTo(7);
  await expect.element(verify).toHaveAttribute('aria-disabled', 'true');
  await verify.hover({ force: true });
  await expect.element(page.getByText('You entered them. Someone else must verify them.')).toBeVisible();
});

test('another person verifies them', async () => {
  await expect.element(await shownTo(8)).not.toHaveAttribute('aria-disabled');
});

test.each([['Enter bank details', 'Account number or IBAN', 'Delete bank details'],
  ['Enter tax ID', 'Tax ID (SSN, EIN, UTR)', 'Delete tax ID']])(
  '%s: what is stored is deleted once DELETE was typed, never by Enter in an empty form', async (open, first, name) => {
    await shownTo(8);
    const sent = vi.fn(() => new Promise(() => {}));
    vi.stubGlobal('fetch', sent);
    await page.getByRole('button', { name: open }).click();
    await expect.element(page.getByRole('textbox', { name: first })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    const press = page.getByRole('button', { name });
    await expect.element(press).toHaveAttribute('aria-disabled', 'true');
    expect(sent).not.toHaveBeenCalled();
    await userEvent.fill(page.getByRole('textbox', { name: 'Type DELETE to confirm' }), 'DELETE');
    await press.click();
    await vi.waitFor(() => expect(sent).toHaveBeenCalledOnce());
  });
