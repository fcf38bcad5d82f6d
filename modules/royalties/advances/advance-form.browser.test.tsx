/** An advance in a currency that its agreement does not earn: said at the form, and not refused. */
import { QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { settled, staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import { AdvanceForm } from './advance-form.web.tsx';

const agreement = { id: 5, royaltor_id: 2, royaltor_name: 'Ada Author', show_title: 'The Winter Debt', role: 'author',
  payer_division: 'UK', currency: 'USD', cross_collateral_group_id: null };
const meta = (total: number) => ({ current_page: 1, from: 1, to: total, last_page: 1, per_page: 20, total });

/** The form with the agreement chosen; what was earned is asked for in words of its address. */
async function chosen(more: object, earned: number): Promise<string[]> {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    if (!url.includes('royalty_accruals')) {
      return Promise.resolve(Response.json({ meta: meta(1),
        data: url.includes('show_royaltors/5') ? { ...agreement, ...more } : [agreement] }));
    }
    asked.push(url.split('?')[1]!);
    return Promise.resolve(Response.json({ data: [], meta: meta(earned) }));
  });
  await staged(
    <QueryClientProvider client={createQueryClient()}><AdvanceForm onClose={() => {}} /></QueryClientProvider>,
  );
  await page.getByRole('combobox', { name: /^Agreement/ }).click();
  await page.getByRole('option', { name: /Ada Author/ }).click();
  return asked;
}

const warning = (currency: string) => page.getByRole('status').getByText(`Nothing was earned in ${currency} here yet`);

async function choose(currency: string): Promise<void> {
  await page.getByRole('combobox', { name: /^Currency/ }).click();
  await page.getByRole('option', { name: currency }).click();
}

test('warns of a currency in which nothing was earned, and no more once it is that of the division', async () => {
  const asked = await chosen({}, 0);
  await expect.element(warning('USD')).toBeVisible();
  await expect.element(page.getByText(/What the UK division licenses is in GBP/)).toBeVisible();
  expect(asked.map((query) => Object.fromEntries(new URLSearchParams(query)))).toEqual(
    [{ division: 'UK', currency: 'USD', per_page: '1', show_royaltor_id: '5' }]);
  await expect.element(page.getByRole('button', { name: 'Schedule advance' })).not.toHaveAttribute('aria-disabled');
  await choose('GBP');
  await expect.element(page.getByRole('combobox', { name: /^Currency/ })).toHaveTextContent('GBP');
  await settled();
  expect(asked).toHaveLength(1);
  await expect.element(page.getByText(/^Nothing was earned/)).not.toBeInTheDocument();
});

test('asks what all agreements of a group earn', async () => {
  const asked = await chosen({ cross_collateral_group_id: 3 }, 0);
  await expect.element(warning('USD')).toBeVisible();
  expect(asked[0]).toContain('royaltor_id=2');
  expect(asked[0]).not.toContain('show_royaltor_id');
});

test('says nothing of a currency that was earned already', async () => {
  const asked = await chosen({}, 4);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await choose('EUR');
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  await expect.element(page.getByRole('combobox', { name: /^Currency/ })).toHaveTextContent('EUR');
  expect(page.getByRole('status').getByText(/Nothing was earned/).elements()).toEqual([]);
});
