/** What other contexts may ask of operations. */
export { waitingVendorBank } from './approvals.server.ts';
export { createVenue, rehearseVenues, updateVenue } from './venue/venue.server.ts';
export { doubtBankDetails } from './vendor/doubt-bank-details.server.ts';
