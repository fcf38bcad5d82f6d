/** What other contexts may ask of operations. */
export { createVenue, rehearseVenues, updateVenue } from './venue/venue.server.ts';
