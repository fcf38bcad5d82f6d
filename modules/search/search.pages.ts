/** The page of the search (XR16). */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

export const searchPages = pages<ComponentType>([
  { path: '/admin/search', area: 'staff', permission: 'search_index.list', title: 'Search',
    load: () => import('./search-page.web.tsx') },
]);
