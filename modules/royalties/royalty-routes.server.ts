/** Every route of royalties, one line per resource. */
import type { Route } from '#server/routes.ts';
import { accrualRoutes } from './accruals/accrual.server.ts';
import { advanceRoutes } from './advances/advance.server.ts';
import { tieOutRoutes } from './reports/tie-out.server.ts';
import { statementRoutes } from './statements/statement.server.ts';
import { withholdingRoutes } from './withholding/withholding.server.ts';

export const royaltyRoutes: readonly Route[] = [
  ...accrualRoutes,
  ...advanceRoutes,
  ...statementRoutes,
  ...withholdingRoutes,
  ...tieOutRoutes,
];
