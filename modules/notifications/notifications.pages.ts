/** Pages of notifications in the office; the portal's stands with the portal. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

export const notificationsPages = pages<ComponentType>([
  { path: '/admin/notifications', area: 'staff', permission: null, title: 'Notifications',
    load: () => import('./notifications-page.web.tsx') },
]);
