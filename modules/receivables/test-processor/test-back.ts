/** Money that leaves an account of the test processor again: refunds and disputes. */
import { balanceLine, idOf, seconds, tell } from './test-lines.ts';
import type { TestAccount, TestCharge, TestDispute, TestIntent, TestRefund } from './test-state.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Fee of a dispute, in minor units. */
const DISPUTE_FEE = 1500;

/** A refund as the card of its payment takes it: at once, after a while, or at once and back some days later. */
export function refundOf(
  account: TestAccount, intent: TestIntent, of: { amount: number; metadata: Record<string, string> }, now: Date,
  delayMs = DAY_MS,
): TestRefund {
  const charge = account.charges[intent.latest_charge!]!;
  const refund: TestRefund = { id: idOf('re'), object: 'refund', amount: of.amount, currency: intent.currency,
    charge: charge.id, payment_intent: intent.id, status: 'pending', metadata: of.metadata, created: seconds(now),
    answer: null };
  account.refunds[refund.id] = refund;
  charge.amount_refunded += of.amount;
  balanceLine(account, { type: chargeType(account, charge) === 'charge' ? 'refund' : 'payment_refund',
    amount: -of.amount, fee: 0, currency: refund.currency, source: refund.id }, now);
  if (intent.card === 'refund_waits') refund.answer = { ok: true, at: now.getTime() + delayMs };
  else {
    refund.status = 'succeeded';
    if (intent.card === 'refund_fails') refund.answer = { ok: false, at: now.getTime() + delayMs };
  }
  tell(account, 'refund.created', refund, now);
  tell(account, 'charge.refunded', charge, now);
  return refund;
}

const chargeType = (account: TestAccount, charge: TestCharge): string =>
  account.balance.find((line) => line.source === charge.id)!.type;

/** The bank of the card takes the refund, or sends it back: the money is in the account again. */
export function answerRefund(account: TestAccount, refund: TestRefund, ok: boolean, now: Date): void {
  if (refund.status === 'failed' || (ok && refund.status === 'succeeded')) return;
  refund.answer = null;
  refund.status = ok ? 'succeeded' : 'failed';
  if (ok) {
    tell(account, 'refund.updated', refund, now);
    return;
  }
  refund.failure_reason = 'expired_or_canceled_card';
  account.charges[refund.charge]!.amount_refunded -= refund.amount;
  balanceLine(account, { type: 'refund_failure', amount: refund.amount, fee: 0, currency: refund.currency,
    source: refund.id }, now);
  tell(account, 'refund.failed', refund, now);
}

/** The cardholder disputes a charge: what is left of it leaves the account with a fee; an inquiry moves nothing. */
export function openDispute(account: TestAccount, charge: TestCharge, now: Date, inquiry = false): TestDispute {
  const dispute: TestDispute = { id: idOf('du'), object: 'dispute', amount: charge.amount - charge.amount_refunded,
    currency: charge.currency, charge: charge.id, payment_intent: charge.payment_intent, reason: 'fraudulent',
    status: inquiry ? 'warning_needs_response' : 'needs_response', is_charge_refundable: inquiry,
    evidence_details: { due_by: seconds(now) + 7 * 24 * 3600, has_evidence: false, submission_count: 0,
      past_due: false }, balance_transactions: [], created: seconds(now) };
  account.disputes[dispute.id] = dispute;
  charge.disputed = true;
  if (!inquiry) withdraw(account, dispute, now);
  tell(account, 'charge.dispute.created', dispute, now);
  if (!inquiry) tell(account, 'charge.dispute.funds_withdrawn', dispute, now);
  return dispute;
}

function withdraw(account: TestAccount, dispute: TestDispute, now: Date): void {
  dispute.balance_transactions.push(balanceLine(account, { type: 'adjustment', amount: -dispute.amount,
    fee: DISPUTE_FEE, currency: dispute.currency, source: dispute.id }, now));
}

/** Evidence is given in the processor's own pages. */
export function giveEvidence(account: TestAccount, dispute: TestDispute, now: Date): void {
  if (dispute.status !== 'needs_response') return;
  dispute.status = 'under_review';
  Object.assign(dispute.evidence_details, { has_evidence: true, submission_count: 1 });
  tell(account, 'charge.dispute.updated', dispute, now);
}

/** The bank of the card decides. Won: the money is in the account again; the fee stays paid. */
export function closeDispute(account: TestAccount, dispute: TestDispute, won: boolean, now: Date): void {
  if (['won', 'lost', 'warning_closed'].includes(dispute.status)) return;
  const inquiry = dispute.status === 'warning_needs_response';
  dispute.status = inquiry ? 'warning_closed' : won ? 'won' : 'lost';
  if (won && !inquiry) {
    dispute.balance_transactions.push(balanceLine(account, { type: 'adjustment', amount: dispute.amount, fee: 0,
      currency: dispute.currency, source: dispute.id }, now));
    tell(account, 'charge.dispute.funds_reinstated', dispute, now);
  }
  if (won || inquiry) account.charges[dispute.charge]!.disputed = false;
  tell(account, 'charge.dispute.closed', dispute, now);
}
