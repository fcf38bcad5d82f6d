/** The page of reports (RT99). */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

export const reportingPages = pages<ComponentType>([
  { path: '/admin/reporting', area: 'staff', permission: 'export.download', title: 'Reporting',
    load: () => import('./reporting.web.tsx') },
]);
