/** Pages of royalties: from the report of a house to the payment of an author. Addresses as spec/routes*.json. */
import type { ComponentType } from 'react';
import { pages, type PageRow } from '#kit/page.ts';

const BASE = '/admin/sales-and-royalties';
const PAYABLES = '/admin/accounts-payable';
const BATCHES = `${PAYABLES}/royalty-payments`;

function staffPage(
  path: string, permission: PageRow['permission'], title: string, load: NonNullable<PageRow<ComponentType>['load']>,
): PageRow<ComponentType> {
  return { path, area: 'staff', permission, title, load };
}

export const royaltiesPages = pages<ComponentType>([
  { path: BASE, area: 'staff', permission: null, title: 'Sales and royalties', redirectTo: `${BASE}/royalties` },
  staffPage(`${BASE}/royalties`, 'royaltor.list', 'Royalties', () => import('./accruals/royalties.web.tsx')),
  staffPage(`${BASE}/accruals`, 'show_royaltor.list', 'Accruals', () => import('./accruals/accrual-list.web.tsx')),
  staffPage(`${BASE}/statements`, 'show_royaltor.list', 'Royalty statements',
    () => import('./statements/statement-list.web.tsx')),
  staffPage(`${BASE}/statements/:statementId`, 'show_royaltor.show', 'Royalty statement',
    () => import('./statements/statement-page.web.tsx')),
  staffPage(`${BASE}/statement-runs`, 'show_royaltor.list', 'Statement runs',
    () => import('./statements/run-list.web.tsx')),
  staffPage(`${BASE}/statement-runs/create`, 'show_royaltor.update', 'Calculate statements',
    () => import('./statements/run-form.web.tsx')),
  staffPage(`${BASE}/statement-runs/:runId`, 'show_royaltor.show', 'Statement run',
    () => import('./statements/run-page.web.tsx')),
  staffPage(`${BASE}/box-office`, 'license.list', 'Box-office reports',
    () => import('./box-office/box-office-list.web.tsx')),
  staffPage(`${BASE}/box-office/:reportId`, 'license.show', 'Box-office report',
    () => import('./box-office/report-page.web.tsx')),
  staffPage(`${BASE}/advances`, 'show_royaltor.list', 'Advances to royaltors',
    () => import('./advances/advance-list.web.tsx')),
  staffPage(`${BASE}/corrections`, 'show_royaltor.list', 'Corrections of royalties',
    () => import('./advances/correction-list.web.tsx')),
  staffPage(BATCHES, 'payment.list', 'Royalty payments', () => import('./payments/batch-list.web.tsx')),
  staffPage(`${PAYABLES}/withholding-rules`, 'transaction.list', 'Withholding rules',
    () => import('./withholding/rule-list.web.tsx')),
  staffPage(`${PAYABLES}/tax-withheld`, 'ledger_account.view', 'Tax withheld',
    () => import('./withholding/year-report.web.tsx')),
  staffPage(`${PAYABLES}/royalty-tie-out`, 'ledger_account.view', 'Royalty tie-out',
    () => import('./reports/tie-out.web.tsx')),
  staffPage(`${BATCHES}/:batchId`, 'payment.show', 'Royalty payment batch',
    () => import('./payments/batch-page.web.tsx')),
]);
