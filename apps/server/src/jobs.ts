/** Every background job of the server: an explicit list. Each works its items with runBatch or runEach (batch.ts). */
import {
  extendChain, foldBalances, proposeRevaluations,
} from '#modules/accounting/accounting.public.server.ts';
import { WORK_BANK_IMPORTS, workBankImports } from '#modules/banking/banking.public.server.ts';
import { WORK_BULK, workBulk } from '#modules/data-exchange/bulk/work-bulk.server.ts';
import { WORK_EXPORTS, workExports } from '#modules/data-exchange/exports/work-exports.server.ts';
import { WORK_IMPORTS } from '#modules/data-exchange/imports/start-import.server.ts';
import { workImports } from '#modules/data-exchange/imports/work-imports.server.ts';
import { estimateOverdue, settleDueMinimums } from '#modules/licensing/box-office/box-office.public.server.ts';
import { runLicenseClocks, sendReminders, tellOfUndelivered } from '#modules/licensing/licensing.public.server.ts';
import { sendDigests } from '#modules/notifications/notifications.public.server.ts';
import { makeRecurringBills, postPaymentRuns } from '#modules/payables/payables.public.server.ts';
import {
  applyDepositsOnAccount, moneyPaper, postDatedChecks, releaseIncomeDue, READ_DISPUTES, READ_PAYOUTS, READ_REFUNDS,
  readMissedDisputes, readMissedPayouts, readMissedRefunds, SETTLE_ONLINE_PAYMENTS, settleOnlinePayments,
} from '#modules/receivables/receivables.public.server.ts';
import {
  WORK_STATEMENT_RUNS, workStatementRuns,
} from '#modules/royalties/royalties.public.server.ts';
import { followPerusals } from '#modules/stock/perusal/follow-perusal.server.ts';
import { followOrders } from '#modules/stock/sales-order/follow-orders.server.ts';
import { linkAudit } from '#modules/system/system.public.server.ts';
import { recheckVatNumbers, RECHECK_VAT_NUMBERS, remindOfSalesTax, remindOfVat, REPORT_TO_TAX_SERVICE,
  reportToTaxService } from '#modules/taxation/taxation.public.server.ts';
import { remindOfYearEnd } from '#modules/taxation/year-end.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import type { JobDefinition } from '#server/jobs.ts';
import { deliverOutbox } from '#server/deliver-outbox.ts';
import { watchAudit, watchLedger } from './night-watch.ts';
import { purgeExpired } from './purge-expired.ts';
import { routes } from './routes.ts';

export const jobs: readonly JobDefinition[] = [
  // Woken by whoever exports a list; every minute for what a kill left half done and for files that are over.
  { name: WORK_EXPORTS, cron: '* * * * *', work: (ports) => workExports(ports, routes) },
  // Woken by whoever does something to many records; every minute for what a kill left half done.
  { name: WORK_BULK, cron: '* * * * *', work: (ports) => workBulk(ports, routes) },
  // Woken by whoever presses process; every minute for what a kill left half done.
  { name: WORK_IMPORTS, cron: '* * * * *', work: workImports },
  // Woken by large files of a bank; every minute for what a kill left half done.
  { name: WORK_BANK_IMPORTS, cron: '* * * * *', work: workBankImports },
  // Woken by large statement runs; every minute for what a kill left half done.
  { name: WORK_STATEMENT_RUNS, cron: '* * * * *', work: workStatementRuns },
  // Woken by whoever changes an order or refund of the tax service; every minute for what waits to be tried again.
  { name: REPORT_TO_TAX_SERVICE, cron: '* * * * *', work: async (ports) => { await reportToTaxService(ports); } },
  // VAT numbers whose register did not answer the last time.
  { name: RECHECK_VAT_NUMBERS, cron: '39 * * * *', work: async (ports) => { await recheckVatNumbers(ports); } },
  { name: 'deliver-mail', cron: '* * * * *', work: async (ports) => {
    await deliverOutbox(ports, (paper, id) => moneyPaper(workContext(ports, ports.db, SYSTEM_ACTOR), paper, id));
  } },
  { name: 'tell-of-undelivered', cron: '* * * * *', work: async (ports) => { await tellOfUndelivered(ports); } },
  { name: 'purge-expired', cron: '17 * * * *', work: purgeExpired },
  {
    // Offers lapse, runs open and end, settled licences close (domain.md 1.1); Dublin's day is the earliest of ours.
    name: 'license-clocks', cron: '5 * * * *',
    work: async (ports) => {
      const ctx = workContext(ports, ports.db, SYSTEM_ACTOR);
      await runLicenseClocks(ctx, await ctx.today('EU'));
    },
  },
  // Offers about to end, payments, takings, addenda: once each, from nine in the morning of the division.
  { name: 'send-reminders', cron: '11 * * * *', work: async (ports) => { await sendReminders(ports); } },
  // New items that people asked for by mail, in one letter a day, from eight o'clock in the reader's time zone.
  { name: 'send-digests', cron: '7 * * * *', work: async (ports) => { await sendDigests(ports); } },
  // A return that is 30 days late is billed at a full house until it comes (domain.md 1.4).
  { name: 'estimate-reports', cron: '23 3 * * *', work: async (ports) => { await estimateOverdue(ports); } },
  // A weekly minimum waits for the other venues of its week until their returns are a week late (domain.md 2.4).
  { name: 'settle-minimums', cron: '26 3 * * *', work: async (ports) => { await settleDueMinimums(ports); } },
  // Hire, openings and fees become income on their day; money on account pays what the licence owes by now.
  { name: 'release-income', cron: '29 3 * * *', work: async (ports) => { await releaseIncomeDue(ports); } },
  { name: 'apply-deposits', cron: '35 3 * * *', work: async (ports) => { await applyDepositsOnAccount(ports); } },
  // Checks dated ahead post on their day in the division.
  { name: 'post-dated-checks', cron: '13 * * * *', work: async (ports) => { await postDatedChecks(ports); } },
  // Payments to royaltors that were sent for a day to come are paid and posted on it, once the day has begun there.
  // Payment runs whose file is at the bank are posted on their value date, once the day has begun in the division.
  { name: 'post-payment-runs', cron: '11 * * * *', work: async (ports) => { await postPaymentRuns(ports); } },
  // Drafts of recurring bills, on their day in the division; a day that failed is tried again.
  { name: 'make-recurring-bills', cron: '14 * * * *', work: async (ports) => { await makeRecurringBills(ports); } },
  // Woken by what the card processor tells; every minute for what it did not.
  { name: SETTLE_ONLINE_PAYMENTS, cron: '* * * * *', work: settleOnlinePayments },
  // Payouts of the card processor that no webhook told of.
  { name: READ_PAYOUTS, cron: '19 * * * *', work: readMissedPayouts },
  // Refunds that somebody made at the card processor, or that came back, and no webhook told of.
  { name: READ_REFUNDS, cron: '24 * * * *', work: readMissedRefunds },
  // Disputes of card payments, and what the bank of the card decided, where no webhook told of it.
  { name: READ_DISPUTES, cron: '27 * * * *', work: readMissedDisputes },
  // Parcels arrive, hires fall due and are late (domain.md 1.3).
  { name: 'follow-orders', cron: '47 * * * *', work: async (ports) => { await followOrders(ports); } },
  // Reading ends on its day, and the reader is told before (domain.md 1.4).
  { name: 'follow-perusals', cron: '2 * * * *', work: async (ports) => { await followPerusals(ports); } },
  // From the first of a month: foreign balances of the month before that nobody has revalued are proposed, once.
  { name: 'propose-revaluations', cron: '31 7 * * *', work: async (ports) => { await proposeRevaluations(ports); } },
  // From ten days before the due date of a state: sales tax returns that nobody has prepared, once.
  { name: 'remind-of-sales-tax', cron: '33 7 * * *', work: async (ports) => { await remindOfSalesTax(ports); } },
  // In the first quarter: year-end forms of the year before that nobody has prepared, once for each form.
  { name: 'remind-of-year-end', cron: '38 7 * * *', work: async (ports) => { await remindOfYearEnd(ports); } },
  { name: 'remind-of-vat', cron: '36 7 * * *', work: async (ports) => { await remindOfVat(ports); } },
  // Balances and the hash chain follow the postings; every night all invariants are checked and breaks are flagged.
  { name: 'fold-balances', cron: '* * * * *', work: async ({ db }) => { await foldBalances(db); } },
  { name: 'link-ledger', cron: '* * * * *', work: async ({ db }) => { await extendChain(db); } },
  // The audit trail has a chain of its own; at night every link is computed again.
  { name: 'link-audit', cron: '* * * * *', work: async ({ db }) => { await linkAudit(db); } },
  { name: 'verify-audit', cron: '53 2 * * *', work: watchAudit },
  { name: 'verify-ledger', cron: '41 2 * * *', work: watchLedger },
];
