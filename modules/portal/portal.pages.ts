/** Pages of the customers' portal (spec/routes.json RT16-RT28, routes-added XR3-XR14). */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';
import { spell } from '#kernel/text/english.ts';

const documents = () => import('./documents.web.tsx');
const money = () => import('./money.web.tsx');
const organisation = () => import('./organisation.web.tsx');
const home = '/customer/:customerId';
const production = `${home}/productions/:productionId`;
const open = { area: 'customer', permission: null } as const;

export const portalPages = pages<ComponentType>([
  { ...open, path: '/apply/:showCode', title: spell`Apply for a license`, load: () =>
    import('./apply-for.web.tsx') },
  { ...open, path: home, title: 'Home', load: () => import('./home.web.tsx') },
  { ...open, path: `${home}/productions`, title: 'Productions', load: () => import('./productions.web.tsx') },
  { ...open, path: `${home}/applications/:applicationId`, title: 'Application',
    load: () => import('./application.web.tsx') },
  { ...open, path: `${home}/shows`, title: 'Shows', load: () => import('./shows.web.tsx') },
  { ...open, path: `${home}/shows/apply/:showId`, title: spell`Apply for a license`, load: () =>
    import('./apply.web.tsx') },
  { ...open, path: `${home}/shows/:showId`, title: 'Show', load: () => import('./show.web.tsx') },
  { ...open, path: `${home}/perusals`, title: 'Perusals', load: () => import('./perusals.web.tsx') },
  { ...open, path: `${home}/perusals/:perusalId`, title: 'Perusal', load: () => import('./perusal.web.tsx') },
  { ...open, path: `${home}/shop`, title: 'Shop', load: () => import('./shop.web.tsx') },
  { ...open, path: `${home}/orders`, title: 'Orders', load: () => import('./orders.web.tsx') },
  { ...open, path: `${home}/orders/:orderId`, title: 'Order',
    load: () => import('./orders.web.tsx').then((file) => ({ default: file.OrderPage })) },
  { ...open, path: production, title: 'Production', redirectTo: `${production}/overview` },
  { ...open, path: `${production}/overview`, title: 'Overview', load: () => import('./production-overview.web.tsx') },
  { ...open, path: `${production}/quote`, title: 'Offer', load: () => import('./quote.web.tsx') },
  { ...open, path: `${production}/performances`, title: 'Performances',
    load: () => import('./performances.web.tsx') },
  { ...open, path: `${production}/box-office`, title: 'Box office', load: () => import('./box-office.web.tsx') },
  { ...open, path: `${production}/materials`, title: 'Materials', load: () => import('./materials.web.tsx') },
  { ...open, path: `${production}/invoices`, title: 'Payments',
    load: () => money().then((file) => ({ default: file.ProductionInvoices })) },
  { ...open, path: `${production}/documents`, title: 'Documents',
    load: () => documents().then((file) => ({ default: file.ProductionDocuments })) },
  { ...open, path: `${production}/messages`, title: 'Messages', load: () => import('./messages.web.tsx') },
  { ...open, path: `${home}/transactions`, title: 'Payments',
    load: () => money().then((file) => ({ default: file.Transactions })) },
  { ...open, path: `${home}/invoices/:invoiceId`, title: 'Invoice', load: () => import('./invoice.web.tsx') },
  { ...open, path: `${home}/receipts/:receiptId`, title: 'Payment', load: () => import('./receipt.web.tsx') },
  { ...open, path: `${home}/deposits/:depositId`, title: 'Deposit', load: () => import('./deposit.web.tsx') },
  { ...open, path: `${home}/statement`, title: 'Statement of account', load: () => import('./statement.web.tsx') },
  { ...open, path: `${home}/documents`, title: 'Documents',
    load: () => documents().then((file) => ({ default: file.Documents })) },
  { ...open, path: `${home}/users`, title: 'Users', load: () => import('./users.web.tsx') },
  { ...open, path: `${home}/notifications`, title: 'Notifications',
    load: () => import('./notifications.web.tsx') },
  { ...open, path: `${home}/account`, title: 'Account', redirectTo: `${home}/account/profile` },
  { ...open, path: `${home}/account/security`, title: 'Security', load: () => import('./account-security.web.tsx') },
  { ...open, path: `${home}/account/notification`, title: 'Notification settings',
    load: () => import('./account-notification.web.tsx') },
  { ...open, path: `${home}/account/profile`, title: 'Profile', load: () => import('./account-profile.web.tsx') },
  { ...open, path: `${home}/activity`, title: 'Activity',
    load: () => organisation().then((file) => ({ default: file.Activity })) },
  { ...open, path: `${home}/information`, title: 'Information',
    load: () => organisation().then((file) => ({ default: file.Information })) },
]);
