/** Advances to royaltors and corrections of statements: entered here, paid by a batch, carried by a statement. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { notifyApprovers, notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import { declineDraft, declineOf } from '#server/approval-source.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { compact, listPage, type ListSpec } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql } from '#server/sql.ts';
import { paymentCurrency } from '../payments/convert-payment.server.ts';
import { advanceEndpoints, type adjustmentRow, type AdvanceRow } from './advance.contract.ts';
import type * as z from 'zod';

type AdjustmentRow = z.infer<typeof adjustmentRow>;

const PARTIES = sql`join show_royaltors g on g.id = t.show_royaltor_id join royaltors r on r.id = g.royaltor_id
  join shows s on s.id = g.show_id`;
const ADVANCE = sql`t.id, t.show_royaltor_id, g.royaltor_id, r.name as royaltor_name, g.show_id,
  s.title as show_title, t.division, t.currency,
  ${paymentCurrency(sql`t.division`, sql`g.royaltor_id`)} as pay_currency, t.amount_minor,
  t.due_event, t.due_on, t.status, t.paid_on, t.payment_id,
  t.recouped_minor, t.unrecouped_minor, case when t.status = 'scheduled' then (select y.royalty_payment_batch_id
    from payments y where y.id = t.payment_id) end as batch_id, t.version, t.created_at, t.updated_at`;
const ADJUSTMENT = sql`t.id, t.show_royaltor_id, g.royaltor_id, r.name as royaltor_name, s.title as show_title,
  t.division, t.currency, t.amount_minor, t.on_date, t.reason, t.statement_id,
  (select concat_ws(' ', first_name, last_name) from users where id = t.approved_by_id) as approved_by_name,
  (select concat_ws(' ', first_name, last_name) from users where id = t.created_by_id) as created_by_name,
  t.created_by_id, ${declineOf('royalty_adjustment', sql`t.id`, sql`1`)} as declined,
  t.royalty_advance_id is not null as of_returned_advance, t.created_at`;
const ADVANCES: ListSpec = {
  base: sql`royalty_advances t`, columns: ADVANCE, joins: PARTIES, conditions: [], defaultSort: 'updated_at',
  defaultDirection: 'desc',
  sorts: { due_on: sql`t.due_on`, amount_minor: sql`t.amount_minor`, updated_at: sql`t.updated_at` },
};
const ADJUSTMENTS: ListSpec = {
  base: sql`royalty_adjustments t`, columns: ADJUSTMENT, joins: PARTIES, conditions: [], defaultSort: 'on_date',
  defaultDirection: 'desc', sorts: { on_date: sql`t.on_date` },
};

async function findAdvance(db: Queryable, id: number, lock = false): Promise<AdvanceRow> {
  if (lock) await db.query(sql`select 1 from royalty_advances where id = ${id} for update`);
  const row = await db.maybeOne<AdvanceRow>(sql`
    select ${ADVANCE} from royalty_advances t ${PARTIES} where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

async function findAdjustment(db: Queryable, id: number): Promise<AdjustmentRow> {
  const row = await db.maybeOne<AdjustmentRow>(sql`
    select ${ADJUSTMENT} from royalty_adjustments t ${PARTIES} where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

const correctionHref = (row: AdjustmentRow): string =>
  `/admin/sales-and-royalties/corrections?show_royaltor_id=${row.show_royaltor_id}`;

/** Locked, and its decision is another person's than whoever entered it. */
async function lockUndecided(ctx: Ctx, id: number): Promise<AdjustmentRow> {
  const lock = await ctx.db.maybeOne<{ approved_by_id: number | null; royalty_advance_id: number | null }>(sql`
    select approved_by_id, royalty_advance_id from royalty_adjustments where id = ${id} for update`);
  if (!lock) throw refuse('not_found');
  if (lock.approved_by_id !== null || lock.royalty_advance_id !== null) {
    throw conflict('royalty_adjustment.approved', lock.approved_by_id !== null ? 'This correction is already approved.'
      : 'This correction belongs to an advance that the bank returned. It needs no approval.');
  }
  const row = await findAdjustment(ctx.db, id);
  if (row.created_by_id === ctx.user.user_id) throw refuse('four_eyes');
  return row;
}

/** The division that pays an agreement; its advances and corrections stand in that division's books. */
async function payerOf(ctx: Ctx, agreementId: number): Promise<string> {
  const row = await ctx.db.maybeOne<{ payer_division: string }>(sql`
    select payer_division from show_royaltors where id = ${agreementId} and deleted_at is null and status <> 'draft'`);
  if (!row) throw invalidField('show_royaltor_id', 'Choose an agreement in force');
  return row.payer_division;
}

function checkDue(event: AdvanceRow['due_event'], on: string | null | undefined): void {
  if (event === 'date' && !on) throw invalidField('due_on', 'Enter the day it is due');
}

export const advanceRoutes: readonly Route[] = serve(advanceEndpoints, {
  list: (ctx, { query }) => listPage<AdvanceRow>(ctx.db, { ...ADVANCES, conditions: compact([
    query.royaltor_id !== undefined && sql`t.show_royaltor_id in (select id from show_royaltors
      where royaltor_id = ${query.royaltor_id})`,
    query.show_royaltor_id !== undefined && sql`t.show_royaltor_id = ${query.show_royaltor_id}`,
    query.status !== undefined && sql`t.status = ${query.status}`,
    Boolean(query.search) && sql`t.show_royaltor_id in (select g.id from show_royaltors g
      join royaltors r on r.id = g.royaltor_id
      where ${matches(sql`r.search_text`, query.search ?? '')})`,
  ]) }, query, '/api/admin/staff/royalty_advances'),
  async create(ctx, { body }) {
    checkDue(body.due_event, body.due_on);
    const division = await payerOf(ctx, body.show_royaltor_id);
    const { id } = await ctx.db.one<{ id: number }>(sql`
      insert into royalty_advances (show_royaltor_id, division, currency, amount_minor, due_event, due_on)
      values (${body.show_royaltor_id}, ${division}, ${body.currency}, ${body.amount_minor}, ${body.due_event},
        ${body.due_on ?? null}) returning id`);
    const row = await findAdvance(ctx.db, id);
    await ctx.audit({ action: 'create', entity: 'royalty_advance', entity_id: id, after: row });
    return { data: row };
  },
  async update(ctx, { params, body }) {
    const before = await findAdvance(ctx.db, params.id, true);
    if (before.version !== body.version) throw stale(before);
    if (before.status === 'paid' || before.batch_id !== null) {
      throw conflict('royalty_advance.in_payment', before.status === 'paid' ? 'This advance has been paid.'
        : 'This advance is in a payment batch. Cancel the batch first.');
    }
    const due_event = body.due_event ?? before.due_event;
    const due_on = body.due_on === undefined ? before.due_on : body.due_on;
    checkDue(due_event, due_on);
    await ctx.db.exec(sql`
      update royalty_advances set amount_minor = ${body.amount_minor ?? before.amount_minor},
        due_event = ${due_event}, due_on = ${due_on}, status = ${body.status ?? before.status},
        version = version + 1 where id = ${params.id}`);
    const row = await findAdvance(ctx.db, params.id);
    await ctx.audit({ action: 'update', entity: 'royalty_advance', entity_id: params.id, before, after: row });
    return { data: row };
  },
  adjustments: (ctx, { query }) => listPage<AdjustmentRow>(ctx.db, { ...ADJUSTMENTS, conditions: compact([
    query.show_royaltor_id !== undefined && sql`t.show_royaltor_id = ${query.show_royaltor_id}`,
    Boolean(query.search) && sql`t.show_royaltor_id in (select g.id from show_royaltors g
      join royaltors r on r.id = g.royaltor_id
      where ${matches(sql`r.search_text`, query.search ?? '')})`,
  ]) }, query, '/api/admin/staff/royalty_adjustments'),
  async adjust(ctx, { body }) {
    const division = await payerOf(ctx, body.show_royaltor_id);
    const { id } = await ctx.db.one<{ id: number }>(sql`
      insert into royalty_adjustments (show_royaltor_id, division, currency, amount_minor, on_date, reason,
        created_by_id)
      values (${body.show_royaltor_id}, ${division}, ${body.currency}, ${body.amount_minor}, ${body.on_date},
        ${body.reason}, ${ctx.actor.actor_id}) returning id`);
    const row = await findAdjustment(ctx.db, id);
    await ctx.audit({ action: 'create', entity: 'royalty_adjustment', entity_id: id, after: row });
    await notifyApprovers(ctx, advanceEndpoints.approveAdjustment, {
      title: `Correction awaits approval: ${row.royaltor_name}`, body: row.reason, href: correctionHref(row) });
    return { data: row };
  },
  async approveAdjustment(ctx, { params }) {
    const row = await lockUndecided(ctx, params.id);
    await ctx.db.exec(sql`update royalty_adjustments set approved_by_id = ${ctx.user.user_id} where id = ${params.id}`);
    await ctx.audit({ action: 'approve', entity: 'royalty_adjustment', entity_id: params.id });
    await notifyAsker(ctx, row.created_by_id, { title: `Correction approved: ${row.royaltor_name}`,
      href: correctionHref(row) });
    return { data: await findAdjustment(ctx.db, params.id) };
  },
  async declineAdjustment(ctx, { params, body }) {
    const row = await lockUndecided(ctx, params.id);
    await declineDraft(ctx, { entity: 'royalty_adjustment', id: params.id, version: 1, reason: body.reason });
    await notifyAsker(ctx, row.created_by_id, { title: `Correction declined: ${row.royaltor_name}`, body: body.reason,
      href: correctionHref(row) });
    return { data: await findAdjustment(ctx.db, params.id) };
  },
});
