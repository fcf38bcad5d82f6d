/** Pages of opening balances. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

const SETS = '/admin/accounting/opening-balances';

export const openingsPages = pages<ComponentType>([
  { path: SETS, area: 'staff', permission: 'transaction.list', title: 'Opening balances',
    load: () => import('./set-list.web.tsx') },
  { path: `${SETS}/:setId`, area: 'staff', permission: 'transaction.view', title: 'Opening balance set',
    load: () => import('./set-page.web.tsx') },
]);
