/** Pages of payables: bills, payments, payment runs, checks. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';
import { PAYABLES } from './payables-tabs.ts';

export const payablesPages = pages<ComponentType>([
  { path: PAYABLES, area: 'staff', permission: null, title: 'Accounts payable',
    redirectTo: `${PAYABLES}/royalty-payments` },
]);
