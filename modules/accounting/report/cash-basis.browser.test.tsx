/** Profit and loss on the cash basis on screen: the setting, the notes, the payments behind a figure. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { ME_KEY } from '#web/query/current-user.ts';
import { createQueryClient } from '#web/query/query-client.ts';
import { ProfitLoss } from './statements.web.tsx';

const row = (kind: string, key: string, title: string, amount: number, code: string | null = null) => ({ kind, key,
  title, code, part_id: null, amounts: [amount], change_minor: null, change_permille: null });
const table = { statement: 'profit_loss', title: 'Profit and loss, cash basis', division: 'US', currency: 'USD',
  from: '2026-01-01', to: '2026-03-31', basis: 'cash', part: null, has_change: false, checks: [],
  notes: ['Cash basis: income and expense count when their document is paid.', 'Not counted: deposits held.'],
  columns: [{ key: 'c0', title: 'Q1', from: '2026-01-01', to: '2026-03-31', measure: 'amount', total: false }],
  rows: [row('group', 'group:revenue', 'Revenue', 0), row('line', 'revenue:1', 'Licence income', 60_000, '4000'),
    row('result', 'net', 'Net profit', 60_000), row('sum', 'accrual', 'Net profit, accrual basis', 100_000)] };
const plain = { division: 'US', currency: 'USD', from: '2026-01-01', to: '2026-03-31', sections: [],
  gross_profit_minor: 0, operating_profit_minor: 0, net_profit_minor: 0, checks: [] };

beforeEach(async () => {
  await page.viewport(1280, 800);
  window.history.replaceState(null, '', '/admin/finance/profit-loss?division=US&basis=cash');
  vi.stubGlobal('fetch', (url: string) => Promise.resolve(Response.json({ data: url.includes('/reports/statements')
    ? table : url.includes('/reports/profit_loss') ? plain : [] })));
  const client = createQueryClient();
  client.setQueryData(ME_KEY, { id: 1, email: 'ada@house.example', first_name: 'Ada', last_name: 'Byron',
    role: 'staff_admin', permission_values: ['ledger_account.list'], customers: [], acting_customer: null });
  await staged(<QueryClientProvider client={client}><ProfitLoss /></QueryClientProvider>);
});
afterEach(() => { vi.unstubAllGlobals(); });

test('Basis shows what was paid, says what does not count, and leads to the payments', async () => {
  await expect.element(page.getByText('Not counted: deposits held.')).toBeVisible();
  await expect.element(page.getByRole('combobox', { name: 'Basis' })).toHaveTextContent('Cash');
  await expect.element(page.getByRole('rowheader', { name: 'Net profit, accrual basis' })).toBeVisible();
  await expect.element(page.getByRole('link', { name: '600.00' })).toHaveAttribute('href',
    '/admin/finance/profit-loss/payments?division=US&from=2026-01-01&to=2026-03-31&account=4000');
  await expect.element(page.getByRole('combobox', { name: 'One row for each' })).toBeVisible();
});
