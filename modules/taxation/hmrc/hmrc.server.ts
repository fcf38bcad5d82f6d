/** HMRC's account of a division over HTTP. */
import { addDays } from '#kernel/calendar/calendar.ts';
import { penceOf, refusalInWords } from '#kernel/tax/hmrc.ts';
import type { BrowserFacts } from '#kernel/tax/fraud-headers.ts';
import { refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { atHmrc, beginAuthorization, connectionOf, disconnect, finishAuthorization, readFailure }
  from './hmrc-connection.server.ts';
import { hmrcEndpoints, type HmrcAccount, type HmrcSubmission } from './hmrc.contract.ts';

/** HMRC answers for 365 days at most. */
const DAYS_SHOWN = 365;

async function accountOf(ctx: Ctx, division: 'UK', browser: BrowserFacts): Promise<HmrcAccount> {
  const to = await ctx.today(division);
  const from = addDays(to, 1 - DAYS_SHOWN);
  try {
    return await atHmrc(ctx, division, browser, async (vat) => {
      const [open, recent, liabilities, payments] = [await vat.obligations({ status: 'O' }),
        await vat.obligations({ from, to }), await vat.liabilities(from, to), await vat.payments(from, to)];
      const obligations = new Map([...recent, ...open].map((one) => [one.periodKey, one]));
      return {
        obligations: [...obligations.values()].sort((a, b) => (a.start < b.start ? 1 : -1)).map((one) => ({
          period_from: one.start, period_to: one.end, due_on: one.due, is_open: one.status === 'O',
          received_on: one.received ?? null })),
        liabilities: liabilities.map((one) => ({ type: one.type, period_from: one.taxPeriod?.from ?? null,
          period_to: one.taxPeriod?.to ?? null, due_on: one.due ?? null, original_minor: penceOf(one.originalAmount),
          outstanding_minor: penceOf(one.outstandingAmount ?? 0) })),
        payments: payments.map((one) => ({ received_on: one.received ?? null, amount_minor: penceOf(one.amount) })),
      };
    });
  } catch (error) {
    throw readFailure(error);
  }
}

async function submissionsOf(ctx: Ctx, id: number): Promise<HmrcSubmission[]> {
  if (!await ctx.db.maybeOne(sql`select 1 from tax_returns where id = ${id}`)) throw refuse('not_found');
  const rows = await ctx.db.query<Omit<HmrcSubmission, 'refusal'> & { refusal_code: string | null }>(sql`
    select h.id, h.state, h.environment, h.refusal_code, h.is_read_back, h.form_bundle_number, h.processing_date,
      h.charge_ref_number, u.first_name || ' ' || u.last_name as sent_by_name, h.sent_at
    from hmrc_submissions h join users u on u.id = h.sent_by_id where h.tax_return_id = ${id} order by h.id desc`);
  return rows.map(({ refusal_code: code, ...row }) => ({ ...row, refusal: code === null ? null
    : code === 'DIFFERS' ? 'HMRC has a return of the period with other figures.' : refusalInWords(code, '') }));
}

export const hmrcRoutes: Route[] = serve(hmrcEndpoints, {
  connection: async (ctx, { query }) => ({ data: await connectionOf(ctx, query.division) }),
  authorize: async (ctx, { body }) => ({ data: await beginAuthorization(ctx, body.division) }),
  connect: async (ctx, { body }) => ({ data: await finishAuthorization(ctx, body) }),
  disconnect: async (ctx, { body }) => ({ data: await disconnect(ctx, body.division, body.version) }),
  account: async (ctx, { body }) => ({ data: await accountOf(ctx, body.division, body.browser) }),
  submissions: async (ctx, { params }) => ({ data: await submissionsOf(ctx, params.id) }),
});
