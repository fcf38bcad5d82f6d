/** Public interface of operations for other contexts. */
export { waitingVendorBank } from './approvals.server.ts';
export { createVenue, rehearseVenues, updateVenue } from './venue/venue.server.ts';
export { doubtBankDetails } from './vendor/doubt-bank-details.server.ts';
