/** What other contexts may ask of operations. */
export { createVenue } from './venue/venue.server.ts';
