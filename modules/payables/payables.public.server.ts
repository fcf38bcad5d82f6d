/**
 * Public interface of payables for other contexts. Money out: {@link makeDisbursement} reserves open items of accounts
 * payable, {@link approveDisbursement} is another person's, {@link postDisbursement} settles them; a bank sends back by
 * {@link returnDisbursement}, a person withdraws by {@link voidDisbursement}. Royaltors: {@link makeRoyaltyRun} makes a
 * batch with the run that pays it, {@link approveBatch} and {@link payBatch} are its steps.
 */
export {
  approveDisbursement, changeDisbursement, makeDisbursement, returnDisbursement, voidDisbursement,
  type DisbursementChange, type DisbursementInput, type DisbursementPart,
} from './disbursement/disbursement.server.ts';
export { payablesMoney } from './disbursement/paid-elsewhere.server.ts';
export { postDisbursement } from './disbursement/post-disbursement.server.ts';
export { approveBatch, makeRoyaltyRun, payBatch } from './royalty-run/royalty-run.server.ts';
export { billsInTheWay, bringBills, takeBackBills, type OpeningBill } from './openings/bring-bills.server.ts';
export { waitingBills, waitingPaymentRuns, waitingPayments } from './approvals.server.ts';
export { makeRecurringBills } from './bill-schedule/make-bills.server.ts';
export { payableItems } from './bill/pay-by-line.server.ts';
export { billTasks } from './bill-schedule/bill-schedule.server.ts';
export { payableTasks } from './payable-tasks.server.ts';
export { returnedTasks } from './payment/returned-tasks.server.ts';
export { postPaymentRuns } from './run/settle-run.server.ts';
