/** Every route the server answers: an explicit list, one line per resource. */
import { sessionRoutes } from '#modules/identity/session/session-routes.server.ts';
import type { Route } from '#server/routes.ts';

export const routes: readonly Route[] = [
  ...sessionRoutes,
];
