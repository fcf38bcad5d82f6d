/** Every route of payables. */
import type { Route } from '#server/routes.ts';

export const payablesRoutes: Route[] = [];
