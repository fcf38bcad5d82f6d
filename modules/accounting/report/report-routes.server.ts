/** Reports of the ledger over HTTP. Every report of one division; `as_of` and `to` default to its today. */
import { Readable } from 'node:stream';
import { invalidField, refuse } from '#kit/errors.ts';
import type { Division } from '#kit/field.ts';
import type { Ctx } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { generalLedger } from './general-ledger.server.ts';
import { ledgerIntegrity } from './integrity.server.ts';
import { journalExport } from './journal-export.server.ts';
import { reportEndpoints } from './report.contract.ts';
import { balanceSheet, profitAndLoss } from './statements.server.ts';
import { trialBalance } from './trial-balance.server.ts';

async function currencyOf(ctx: Ctx, division: Division): Promise<string> {
  const row = await ctx.db.one<{ functional_currency: string }>(sql`
    select functional_currency from divisions where code = ${division}`);
  return row.functional_currency;
}

function checkOrder(from: string | undefined, to: string, field: string): void {
  if (from !== undefined && from > to) throw invalidField(field, 'The first day is after the last one');
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
    const { division, account, page, per_page, from, as_of = query.to } = query;
    if (from !== undefined && as_of !== undefined) checkOrder(from, as_of, 'from');
    const report = await generalLedger(ctx.db, {
      division, account, page, per_page, ...(from === undefined ? {} : { from }),
      ...(as_of === undefined ? {} : { as_of }) });
    if (!report) throw refuse('not_found', 'This division has no such account.');
    const last_page = Math.max(1, Math.ceil(report.total / per_page));
    return { data: { division, currency: await currencyOf(ctx, division), ...report, page, last_page } };
  },
  async profitLoss(ctx, { query }) {
    const to = query.to ?? await ctx.today(query.division);
    const from = query.from ?? `${to.slice(0, 4)}-01-01`;
    checkOrder(from, to, 'from');
    const report = await profitAndLoss(ctx.db, { division: query.division, from, to });
    return { data: { division: query.division, currency: await currencyOf(ctx, query.division), from, to,
      ...report } };
  },
  async balanceSheet(ctx, { query }) {
    const as_of = query.as_of ?? query.to ?? await ctx.today(query.division);
    checkOrder(query.from, as_of, 'from');
    const report = await balanceSheet(ctx.db, { division: query.division, as_of, from: query.from });
    return { data: { division: query.division, currency: await currencyOf(ctx, query.division), ...report } };
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
