/** Public interface of operations for other contexts. */
export { addVenueAlias } from './venue/add-alias.server.ts';
export { waitingVendorBank } from './approvals.server.ts';
export { createVenue, rehearseVenues, updateVenue } from './venue/venue.server.ts';
export { correctVendorBank } from './vendor/correct-bank-details.server.ts';
export { doubtBankDetails } from './vendor/doubt-bank-details.server.ts';
export { foldVendor, lockVendorPair, refuseOtherTaxpayer } from './vendor/fold-vendor.server.ts';
export { createVendor, rehearseVendors, updateVendor } from './vendor/vendor.server.ts';
export { currentVendor, vendorAndMerged } from './vendor/merged-vendors.server.ts';
