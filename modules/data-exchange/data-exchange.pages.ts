/** Pages of imports (history, one import, templates) and of one's own exports. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

const base = '/admin/imports';

export const dataExchangePages = pages<ComponentType>([
  { path: base, area: 'staff', permission: null, title: 'Imports', redirectTo: `${base}/history` },
  { path: `${base}/history`, area: 'staff', permission: 'import.list', title: 'Import history',
    load: () => import('./imports/import-list.web.tsx') },
  { path: `${base}/history/:importId`, area: 'staff', permission: 'import.show', title: 'Import',
    load: () => import('./imports/import-detail.web.tsx') },
  { path: `${base}/templates`, area: 'staff', permission: 'import_template.list', title: 'Import templates',
    load: () => import('./import-templates/import-templates.web.tsx') },
  { path: '/admin/bulk', area: 'staff', permission: null, title: 'My bulk actions',
    load: () => import('./bulk/bulk-runs.web.tsx') },
  { path: '/admin/bulk/:bulkRunId', area: 'staff', permission: null, title: 'Report of a bulk action',
    load: () => import('./bulk/bulk-report.web.tsx') },
  { path: '/admin/exports', area: 'staff', permission: 'export.download', title: 'My exports',
    load: () => import('./exports/my-exports.web.tsx') },
]);
