/** Pages of operations: venues and vendors. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

const venue = () => import('./venue/venue-page.web.tsx');

const vendors = () => import('./vendor/vendor-screens.web.tsx');
const account = () => import('./vendor/vendor-account.web.tsx');
const ONE_VENDOR = '/admin/vendors/:vendorId';

export const operationsPages = pages<ComponentType>([
  { path: '/admin/venues', area: 'staff', permission: 'venue.list', title: 'Venues',
    load: () => import('./venue/venue-list.web.tsx') },
  { path: '/admin/venues/create', area: 'staff', permission: 'venue.create', title: 'New venue',
    load: () => venue().then((file) => ({ default: file.VenueCreate })) },
  { path: '/admin/venues/:venueId', area: 'staff', permission: 'venue.show', title: 'Venue',
    load: () => venue().then((file) => ({ default: file.VenuePage })) },
  { path: '/admin/vendors', area: 'staff', permission: 'vendor.list', title: 'Vendors', load: vendors },
  { path: '/admin/vendors/create', area: 'staff', permission: 'vendor.create', title: 'New vendor',
    load: () => vendors().then((file) => ({ default: file.VendorCreate })) },
  { path: ONE_VENDOR, area: 'staff', permission: 'vendor.show', title: 'Vendor',
    load: () => vendors().then((file) => ({ default: file.VendorPage })) },
  { path: `${ONE_VENDOR}/bills`, area: 'staff', permission: 'bill.list', also: ['vendor.show'], title: 'Open bills',
    load: account },
  { path: `${ONE_VENDOR}/transactions`, area: 'staff', permission: 'transaction.list', also: ['vendor.show'],
    title: 'Transactions', load: () => account().then((file) => ({ default: file.VendorTransactions })) },
  { path: `${ONE_VENDOR}/statement`, area: 'staff', permission: 'bill.list', also: ['vendor.show'],
    title: 'Statement', load: () => account().then((file) => ({ default: file.VendorStatementPage })) },
]);
