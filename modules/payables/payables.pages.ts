/** Pages of payables: bills, payments, payment runs, checks. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';
import { spell } from '#kernel/text/english.ts';
import { PAYABLES } from './payables-tabs.ts';

const BILLS = '/admin/accounting/bills';
const bill = () => import('./bill/bill-page.web.tsx');
const RUNS = `${PAYABLES}/payment-runs`;
const run = () => import('./run/run-page.web.tsx');

export const payablesPages = pages<ComponentType>([
  { path: PAYABLES, area: 'staff', permission: null, title: 'Accounts payable',
    redirectTo: `${PAYABLES}/royalty-payments` },
  { path: BILLS, area: 'staff', permission: 'bill.list', title: 'Bills',
    load: () => import('./bill/bill-list.web.tsx') },
  { path: `${BILLS}/create`, area: 'staff', permission: 'bill.create', title: 'New bill',
    load: () => bill().then((file) => ({ default: file.BillCreate })) },
  { path: `${BILLS}/:billId`, area: 'staff', permission: 'bill.update', title: 'Bill',
    load: () => bill().then((file) => ({ default: file.BillPage })) },
  { path: `${PAYABLES}/invoices`, area: 'staff', permission: 'bill.list', title: 'Bills to pay',
    load: () => import('./bill/bill-list.web.tsx').then((file) => ({ default: file.PayableBills })) },
  { path: `${PAYABLES}/invoices/:invoiceId`, area: 'staff', permission: 'bill.show', title: 'Bill',
    load: () => bill().then((file) => ({ default: file.PayableBill })) },
  { path: `${PAYABLES}/aging`, area: 'staff', permission: 'bill.list', title: spell`Payables aging`,
    load: () => import('./aging/payables-aging.web.tsx') },
  { path: RUNS, area: 'staff', permission: 'payment.list', title: 'Payment runs',
    load: () => import('./run/run-list.web.tsx') },
  { path: `${RUNS}/create`, area: 'staff', permission: 'payment.create', title: 'New payment run',
    load: () => run().then((file) => ({ default: file.RunCreate })) },
  { path: `${RUNS}/:paymentRunId`, area: 'staff', permission: 'payment.show', title: 'Payment run',
    load: () => run().then((file) => ({ default: file.RunPage })) },
]);
