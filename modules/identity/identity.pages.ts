/** Pages of identity behind a session: the choosers. The public area stands in public.pages.ts. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

const portals = () => import('./session/portals.web.tsx');

export const identityPages = pages<ComponentType>([
  { path: '/select', area: 'system', permission: null, title: 'Choose a workspace', roles: ['system_admin'],
    load: () => portals().then((file) => ({ default: file.Select })) },
  { path: '/select-portal', area: 'customer', permission: null, title: 'Choose a customer',
    load: () => portals().then((file) => ({ default: file.SelectPortal })) },
  { path: '/account', area: 'customer', permission: null, title: 'Your account', roles: ['vendor'],
    load: () => import('./session/vendor-account.web.tsx') },
  { path: '/set-up-two-factor', area: 'staff', permission: null, title: 'Set up two-factor sign-in',
    load: () => import('./security/set-up.web.tsx').then((file) => ({ default: file.SetUpTwoFactor })) },
  { path: '/admin/staff/:staffId/security', area: 'staff', permission: null, title: 'Security',
    load: () => import('./security/staff-security.web.tsx').then((file) => ({ default: file.StaffSecurity })) },
]);
