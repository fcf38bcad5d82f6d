/** Every route of payables. */
import type { Route } from '#server/routes.ts';
import { payablesAgingRoutes } from './aging/payables-aging.server.ts';
import { billRoutes } from './bill/bill.server.ts';
import { fileProfileRoutes } from './run/file-profile.server.ts';
import { paymentRunRoutes } from './run/payment-run.server.ts';

export const payablesRoutes: Route[] = [...billRoutes, ...payablesAgingRoutes, ...paymentRunRoutes,
  ...fileProfileRoutes];
