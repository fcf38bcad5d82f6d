/** Routes of a vendor's account. */
import { serve, type Route } from '#server/routes.ts';
import { vendorAccountEndpoints } from './vendor-account.contract.ts';
import { vendorMoves } from './vendor-moves.server.ts';
import { vendorStatementDocument } from './vendor-statement-document.server.ts';
import { vendorHead, vendorStatement } from './vendor-statement.server.ts';

export const vendorAccountRoutes: Route[] = serve(vendorAccountEndpoints, {
  async transactions(ctx, { params, query }) {
    await vendorHead(ctx, params.id);
    return vendorMoves(ctx, params.id, query);
  },
  statement: async (ctx, { params, query }) => ({ data: await vendorStatement(ctx, params.id, query.as_of) }),
  statementDocument: (ctx, { params, query }) => vendorStatementDocument(ctx, params.id, query.as_of),
});
