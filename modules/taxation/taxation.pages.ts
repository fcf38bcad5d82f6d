/** Pages of taxation. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

export const taxationPages = pages<ComponentType>([
  { path: '/admin/accounting/tax-codes', area: 'staff', permission: 'transaction.list', title: 'Tax codes and rates',
    load: () => import('./tax-codes/tax-codes.web.tsx') },
]);
