/** Every route the server answers: an explicit list, one line per resource. */
import { classificationRoutes } from '#modules/customers/classification/classification.server.ts';
import { customerRoutes } from '#modules/customers/customer/customer.server.ts';
import { sessionRoutes } from '#modules/identity/session/session-routes.server.ts';
import { venueRoutes } from '#modules/operations/venue/venue.server.ts';
import { placeRoutes } from '#modules/reference/places/place.server.ts';
import type { Route } from '#server/routes.ts';

export const routes: readonly Route[] = [
  ...sessionRoutes,
  ...customerRoutes,
  ...classificationRoutes,
  ...venueRoutes,
  ...placeRoutes,
];
