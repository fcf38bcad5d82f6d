/** The sections of Accounting and of Finance reports: one row of tabs each, the same on every list and report. */
import type { Permission } from '#kit/permission.ts';

type May = (permission: Permission) => boolean;

const tab = (may: May, permission: Permission, href: string, text: string) =>
  may(permission) ? [{ id: href, href, text }] : [];

export function accountingTabs(may: May) {
  const base = '/admin/accounting';
  return [
    ...tab(may, 'transaction.list', `${base}/transactions`, 'Transactions'),
    ...tab(may, 'bill.list', `${base}/bills`, 'Bills'),
    ...tab(may, 'bill.list', `${base}/recurring-bills`, 'Recurring bills'),
    ...tab(may, 'payment.list', `${base}/payments`, 'Payments'),
    ...tab(may, 'ledger_account.view', `${base}/general-ledger`, 'General ledger'),
    ...tab(may, 'ledger_account.view', `${base}/trial-balance`, 'Trial balance'),
    ...tab(may, 'ledger_account.list', `${base}/chart-of-accounts`, 'Chart of accounts'),
    ...tab(may, 'ledger_header.list', `${base}/headers`, 'Headers'),
    ...tab(may, 'transaction.list', `${base}/periods`, 'Periods'),
    ...tab(may, 'transaction.list', `${base}/close`, 'Close'),
    ...tab(may, 'transaction.list', `${base}/locks`, 'Locks'),
    ...tab(may, 'transaction.list', `${base}/exchange-rates`, 'Exchange rates'),
    ...tab(may, 'transaction.list', `${base}/revaluations`, 'Revaluations'),
    ...tab(may, 'transaction.list', `${base}/intercompany`, 'Intercompany'),
    ...tab(may, 'transaction.list', `${base}/tax-codes`, 'Taxes'),
    ...tab(may, 'transaction.list', `${base}/opening-balances`, 'Opening balances'),
    ...tab(may, 'ledger_account.view', `${base}/integrity`, 'Integrity'),
  ];
}

export function financeTabs(may: May) {
  return [
    ...tab(may, 'ledger_account.list', '/admin/finance/profit-loss', 'Profit and loss'),
    ...tab(may, 'ledger_account.list', '/admin/finance/cash-flows', 'Cash flows'),
    ...tab(may, 'ledger_account.list', '/admin/finance/balance-sheet', 'Balance sheet'),
    ...tab(may, 'ledger_account.list', '/admin/finance/exchange-gains-losses', 'Exchange gains and losses'),
    ...tab(may, 'ledger_account.list', '/admin/finance/taxes-vat', 'Taxes and VAT'),
  ];
}
