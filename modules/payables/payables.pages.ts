/** Pages of payables: bills, all payments, payment runs, checks. */
import type { ComponentType } from 'react';
import { spell } from '#kernel/text/english.ts';
import { pages } from '#kit/page.ts';
import { CHECKING, PAYABLES } from './payables-tabs.ts';

const check = () => import('./check/check-page.web.tsx');

const BILLS = '/admin/accounting/bills';
const SCHEDULES = '/admin/accounting/recurring-bills';
const bill = () => import('./bill/bill-page.web.tsx');
const schedule = () => import('./bill-schedule/schedule-page.web.tsx');
const PAYMENTS = '/admin/accounting/payments';
const payments = () => import('./payment/payment-list.web.tsx');
const payment = () => import('./payment/payment-page.web.tsx');
const RUNS = `${PAYABLES}/payment-runs`;
const run = () => import('./run/run-page.web.tsx');

export const payablesPages = pages<ComponentType>([
  { path: PAYABLES, area: 'staff', permission: null, title: 'Accounts payable',
    redirectTo: `${PAYABLES}/payments` },
  { path: BILLS, area: 'staff', permission: 'bill.list', title: 'Bills',
    load: () => import('./bill/bill-list.web.tsx') },
  { path: `${BILLS}/create`, area: 'staff', permission: 'bill.create', title: 'New bill',
    load: () => bill().then((file) => ({ default: file.BillCreate })) },
  { path: `${BILLS}/:billId`, area: 'staff', permission: 'bill.update', title: 'Bill',
    load: () => bill().then((file) => ({ default: file.BillPage })) },
  { path: SCHEDULES, area: 'staff', permission: 'bill.list', title: 'Recurring bills',
    load: () => import('./bill-schedule/schedule-list.web.tsx') },
  { path: `${SCHEDULES}/create`, area: 'staff', permission: 'bill.create', title: 'New recurring bill',
    load: () => schedule().then((file) => ({ default: file.ScheduleCreate })) },
  { path: `${SCHEDULES}/:billScheduleId`, area: 'staff', permission: 'bill.show', title: 'Recurring bill',
    load: () => schedule().then((file) => ({ default: file.SchedulePage })) },
  { path: `${PAYABLES}/invoices`, area: 'staff', permission: 'bill.list', title: 'Bills to pay',
    load: () => import('./bill/bill-list.web.tsx').then((file) => ({ default: file.PayableBills })) },
  { path: `${PAYABLES}/invoices/:invoiceId`, area: 'staff', permission: 'bill.show', title: 'Bill',
    load: () => bill().then((file) => ({ default: file.PayableBill })) },
  { path: `${PAYABLES}/goods-received`, area: 'staff', permission: 'bill.list', title: 'Goods received',
    load: () => import('./goods-received/goods-received.web.tsx') },
  { path: `${PAYABLES}/aging`, area: 'staff', permission: 'bill.list', title: spell`Payables aging`,
    load: () => import('./aging/payables-aging.web.tsx') },
  { path: PAYMENTS, area: 'staff', permission: 'payment.list', title: 'Payments', load: payments },
  { path: `${PAYMENTS}/create`, area: 'staff', permission: 'payment.create', title: 'New payment',
    load: () => import('./payment/payment-create.web.tsx') },
  { path: `${PAYMENTS}/:paymentId`, area: 'staff', permission: 'payment.update', title: 'Payment',
    load: () => payment().then((file) => ({ default: file.PaymentPage })) },
  { path: `${PAYABLES}/payments`, area: 'staff', permission: 'payment.list', title: 'Payments out',
    load: () => payments().then((file) => ({ default: file.PayablePayments })) },
  { path: `${PAYABLES}/payments/:paymentId`, area: 'staff', permission: 'payment.show', title: 'Payment out',
    load: () => payment().then((file) => ({ default: file.PayablePayment })) },
  { path: RUNS, area: 'staff', permission: 'payment.list', title: 'Payment runs',
    load: () => import('./run/run-list.web.tsx') },
  { path: `${RUNS}/create`, area: 'staff', permission: 'payment.create', title: 'New payment run',
    load: () => run().then((file) => ({ default: file.RunCreate })) },
  { path: `${RUNS}/:paymentRunId`, area: 'staff', permission: 'payment.show', title: 'Payment run',
    load: () => run().then((file) => ({ default: file.RunPage })) },
  { path: `${PAYABLES}/prenotes`, area: 'staff', permission: 'payment.list', title: 'Prenotes',
    load: () => import('./prenote/prenote-list.web.tsx') },
  { path: CHECKING, area: 'staff', permission: 'payment.list', title: spell`Checks`,
    load: () => import('./check/check-list.web.tsx') },
  { path: `${CHECKING}/create`, area: 'staff', permission: 'payment.create', title: spell`New check`,
    load: () => import('./check/check-form.web.tsx') },
  { path: `${CHECKING}/:checkId`, area: 'staff', permission: 'payment.show', title: spell`Check`,
    redirectTo: `${CHECKING}/:checkId/information` },
  { path: `${CHECKING}/:checkId/information`, area: 'staff', permission: 'payment.show', title: spell`Check`,
    load: () => check().then((file) => ({ default: file.CheckInformation })) },
  { path: `${CHECKING}/:checkId/activity`, area: 'staff', permission: 'payment.show', title: 'Activity',
    load: () => check().then((file) => ({ default: file.CheckActivity })) },
  { path: `${PAYABLES}/checks-wires`, area: 'staff', permission: 'payment.list', title: spell`Checks and wires`,
    load: () => import('./check/checks-wires.web.tsx') },
]);
