/** Refunds in the words of the card processor's SDK: made once per key, read, and listed. */
import type Stripe from 'stripe';
import { refundState } from '#kernel/receivables/processor-refund.ts';
import type { Settings } from '#server/settings.ts';
import { asking, clientOf, ProcessorUnavailable } from './processor.server.ts';

export interface RefundReading {
  id: string;
  payment_intent_id: string | null;
  amount_minor: number;
  currency: string;
  state: 'sent' | 'succeeded' | 'failed';
  /** Why it was not paid. */
  failure: string;
  /** The key under which this installation asked for it; null: somebody made it at the processor. */
  reference: string | null;
}

/** The processor will never make this refund; its words say why. */
export class RefundRefused extends Error {}

const FAILURES: Record<string, string> = {
  expired_or_canceled_card: 'The card has expired or is closed', lost_or_stolen_card: 'The card was lost or stolen',
  insufficient_funds: 'The account with the card processor does not hold enough money',
  charge_for_pending_refund_disputed: 'The customer disputes the payment', declined: 'The bank of the card declined it',
};

function reading(refund: Stripe.Refund): RefundReading {
  const intent = refund.payment_intent;
  const state = refundState(refund.status);
  const why = refund.failure_reason ?? '';
  return { id: refund.id, payment_intent_id: typeof intent === 'string' ? intent : intent?.id ?? null,
    amount_minor: refund.amount, currency: refund.currency.toUpperCase(), state,
    failure: state === 'failed' ? FAILURES[why] ?? 'The bank of the card did not take it' : '',
    reference: refund.metadata?.reference ?? null };
}

/** Refused for good, where asking again under the same key would be answered the same. */
const isRefusal = (error: unknown): boolean => {
  const { type, code, statusCode } = error as { type?: string; code?: string; statusCode?: number };
  return type === 'StripeInvalidRequestError' && statusCode === 400 && code !== 'balance_insufficient';
};

export async function createRefund(
  settings: Settings, division: string,
  of: { idempotency_key: string; payment_intent_id: string; amount_minor: number },
): Promise<RefundReading> {
  const stripe = await clientOf(settings, division);
  const made = stripe.refunds.create({ payment_intent: of.payment_intent_id, amount: of.amount_minor,
    metadata: { reference: of.idempotency_key } }, { idempotencyKey: of.idempotency_key })
    .catch((error: unknown) => {
      throw isRefusal(error) ? new RefundRefused((error as Error).message) : error;
    });
  return made.then(reading, (error: unknown) => {
    if (error instanceof RefundRefused) throw error;
    throw new ProcessorUnavailable((error as Error).message);
  });
}

/** The refund that was asked for under this reference; null: none. Keys are forgotten after a day, refunds are not. */
export async function refundUnder(settings: Settings, division: string, intentId: string, reference: string):
Promise<RefundReading | null> {
  const stripe = await clientOf(settings, division);
  const all = await asking(stripe.refunds.list({ payment_intent: intentId, limit: 100 })
    .autoPagingToArray({ limit: 1000 }));
  return all.map(reading).find((one) => one.reference === reference) ?? null;
}

export async function readRefund(settings: Settings, division: string, id: string): Promise<RefundReading> {
  const stripe = await clientOf(settings, division);
  return reading(await asking(stripe.refunds.retrieve(id)));
}

/** Refunds made since then, the oldest first. */
export async function listRefunds(settings: Settings, division: string, since: Date): Promise<RefundReading[]> {
  const stripe = await clientOf(settings, division);
  const all = await asking(stripe.refunds.list({ limit: 100, created: { gte: Math.floor(since.getTime() / 1000) } })
    .autoPagingToArray({ limit: 10_000 }));
  return all.map(reading).toReversed();
}
