/** Every route of royalties, one line per resource; loading it makes the context hear of money. */
import type { Route } from '#server/routes.ts';
import { accrualRoutes } from './accruals/accrual.server.ts';
import { listenForRoyalties } from './listen.server.ts';

listenForRoyalties();

export const royaltyRoutes: readonly Route[] = [
  ...accrualRoutes,
];
