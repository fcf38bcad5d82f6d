/**
 * The documents behind postings: where their pages are, and the way to take back what one posted. The ledger itself
 * reverses only what was written by hand (accounting.md 1.2).
 */
import * as z from 'zod';
import { spell } from '#kernel/text/english.ts';

export const DOCUMENT_KINDS = ['invoice', 'credit_note', 'receipt', 'refund', 'payment', 'royalty_payment',
  'royalty_statement', 'deposit', 'license', 'royaltor', 'bank_account', 'bank_transfer',
  'deposit_slip', 'bill', 'vendor_credit', 'opening_set', 'revaluation', 'goods_receipt',
  'intercompany_entry'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export const transactionDocument = z.object({ kind: z.enum(DOCUMENT_KINDS), id: z.int(),
  number: z.string().nullable() });
export type TransactionDocument = z.infer<typeof transactionDocument>;

interface Words {
  name: string;
  page: string;
  /** Action a person takes there instead of reversing, as a sentence. */
  way: string;
}

export const DOCUMENTS: Readonly<Record<DocumentKind, Words>> = {
  invoice: { name: 'Invoice', page: '/admin/accounts-receivable/invoices/', way: 'Credit the invoice.' },
  credit_note: { name: 'Credit note', page: '/admin/accounts-receivable/invoices/',
    way: 'A credit note stays. Invoice the amount again.' },
  receipt: { name: 'Receipt', page: '/admin/accounts-receivable/payments/',
    way: 'Return the receipt, or take it off the invoice.' },
  refund: { name: 'Refund', page: '/admin/accounts-receivable/payments/',
    way: 'Withdraw the refund while it has not been paid.' },
  payment: { name: 'Payment', page: '/admin/accounts-payable/payments/', way: 'Return the payment.' },
  royalty_payment: { name: 'Royalty payment', page: '/admin/accounts-payable/royalty-payments/',
    way: 'Record in its batch that the payment came back.' },
  royalty_statement: { name: 'Royalty statement', page: '/admin/sales-and-royalties/statements/',
    way: 'Correct it with an adjustment on the next statement.' },
  deposit: { name: 'Deposit', page: '/admin/quotes/', way: spell`Settle the deposit on its license.` },
  license: { name: spell`License`, page: '/admin/quotes/', way: spell`It follows the license. Credit its invoice.` },
  bank_account: { name: 'Bank account', page: '/admin/banking/bank-accounts/',
    way: 'Correct the opening balance with a bank entry.' },
  bank_transfer: { name: 'Transfer', page: '/admin/banking/transfers?id=', way: 'Reverse the transfer.' },
  deposit_slip: { name: 'Deposit slip', page: '/admin/banking/deposit-slips/', way: 'Take back the deposit.' },
  bill: { name: 'Bill', page: '/admin/accounting/bills/', way: 'Void the bill.' },
  vendor_credit: { name: 'Vendor credit', page: '/admin/accounting/bills/', way: 'Void the vendor credit.' },
  opening_set: { name: 'Opening balances', page: '/admin/accounting/opening-balances/', way: 'Reverse the set.' },
  revaluation: { name: 'Revaluation', page: '/admin/accounting/revaluations/',
    way: 'It is taken back on the next day. Correct the rate, and revalue the day again.' },
  intercompany_entry: { name: 'Intercompany entry', page: '/admin/accounting/intercompany/',
    way: 'Reverse the entry: both divisions are reversed together.' },
  goods_receipt: { name: 'Goods receipt', page: '/admin/accounts-payable/goods-received?receipt_id=',
    way: 'Return the goods to the vendor.' },
  royaltor: { name: 'Royaltor', page: '/admin/royaltors/', way: 'Correct the balance with an adjustment.' },
};

export const pageOf = (document: TransactionDocument): string => `${DOCUMENTS[document.kind].page}${document.id}`;
/** "Invoice INV-US-2026-000012". */
export const nameOf = ({ kind, number }: TransactionDocument): string =>
  (number === null ? DOCUMENTS[kind].name : `${DOCUMENTS[kind].name} ${number}`);
