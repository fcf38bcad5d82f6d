/** Pages of closing the books. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

export const closingPages = pages<ComponentType>([
  { path: '/admin/accounting/close', area: 'staff', permission: 'transaction.list', title: 'Close a month',
    load: () => import('./close-checklist.web.tsx') },
]);
