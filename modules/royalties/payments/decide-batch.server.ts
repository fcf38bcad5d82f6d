/** Approve, pay, cancel, take back: a batch moves once, by two people (accounting.md 2.2, events 12, 14 and 14d). */
import { conflict, refuse } from '#kit/errors.ts';
import { convert, type JournalDraft } from '#kernel/ledger/journal.ts';
import { royaltyPaidLines, type RoyaltyPayment } from '#kernel/ledger/royalty-events.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { sql } from '#server/sql.ts';
import { postJournals, reverseTransaction } from '#modules/accounting/accounting.public.server.ts';
import { taxAuthority } from '#modules/taxation/taxation.public.server.ts';
import { rateFor } from '../ledger-rate.server.ts';

interface Batch { id: number; number: string; status: string; version: number; updated_at: string;
  created_by_id: number | null; division: Division; currency: Currency; pay_on: string; home_country: string }

/** What every state allows; the buttons read this. */
export const BATCH_EVENTS: Record<string, readonly string[]> = {
  draft: ['approve', 'cancel'], approved: ['pay', 'cancel'], posted: ['return'], void: [],
};

async function lockBatch(ctx: WorkContext, id: number, event: string, version: number | null): Promise<Batch> {
  const batch = await ctx.db.maybeOne<Batch>(sql`
    select b.id, b.number, b.status, b.version, b.updated_at, b.created_by_id, b.division, b.currency, b.pay_on,
      d.home_country
    from royalty_payment_batches b join divisions d on d.code = b.division where b.id = ${id} for update of b`);
  if (!batch) throw refuse('not_found');
  const allowed = BATCH_EVENTS[batch.status] ?? [];
  if (!allowed.includes(event)) {
    const words: Record<string, string> = { approve: 'approved', pay: 'paid', cancel: 'cancelled', return: 'returned' };
    throw conflict('royalty_payment_batch.status_conflict',
      `Batch ${batch.number} is ${batch.status}, so it cannot be ${words[event] ?? event}.`, { allowed });
  }
  if (version !== null && batch.version !== version) throw stale(batch);
  return batch;
}

/** Another person than who made it: 409 four_eyes. */
export async function approveBatch(ctx: WorkContext, id: number, version: number): Promise<void> {
  const batch = await lockBatch(ctx, id, 'approve', version);
  if (batch.created_by_id !== null && batch.created_by_id === ctx.actor.actor_id) {
    throw refuse('four_eyes', 'Somebody other than the person who made the batch approves it.');
  }
  const now = ctx.now().toISOString();
  await ctx.db.exec(sql`
    update payments set status = 'approved', approved_by_id = ${ctx.actor.actor_id}, approved_at = ${now},
      version = version + 1 where royalty_payment_batch_id = ${id} and status = 'draft'`);
  await ctx.db.exec(sql`
    update royalty_payment_batches set status = 'approved', approved_by_id = ${ctx.actor.actor_id},
      approved_at = ${now}, version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'approve', entity: 'royalty_payment_batch', entity_id: id });
}

interface Payment { id: number; number: string; kind: string; royaltor_id: number; amount_minor: number;
  account: string; parts: { statement_id: number; royaltor_id: number; payee_id: number; gross: number; wht: number;
    paid: number; base: number }[] | null; advance_id: number | null; advance_minor: number | null }

/** Posts every payment with its tax; statements and advances are paid. A second call finds the batch paid. */
export async function payBatch(ctx: WorkContext, id: number, version: number): Promise<void> {
  const batch = await lockBatch(ctx, id, 'pay', version);
  const payments = await paymentsOf(ctx, id);
  const rate = await rateFor(ctx.db, batch.division, batch.currency, batch.pay_on);
  const authority = await taxAuthority(ctx, batch.home_country);
  const drafts = payments.map((payment) => draftOf(batch, payment, rate, authority));
  const posted = await postJournals(ctx.db, drafts, ctx.actor.actor_id);
  const now = ctx.now().toISOString();
  for (const [k, payment] of payments.entries()) {
    await ctx.db.exec(sql`
      update payments set status = 'posted', posted_at = ${now}, transaction_id = ${posted[k]!.transaction_id},
        functional_rate = ${rate}, functional_rate_on = ${batch.pay_on}, version = version + 1
      where id = ${payment.id}`);
    await settle(ctx, payment, batch.pay_on);
  }
  await ctx.db.exec(sql`
    update royalty_payment_batches set status = 'posted', posted_at = ${now}, version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'pay', entity: 'royalty_payment_batch', entity_id: id,
    after: { payments: payments.map((payment) => payment.id) } });
}

function paymentsOf(ctx: WorkContext, batchId: number): Promise<Payment[]> {
  return ctx.db.query<Payment>(sql`
    select p.id, p.number, p.kind, p.royaltor_id, p.amount_minor, a.code as account, v.id as advance_id,
      v.amount_minor as advance_minor,
      (select jsonb_agg(jsonb_build_object('statement_id', x.royalty_statement_id, 'royaltor_id', m.royaltor_id,
        'payee_id', p.royaltor_id, 'gross', x.gross_minor, 'wht', x.wht_minor, 'paid', x.paid_minor, 'base',
        x.wht_base_minor) order by x.id)
        from royalty_payment_statements x join royalty_statements m on m.id = x.royalty_statement_id
        where x.payment_id = p.id) as parts
    from payments p join ledger_accounts a on a.id = p.ledger_account_id
      left join royalty_advances v on v.payment_id = p.id
    where p.royalty_payment_batch_id = ${batchId} and p.status = 'approved' order by p.id for update of p`);
}

/** An agent's own commission stands on his account (13c) and has no base of tax; else the author's account pays. */
function owner(part: NonNullable<Payment['parts']>[number]): number {
  return part.base === 0 ? part.payee_id : part.royaltor_id;
}

function settledBy(payment: Payment): Pick<RoyaltyPayment, 'account' | 'settled'> {
  if (payment.advance_id !== null) {
    return { account: '1150',
      settled: [{ royaltor_id: payment.royaltor_id, amount_minor: BigInt(payment.advance_minor!) }] };
  }
  return { account: '2200', settled: (payment.parts ?? []).map((part) =>
    ({ royaltor_id: owner(part), amount_minor: BigInt(part.gross) })) };
}

function draftOf(batch: Batch, payment: Payment, rate: string, authority: number): JournalDraft {
  const lines = royaltyPaidLines({
    currency: batch.currency, refs: { payment_id: payment.id }, bank_account: payment.account,
    paid_minor: BigInt(payment.amount_minor), authority_id: authority, ...settledBy(payment),
  });
  return {
    division: batch.division, kind: payment.advance_id === null ? 'royalty_payment' : 'royalty_advance',
    transaction_at: batch.pay_on, description: `Royalty payment ${payment.number}, batch ${batch.number}`,
    source: { type: 'payment', id: payment.id, event: 'paid', attempt: 1 }, lines: convert(lines, batch.division, rate),
  };
}

async function settle(ctx: WorkContext, payment: Payment, on: string): Promise<void> {
  for (const part of payment.parts ?? []) {
    if (part.base === 0) continue;
    await ctx.db.exec(sql`
      update royalty_statements set status = 'paid', paid_minor = paid_minor + ${part.paid},
        withheld_minor = withheld_minor + ${part.wht}, version = version + 1 where id = ${part.statement_id}`);
  }
  if (payment.advance_id !== null) {
    await ctx.db.exec(sql`
      update royalty_advances set status = 'paid', paid_on = ${on}, version = version + 1
      where id = ${payment.advance_id}`);
  }
}

/** Until paid; statements and advances are free for another batch. */
export async function cancelBatch(ctx: WorkContext, id: number, version: number, reason: string): Promise<void> {
  await lockBatch(ctx, id, 'cancel', version);
  await ctx.db.exec(sql`
    update royalty_advances set payment_id = null, version = version + 1 where status = 'scheduled' and payment_id in
      (select id from payments where royalty_payment_batch_id = ${id})`);
  await ctx.db.exec(sql`
    update payments set status = 'void', version = version + 1 where royalty_payment_batch_id = ${id}
      and status in ('draft', 'approved')`);
  await ctx.db.exec(sql`
    update royalty_payment_batches set status = 'void', version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'cancel', entity: 'royalty_payment_batch', entity_id: id, after: { reason } });
}

/** Event 14d: the bank sent a payment back. The posting is mirrored, the statements are payable again. */
export async function returnPayment(
  ctx: WorkContext, batchId: number, paymentId: number, input: { returned_on: string; reason: string },
): Promise<void> {
  await lockBatch(ctx, batchId, 'return', null);
  const payment = await ctx.db.maybeOne<{ id: number; status: string; transaction_id: number }>(sql`
    select id, status, transaction_id from payments
    where id = ${paymentId} and royalty_payment_batch_id = ${batchId} for update`);
  if (!payment) throw refuse('not_found');
  if (payment.status !== 'posted' && payment.status !== 'cleared') {
    throw conflict('royalty_payment.status_conflict', `This payment is ${payment.status}.`, { allowed: [] });
  }
  const recouped = await ctx.db.query(sql`
    select 1 from royalty_advances where payment_id = ${paymentId} and recouped_minor > 0`);
  if (recouped.length > 0) {
    throw conflict('royalty_advance.in_payment', 'Part of this advance has been recouped on a statement already.');
  }
  const { transaction_id } = await reverseTransaction(ctx.db, { transaction_id: payment.transaction_id,
    transaction_at: input.returned_on, reason: input.reason, actor_id: ctx.actor.actor_id });
  await ctx.db.exec(sql`
    update payments set status = 'returned', returned_on = ${input.returned_on},
      reversal_transaction_id = ${transaction_id},
      reversal_reason = ${input.reason}, version = version + 1 where id = ${paymentId}`);
  await ctx.db.exec(sql`
    update royalty_statements m set status = 'issued', paid_minor = m.paid_minor - x.paid_minor,
      withheld_minor = m.withheld_minor - x.wht_minor, version = m.version + 1
    from royalty_payment_statements x where x.payment_id = ${paymentId} and m.id = x.royalty_statement_id
      and m.status = 'paid' and x.wht_base_minor > 0`);
  await ctx.db.exec(sql`
    update royalty_advances set status = 'scheduled', paid_on = null, payment_id = null, version = version + 1
    where payment_id = ${paymentId}`);
  await ctx.audit({ action: 'return', entity: 'payment', entity_id: paymentId, after: input });
}
