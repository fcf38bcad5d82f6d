/** Statements with several columns over HTTP. */
import { Readable } from 'node:stream';
import { documentLanguage } from '#kernel/money/division.ts';
import { refuse } from '#kit/errors.ts';
import { grants } from '#kit/permission.ts';
import { letterHead } from '#modules/system/letter-head.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { renderPdf } from '#server/pdf.ts';
import { serve, type Route } from '#server/routes.ts';
import { currencyOf, spanOf } from './report-routes.server.ts';
import { statementPaper, statementWorkbook } from './statement-file.server.ts';
import { statementEndpoints } from './statement-table.contract.ts';
import { isBalance, type StatementQuery } from './statement-shape.server.ts';
import { statementTable } from './statement-table.server.ts';

type StatementRequest = Omit<StatementQuery, 'from' | 'to' | 'currency'>
  & { from?: string | undefined; to?: string | undefined };
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

async function queryOf(ctx: Ctx, query: StatementRequest): Promise<StatementQuery> {
  if (query.statement === 'trial_balance' && ctx.user.role === 'staff_user'
    && !grants(ctx.user.permissions, 'ledger_account.view')) throw refuse('forbidden');
  return { ...query, ...await spanOf(ctx, query),
    currency: query.scope === 'group' ? 'USD' : await currencyOf(ctx, query.division) };
}

export const statementRoutes: Route[] = serve(statementEndpoints, {
  read: async (ctx, { query }) => ({ data: await statementTable(ctx.db, await queryOf(ctx, query),
    query.scope === 'group' ? 'en-US' : documentLanguage(query.division)) }),
  async file(ctx, { query: { format, ...query } }) {
    const asked = await queryOf(ctx, query);
    const house = await letterHead(ctx.db, query.division);
    const table = await statementTable(ctx.db, asked, house.language);
    const name = [asked.statement.replaceAll('_', '-'), ...(asked.basis === 'cash' ? ['cash-basis'] : []),
      ...(asked.by === 'none' ? [] : [`by-${asked.by.replaceAll('_', '-')}`]),
      query.scope === 'group' ? 'all' : query.division.toLowerCase(), ...(isBalance(asked) ? [] : [asked.from]),
      asked.to].join('-');
    return format === 'pdf'
      ? { filename: `${name}.pdf`, content_type: 'application/pdf', inline: true,
        content: await renderPdf(statementPaper(table, house, ctx.now())) }
      : { filename: `${name}.xlsx`, content_type: XLSX, content: Readable.from(statementWorkbook(table)) };
  },
});
