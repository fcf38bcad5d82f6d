/** Pages of operations: venues. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

const venue = () => import('./venue/venue-page.web.tsx');

export const operationsPages = pages<ComponentType>([
  { path: '/admin/venues', area: 'staff', permission: 'venue.list', title: 'Venues',
    load: () => import('./venue/venue-list.web.tsx') },
  { path: '/admin/venues/create', area: 'staff', permission: 'venue.create', title: 'New venue',
    load: () => venue().then((file) => ({ default: file.VenueCreate })) },
  { path: '/admin/venues/:venueId', area: 'staff', permission: 'venue.show', title: 'Venue',
    load: () => venue().then((file) => ({ default: file.VenuePage })) },
]);
