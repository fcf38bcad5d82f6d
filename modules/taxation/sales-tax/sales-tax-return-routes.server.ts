/** Sales tax returns and filing calendars over HTTP. */
import { pageOf } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { prepareSalesTax } from './file-sales-tax.server.ts';
import { changeFilingRule, confirmFilingRule, enterFilingRule, filingRules } from './filing-rule.server.ts';
import { salesTaxFile, salesTaxItems } from './sales-tax-files.server.ts';
import { returnPeriodOf, salesTaxReturnOf, salesTaxReturns } from './sales-tax-return.server.ts';
import { salesTaxReturnEndpoints } from './sales-tax-return.contract.ts';

export const salesTaxReturnRoutes: Route[] = serve(salesTaxReturnEndpoints, {
  show: async (ctx, { query }) => ({ data: await salesTaxReturnOf(ctx, await returnPeriodOf(ctx, query)) }),
  async items(ctx, { query }) {
    const { rows, total } = await salesTaxItems(ctx, await returnPeriodOf(ctx, query), query);
    return pageOf(rows, total, query, salesTaxReturnEndpoints.items.path);
  },
  export: async (ctx, { query }) => salesTaxFile(ctx, await returnPeriodOf(ctx, query)),
  list: async (ctx, { query }) => ({ data: await salesTaxReturns(ctx, query.division) }),
  prepare: async (ctx, { body }) => ({ data: await prepareSalesTax(ctx, body) }),
  rules: async (ctx, { query }) => ({ data: await filingRules(ctx.db, query.division) }),
  enterRule: async (ctx, { body }) => ({ data: await enterFilingRule(ctx, body) }),
  changeRule: async (ctx, { params, body }) => ({ data: await changeFilingRule(ctx, params.id, body) }),
  confirmRule: async (ctx, { params, body }) => ({ data: await confirmFilingRule(ctx, params.id, body.version) }),
});
