/** Prenotes: routes with their handlers. */
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql, type Sql } from '#server/sql.ts';
import { answerPrenotes, returnByHand } from './answer-prenotes.server.ts';
import { dismissCorrection, listCorrections, takeCorrection } from './bank-corrections.server.ts';
import { candidatesOf, prenoteColumns, PRENOTES, stateOf } from './prenote-store.server.ts';
import { prenoteEndpoints, type PrenoteRow } from './prenote.contract.ts';
import { achAccount, downloadPrenotes, writePrenotes } from './write-prenotes.server.ts';

const sentOn = sql`(select f.value_on from ach_files f where f.id = t.ach_file_id)`;
const named = (search: string): Sql => sql`(t.number = upper(${search})
  or exists (select 1 from vendors q where t.party_type = 'vendor' and q.id = t.party_id
    and ${matches(sql`q.search_text`, search)})
  or exists (select 1 from customers q where t.party_type = 'customer' and q.id = t.party_id
    and ${matches(sql`q.search_text`, search)})
  or exists (select 1 from royaltors q where t.party_type = 'royaltor' and q.id = t.party_id
    and ${matches(sql`q.search_text`, search)}))`;

export const prenoteRoutes: readonly Route[] = serve(prenoteEndpoints, {
  list: (ctx, { query }) => listPage<PrenoteRow>(ctx.db, { ...PRENOTES, columns: prenoteColumns(ctx.now()),
    conditions: compact([
      query.state !== undefined && sql`${stateOf(ctx.now())} = ${query.state}`,
      query.division !== undefined && sql`exists (select 1 from bank_accounts q where q.id = t.bank_account_id
        and q.division = ${query.division})`,
      query.bank_account_id !== undefined && sql`t.bank_account_id = ${query.bank_account_id}`,
      Boolean(query.search) && named(query.search ?? ''),
    ]),
    sorts: { sent_on: sentOn, clears_on: sql`t.clears_on` }, defaultSort: 'sent_on', defaultDirection: 'desc',
  }, query, prenoteEndpoints.list.path),
  candidates: async (ctx, { query }) => ({ data: await candidatesOf(ctx,
    await achAccount(ctx, query.bank_account_id)) }),
  create: async (ctx, { body }) => ({ data: await writePrenotes(ctx, body) }),
  file: (ctx, { params }) => downloadPrenotes(ctx, params.id),
  answer: async (ctx) => ({ data: await answerPrenotes(ctx, ctx.file!.content) }),
  corrections: async (ctx) => ({ data: await listCorrections(ctx) }),
  async takeCorrection(ctx, { params }) {
    await takeCorrection(ctx, params.id);
    return { data: await listCorrections(ctx) };
  },
  async dismissCorrection(ctx, { params, body }) {
    await dismissCorrection(ctx, params.id, body.reason);
    return { data: await listCorrections(ctx) };
  },
  return: async (ctx, { params, body }) => ({ data: await returnByHand(ctx, params.id, body) }),
});
