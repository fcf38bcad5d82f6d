/** Royalties hear of money here: loaded once by the composition root through the routes of this context. */
import { listenToMoney, type MoneyListener } from '#modules/receivables/receivables.public.server.ts';
import { accrueCredit, accrueIncome, accrueInvoices, accrueReceipt, mirrorAccruals } from './sharing/accrue.server.ts';

const listener: MoneyListener = {
  invoiceIssued: (ctx, invoice) => accrueInvoices(ctx, [invoice]),
  invoicesIssued: (ctx, invoices) => accrueInvoices(ctx, invoices),
  incomeEarned: (ctx, income) => accrueIncome(ctx, income),
  incomesEarned: (ctx, incomes) => accrueIncome(ctx, incomes),
  receiptApplied: (ctx, receipt) => accrueReceipt(ctx, receipt),
  async receiptUnapplied(ctx, receipt) {
    await mirrorAccruals(ctx, receipt);
  },
  incomeCredited: (ctx, credit) => accrueCredit(ctx, credit),
};

export function listenForRoyalties(): void {
  listenToMoney(listener);
}
