/** Royalties' reaction to money, in its transaction; composed into {@link Ports.money} by apps/server. */
import type { WorkContext } from '#server/context.ts';
import type { RoyaltyMoney } from '#server/money-events.ts';
import { accrueCredit, accrueIncome, accrueInvoices, accrueReceipt, takeBackReceipt } from './sharing/accrue.server.ts';

export const royaltyMoney: RoyaltyMoney<WorkContext> = {
  invoicesIssued: accrueInvoices,
  incomesEarned: accrueIncome,
  receiptApplied: accrueReceipt,
  async receiptUnapplied(ctx, receipt) {
    await takeBackReceipt(ctx, receipt);
  },
  incomeCredited: accrueCredit,
};
