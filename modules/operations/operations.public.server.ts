/** What other contexts may ask of operations. */
export { createVenue, updateVenue } from './venue/venue.server.ts';
