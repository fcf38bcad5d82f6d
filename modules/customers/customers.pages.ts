/** Pages of customers and their classifications; their licences' pages stand with licensing. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

const one = () => import('./customer/customer-pages.web.tsx');
const licensing = () => import('./customer/customer-licensing.web.tsx');
const classification = () => import('./classification/classification.web.tsx');
const base = '/admin/customers';

export const customersPages = pages<ComponentType>([
  { path: base, area: 'staff', permission: 'customer.list', title: 'Customers',
    load: () => import('./customer/customer-list.web.tsx') },
  { path: `${base}/add`, area: 'staff', permission: 'customer.create', title: 'Add customer',
    load: () => one().then((file) => ({ default: file.CustomerAdd })) },
  { path: `${base}/customer-classifications`, area: 'staff', permission: null, title: 'Customer classifications',
    load: () => classification().then((file) => ({ default: file.ClassificationList })) },
  { path: `${base}/customer-classifications/create`, area: 'staff', permission: null, title: 'New classification',
    load: () => classification().then((file) => ({ default: file.ClassificationCreate })) },
  { path: `${base}/customer-classifications/edit/:classificationId`, area: 'staff', permission: null,
    title: 'Classification', load: () => classification().then((file) => ({ default: file.ClassificationEdit })) },
  { path: `${base}/:customerId`, area: 'staff', permission: 'customer.show', title: 'Customer',
    redirectTo: `${base}/:customerId/information` },
  { path: `${base}/:customerId/information`, area: 'staff', permission: 'customer.show', title: 'Customer',
    load: () => one().then((file) => ({ default: file.CustomerInformation })) },
  { path: `${base}/:customerId/activity`, area: 'staff', permission: 'customer.show', title: 'Activity',
    load: () => one().then((file) => ({ default: file.CustomerActivity })) },
  { path: `${base}/:customerId/applications`, area: 'staff', permission: 'license_application.list',
    title: 'Applications', load: () => licensing().then((file) => ({ default: file.CustomerApplications })) },
  { path: `${base}/:customerId/quotes`, area: 'staff', permission: 'license.list', title: 'Quotes',
    load: () => licensing().then((file) => ({ default: file.CustomerQuotes })) },
  { path: `${base}/:customerId/productions`, area: 'staff', permission: 'license.list', title: 'Productions',
    load: () => licensing().then((file) => ({ default: file.CustomerProductions })) },
  { path: `${base}/:customerId/sales-orders`, area: 'staff', permission: 'license_material.list',
    also: ['customer.show'], title: 'Sales orders', load: () => import('./customer/customer-orders.web.tsx') },
  { path: `${base}/:customerId/users`, area: 'staff', permission: 'customer.manage_users', title: 'Users',
    load: () => import('./people/customer-users.web.tsx') },
  { path: `${base}/:customerId/users/:userId`, area: 'staff', permission: 'user.show', also: ['customer.show'],
    title: 'Customer user', load: () => import('./people/customer-user.web.tsx') },
  { path: `${base}/:customerId/transactions`, area: 'staff', permission: 'transaction.list', also: ['customer.show'],
    title: 'Transactions', load: () => import('./customer/customer-transactions.web.tsx') },
  { path: `${base}/:customerId/finance`, area: 'staff', permission: 'invoice.list', also: ['customer.show'],
    title: 'Finance', load: () => import('./customer/customer-finance.web.tsx') },
  { path: `${base}/:customerId/tax`, area: 'staff', permission: 'customer.show', title: 'Tax',
    load: () => import('./customer/customer-tax.web.tsx') },
  { path: `${base}/:customerId/messages`, area: 'staff', permission: 'customer.show', title: 'Messages',
    load: () => one().then((file) => ({ default: file.CustomerMessages })) },
]);
