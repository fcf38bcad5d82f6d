/** Checks: lists, drafts by hand, and what happens to a number. */
import { refuse } from '#kit/errors.ts';
import type { QueryOf } from '#kit/endpoint.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import { activityOf } from '#server/activity.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql } from '#server/sql.ts';
import { changeDisbursement, makeDisbursement, voidDisbursement, type DisbursementChange }
  from '../disbursement/disbursement.server.ts';
import { askApproval } from '../disbursement/ask-approval.server.ts';
import { checkEndpoints, SKIP_LIMIT, type CheckRow } from './check.contract.ts';
import { alignmentPdf, checkHtml, checkPdf } from './check-paper.server.ts';
import { BASE, COLUMNS, findCheck, JOINS, lockAccount, lockCheck, PAYEE_NAME, payableItems, STATE }
  from './check-store.server.ts';
import { moveToUnclaimed, voidCheck } from './end-check.server.ts';
import { printChecks, refuseUnless, reprintCheck, skipForms, spoilCheck } from './print-check.server.ts';

const listChecks = (ctx: Ctx, query: QueryOf<typeof checkEndpoints.list>) => listPage<CheckRow>(ctx.db, {
  base: BASE, columns: COLUMNS, joins: JOINS, conditions: compact([
    query.created_at_from !== undefined && sql`t.created_at >= ${query.created_at_from}::date`,
    query.created_at_to !== undefined && sql`t.created_at < ${query.created_at_to}::date + 1`,
    query.state !== undefined && sql`${STATE} = ${query.state}`,
    query.bank_account_id !== undefined && sql`t.bank_account_id = ${query.bank_account_id}`,
    query.division !== undefined && sql`t.division = ${query.division}`,
    query.search !== undefined && matches(sql`(t.search_text || ' ' || case when t.status = 'queued'
      then ${PAYEE_NAME} || ' ' || coalesce(p.number, '') else '' end)`, query.search),
  ]),
  sorts: { check_number: sql`t.check_number`, created_at: sql`t.created_at`, amount_minor: sql`t.amount_minor`,
    checked_on: sql`coalesce(t.checked_on, p.paid_on)` },
  defaultSort: 'created_at', defaultDirection: 'desc',
}, query, checkEndpoints.list.path);

async function idOfPayment(ctx: Ctx, payment: number): Promise<number> {
  return (await ctx.db.one<{ id: number }>(sql`
    select id from checks where payment_id = ${payment} and status = 'queued'`)).id;
}

const writtenBy = (number: string | null) => sql`is_handwritten = ${number !== null},
  written_number = ${number === null ? null : Number(number)}`;

export const checkRoutes: Route[] = serve(checkEndpoints, {
  list: (ctx, { query }) => listChecks(ctx, query),
  async next(ctx, { query }) {
    const row = await ctx.db.maybeOne<{ next: string | null }>(sql`
      select next_check_number::text as next from bank_accounts
      where id = ${query.bank_account_id} and deleted_at is null`);
    if (!row) throw refuse('not_found');
    return { data: { bank_account_id: query.bank_account_id, next_check_number: row.next } };
  },
  payable: async (ctx, { query }) => ({ data: await payableItems(ctx, query) }),
  async sheet(ctx, { query }) {
    const checks = [];
    for (const id of query.ids.split(',')) checks.push(await findCheck(ctx, Number(id)));
    return checkPdf(ctx, checks);
  },
  alignment: (ctx, { query }) => alignmentPdf(ctx, query.bank_account_id),
  show: async (ctx, { params }) => ({ data: await findCheck(ctx, params.id) }),
  async create(ctx, { body }) {
    const account = await lockAccount(ctx, body.bank_account_id);
    const { payment_id } = await makeDisbursement(ctx, { division: account.division as Division,
      currency: account.currency as Currency, bank_account_id: account.id, method: 'check',
      party_type: body.party_type, party_id: body.party_id, on: body.on, memo: body.memo, parts: body.parts });
    await askApproval(ctx, payment_id);
    const id = await idOfPayment(ctx, payment_id);
    await ctx.db.exec(sql`update checks set ${writtenBy(body.check_number)} where id = ${id}`);
    const data = await findCheck(ctx, id);
    await ctx.audit({ action: 'create', entity: 'check', entity_id: id, after: data });
    return { data };
  },
  async update(ctx, { params, body }) {
    const before = await lockCheck(ctx, params.id, body.version);
    refuseUnless(before, 'waiting', 'ready');
    const { version: _, check_number, ...change } = body;
    const changed = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    if (Object.keys(changed).length > 0) {
      await changeDisbursement(ctx, before.payment_id!, changed as DisbursementChange);
    }
    await ctx.db.exec(sql`update checks set version = version + 1
      ${check_number === undefined ? sql`` : sql`, ${writtenBy(check_number)}`} where id = ${params.id}`);
    const data = await findCheck(ctx, params.id);
    await ctx.audit({ action: 'update', entity: 'check', entity_id: params.id, before, after: data });
    return { data };
  },
  async remove(ctx, { params }) {
    const row = await findCheck(ctx, params.id);
    const before = await lockCheck(ctx, params.id, row.version);
    refuseUnless(before, 'waiting', 'ready');
    await voidDisbursement(ctx, before.payment_id!, await ctx.today(before.division), 'Deleted before it was printed');
    await ctx.audit({ action: 'delete', entity: 'check', entity_id: params.id, before });
  },
  async activity(ctx, { params, query }) {
    await findCheck(ctx, params.id);
    return activityOf(ctx.db, { entity: 'check', entity_id: params.id }, query,
      `${checkEndpoints.list.path}/${params.id}/activity`);
  },
  render: async (ctx, { params }) => checkHtml(ctx, await findCheck(ctx, params.id)),
  download: async (ctx, { params }) => checkPdf(ctx, [await findCheck(ctx, params.id)]),
  print: async (ctx, { body }) => ({ data: await printChecks(ctx, body) }),
  async reprint(ctx, { params, body }) {
    await reprintCheck(ctx, await lockCheck(ctx, params.id, body.version), body.reason);
    return { data: await findCheck(ctx, params.id) };
  },
  async spoil(ctx, { params, body }) {
    const id = await spoilCheck(ctx, await lockCheck(ctx, params.id, body.version), body.reason);
    return { data: await findCheck(ctx, id) };
  },
  skip: async (ctx, { body }) => ({ data: { spoiled: await skipForms(ctx, body, SKIP_LIMIT) } }),
  async void(ctx, { params, body }) {
    await voidCheck(ctx, await lockCheck(ctx, params.id, body.version), body);
    return { data: await findCheck(ctx, params.id) };
  },
  async unclaimed(ctx, { params, body }) {
    await moveToUnclaimed(ctx, await lockCheck(ctx, params.id, body.version), body.on);
    return { data: await findCheck(ctx, params.id) };
  },
});
