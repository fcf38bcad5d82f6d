/** Entries between divisions: routes, and what waits for approval. */
import { waitingRows } from '#server/approval-source.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql, type Sql } from '#server/sql.ts';
import { intercompanyBalances } from './due-balances.server.ts';
import { approveIntercompany, askForIntercompany, declineIntercompany, findIntercompany, INTERCOMPANY,
  INTERCOMPANY_COLUMNS, reverseIntercompany, withdrawIntercompany } from './enter-intercompany.server.ts';
import { intercompanyEndpoints, type IntercompanyRow } from './intercompany.contract.ts';

export const intercompanyRoutes: Route[] = serve(intercompanyEndpoints, {
  list: (ctx, { query }) => listPage<IntercompanyRow>(ctx.db, {
    base: sql`intercompany_entries t`, columns: INTERCOMPANY_COLUMNS, conditions: compact([
      query.division !== undefined && sql`${query.division} in (t.creditor, t.debtor)`,
      query.status !== undefined && sql`t.status = ${query.status}`,
      query.kind !== undefined && sql`t.kind = ${query.kind}`,
      query.search !== undefined && matches(sql`t.search_text`, query.search),
    ]),
    sorts: { dated_on: sql`t.dated_on`, number: sql`t.number`, amount_minor: sql`t.amount_minor` },
    defaultSort: 'dated_on', defaultDirection: 'desc',
  }, query, intercompanyEndpoints.list.path),
  balances: async (ctx, { query }) => ({ data: await intercompanyBalances(ctx.db,
    query.as_of ?? await ctx.today('US')) }),
  show: async (ctx, { params }) => ({ data: await findIntercompany(ctx, params.id) }),
  create: async (ctx, { body }) => ({ data: await askForIntercompany(ctx, body) }),
  approve: async (ctx, { params, body }) => ({ data: await approveIntercompany(ctx, params.id, body.version) }),
  decline: async (ctx, { params, body }) => ({ data: await declineIntercompany(ctx, params.id, body.reason) }),
  withdraw: async (ctx, { params, body }) => ({ data: await withdrawIntercompany(ctx, params.id, body.version) }),
  reverse: async (ctx, { params, body }) => ({ data: await reverseIntercompany(ctx, params.id, body) }),
});

export const waitingIntercompany = (): Sql => waitingRows('intercompany', {
  from: sql`from intercompany_entries r where r.status = 'waiting'`,
  entity_id: sql`r.id`, division: sql`r.creditor`,
  title: sql`r.number || ': ' || r.description`,
  detail: sql`r.debtor || case r.kind when 'charge' then ' owes ' else ' pays ' end || r.creditor
    || coalesce(', for bill ' || (select d.number from ledger_document('bill', r.bill_id) d), '')`,
  currency: sql`r.currency`, amount_minor: sql`r.amount_minor`,
  asked_by_id: sql`r.requested_by_id`, asked_at: sql`r.requested_at`,
  href: sql`${`${INTERCOMPANY}/`} || r.id`, params: sql`jsonb_build_object('id', r.id)`,
  approve_body: sql`jsonb_build_object('version', r.version)`, decline_body: sql`'{}'::jsonb`,
});
