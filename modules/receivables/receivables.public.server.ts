/**
 * What other contexts may ask of receivables. Every verb runs in the caller's transaction and locks in one order:
 * licence, deposit, payment, invoices by id, number series last. Amounts are integer minor units.
 *
 * - Billing: {@link issueProForma} and {@link issueInstalment} bill an instalment of a licence's payment plan,
 *   {@link issueInvoice} bills lines, {@link issueProFormaOf} asks to pay them first, {@link issueReportInvoices} bills
 *   box-office reports, many at once, {@link creditInvoice} is the only way back, {@link voidProFormas} and
 *   {@link voidProForma} withdraw what was never issued.
 *   No verb issues a document that asks for money which nobody can pay: {@link refuseUnpayable} and {@link unpayable}
 *   tell before, {@link whatIsMissing} says what to do.
 * - Money: {@link recordReceipt}, {@link applyReceiptToInvoice}, {@link unapplyReceipt}, {@link returnReceipt},
 *   {@link refundReceipt}; deposits by {@link requestDeposit}, {@link disposeDeposit} and {@link returnDeposits}.
 * - Every night: {@link releaseIncomeDue}, {@link applyDepositsOnAccount}, {@link postDatedChecks}.
 * - Income: {@link releaseForPerformance}, {@link releaseDue}, {@link releaseLicense}, {@link releaseCancelled},
 *   {@link releaseItems} (goods left, access given), {@link recoupAdvance} and {@link releaseBreakage} (advances).
 * - Money out: {@link approveRefund}, {@link payRefund} and {@link voidRefund}; the rows of payments to vendors,
 *   customers and royaltors that payables and royalties make are written by {@link insertOutgoing},
 *   {@link insertRoyaltorPayment}, {@link changeOutgoing}, {@link voidOutgoing} and {@link purgeOutgoing}. The calls of
 *   payments are served by payables: they list money in and out together.
 * - Moving in: {@link bringReceivables} makes the open invoices and credits of former books,
 *   {@link takeBackReceivables} voids them as long as {@link receivablesInTheWay} names none.
 * - Online: {@link receiveEvent} takes what the card processor tells, {@link settleOnlinePayments} reads and books it,
 *   {@link readMissedPayouts}, {@link readMissedRefunds} and {@link readMissedDisputes} book what nobody told of. Money
 *   that came by card goes back to it: {@link chargeOf} says how much may, {@link refuseWithProcessor} keeps hands off.
 * - Looking: {@link agingReport} says who owes what for how long, {@link isDisputed} which invoices wait for a bank,
 *   {@link unbilledInterest} how much interest an overdue one has earned.
 * - Listening: {@link listenToMoney} tells licensing that a licence got money, royalties what to accrue.
 */
export { READ_DISPUTES, READ_REFUNDS, SETTLE_ONLINE_PAYMENTS } from './online/job-names.ts';
export { receiveEvent, settleOnlinePayments } from './online/processor-events.server.ts';
export { refreshProcessorKeys } from './online/processor-keys.server.ts';
export { isDisputed } from './online/open-disputes.server.ts';
export { readMissedDisputes } from './online/processor-disputes.server.ts';
export { readMissedRefunds } from './online/processor-refunds.server.ts';
export { chargeOf, disputeOfReceipt, refundAtProcessor, refuseWithProcessor }
  from './payments/refund-to-card.server.ts';
export { signed as signedByTestProcessor, TestProcessor } from './test-processor/test-processor.server.ts';
export type { How as TestHow } from './test-processor/test-money.ts';
export { READ_PAYOUTS, readMissedPayouts } from './online/settle-payout.server.ts';
export { waitingRefunds } from './approvals.server.ts';
export { agingReport } from './aging/aging.server.ts';
export { requestDeposit, type DepositRequest } from './deposits/request-deposit.server.ts';
export { disposeDeposit, type Disposition } from './deposits/dispose-deposit.server.ts';
export { applyDepositsOnAccount, returnDeposits } from './deposits/settle-deposits.server.ts';
export { creditInvoice, type CreditInput } from './invoices/credit-invoice.server.ts';
export { unbilledInterest } from './late-interest/late-interest.server.ts';
export { issueInvoice } from './invoices/issue-invoice.server.ts';
export { issueReportInvoices, type ReportInvoice, type ReportInvoiceInput }
  from './invoices/issue-report-invoices.server.ts';
export {
  issueDepositPart, issueInstalment, issueProForma, issueProFormaOf, voidProForma, voidProFormas, type InstalmentInput,
} from './invoices/pro-forma.server.ts';
export { releaseIncomeDue } from './invoices/release-daily.server.ts';
export {
  recoupAdvance, releaseBreakage, releaseCancelled, releaseDue, releaseForPerformance, releaseItems, releaseLicense,
} from './invoices/release-income.server.ts';
export { recoverWriteOff, writeOff } from './invoices/write-off.server.ts';
export { applyReceiptToInvoice, unapplyReceipt } from './payments/apply-receipt.server.ts';
export { receiptLinesOf as receiptLines, recordReceipt } from './payments/record-receipt.server.ts';
export { rateFor } from './ledger/post.server.ts';
export {
  bankPostingOf, exchangeOf, IN_TRANSIT, postExchange, ratesInto, refuseCurrency, reverseExchange,
} from './payments/exchange-receipt.server.ts';
export { receivablesMoney } from './payments/receivables-money.server.ts';
export { receivableItems } from './payments/open-items.server.ts';
export { holdReceiptAsDeposit } from './deposits/receive-deposit.server.ts';
export { moneyPaper } from './documents/money-paper.server.ts';
export { receiptDocument } from './documents/receipt-document.server.ts';
export { refuseUnpayable, unpayable, whatIsMissing } from './documents/ways-to-pay.server.ts';
export { openDocuments } from './payments/open-documents.server.ts';
export { postDatedChecks, withdrawPlanned } from './payments/post-dated.server.ts';
export { notePayment } from './payments/payment-rows.server.ts';
export {
  changeOutgoing, insertOutgoing, insertRoyaltorPayment, purgeOutgoing, voidOutgoing, type OutgoingChange,
  type OutgoingInput,
} from './payments/outgoing.server.ts';
export { approveRefund, payRefund, refundReceipt, voidRefund } from './payments/refund.server.ts';
export {
  bringReceivables, receivablesInTheWay, takeBackReceivables, type OpeningReceivable,
} from './openings/bring-receivables.server.ts';
export {
  bringDeferred, deferredInTheWay, takeBackDeferred, type OpeningDeferred,
} from './openings/bring-deferred.server.ts';
export {
  bringDeposit, depositsInTheWay, takeBackDeposits, type OpeningDeposit,
} from './openings/bring-deposits.server.ts';
export { returnReceipt } from './payments/return-receipt.server.ts';
export { determineTax, type DetermineTaxInput, type TaxedLine } from '#modules/taxation/taxation.public.server.ts';
export type {
  InvoiceItemKind, InvoiceLineInput, IssueInvoiceInput, PaymentMethod, ReceiptInput, ReleaseRule,
} from './receivables-types.ts';
