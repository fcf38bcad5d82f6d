/** Reports of the ledger over HTTP. Every report of one division; `as_of` and `to` default to its today. */
import { Readable } from 'node:stream';
import { invalidField, refuse } from '#kit/errors.ts';
import type { Division } from '#kit/field.ts';
import type { FlowSection } from '#kernel/ledger/cash-flows.ts';
import type { Ctx } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { cashBasisLines } from './cash-profit.server.ts';
import { cashFlowLines } from './cash-flow-lines.server.ts';
import { cashFlowReport } from './cash-flows.server.ts';
import { check } from './balances.server.ts';
import { exchangeReport } from './exchange-report.server.ts';
import { generalLedger } from './general-ledger.server.ts';
import { ledgerIntegrity } from './integrity.server.ts';
import { journalExport } from './journal-export.server.ts';
import { partTitle } from './line-parts.server.ts';
import { reportEndpoints } from './report.contract.ts';
import { balanceSheet, profitAndLoss } from './statements.server.ts';
import { trialBalance } from './trial-balance.server.ts';

export async function currencyOf(ctx: Ctx, division: Division): Promise<string> {
  const row = await ctx.db.one<{ functional_currency: string }>(sql`
    select functional_currency from divisions where code = ${division}`);
  return row.functional_currency;
}

export function checkOrder(from: string | undefined, to: string, field: string): void {
  if (from !== undefined && from > to) throw invalidField(field, 'The first day is after the last one');
}

/** The days asked for: the year up to today unless told. */
export async function spanOf(
  ctx: Ctx, query: { division: Division; from?: string | undefined; to?: string | undefined },
) {
  const to = query.to ?? await ctx.today(query.division);
  const from = query.from ?? `${to.slice(0, 4)}-01-01`;
  checkOrder(from, to, 'from');
  return { division: query.division, from, to };
}

const wireSection = (of: FlowSection) => ({ total_minor: Number(of.total), rows: of.rows.map((row) => ({
  key: row.key, title: row.title, account_id: row.account_id, amount_minor: Number(row.minor) })) });

async function cashFlowAnswer(ctx: Ctx, query: Parameters<typeof spanOf>[1]) {
  const span = await spanOf(ctx, query);
  const report = await cashFlowReport(ctx.db, span);
  return { ...span, currency: await currencyOf(ctx, span.division), indirect: wireSection(report.indirect),
    direct: wireSection(report.direct), investing: wireSection(report.investing),
    financing: wireSection(report.financing), exchange_minor: Number(report.exchange),
    opening_minor: Number(report.opening), closing_minor: Number(report.closing),
    unclassified: report.unclassified.map(({ id, code, name }) => ({ id, code, name })),
    checks: report.checks.map((one) => check(one.name, Number(one.expected), Number(one.actual))) };
}

export const reportRoutes: Route[] = serve(reportEndpoints, {
  async trialBalance(ctx, { query }) {
    const as_of = query.as_of ?? await ctx.today(query.division);
    checkOrder(query.from, as_of, 'from');
    const report = await trialBalance(ctx.db, {
      division: query.division, as_of, ...(query.from === undefined ? {} : { from: query.from }) });
    const currency = await currencyOf(ctx, query.division);
    return { data: { division: query.division, currency, from: query.from ?? null, as_of, ...report } };
  },
  async generalLedger(ctx, { query }) {
    const { division, account, page, per_page, from, as_of = query.to, closing_entries, ...parts } = query;
    if (from !== undefined && as_of !== undefined) checkOrder(from, as_of, 'from');
    const report = await generalLedger(ctx.db, { division, account, page, per_page, from, as_of,
      without_year_end_close: closing_entries === 'without', show_id: parts.show_id,
      customer_class_id: parts.customer_class_id });
    if (!report) throw refuse('not_found', 'This division has no such account.');
    const last_page = Math.max(1, Math.ceil(report.total / per_page));
    return { data: { division, currency: await currencyOf(ctx, division), part: await partTitle(ctx.db, parts),
      ...report, page, last_page } };
  },
  async profitLoss(ctx, { query }) {
    const span = await spanOf(ctx, query);
    const report = await profitAndLoss(ctx.db, span);
    return { data: { ...span, currency: await currencyOf(ctx, query.division), ...report } };
  },
  async cashBasisLines(ctx, { query }) {
    const { account, page, per_page, show_id, customer_class_id } = query;
    const span = await spanOf(ctx, query);
    const parts = { show_id, customer_class_id };
    const report = await cashBasisLines(ctx.db, span, { account, page, per_page, ...parts });
    if (!report) throw refuse('not_found', 'This division has no such account of income or expense.');
    return { data: { ...span, currency: await currencyOf(ctx, span.division),
      part: await partTitle(ctx.db, parts), ...report, page,
      last_page: Math.max(1, Math.ceil(report.total / per_page)) } };
  },
  async balanceSheet(ctx, { query }) {
    const as_of = query.as_of ?? query.to ?? await ctx.today(query.division);
    checkOrder(query.from, as_of, 'from');
    const report = await balanceSheet(ctx.db, { division: query.division, as_of, from: query.from });
    return { data: { division: query.division, currency: await currencyOf(ctx, query.division), ...report } };
  },
  cashFlows: async (ctx, { query }) => ({ data: await cashFlowAnswer(ctx, query) }),
  async cashFlowLines(ctx, { query }) {
    const { row, page, per_page } = query;
    const span = await spanOf(ctx, query);
    const report = await cashFlowLines(ctx.db, span, { row, page, per_page });
    if (!report) throw refuse('not_found', 'The cash flows of this division have no such row.');
    return { data: { ...span, currency: await currencyOf(ctx, span.division), ...report, page,
      last_page: Math.max(1, Math.ceil(report.total / per_page)) } };
  },
  async exchangeGainsLosses(ctx, { query }) {
    const { page, per_page } = query;
    const span = await spanOf(ctx, query);
    const report = await exchangeReport(ctx.db, span, { page, per_page });
    return { data: { ...span, currency: await currencyOf(ctx, span.division), ...report, page,
      last_page: Math.max(1, Math.ceil(report.total / per_page)) } };
  },
  async integrity(ctx, { query }) {
    const invariants = await ledgerIntegrity(ctx.db, query.division);
    return { data: { invariants, violations: invariants.reduce((sum, row) => sum + row.violations, 0) } };
  },
  async journalExport(ctx, { query }) {
    const { division, from, to } = query;
    if (from !== undefined && to !== undefined) checkOrder(from, to, 'from');
    const span = [from, to].filter((day) => day !== undefined).join('_');
    return {
      filename: `${division.toLowerCase()}${span ? `-${span}` : ''}.journal`,
      content_type: 'text/plain; charset=utf-8',
      content: Readable.from(journalExport(ctx.ports.db, { division, from, to })),
    };
  },
});
