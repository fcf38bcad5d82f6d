/** Reads that a step of a licence makes stale: invoices and postings come with signing, executing, reports, cancelling. */
import { invoiceEndpoints } from '#modules/receivables/invoices/invoice.contract.ts';
import { transactionEndpoints } from '#modules/accounting/transaction/transaction.contract.ts';

export const LICENSE_MONEY = [invoiceEndpoints.list, transactionEndpoints.list];
