/** Cash at a glance: the balance of a bank account over a year, and what the next four weeks are expected to move. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';

/** In the currency of the account; the last month is not over. */
const balanceMonth = z.object({ month: z.string(), balance_minor: z.int(), in_minor: z.int(), out_minor: z.int() });
const forecastWeek = z.object({ from: z.string(), to: z.string(), in_minor: z.int(), out_minor: z.int(),
  balance_minor: z.int() });
const accountCash = z.object({
  today: z.string(), ledger_minor: z.int(), months: z.array(balanceMonth),
  /** Open invoices count on the default account of their currency, what is overdue in the first week. */
  forecast: z.array(forecastWeek), is_default: z.boolean(),
});
export type AccountCash = z.infer<typeof accountCash>;

export const cashEndpoints = {
  show: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/bank_accounts/{id}/cash',
    auth: staff('bank_account.show'), summary: 'Balance of a bank account over a year, and a forecast of four weeks',
    response: one(accountCash) }),
};
