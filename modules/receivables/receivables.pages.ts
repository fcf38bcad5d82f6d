/** Pages of accounts receivable. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';
import { spell } from '#kernel/text/english.ts';

const base = '/admin/accounts-receivable';
const draft = () => import('./invoices/invoice-form.web.tsx');

export const receivablesPages = pages<ComponentType>([
  { path: base, area: 'staff', permission: null, title: 'Accounts receivable', redirectTo: `${base}/payments` },
  { path: `${base}/payments`, area: 'staff', permission: 'payment.list', title: 'Receipts',
    load: () => import('./payments/receipt-list.web.tsx') },
  { path: `${base}/payments/:paymentId`, area: 'staff', permission: 'payment.show', title: 'Receipt',
    load: () => import('./payments/receipt-page.web.tsx') },
  { path: `${base}/card-payments`, area: 'staff', permission: 'payment.list', title: 'Card payments',
    load: () => import('./online/online-payment-list.web.tsx') },
  { path: `${base}/disputes`, area: 'staff', permission: 'payment.list', title: 'Disputes',
    load: () => import('./online/dispute-list.web.tsx') },
  { path: `${base}/payouts`, area: 'staff', permission: 'payment.list', title: 'Payouts',
    load: () => import('./online/payout-list.web.tsx') },
  { path: `${base}/invoices`, area: 'staff', permission: 'invoice.list', title: 'Invoices',
    load: () => import('./invoices/invoice-list.web.tsx') },
  { path: `${base}/invoices/create`, area: 'staff', permission: 'invoice.create', title: 'New invoice',
    load: () => draft().then((file) => ({ default: file.InvoiceCreate })) },
  { path: `${base}/invoices/:invoiceId/edit`, area: 'staff', permission: 'invoice.update', title: 'Change draft',
    load: () => draft().then((file) => ({ default: file.InvoiceEdit })) },
  { path: `${base}/invoices/:invoiceId`, area: 'staff', permission: 'invoice.view', title: 'Invoice',
    load: () => import('./invoices/invoice-page.web.tsx') },
  { path: `${base}/aging`, area: 'staff', permission: 'invoice.list', title: spell`Aging`,
    load: () => import('./aging/aging.web.tsx') },
]);
