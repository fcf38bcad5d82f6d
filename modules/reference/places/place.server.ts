/** Countries and their subdivisions. */
import { serve, type Route } from '#server/routes.ts';
import { COUNTRIES, placeEndpoints, territoriesOf } from './place.contract.ts';

export const placeRoutes: Route[] = serve(placeEndpoints, {
  countries: async () => ({ data: [...COUNTRIES] }),
  territories: async (_ctx, { query }) => ({ data: [...territoriesOf(query.country.toUpperCase())] }),
});
