/** The sections of Banking: one row of tabs, the same on every list. */
import type { Permission } from '#kit/permission.ts';

export const BANKING = '/admin/banking';
export const BANKS = `${BANKING}/banks`;
export const TRANSFERS = `${BANKING}/transfers`;
export const BANK_ACCOUNTS = `${BANKING}/bank-accounts`;
export const RECONCILIATION = `${BANKING}/reconciliation`;
export const DEPOSIT_SLIPS = `${BANKING}/deposit-slips`;
export const MATCHING = `${BANKING}/matching`;
export const STATEMENTS = `${BANKING}/statements`;
export const BANK_TRANSACTIONS = `${BANKING}/transactions`;
export const BANK_RULES = `${BANKING}/rules`;

export function bankingTabs(may: (permission: Permission) => boolean) {
  const tab = (permission: Permission, href: string, text: string) => (
    may(permission) ? [{ id: href, href, text }] : []);
  return [
    ...tab('bank_account.list', BANK_ACCOUNTS, 'Bank accounts'),
    ...tab('bank_transaction.list', BANK_TRANSACTIONS, 'Transactions'),
    ...tab('bank_transaction.list', STATEMENTS, 'Statements'),
    ...tab('bank_transaction.list', MATCHING, 'Matching'),
    ...tab('bank_transaction.list', RECONCILIATION, 'Reconciliation'),
    ...tab('bank_transaction.list', DEPOSIT_SLIPS, 'Deposit slips'),
    ...tab('bank_transaction.list', TRANSFERS, 'Transfers'),
    ...tab('bank_transaction.list', BANK_RULES, 'Rules'),
    ...tab('bank.list', BANKS, 'Banks'),
  ];
}
