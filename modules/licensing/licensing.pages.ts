/** Pages of licensing for staff: applications, quotes, bookings, productions. Addresses as spec/routes.json. */
import type { ComponentType } from 'react';
import { pages, type PageRow } from '#kit/page.ts';
import { spell } from '#kernel/text/english.ts';

type Load = () => Promise<{ default: ComponentType }>;
type Gate = PageRow['permission'];

function staffPage(path: string, permission: Gate, title: string, load: Load): PageRow<ComponentType> {
  return { path, area: 'staff', permission, title, load };
}
function section(path: string, permission: Gate, title: string, first: string): PageRow<ComponentType> {
  return { path, area: 'staff', permission, title, redirectTo: `${path}/${first}` };
}

const application = () => import('./applications/application-screens.web.tsx');
const checklist: Load = () => import('./checklist/checklist-tab.web.tsx');
const information: Load = () => import('./licenses/information-tab.web.tsx');
const terms: Load = () => import('./licenses/terms/terms-tab.web.tsx');
const documents: Load = () => import('./documents/documents-tab.web.tsx');
const document: Load = () => import('./documents/document-screen.web.tsx');
const amendments: Load = () => import('./amendments/amendments-tab.web.tsx');
const materials: Load = () => import('./materials/materials-tab.web.tsx');
const boms: Load = () => import('./materials/boms-tab.web.tsx');
const price: Load = () => import('./licenses/pricing/price-tab.web.tsx');
const messages: Load = () => import('./threads/messages-tab.web.tsx');
const venues: Load = () => import('./licenses/venues/venues-tab.web.tsx');

/** The tabs that a quote and a production share. */
function licenseTabs(base: string): readonly PageRow<ComponentType>[] {
  return [
    staffPage(`${base}/checklist`, 'license.show', 'Checklist', checklist),
    staffPage(`${base}/information`, 'license.show', 'Information', information),
    staffPage(`${base}/terms`, 'license.show', 'Terms', terms),
    staffPage(`${base}/documents`, 'license.show', 'Documents', documents),
    staffPage(`${base}/documents/:documentId`, 'license.show', 'Document', document),
    staffPage(`${base}/venues`, 'license.show', 'Venues', venues),
    staffPage(`${base}/price`, 'license.show', 'Price', price),
    { ...staffPage(`${base}/materials`, 'license_material.list', 'Materials', materials), also: ['license.show'] },
    staffPage(`${base}/boms`, 'license.show', 'BOMs', boms),
    staffPage(`${base}/amendments`, 'license.show', 'Amendments', amendments),
    staffPage(`${base}/messages`, 'license.show', 'Messages', messages),
  ];
}

const APPLICATION = '/admin/applications/:applicationId';
const CUSTOMER_APPLICATION = '/admin/customers/:customerId/applications/:applicationId';
const QUOTE = '/admin/quotes/:quoteId';
const PRODUCTION = '/admin/customers/:customerId/productions/:productionId';

export const licensingPages = pages<ComponentType>([
  staffPage('/admin/unplaced-mail', 'license.list', 'Unplaced mail',
    () => import('./unplaced-mail/unplaced-mail.web.tsx')),
  staffPage('/admin/applications', 'license_application.list', 'Applications',
    () => import('./applications/application-list.web.tsx')),
  section(APPLICATION, 'license_application.show', 'Application', 'information'),
  staffPage(`${APPLICATION}/information`, 'license_application.show', 'Information',
    () => application().then((file) => ({ default: file.InformationScreen }))),
  staffPage(`${APPLICATION}/venues`, 'license_application.show', 'Venues',
    () => application().then((file) => ({ default: file.VenuesScreen }))),
  staffPage(`${APPLICATION}/memos`, 'license_application.show', 'Memos',
    () => import('./applications/application-memos.web.tsx')),
  section(CUSTOMER_APPLICATION, 'license_application.show', 'Application', 'license-rep'),
  staffPage(`${CUSTOMER_APPLICATION}/license-rep`, 'license_application.show', 'Representative',
    () => application().then((file) => ({ default: file.RepScreen }))),
  staffPage(`${CUSTOMER_APPLICATION}/information`, 'license_application.show', 'Information',
    () => application().then((file) => ({ default: file.InformationScreen }))),
  staffPage(`${CUSTOMER_APPLICATION}/performance`, 'license_application.show', 'Performances',
    () => application().then((file) => ({ default: file.VenuesScreen }))),
  staffPage(`${CUSTOMER_APPLICATION}/quote`, 'license_application.show', 'Quote',
    () => application().then((file) => ({ default: file.QuoteScreen }))),

  staffPage('/admin/quotes', 'license.list', 'Quotes', () => import('./licenses/quote/quote-list.web.tsx')),
  staffPage('/admin/quotes/create', 'license.create', 'New quote',
    () => import('./licenses/quote/create-quote.web.tsx')),
  section(QUOTE, 'license.show', 'Quote', 'checklist'),
  ...licenseTabs(QUOTE),

  staffPage('/admin/sales-and-royalties/license-activity', 'license.list', spell`License activity`,
    () => import('./activity/license-activity.web.tsx')),
  staffPage('/admin/documents', 'license_document.list', 'Documents',
    () => import('./documents/all-documents.web.tsx')),
  staffPage('/admin/templates/contracts', 'license_document.list', 'Contract texts',
    () => import('./contracts/contract-template-list.web.tsx')),
  staffPage('/admin/templates/contracts/:contractTemplateId', 'license_document.show', 'Contract text',
    () => import('./contracts/contract-template-page.web.tsx')),
  staffPage('/admin/bookings', 'license.list', 'Bookings', () => import('./bookings/bookings.web.tsx')),
  staffPage('/admin/productions', 'license.list', 'Productions', () =>
    import('./licenses/production-list.web.tsx')),
  section(PRODUCTION, 'license.show', 'Production', 'checklist'),
  ...licenseTabs(PRODUCTION),
  staffPage(`${PRODUCTION}/sales-order`, 'license.show', 'Sales order',
    () => import('./orders/license-orders.web.tsx')),
  staffPage(`${PRODUCTION}/performances`, 'license.show', 'Performances',
    () => import('./licenses/performances/performances-tab.web.tsx')),
  staffPage(`${PRODUCTION}/box-office`, 'license.show', 'Box office', () =>
    import('./box-office/box-office-tab.web.tsx')),
  { ...staffPage(`${PRODUCTION}/transactions`, 'transaction.list', 'Transactions',
    () => import('./money/transactions-tab.web.tsx')), also: ['license.show'] },
  staffPage(`${PRODUCTION}/invoices/:invoiceId`, 'license.show', 'Invoice', () =>
    import('./money/license-invoice.web.tsx')),
  staffPage(`${PRODUCTION}/activity`, 'license.show', 'Activity', () => import('./licenses/activity-tab.web.tsx')),
]);
