/** Disputes in the words of the card processor's SDK: read and listed. Evidence is given on its own pages. */
import type Stripe from 'stripe';
import { disputeMoney, disputeState, type DisputeState } from '#kernel/receivables/dispute.ts';
import type { Settings } from '#server/settings.ts';
import { asking, clientOf } from './processor.server.ts';

export interface DisputeReading {
  id: string;
  payment_intent_id: string | null;
  amount_minor: number;
  currency: string;
  reason: string;
  state: DisputeState;
  due_at: string | null;
  /** Off the account by now, and the fee. */
  taken_minor: number;
  fee_minor: number;
}

function reading(dispute: Stripe.Dispute): DisputeReading {
  const intent = dispute.payment_intent;
  const { taken_minor, fee_minor } = disputeMoney(dispute.balance_transactions.map((line) => ({
    amount_minor: BigInt(line.amount), fee_minor: BigInt(line.fee) })));
  const due = dispute.evidence_details.due_by;
  return { id: dispute.id, payment_intent_id: typeof intent === 'string' ? intent : intent?.id ?? null,
    amount_minor: dispute.amount, currency: dispute.currency.toUpperCase(), reason: dispute.reason,
    state: disputeState(dispute.status), due_at: due === null ? null : new Date(due * 1000).toISOString(),
    taken_minor: Number(taken_minor), fee_minor: Number(fee_minor) };
}

export async function readDispute(settings: Settings, division: string, id: string): Promise<DisputeReading> {
  const stripe = await clientOf(settings, division);
  return reading(await asking(stripe.disputes.retrieve(id)));
}

/** Disputes opened since then, the oldest first. */
export async function listDisputes(settings: Settings, division: string, since: Date): Promise<DisputeReading[]> {
  const stripe = await clientOf(settings, division);
  const all = await asking(stripe.disputes.list({ limit: 100, created: { gte: Math.floor(since.getTime() / 1000) } })
    .autoPagingToArray({ limit: 10_000 }));
  return all.map(reading).toReversed();
}
