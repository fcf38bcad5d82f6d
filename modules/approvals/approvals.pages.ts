/** The page of approvals. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

export const approvalsPages = pages<ComponentType>([
  { path: '/admin/approvals', area: 'staff', permission: null, title: 'Approvals',
    load: () => import('./approvals.web.tsx') },
]);
