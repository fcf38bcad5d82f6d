/**
 * Steps of one payment by itself (A90): approved by another person, posted on its day, settled by the bank, returned or
 * withdrawn. What leaves with a run, a batch of royalties or on a check is decided there.
 */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { spellIn } from '#kernel/text/english.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import type { paymentEndpoints } from '#modules/receivables/payments/payment.contract.ts';
import { changeOutgoing, refuseWithProcessor, returnReceipt, withdrawPlanned }
  from '#modules/receivables/receivables.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { refuseFutureMoney } from '#server/money-day.ts';
import { sql } from '#server/sql.ts';
import { paymentHref, tellMaker } from '../disbursement/ask-approval.server.ts';
import { approveDisbursement, returnDisbursement, voidDisbursement } from '../disbursement/disbursement.server.ts';
import { lockDisbursement, refuseStatus, type Disbursement } from '../disbursement/disbursement-store.server.ts';
import { refusePaidElsewhere } from '../disbursement/paid-elsewhere.server.ts';
import { postDisbursement } from '../disbursement/post-disbursement.server.ts';
import { refuseOtherPayee } from '../payee/approved-payee.server.ts';
import { refuseBankChanger } from '../payee/bank-changer.server.ts';
import { doubtPayee } from '../payee/doubt-payee.server.ts';
import { payeeBankOf, type Payee, type PayeeType } from '../payee/payee-bank.server.ts';
import { heldBecause } from '../run/payees.server.ts';

type Body = BodyOf<typeof paymentEndpoints.status>;

export async function decidePayment(ctx: WorkContext, id: number, body: Body): Promise<void> {
  const payment = await ctx.db.maybeOne<{ direction: string; kind: string; version: number; division: string }>(sql`
    select direction, kind, version, division from payments where id = ${id} and deleted_at is null`);
  if (!payment) throw refuse('not_found');
  const on = body.on ?? await ctx.today(payment.division);
  if (payment.direction === 'in') {
    if (payment.version !== body.version) throw refuse('stale');
    return decideReceipt(ctx, id, payment.kind, { ...body, on });
  }
  refuseRoyalties(payment.kind);
  const row = await lockDisbursement(ctx, id, body.version);
  refusePaidElsewhere(row);
  await refuseWithProcessor(ctx, id, body.status);
  if (body.status === 'cleared') return settlePayment(ctx, row, on);
  refuseInRun(row);
  switch (body.status) {
    case 'approved': return approvePayment(ctx, row);
    case 'posted': return postPayment(ctx, row, { on, reference: body.reference });
    case 'returned': return returnPayment(ctx, row, { on, reason: body.reason });
    case 'void': return withdrawPayment(ctx, row, { on, reason: body.reason });
  }
}

/** Royalties are paid in batches, which withhold tax and follow their statements. */
export function refuseRoyalties(kind: string): void {
  if (kind !== 'royalty' && kind !== 'royalty_advance') return;
  throw conflict('payment.kind', 'A royalty payment is decided in its batch.');
}

export function refuseInRun(payment: Disbursement): void {
  if (payment.payment_run === null) return;
  throw conflict('payment.in_run', `The payment is in payment run ${payment.payment_run}. Decide it there.`);
}

async function decideReceipt(ctx: WorkContext, id: number, kind: string, body: Body & { on: string }): Promise<void> {
  if (body.status === 'returned') {
    await returnReceipt(ctx, { payment_id: id, on: body.on, reason: body.reason, fee_minor: body.fee_minor,
      recharge: body.recharge });
  } else if (kind === 'receipt' && body.status === 'void') await withdrawPlanned(ctx, id, body.reason);
  else throw conflict('payment.kind', 'A receipt is returned, or given back before it is posted.');
}

const paysToBank = (payment: Pick<Disbursement, 'method' | 'has_parts'>): boolean => payment.has_parts
  && payment.method !== 'card' && payment.method !== 'check';

async function payeeOf(ctx: WorkContext, payment: Disbursement): Promise<Payee | null> {
  if (!['vendor', 'royaltor', 'customer'].includes(payment.party_type)) return null;
  return payeeBankOf(ctx, payment.party_type as PayeeType, payment.party_id);
}

/** As in a run: not by who changed the bank details, and only to details that two people stand behind. */
async function approvePayment(ctx: WorkContext, payment: Disbursement): Promise<void> {
  await approveDisbursement(ctx, payment.id);
  if (!payment.has_parts) return;
  await refuseBankChanger(ctx, payment, 'approves the payment');
  const payee = payment.method === 'card' ? null : await payeeOf(ctx, payment);
  if (payee) refuseHeld(payment, payee);
  const bank = paysToBank(payment) ? payee?.bank : null;
  await changeOutgoing(ctx, payment.id, { payee_version: bank?.version ?? null, payee_last4: bank?.last4 ?? null,
    payee_sha256: payee?.sha256 ?? null });
  await tellMaker(ctx, payment, 'approved');
}

/** Made by hand on the bank's own site, or charged to a card: recorded as having left on that day. */
async function postPayment(ctx: WorkContext, payment: Disbursement, of: { on: string; reference: string | undefined }):
Promise<void> {
  if (payment.has_parts && payment.method === 'check') {
    const say = spellIn(documentLanguage(payment.division));
    throw conflict('check.state', say`Print the check: printing posts its payment.`);
  }
  if (payment.status === 'approved' && paysToBank(payment)) await refuseChangedDetails(ctx, payment);
  if (of.reference !== undefined) await changeOutgoing(ctx, payment.id, { reference: of.reference });
  await postDisbursement(ctx, payment.id, of.on);
}

/** 409 where the payee cannot be paid this way, or nobody vouches for its bank details since a payment came back. */
function refuseHeld(payment: Disbursement, payee: Payee): void {
  const held = heldBecause(payee, payment.method as Parameters<typeof heldBecause>[1], payment);
  if (held !== null) throw conflict('payment.payee', `${payment.party_name}: ${held}`, { payee: payment.party_name });
}

/** Refuses payment if bank details, name or address have changed, or are in doubt, since the approval. */
async function refuseChangedDetails(ctx: WorkContext, payment: Disbursement): Promise<void> {
  const { approved } = await ctx.db.one<{ approved: number | null }>(sql`
    select payee_version as approved from payments where id = ${payment.id}`);
  const payee = await payeeOf(ctx, payment);
  if (!payee) return;
  await refuseOtherPayee(ctx, { ...payment, in_run: false }, payee);
  if ((payee.bank?.version ?? null) !== approved) {
    throw conflict('payment.payee_changed', `The bank details of ${payment.party_name} changed after the payment was `
      + 'approved. Change the payment, and have it approved again.', { payee: payment.party_name });
  }
  refuseHeld(payment, payee);
}

/** The bank says so on paper or on its own site. Nothing is posted. */
async function settlePayment(ctx: WorkContext, payment: Disbursement, on: string): Promise<void> {
  refuseStatus(payment, 'posted');
  await refuseBankChanger(ctx, payment, 'marks the payment as settled');
  await refuseFutureMoney(ctx, { division: payment.division, on, field: 'on' });
  const { value_on } = await ctx.db.one<{ value_on: string | null }>(sql`
    select value_on from payments where id = ${payment.id}`);
  if (value_on !== null && on < value_on) {
    throw invalidField('on', `Enter ${dateFor(documentLanguage(payment.division), value_on)} or a later date`);
  }
  await changeOutgoing(ctx, payment.id, { status: 'cleared', outcome: 'settled', outcome_on: on });
  await ctx.audit({ action: 'settle', entity: 'payment', entity_id: payment.id, after: { on } });
}

function refusePrinted(payment: Disbursement): void {
  if (!payment.has_parts || payment.method !== 'check' || !['posted', 'cleared'].includes(payment.status)) return;
  const say = spellIn(documentLanguage(payment.division));
  throw conflict('check.state', say`Void the check on its own page.`);
}

/** Payable again, its bank details to be confirmed, and who made it is told. */
async function returnPayment(ctx: WorkContext, payment: Disbursement, of: { on: string; reason: string }):
Promise<void> {
  refusePrinted(payment);
  await returnDisbursement(ctx, payment.id, of.on, of.reason);
  if (paysToBank(payment)) await doubtPayee(ctx, payment);
  await notifyStaff(ctx, { kind: 'payment.returned', to: [payment.created_by_id], body: of.reason,
    title: `Payment ${payment.number} to ${payment.party_name} came back`, href: paymentHref(payment.id),
    key: `payment.returned/${payment.id}/${of.reason.slice(0, 40)}` });
}

async function withdrawPayment(ctx: WorkContext, payment: Disbursement, of: { on: string; reason: string }):
Promise<void> {
  refusePrinted(payment);
  await voidDisbursement(ctx, payment.id, of.on, of.reason);
  if (!payment.has_parts) return;
  await tellMaker(ctx, payment, payment.status === 'draft' ? 'declined' : 'withdrawn', of.reason);
}
