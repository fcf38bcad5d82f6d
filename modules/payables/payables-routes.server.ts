/** Every route of payables. */
import type { Route } from '#server/routes.ts';
import { billRoutes } from './bill/bill.server.ts';

export const payablesRoutes: Route[] = [...billRoutes];
