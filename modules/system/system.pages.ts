/** Pages of the system area (spec/routes.json RT14, routes-added XR41 to XR47): system administrators alone. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

const health = () => import('./health.web.tsx');
const area = { area: 'system', permission: null } as const;

export const systemPages = pages<ComponentType>([
  { ...area, path: '/system', title: 'System', load: () => health().then((file) => ({ default: file.SystemPage })) },
  { ...area, path: '/system/health', title: 'Health',
    load: () => health().then((file) => ({ default: file.HealthPage })) },
  { ...area, path: '/system/integrity', title: 'Integrity', load: () => import('./integrity.web.tsx') },
  { ...area, path: '/system/divisions', title: 'Divisions', load: () => import('./divisions.web.tsx') },
  { ...area, path: '/system/jobs', title: 'Jobs', load: () => import('./jobs.web.tsx') },
  { ...area, path: '/system/audit', title: 'Audit', load: () => import('./audit.web.tsx') },
  { ...area, path: '/system/mail', title: 'Outbox', load: () => import('./outbox.web.tsx') },
  { ...area, path: '/system/settings', title: 'Settings', load: () => import('./settings.web.tsx') },
]);
