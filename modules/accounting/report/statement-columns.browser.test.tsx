/** A consolidated statement on a phone: the group beside the names, the divisions by choice, no sideways scroll. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { ME_KEY } from '#web/query/current-user.ts';
import { createQueryClient } from '#web/query/query-client.ts';
import { BalanceSheet } from './statements.web.tsx';

const column = (key: string, title: string, division: string | null) => ({ key, title, from: '2026-01-01',
  to: '2026-03-31', measure: 'amount', total: false, division });
const row = (key: string, title: string, amounts: readonly number[]) => ({ kind: 'line', key, title, code: '1000',
  part_id: null, amounts, change_minor: null, change_permille: null });
const table = { statement: 'balance_sheet', title: 'Balance sheet', division: 'US', scope: 'group', currency: 'USD',
  from: '2026-01-01', to: '2026-03-31', basis: 'accrual', part: null, has_change: false, checks: [], notes: [],
  columns: [column('US', 'US', 'US'), column('EU', 'EU', 'EU'), column('UK', 'UK', 'UK'),
    column('PROD', 'Production', 'PROD'), column('eliminations', 'Eliminations', null), column('group', 'Group', null)],
  rows: [row('cash:1', 'Bank', [100_00, 200_00, 300_00, 400_00, 0, 1_000_00])] };

beforeEach(() => {
  window.history.replaceState(null, '', '/admin/finance/balance-sheet?division=US&scope=group');
  vi.stubGlobal('fetch', (url: string) => Promise.resolve(Response.json({
    data: url.includes('/reports/statements') ? table : [] })));
});
afterEach(() => { vi.unstubAllGlobals(); });

async function onScreen(width: number) {
  await page.viewport(width, 800);
  const client = createQueryClient();
  client.setQueryData(ME_KEY, { id: 1, email: 'ada@house.example', first_name: 'Ada', last_name: 'Byron',
    role: 'staff_admin', permission_values: ['ledger_account.list'], customers: [], acting_customer: null });
  await staged(<QueryClientProvider client={client}><BalanceSheet /></QueryClientProvider>);
}
const head = (name: string) => page.getByRole('columnheader', { name, exact: true });

test('a phone shows the group, another division by choice, and no bar to push', async () => {
  await onScreen(390);
  await expect.element(page.getByRole('cell', { name: '1,000.00' })).toBeVisible();
  await expect.element(head('UK')).not.toBeInTheDocument();
  const region = page.getByRole('region', { name: 'Balance sheet, columns' }).element();
  expect(region.scrollWidth).toBeLessThanOrEqual(region.clientWidth);
  await page.getByRole('combobox', { name: 'Column' }).click();
  await page.getByRole('option', { name: 'UK' }).click();
  await expect.element(page.getByRole('link', { name: '300.00' })).toBeVisible();
  await expect.element(head('Group')).not.toBeInTheDocument();
  await page.getByRole('combobox', { name: 'Column' }).click();
  await page.getByRole('option', { name: 'All columns' }).click();
  await expect.element(head('Group')).toBeInTheDocument();
  await expect.element(head('UK')).toBeVisible();
});

test('a desk shows all of them, without a choice', async () => {
  await onScreen(1280);
  await expect.element(page.getByRole('cell', { name: '1,000.00' })).toBeVisible();
  for (const name of ['US', 'EU', 'UK', 'Production', 'Eliminations', 'Group']) {
    await expect.element(head(name)).toBeVisible();
  }
  await expect.element(page.getByRole('combobox', { name: 'Column' })).not.toBeInTheDocument();
});

test('a check that fails beside a comparison is said in the head of the page too', async () => {
  const checks = [{ name: 'assets_equal_liabilities_and_equity', expected: 100, actual: 90, ok: false }];
  window.history.replaceState(null, '', '/admin/finance/balance-sheet?division=US&compare=previous_period');
  vi.stubGlobal('fetch', (url: string) => Promise.resolve(Response.json({
    data: url.includes('/reports/statements') ? { ...table, scope: 'division', checks }
      : url.includes('/reports/balance_sheet') ? { division: 'US', currency: 'USD', as_of: '2026-03-31', assets: [],
        liabilities: [], equity: [], checks: [{ ...checks[0], actual: 100, ok: true }] } : [] })));
  await onScreen(1280);
  await expect.element(page.getByText('1 check failed')).toBeVisible();
});
