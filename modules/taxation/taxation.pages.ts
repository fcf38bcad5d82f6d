/** Pages of taxation. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

const base = '/admin/accounting';

export const taxationPages = pages<ComponentType>([
  { path: `${base}/tax-codes`, area: 'staff', permission: 'transaction.list', title: 'Tax codes and rates',
    load: () => import('./tax-codes/tax-codes.web.tsx') },
  { path: `${base}/local-tax-rates`, area: 'staff', permission: 'transaction.list', title: 'Local tax rates',
    load: () => import('./local-tax-rates/local-tax-rates.web.tsx') },
  { path: `${base}/tax-rules`, area: 'staff', permission: 'transaction.list', title: 'Taxability',
    load: () => import('./tax-rules/tax-rules.web.tsx') },
  { path: `${base}/tax-registrations`, area: 'staff', permission: 'transaction.list', title: 'Tax registrations',
    load: () => import('./tax-registrations/tax-registrations.web.tsx') },
  { path: `${base}/exemption-certificates`, area: 'staff', permission: 'customer.list', title: 'Exemption certificates',
    load: () => import('./exemption-certificates/certificate-list.web.tsx') },
  { path: `${base}/holidays`, area: 'staff', permission: 'transaction.list', title: 'Holidays',
    load: () => import('./holidays/holidays.web.tsx') },
  { path: `${base}/tax-service`, area: 'staff', permission: 'transaction.list', title: 'Tax service',
    load: () => import('./tax-service/tax-service.web.tsx') },
  { path: '/admin/finance/taxes-vat', area: 'staff', permission: null, title: 'Taxes and VAT',
    redirectTo: '/admin/finance/taxes-vat/uk-vat' },
  { path: '/admin/finance/taxes-vat/uk-vat', area: 'staff', permission: 'ledger_account.list', title: 'VAT return',
    load: () => import('./returns/vat-return.web.tsx') },
  { path: '/admin/finance/taxes-vat/us-sales-use-tax', area: 'staff', permission: 'ledger_account.list',
    title: 'US sales and use tax', load: () => import('./sales-tax/sales-tax.web.tsx') },
  { path: '/admin/finance/taxes-vat/year-end-forms', area: 'staff', permission: 'ledger_account.view',
    title: 'Year-end forms', load: () => import('./year-end/year-end.web.tsx') },
]);
