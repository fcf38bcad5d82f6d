/**
 * The kinds of the approvals inbox with the calls that decide. A kind is registered here and, with the query for its
 * waiting records, in approval-sources.server.ts; both are complete or the compiler says which kind is missing. Whoever
 * may make the `approve` call sees the kind.
 */
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import { intercompanyEndpoints } from '#modules/accounting/intercompany/intercompany.contract.ts';
import { periodLockEndpoints } from '#modules/accounting/period/period-lock.contract.ts';
import { periodEndpoints } from '#modules/accounting/period/period.contract.ts';
import { yearEndEndpoints as fiscalYearEndpoints } from '#modules/accounting/period/year-end.contract.ts';
import { revaluationEndpoints } from '#modules/accounting/revaluation/revaluation.contract.ts';
import { transactionEndpoints } from '#modules/accounting/transaction/transaction.contract.ts';
import { bomTemplateEndpoints } from '#modules/catalogue/bom-template/bom-template.contract.ts';
import { rateCardEndpoints } from '#modules/catalogue/rate-card/rate-card.contract.ts';
import { royaltorEndpoints } from '#modules/catalogue/royaltor/royaltor.contract.ts';
import { customerBankEndpoints } from '#modules/customers/customer/customer-bank.contract.ts';
import { changeRequestEndpoints } from '#modules/customers/own-details/own-details.contract.ts';
import { boxOfficeEndpoints } from '#modules/licensing/box-office/box-office.contract.ts';
import { pricingEndpoints } from '#modules/licensing/licenses/pricing/pricing.contract.ts';
import { openingSetEndpoints } from '#modules/openings/opening-set.contract.ts';
import { vendorEndpoints } from '#modules/operations/vendor/vendor.contract.ts';
import { billEndpoints } from '#modules/payables/bill/bill.contract.ts';
import { runEndpoints as paymentRunEndpoints } from '#modules/payables/run/payment-run.contract.ts';
import { paymentEndpoints } from '#modules/receivables/payments/payment.contract.ts';
import { advanceEndpoints } from '#modules/royalties/advances/advance.contract.ts';
import { batchEndpoints } from '#modules/royalties/payments/payment-batch.contract.ts';
import { runEndpoints, statementEndpoints } from '#modules/royalties/statements/statement.contract.ts';
import { certificateEndpoints }
  from '#modules/taxation/exemption-certificates/exemption-certificate.contract.ts';
import { vatReturnEndpoints } from '#modules/taxation/returns/vat-return.contract.ts';
import { yearEndEndpoints } from '#modules/taxation/year-end/year-end.contract.ts';
import type { ApprovalKind } from './approval.contract.ts';

export interface ApprovalCalls {
  /** Many of them. */
  label: string;
  approve: AnyEndpoint;
  /** Imperative with an object, for the button: 'Approve', 'Verify', 'Confirm'. */
  verb: string;
  /** Past participle, for the message afterwards. */
  done: string;
  /** Asked before the call is made; none for what is easily taken back. */
  question?: string;
  /** The approve call takes a note of how the details were confirmed. */
  takesNote?: boolean;
  decline: AnyEndpoint;
  declineVerb: string;
  /** Field of the decline call that takes the reason. */
  reason: 'reason' | 'note';
  /** Effect of declining it. */
  declineText: string;
}

const plain = (label: string, approve: AnyEndpoint, decline: AnyEndpoint, declineText: string): ApprovalCalls =>
  ({ label, approve, verb: 'Approve', done: 'Approved', decline, declineVerb: 'Decline', reason: 'reason',
    declineText });
const DRAFT = 'It stays a draft; changing it asks for approval again. The person who prepared it sees the reason.';
const DELETED = 'The bank details are deleted. The person who entered them sees the reason.';
const UNCHANGED = 'Nothing changes. The person who asked sees the reason.';

export const APPROVAL_CALLS: Readonly<Record<ApprovalKind, ApprovalCalls>> = {
  discount: plain('Discounts', pricingEndpoints.approveDiscount, pricingEndpoints.declineDiscount,
    'The discount is removed. The person who gave it sees the reason.'),
  rate_card: plain('Rate cards', rateCardEndpoints.approve, rateCardEndpoints.decline, DRAFT),
  box_office_report: { ...plain('Box-office reports', boxOfficeEndpoints.review, boxOfficeEndpoints.review,
    'The report goes back to the person who submitted it, with your question.'),
  verb: 'Accept', done: 'Accepted', declineVerb: 'Send back', reason: 'note',
  question: 'Royalties are calculated and posted.' },
  statement_run: { ...plain('Statement runs', runEndpoints.approve, runEndpoints.decline,
    'Calculating it again asks for approval again. The person who calculated it sees the reason.'),
  question: 'This approves all calculated statements of the run.' },
  statement: { ...plain('Royalty statements', statementEndpoints.approve, statementEndpoints.void,
    'The statement becomes void; its lines are free for the next calculation.'), declineVerb: 'Void' },
  correction: plain('Royalty corrections', advanceEndpoints.approveAdjustment, advanceEndpoints.declineAdjustment,
    'It is on no statement. The person who entered it sees the reason.'),
  payment_batch: { ...plain('Payment batches', batchEndpoints.approve, batchEndpoints.cancel,
    spell`The batch is canceled; its statements and advances are free for another batch.`),
  question: 'The batch can then be sent to the bank and paid.' },
  payment_run: { ...plain('Payment runs', paymentRunEndpoints.approve, paymentRunEndpoints.void,
    'The run is withdrawn; what it would have paid is free for another run.'),
  question: 'The file can then be written for the bank.' },
  payment: { ...plain('Payments', paymentEndpoints.status, paymentEndpoints.status,
    'The payment is withdrawn; what it would have paid is free for another one.'),
  question: 'The payment can then be made.' },
  refund: { ...plain('Refunds', paymentEndpoints.status, paymentEndpoints.status,
    'The refund is withdrawn; the money is on account again.'), question: 'The refund can then be paid.' },
  bill: { ...plain('Bills', billEndpoints.approve, billEndpoints.decline,
    'It becomes a draft again. The person who submitted it sees the reason.'),
  question: 'The bill is posted and can then be paid.' },
  royaltor_bank: { ...plain('Bank details of royaltors', royaltorEndpoints.verifyBankDetails,
    royaltorEndpoints.declineBankDetails, DELETED), verb: 'Verify', done: 'Verified', takesNote: true,
  question: 'Payments go to this account from now on. Compare it with what the payee sent you.' },
  vendor_bank: { ...plain('Bank details of vendors', vendorEndpoints.verifyBankDetails,
    vendorEndpoints.declineBankDetails, DELETED), verb: 'Verify', done: 'Verified', takesNote: true,
  question: 'Payments go to this account from now on. Compare it with what the vendor sent you.' },
  tax_return: { ...plain('Tax returns', vatReturnEndpoints.file, vatReturnEndpoints.withdraw,
    'The return is withdrawn. The person who prepared it sees the reason.'), verb: 'File', done: 'Filed',
  question: 'The return’s lines are frozen. The tax of a VAT return is posted, and its period locked for tax.' },
  year_end_filing: { ...plain('Year-end forms', yearEndEndpoints.file, yearEndEndpoints.withdraw,
    'The forms are withdrawn. The person who prepared them sees the reason.'), verb: 'Mark filed', done: 'Marked filed',
  question: 'The forms never change afterwards; a later change is a correction.' },
  customer_bank: { ...plain('Bank details of customers', customerBankEndpoints.verifyBankDetails,
    customerBankEndpoints.declineBankDetails, DELETED), verb: 'Verify', done: 'Verified', takesNote: true,
  question: 'Refunds go to this account from now on. Compare it with what the customer sent you.' },
  customer_details: { ...plain('Details of customers', changeRequestEndpoints.approve,
    changeRequestEndpoints.decline, 'Nothing changes. The customer’s admins get the reason by email.'),
  verb: 'Confirm', done: 'Confirmed', question: 'The customer’s details change, and its admins get an email.' },
  exemption_certificate: { ...plain('Exemption certificates', certificateEndpoints.verify, certificateEndpoints.refuse,
    'Tax is charged as before. The customer’s admins get the reason by email.'), verb: 'Verify', done: 'Verified',
  question: 'While it is valid, invoices carry no sales tax. Compare it with the file first.' },
  bom_template: plain('BOM templates', bomTemplateEndpoints.approve, bomTemplateEndpoints.decline, DRAFT),
  period_close: { ...plain('Periods to close', periodEndpoints.close, periodEndpoints.decline, UNCHANGED),
    verb: 'Confirm', done: 'Confirmed', question: 'A closed period takes no postings.' },
  period_reopen: { ...plain('Periods to reopen', periodEndpoints.reopen, periodEndpoints.decline, UNCHANGED),
    verb: 'Confirm', done: 'Confirmed', question: 'The period takes postings again.' },
  lock_date: { ...plain('Lock dates', periodLockEndpoints.set, periodLockEndpoints.decline, UNCHANGED),
    verb: 'Confirm', done: 'Confirmed', question: 'Nothing can be posted on or before the lock date.' },
  opening_reversal: { ...plain('Opening balances to reverse', openingSetEndpoints.reverse,
    openingSetEndpoints.declineReversal, UNCHANGED), verb: 'Reverse', done: 'Reversed',
  question: 'The postings of the set are reversed and its documents voided. The file can then be imported again.' },
  revaluation: { ...plain('Revaluations', revaluationEndpoints.approve, revaluationEndpoints.decline,
    'Nothing is posted. The person who asked sees the reason.'),
  question: 'Gains and losses are posted on that day, and taken back on the next.' },
  intercompany: { ...plain('Intercompany entries', intercompanyEndpoints.approve, intercompanyEndpoints.decline,
    'Nothing is posted. The person who entered it sees the reason.'),
  question: 'It is posted in the books of both divisions.' },
  closing_entry: { ...plain('Closing entries', transactionEndpoints.post, fiscalYearEndpoints.decline,
    'Nothing is posted, and its draft goes to the trash. The person who prepared it sees the reason.'), verb: 'Post',
  done: 'Posted', question: 'Income and expense of the year move to retained earnings.' },
};
