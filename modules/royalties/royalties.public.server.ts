/**
 * Public interface of royalties for other contexts. Every call works inside the caller's transaction and posts the
 * resulting entries (accounting.md 2.2, rows 1n and 11 to 11r); repeated calls for one event change nothing. Amounts
 * are minor units, net of tax. Receivables calls them through the port {@link royaltyMoney}.
 */
export {
  accrueClose, accrueCredit, accrueIncome, accrueInvoice, accrueReceipt, takeBackReceipt,
  type AppliedReceipt, type CreditedLine, type EarnedIncome,
} from './sharing/accrue.server.ts';
export { royaltyMoney } from './royalty-money.server.ts';
export { waitingBatches, waitingCorrections, waitingRuns, waitingStatements } from './approvals.server.ts';
export {
  bringAdvance, bringReserve, bringRoyaltorBalance, openingAgreements, royaltiesInTheWay, takeBackRoyalty,
  type OpeningAgreement, type OpeningRoyalty, type RoyaltyDocument,
} from './openings/bring-royalties.server.ts';
export { postOpening } from './openings/post-opening.server.ts';
export { calculateRun, WORK_STATEMENT_RUNS, type RunInput } from './statements/calculate-run.server.ts';
export { workStatementRuns } from './statements/work-runs.server.ts';
export { approveRun, issueRun } from './statements/decide-statement.server.ts';
export { tieOut } from './reports/tie-out.server.ts';
export { dueRoyalties } from './payments/due-royalties.server.ts';
export { makeBatch, type BatchInput } from './payments/make-batch.server.ts';
export { readBatch, refuseBatchEvent, refuseHeldOutOf, releasePayments, returnPayment, voidBatch }
  from './payments/decide-batch.server.ts';
export { payEach, type Batch } from './payments/pay-batch.server.ts';
export { sumBatch } from './payments/convert-payment.server.ts';
export { payablesOf as royaltyPayablesOf } from './payments/payables.server.ts';
export { batchList, findBatch, listBatches, listRoyaltyPayments } from './payments/payment-batch.server.ts';
export { backupRateOn, royaltiesPaid } from './withholding/withholding.server.ts';
