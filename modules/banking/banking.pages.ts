/** Pages of banking. Those of banks need bank.list beside their own permission (SPEC.md 2). */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';
import {
  BANK_ACCOUNTS, BANK_RULES, BANK_TRANSACTIONS, BANKING, BANKS, DEPOSIT_SLIPS, MATCHING, RECONCILIATION, STATEMENTS,
  TRANSFERS,
} from './banking-tabs.ts';

const banks = () => import('./bank/bank-screens.web.tsx');
const account = () => import('./bank-account/bank-account-page.web.tsx');
const transaction = () => import('./transaction/transaction-page.web.tsx');
const slip = () => import('./deposit-slip/deposit-slip-page.web.tsx');
const rule = () => import('./rule/rule-page.web.tsx');
const layout = ['bank.list'] as const;

export const bankingPages = pages<ComponentType>([
  { path: BANKING, area: 'staff', permission: null, title: 'Banking', redirectTo: BANK_TRANSACTIONS },
  { path: BANKS, area: 'staff', permission: 'bank.list', title: 'Banks', load: banks },
  { path: `${BANKS}/create`, area: 'staff', permission: 'bank.create', also: layout, title: 'New bank',
    load: () => banks().then((file) => ({ default: file.BankCreate })) },
  { path: `${BANKS}/:bankId`, area: 'staff', permission: 'bank.show', also: layout, title: 'Bank',
    load: () => banks().then((file) => ({ default: file.BankPage })) },
  { path: TRANSFERS, area: 'staff', permission: 'bank_transaction.list', title: 'Transfers',
    load: () => import('./transfer/transfer-list.web.tsx') },
  { path: RECONCILIATION, area: 'staff', permission: 'bank_transaction.list', title: 'Reconciliation',
    load: () => import('./reconciliation/reconciliation-page.web.tsx') },
  { path: `${RECONCILIATION}/:reconciliationId`, area: 'staff', permission: 'bank_transaction.show',
    title: 'Bank reconciliation', load: () => import('./reconciliation/reconciliation-report.web.tsx') },
  { path: DEPOSIT_SLIPS, area: 'staff', permission: 'bank_transaction.list', title: 'Deposit slips',
    load: () => import('./deposit-slip/deposit-slip-list.web.tsx') },
  { path: `${DEPOSIT_SLIPS}/create`, area: 'staff', permission: 'bank_transaction.create', title: 'New deposit slip',
    load: () => slip().then((file) => ({ default: file.DepositSlipCreate })) },
  { path: `${DEPOSIT_SLIPS}/:depositSlipId`, area: 'staff', permission: 'bank_transaction.show', title: 'Deposit slip',
    load: () => slip().then((file) => ({ default: file.DepositSlipPage })) },
  { path: BANK_ACCOUNTS, area: 'staff', permission: 'bank_account.list', title: 'Bank accounts',
    load: () => import('./bank-account/bank-account-list.web.tsx') },
  { path: `${BANK_ACCOUNTS}/create`, area: 'staff', permission: 'bank_account.create', title: 'New bank account',
    load: () => account().then((file) => ({ default: file.BankAccountCreate })) },
  { path: `${BANK_ACCOUNTS}/:bankAccountId`, area: 'staff', permission: 'bank_account.show', title: 'Bank account',
    load: () => account().then((file) => ({ default: file.BankAccountPage })) },
  { path: BANK_TRANSACTIONS, area: 'staff', permission: 'bank_transaction.list', title: 'Bank transactions',
    load: () => import('./transaction/transaction-list.web.tsx') },
  { path: `${BANK_TRANSACTIONS}/create`, area: 'staff', permission: 'bank_transaction.create',
    title: 'New bank transaction',
    load: () => transaction().then((file) => ({ default: file.BankTransactionCreate })) },
  { path: `${BANK_TRANSACTIONS}/:bankTransactionId`, area: 'staff', permission: 'bank_transaction.show',
    title: 'Bank transaction', load: () => transaction().then((file) => ({ default: file.BankTransactionPage })) },
  { path: BANK_RULES, area: 'staff', permission: 'bank_transaction.list', title: 'Bank rules',
    load: () => import('./rule/rule-list.web.tsx') },
  { path: `${BANK_RULES}/create`, area: 'staff', permission: 'bank_transaction.update', title: 'New bank rule',
    load: () => rule().then((file) => ({ default: file.BankRuleCreate })) },
  { path: `${BANK_RULES}/:bankRuleId`, area: 'staff', permission: 'bank_transaction.list', title: 'Bank rule',
    load: () => rule().then((file) => ({ default: file.BankRulePage })) },
  { path: STATEMENTS, area: 'staff', permission: 'bank_transaction.list', title: 'Bank statements',
    load: () => import('./statement/statement-list.web.tsx') },
  { path: MATCHING, area: 'staff', permission: 'bank_transaction.list', title: 'Bank matching',
    load: () => import('./matching/matching-page.web.tsx') },
  { path: `${STATEMENTS}/:statementId`, area: 'staff', permission: 'bank_transaction.show', title: 'Bank statement',
    load: () => import('./statement/statement-page.web.tsx') },
]);
