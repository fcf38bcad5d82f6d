/** VAT returns over HTTP. */
import { serve, type Route } from '#server/routes.ts';
import { pageOf } from '#server/list.ts';
import { fileReturn, fileWithHmrc, prepareReturn } from './file-return.server.ts';
import { enterReceipt, taxReturns, withdrawReturn } from './return-store.server.ts';
import { vatFile } from './vat-export.server.ts';
import { periodOf, rowsOfBox, vatReport } from './vat-report.server.ts';
import { vatReturnEndpoints } from './vat-return.contract.ts';

export const vatReturnRoutes: Route[] = serve(vatReturnEndpoints, {
  report: async (ctx, { query }) => ({ data: await vatReport(ctx, await periodOf(ctx, query)) }),
  async items(ctx, { query }) {
    const { rows, total } = await rowsOfBox(ctx, { ...await periodOf(ctx, query), box: query.box }, query);
    return pageOf(rows, total, query, vatReturnEndpoints.items.path);
  },
  export: async (ctx, { query }) => vatFile(ctx, await periodOf(ctx, query), query.kind),
  list: async (ctx, { query }) => ({ data: await taxReturns(ctx.db, query.division) }),
  prepare: async (ctx, { body }) => ({ data: await prepareReturn(ctx, body) }),
  file: async (ctx, { params, body }) => ({ data: await fileReturn(ctx, params.id, body) }),
  fileWithHmrc: async (ctx, { params, body }) => ({ data: await fileWithHmrc(ctx, params.id, body) }),
  receipt: async (ctx, { params, body }) => ({ data: await enterReceipt(ctx, params.id, body) }),
  withdraw: (ctx, { params, body }) => withdrawReturn(ctx, params.id, body),
});
