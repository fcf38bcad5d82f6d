/** Sales and use tax of the US divisions over HTTP; without days the month before today. */
import { addDays, addMonths, startOfMonth } from '#kernel/calendar/calendar.ts';
import { minorToDecimal } from '#kernel/money/money.ts';
import { invalidField } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { csvStream } from '#server/csv.ts';
import { serve, type Route } from '#server/routes.ts';
import { changeRule, enterRule } from './nexus-rule.server.ts';
import { salesTaxReport, type SalesPeriod } from './sales-tax-report.server.ts';
import { salesTaxEndpoints, type SalesTaxReport, type UsDivision } from './sales-tax.contract.ts';
import { stateName } from './state-name.ts';

async function periodOf(
  ctx: Ctx, of: { division: UsDivision; from?: string | undefined; to?: string | undefined },
): Promise<SalesPeriod> {
  const month = startOfMonth(await ctx.today(of.division));
  const from = of.from ?? addMonths(month, -1);
  const to = of.to ?? (of.from === undefined ? addDays(month, -1) : addDays(addMonths(startOfMonth(from), 1), -1));
  if (from > to) throw invalidField('from', 'The first day is after the last one');
  return { division: of.division, from, to };
}

const HEAD = ['State', 'Jurisdiction', 'Rate %', 'Gross', 'Exempt', 'Not taxable', 'Not registered', 'Taxable',
  'Collected', 'Due', 'Over or under', 'Use tax base', 'Use tax'];
const money = (minor: number): string => minorToDecimal(BigInt(minor));

function* csvRows(report: SalesTaxReport): Generator<string[]> {
  for (const state of report.states) {
    const name = stateName(state.state);
    yield [name, '', '', money(state.gross_minor), money(state.exempt_minor), money(state.not_taxable_minor),
      money(state.not_registered_minor), money(state.taxable_minor), money(state.collected_minor),
      money(state.due_minor), money(state.over_minor), money(state.use_base_minor), money(state.use_tax_minor)];
    for (const row of state.rows) {
      yield [name, stateName(row.jurisdiction), String(row.rate_ppm / 10_000), '', '', '', '',
        money(row.taxable_minor), money(row.collected_minor), money(row.due_minor), money(row.over_minor), '', ''];
    }
  }
}

export const salesTaxRoutes: Route[] = serve(salesTaxEndpoints, {
  report: async (ctx, { query }) => ({ data: await salesTaxReport(ctx.db, await periodOf(ctx, query)) }),
  async export(ctx, { query }) {
    const period = await periodOf(ctx, query);
    const report = await salesTaxReport(ctx.db, period);
    return { filename: `sales-tax-${period.division.toLowerCase()}-${period.from}_${period.to}.csv`,
      content_type: 'text/csv; charset=utf-8', content: csvStream(HEAD, csvRows(report)) };
  },
  enterRule: async (ctx, { body }) => ({ data: await enterRule(ctx, body) }),
  changeRule: async (ctx, { params, body }) => ({ data: await changeRule(ctx, params.id, body) }),
});
