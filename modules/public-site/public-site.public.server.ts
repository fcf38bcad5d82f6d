/** Public pages for the composition root. */
export { publicPages } from './public-pages.server.ts';
