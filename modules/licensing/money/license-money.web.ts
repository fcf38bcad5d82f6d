/** Reads that a step of a licence makes stale: signing, reports and cancelling bring invoices and postings. */
import { invoiceEndpoints } from '#modules/receivables/invoices/invoice.contract.ts';
import { transactionEndpoints } from '#modules/accounting/transaction/transaction.contract.ts';

export const LICENSE_MONEY = [invoiceEndpoints.list, transactionEndpoints.list];
