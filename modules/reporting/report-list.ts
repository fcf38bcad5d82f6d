/** Every report of the product with the right of its screen; a test holds both against the page table. */
import type { Permission } from '#kit/permission.ts';
import { spell } from '#kernel/text/english.ts';
import type { ReportRow } from './reporting.contract.ts';

type Report = ReportRow & { permission: Permission };

const books: Report[] = [
  { key: 'profit_loss', group: 'Books', title: 'Profit and loss', href: '/admin/finance/profit-loss',
    permission: 'ledger_account.list',
    text: 'Income and expense of a division over months, each sum down to its lines.' },
  { key: 'cash_flows', group: 'Books', title: 'Cash flows', href: '/admin/finance/cash-flows',
    permission: 'ledger_account.list', text: 'Sources and uses of a division’s cash, indirect and direct.' },
  { key: 'balance_sheet', group: 'Books', title: 'Balance sheet', href: '/admin/finance/balance-sheet',
    permission: 'ledger_account.list', text: 'Assets, liabilities and equity of a division on a date.' },
  { key: 'exchange_gains_losses', group: 'Books', title: 'Exchange gains and losses',
    href: '/admin/finance/exchange-gains-losses', permission: 'ledger_account.list',
    text: spell`Exchange gains and losses, realized by document and unrealized by account.` },
  { key: 'trial_balance', group: 'Books', title: 'Trial balance', href: '/admin/accounting/trial-balance',
    permission: 'ledger_account.view', text: 'Debit and credit of every account on a day; both sides are equal.' },
  { key: 'general_ledger', group: 'Books', title: 'General ledger', href: '/admin/accounting/general-ledger',
    permission: 'ledger_account.view', text: 'Every line of an account with the balance after it.' },
  { key: 'integrity', group: 'Books', title: 'Ledger integrity', href: '/admin/accounting/integrity',
    permission: 'ledger_account.view', text: 'Checks of the rules the books must always satisfy.' },
];

const money: Report[] = [
  { key: 'bank_reconciliation', group: 'Books', title: 'Bank reconciliation', href: '/admin/banking/reconciliation',
    permission: 'bank_transaction.list', text: 'Each bank account: the statement, what is outstanding and the books.' },
  { key: 'intercompany', group: 'Books', title: 'Intercompany balances', permission: 'transaction.list',
    href: '/admin/accounting/intercompany/balances',
    text: 'Debts of the divisions to each other, and whether both books agree.' },
  { key: 'aging', group: 'Receivables', title: spell`Aging`, href: '/admin/accounts-receivable/aging',
    permission: 'invoice.list', text: 'Open receivables by customer and age.' },
  { key: 'payables_aging', group: 'Payables', title: spell`Payables aging`, href: '/admin/accounts-payable/aging',
    permission: 'bill.list', text: 'Open bills by vendor and age, and what falls due by week.' },
  { key: 'vat_return', group: 'Tax', title: 'VAT return', href: '/admin/finance/taxes-vat/uk-vat',
    permission: 'ledger_account.list', text: 'The boxes of a period in the UK and the EU, each with its lines.' },
  { key: 'sales_tax', group: 'Tax', title: 'US sales and use tax', permission: 'ledger_account.list',
    href: '/admin/finance/taxes-vat/us-sales-use-tax',
    text: 'Tax collected and due by jurisdiction, and nexus by state.' },
];

const royalties: Report[] = [
  { key: 'royalties', group: 'Royalties', title: 'Royalties', href: '/admin/sales-and-royalties/royalties',
    permission: 'royaltor.list', text: 'Earned, paid and owed, by royaltor.' },
  { key: 'accruals', group: 'Royalties', title: 'Accruals', href: '/admin/sales-and-royalties/accruals',
    permission: 'show_royaltor.list', text: 'Every share of income with the term that gave it.' },
  { key: 'tie_out', group: 'Royalties', title: 'Royalty tie-out', href: '/admin/accounts-payable/royalty-tie-out',
    permission: 'ledger_account.view', text: 'The liability in the books against the unpaid royalty lines.' },
  { key: 'tax_withheld', group: 'Royalties', title: 'Tax withheld', href: '/admin/accounts-payable/tax-withheld',
    permission: 'ledger_account.view', text: 'Tax withheld, by year and royaltor.' },
  { key: 'year_end_forms', group: 'Tax', title: 'Year-end forms', permission: 'ledger_account.view',
    href: '/admin/finance/taxes-vat/year-end-forms',
    text: '1099-NEC, 1099-MISC and 1042-S by recipient; royalties paid in the UK and the EU.' },
];

const licensing: Report[] = [
  { key: 'license_activity', group: 'Licensing', title: spell`License activity`, permission: 'license.list',
    href: '/admin/sales-and-royalties/license-activity', text: spell`Gross receipts and royalty of every license.` },
  { key: 'box_office', group: 'Licensing', title: 'Box-office reports', permission: 'license.list',
    href: '/admin/sales-and-royalties/box-office', text: 'Returns that came in, are late or raise a question.' },
  { key: 'bookings', group: 'Licensing', title: 'Bookings', permission: 'license.list', href: '/admin/bookings',
    text: 'Productions by show, venue and date.' },
  { key: 'documents', group: 'Licensing', title: 'Documents', permission: 'license_document.list',
    href: '/admin/documents', text: 'Every offer, contract and upload, and what still waits for a signature.' },
];

export const REPORTS: readonly Report[] = [...books, ...money, ...royalties, ...licensing];
