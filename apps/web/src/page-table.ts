/**
 * Every page of the application: the explicit list of the contexts' page tables. A page that is not here does not
 * exist. Rows are plain data; their screens are loaded when they are first opened. The list itself is loaded when an
 * address outside the public area is first opened (router.tsx): signing in does not wait for it.
 */
import type { ComponentType } from 'react';
import type { PageRow } from '#kit/page.ts';
import { accountingPages } from '#modules/accounting/accounting.pages.ts';
import { approvalsPages } from '#modules/approvals/approvals.pages.ts';
import { cataloguePages } from '#modules/catalogue/catalogue.pages.ts';
import { customersPages } from '#modules/customers/customers.pages.ts';
import { dashboardPages } from '#modules/dashboard/dashboard.pages.ts';
import { dataExchangePages } from '#modules/data-exchange/data-exchange.pages.ts';
import { identityPages } from '#modules/identity/identity.pages.ts';
import { publicPages } from '#modules/identity/public.pages.ts';
import { staffOfficePages } from '#modules/identity/staff-office.pages.ts';
import { licensingPages } from '#modules/licensing/licensing.pages.ts';
import { portalPages } from '#modules/portal/portal.pages.ts';
import { receivablesPages } from '#modules/receivables/receivables.pages.ts';
import { reportingPages } from '#modules/reporting/reporting.pages.ts';
import { royaltiesPages } from '#modules/royalties/royalties.pages.ts';
import { searchPages } from '#modules/search/search.pages.ts';
import { stockPages } from '#modules/stock/stock.pages.ts';
import { systemPages } from '#modules/system/system.pages.ts';
import { closingPages } from '#modules/closing/closing.pages.ts';
import { taxationPages } from '#modules/taxation/taxation.pages.ts';
import { notificationsPages } from '#modules/notifications/notifications.pages.ts';
import { bankingPages } from '#modules/banking/banking.pages.ts';
import { openingsPages } from '#modules/openings/openings.pages.ts';
import { payablesPages } from '#modules/payables/payables.pages.ts';
import { operationsPages } from '#modules/operations/operations.pages.ts';

export type Screen = ComponentType;

export const pageTable: readonly PageRow<Screen>[] = [
  ...publicPages,
  ...identityPages,
  ...notificationsPages,
  ...staffOfficePages,
  ...systemPages,
  ...dashboardPages,
  ...approvalsPages,
  ...customersPages,
  ...licensingPages,
  ...portalPages,
  ...accountingPages,
  ...receivablesPages,
  ...payablesPages,
  ...openingsPages,
  ...royaltiesPages,
  ...taxationPages, ...closingPages,
  ...cataloguePages,
  ...bankingPages, ...operationsPages,
  ...stockPages,
  ...searchPages,
  ...reportingPages,
  ...dataExchangePages,
  { path: '/gallery', area: 'staff', permission: null, title: 'Gallery',
    load: () => import('#web/gallery/gallery.web.tsx') },
];
