/** An invoice beside its list: its lines make its total, and what was paid and credited leaves what is open. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import InvoicePeek from './invoice-peek.web.tsx';
import type { InvoiceRow } from './invoice.contract.ts';

const row = { id: 9, number: 'INV-US-2026-000030', kind: 'invoice', status: 'part_paid', overdue: false, division: 'US',
  currency: 'USD', customer_id: 7, customer_name: 'Astoria Community Players', license_id: 5, license_number: 'L-1',
  license_title: 'A Doll’s House', issued_on: '2026-11-01', due_on: '2026-12-01' } as unknown as InvoiceRow;
const whole = { ...row, purchase_order_no: '', tax_minor: 288, total_minor: 7_488, prepaid_minor: 1_000,
  paid_minor: 2_000, credited_minor: 488, written_off_minor: 0, balance_minor: 4_000,
  items: [{ id: 1, description: 'Script app', quantity: 12, unit_minor: 600, net_minor: 7_200 }],
  payments: [{ payment_id: 3, method: 'check', number: 'R-US-2026-000113', applied_minor: 2_000 }] };
let answer: object = whole;

beforeEach(() => {
  answer = whole;
  vi.spyOn(window, 'fetch').mockImplementation((input) => {
    const { pathname } = new URL(String(input), window.location.origin);
    if (pathname.endsWith('/users/me')) {
      return Promise.resolve(Response.json({ data: { id: 1, role: 'staff_admin', customers: [],
        permission_values: [] } }));
    }
    return Promise.resolve(Response.json(pathname.endsWith('/invoices/9') ? { data: answer }
      : { data: [], meta: { total: 0 } }));
  });
});
afterEach(() => { vi.restoreAllMocks(); });

const shown = () => staged(
  <QueryClientProvider client={createQueryClient()}><InvoicePeek row={row} /></QueryClientProvider>,
);
const rowsOf = (table: string) => page.getByRole('table', { name: table }).getByRole('row').elements()
  .map((one) => [...one.children].map((cell) => cell.textContent).join(' '));

test('its lines and tax make the total; what was paid, credited and paid on account leaves what is open', async () => {
  await shown();
  await expect.poll(() => rowsOf('Lines')).toEqual(['Script app6.00 × 12 72.00', 'Tax 2.88', 'Total USD 74.88']);
  expect(rowsOf('Open amount')).toEqual(['Paid on account minus (10.00)',
    'Check R-US-2026-000113 minus (20.00)', 'Credited minus (4.88)', 'Open 40.00']);
});

test('where its receipts do not make up what was paid, the sum alone is told', async () => {
  answer = { ...whole, payments: [{ ...whole.payments[0], applied_minor: 1_500 }] };
  await shown();
  await expect.poll(() => rowsOf('Open amount')).toEqual(['Paid on account minus (10.00)', 'Paid minus (20.00)',
    'Credited minus (4.88)', 'Open 40.00']);
});

test('nothing was paid: only what it is for', async () => {
  answer = { ...whole, prepaid_minor: 0, paid_minor: 0, credited_minor: 0, payments: [], balance_minor: 7_488 };
  await shown();
  await expect.poll(() => rowsOf('Lines')).toHaveLength(3);
  expect(page.getByRole('table', { name: 'Open amount' }).elements()).toHaveLength(0);
});
