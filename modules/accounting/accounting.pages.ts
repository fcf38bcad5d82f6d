/** Pages of the ledger and its reports. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

const chart = () => import('./ledger-account/chart.web.tsx');
const headers = () => import('./ledger-account/headers.web.tsx');
const journal = () => import('./transaction/journal-form.web.tsx');
const transaction = () => import('./transaction/transaction-pages.web.tsx');
const statements = () => import('./report/statements.web.tsx');
const cashFlows = () => import('./report/cash-flows.web.tsx');
const revaluation = () => import('./revaluation/revaluation-page.web.tsx');
const intercompany = '/admin/accounting/intercompany';
const base = '/admin/accounting';
const accounts = `${base}/chart-of-accounts`;

/** The layout around every page of one account has a gate of its own (SPEC.md 2). */
const layout = ['ledger_account.list'] as const;

export const accountingPages = pages<ComponentType>([
  { path: base, area: 'staff', permission: null, title: 'Accounting', redirectTo: `${base}/transactions` },
  { path: `${base}/transactions`, area: 'staff', permission: 'transaction.list', title: 'Transactions',
    load: () => import('./transaction/transaction-list.web.tsx') },
  { path: `${base}/transactions/create`, area: 'staff', permission: 'transaction.create', title: 'New journal',
    load: () => journal().then((file) => ({ default: file.JournalCreate })) },
  { path: `${base}/transactions/:transactionId/edit`, area: 'staff', permission: 'transaction.update',
    title: 'Change journal', load: () => journal().then((file) => ({ default: file.JournalEdit })) },
  { path: `${base}/transactions/:transactionId`, area: 'staff', permission: 'transaction.view', title: 'Transaction',
    redirectTo: `${base}/transactions/:transactionId/journal-entries` },
  { path: `${base}/transactions/:transactionId/journal-entries`, area: 'staff', permission: 'transaction.view',
    title: 'Journal entries', load: () => transaction().then((file) => ({ default: file.TransactionEntries })) },
  { path: `${base}/transactions/:transactionId/information`, area: 'staff', permission: 'transaction.view',
    title: 'Information', load: () => transaction().then((file) => ({ default: file.TransactionInformation })) },
  { path: `${base}/general-ledger`, area: 'staff', permission: 'ledger_account.view', title: 'General ledger',
    load: () => import('./report/general-ledger.web.tsx') },
  { path: `${base}/trial-balance`, area: 'staff', permission: 'ledger_account.view', title: 'Trial balance',
    load: () => import('./report/trial-balance.web.tsx') },
  { path: accounts, area: 'staff', permission: 'ledger_account.list', title: 'Chart of accounts',
    load: () => chart().then((file) => ({ default: file.ChartOfAccounts })) },
  { path: `${accounts}/create`, area: 'staff', permission: 'ledger_account.list', title: 'New account',
    load: () => chart().then((file) => ({ default: file.AccountCreate })) },
  { path: `${accounts}/:ledgerAccountId`, area: 'staff', permission: 'ledger_account.view', also: layout,
    title: 'Account', redirectTo: `${accounts}/:ledgerAccountId/information` },
  { path: `${accounts}/:ledgerAccountId/information`, area: 'staff', permission: 'ledger_account.view', also: layout,
    title: 'Account', load: () => chart().then((file) => ({ default: file.AccountInformation })) },
  { path: `${accounts}/:ledgerAccountId/journals`, area: 'staff', permission: 'ledger_account.view', also: layout,
    title: 'Journals', load: () => chart().then((file) => ({ default: file.AccountJournals })) },
  { path: `${base}/headers`, area: 'staff', permission: 'ledger_header.list', title: 'Ledger headers',
    load: () => headers().then((file) => ({ default: file.Headers })) },
  { path: `${base}/headers/create`, area: 'staff', permission: 'ledger_header.create', title: 'New header',
    load: () => headers().then((file) => ({ default: file.HeaderCreate })) },
  { path: `${base}/headers/:ledgerHeaderId`, area: 'staff', permission: 'ledger_header.view', title: 'Header',
    load: () => headers().then((file) => ({ default: file.HeaderDetail })) },
  { path: `${base}/periods`, area: 'staff', permission: 'transaction.list', title: 'Periods',
    load: () => import('./period/period.web.tsx') },
  { path: `${base}/locks`, area: 'staff', permission: 'transaction.list', title: 'Locks',
    load: () => import('./period/locks.web.tsx') },
  { path: `${base}/exchange-rates`, area: 'staff', permission: 'transaction.list', title: 'Exchange rates',
    load: () => import('./period/exchange-rates.web.tsx') },
  { path: `${base}/revaluations`, area: 'staff', permission: 'transaction.list', title: 'Revaluations',
    load: () => import('./revaluation/revaluation-list.web.tsx') },
  { path: `${base}/revaluations/create`, area: 'staff', permission: 'transaction.list', title: 'Revalue a month',
    load: () => revaluation().then((file) => ({ default: file.RevaluationCreate })) },
  { path: `${base}/revaluations/:revaluationId`, area: 'staff', permission: 'transaction.list', title: 'Revaluation',
    load: () => revaluation().then((file) => ({ default: file.RevaluationPage })) },
  { path: intercompany, area: 'staff', permission: 'transaction.list', title: 'Intercompany',
    load: () => import('./intercompany/intercompany-list.web.tsx') },
  { path: `${intercompany}/balances`, area: 'staff', permission: 'transaction.list', title: 'Intercompany balances',
    load: () => import('./intercompany/intercompany-balances.web.tsx') },
  { path: `${intercompany}/create`, area: 'staff', permission: 'transaction.update', title: 'New intercompany entry',
    load: () => import('./intercompany/intercompany-form.web.tsx') },
  { path: `${intercompany}/:intercompanyEntryId`, area: 'staff', permission: 'transaction.list',
    title: 'Intercompany entry', load: () => import('./intercompany/intercompany-page.web.tsx') },
  { path: `${base}/integrity`, area: 'staff', permission: 'ledger_account.view', title: 'Ledger integrity',
    load: () => import('./report/integrity.web.tsx') },
  { path: '/admin/finance', area: 'staff', permission: null, title: 'Finance',
    redirectTo: '/admin/finance/profit-loss' },
  { path: '/admin/finance/profit-loss', area: 'staff', permission: 'ledger_account.list', title: 'Profit and loss',
    load: () => statements().then((file) => ({ default: file.ProfitLoss })) },
  { path: '/admin/finance/profit-loss/payments', area: 'staff', permission: 'ledger_account.list',
    title: 'Payments behind a figure', load: () => import('./report/cash-basis-lines.web.tsx') },
  { path: '/admin/finance/cash-flows', area: 'staff', permission: 'ledger_account.list', title: 'Cash flows',
    load: () => cashFlows().then((file) => ({ default: file.CashFlows })) },
  { path: '/admin/finance/cash-flows/transactions', area: 'staff', permission: 'ledger_account.list',
    title: 'Transactions of a cash flow', load: () => cashFlows().then((file) => ({ default: file.CashFlowLines })) },
  { path: '/admin/finance/exchange-gains-losses', area: 'staff', permission: 'ledger_account.list',
    title: 'Exchange gains and losses', load: () => import('./report/exchange-report.web.tsx') },
  { path: '/admin/finance/balance-sheet', area: 'staff', permission: 'ledger_account.list', title: 'Balance sheet',
    load: () => statements().then((file) => ({ default: file.BalanceSheet })) },
]);
