/** Drafts of payments in the trash: what they would pay is free meanwhile, and held again where they come back. */
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import { conflict, refuse } from '#kit/errors.ts';
import { changeOutgoing, purgeOutgoing } from '#modules/receivables/receivables.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { sql } from '#server/sql.ts';
import { checkParts, insertParts, type DisbursementPart } from './disbursement.server.ts';
import { lockDisbursement, releaseParts } from './disbursement-store.server.ts';
import { refuseLaterDocument } from './settled-documents.server.ts';

/** 409 where it is not a draft, or a run or receivables decide about it. */
export async function trashDisbursement(ctx: WorkContext, id: number, version: number | null): Promise<void> {
  const payment = await lockDisbursement(ctx, id);
  if (version !== null && payment.version !== version) throw stale(payment);
  if (payment.payment_run !== null && payment.status !== 'void') {
    throw conflict('payment.in_run', `The payment is in payment run ${payment.payment_run}. Take it out there.`);
  }
  // A refund has posted its payable already: it is withdrawn, which takes that posting back.
  if (!payment.has_parts && ['draft', 'approved'].includes(payment.status)) {
    throw conflict('payment.posted', 'Withdraw the refund: its credit is then on account again.');
  }
  if (payment.status === 'approved') {
    throw conflict('payment.status', `Payment ${payment.number} is approved. Withdraw it instead.`);
  }
  if (payment.status !== 'draft') {
    throw refuse('posted_document', 'A posted payment is never deleted. Return or reverse it.');
  }
  await releaseParts(ctx, id);
  await changeOutgoing(ctx, id, { deleted_at: ctx.now().toISOString() });
  await ctx.audit({ action: 'remove', entity: 'payment', entity_id: id, before: { number: payment.number,
    amount_minor: payment.amount_minor } });
}

interface Trashed { number: string; division: Division; currency: Currency; party_type: string; party_id: number;
  paid_on: string }

async function lockTrashed(ctx: WorkContext, id: number): Promise<Trashed> {
  await ctx.db.query(sql`select 1 from payments where id = ${id} for update`);
  const row = await ctx.db.maybeOne<Trashed>(sql`
    select number, division, currency, party_type, party_id, paid_on from payments
    where id = ${id} and deleted_at is not null`);
  if (!row) throw refuse('not_found');
  return row;
}

/** 409 where something else has paid or holds one of its documents meanwhile. */
export async function restoreDisbursement(ctx: WorkContext, id: number): Promise<void> {
  const payment = await lockTrashed(ctx, id);
  // Parts of one choice were written together.
  const parts = await ctx.db.query<DisbursementPart>(sql`
    select x.open_item_id, x.amount_minor, x.discount_minor, x.discount_reason from payment_parts x
    where x.payment_id = ${id} and x.created_at = (select max(y.created_at) from payment_parts y
      where y.payment_id = ${id}) order by x.id`);
  await checkParts(ctx, { ...payment, parts });
  await changeOutgoing(ctx, id, { deleted_at: null, last_changed_by_id: ctx.actor.actor_id });
  await insertParts(ctx, id, parts);
  await refuseLaterDocument(ctx, { payment_ids: [id], on: payment.paid_on, field: null });
  await ctx.audit({ action: 'restore', entity: 'payment', entity_id: id });
}

export async function purgeDisbursement(ctx: WorkContext, id: number): Promise<void> {
  const payment = await lockTrashed(ctx, id);
  await purgeOutgoing(ctx, id);
  await ctx.audit({ action: 'force_delete', entity: 'payment', entity_id: id, before: payment });
}
