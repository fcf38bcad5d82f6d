/** The staff home. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

export const dashboardPages = pages<ComponentType>([
  { path: '/admin', area: 'staff', permission: null, title: 'Home', load: () => import('./dashboard.web.tsx') },
]);
