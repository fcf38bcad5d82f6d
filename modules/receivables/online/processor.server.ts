/**
 * The card processor behind the payment port, through its own SDK: checkouts that the customer is sent to, and what
 * became of them. Every call that makes something carries an idempotency key. The rest of receivables knows these
 * shapes, never the SDK's.
 */
import type Stripe from 'stripe';
import { conflict } from '#kit/errors.ts';
import { PROCESSOR_METHODS, type CheckoutFacts, type OnlineMethod } from '#kernel/receivables/online-payment.ts';
import type { BalanceLine } from '#kernel/receivables/payout.ts';
import type { Settings, StripeSettings } from '#server/settings.ts';

export interface CheckoutRequest {
  idempotency_key: string;
  method: OnlineMethod;
  amount_minor: number;
  currency: string;
  /** Purpose of the payment, as shown on the processor's page and the customer's card statement. */
  description: string;
  email: string;
  success_url: string;
  cancel_url: string;
}

export interface Checkout { session_id: string; url: string; expires_at: Date }

export interface CheckoutReading extends CheckoutFacts {
  payment_intent_id: string | null;
  /** Why the last attempt was not paid, in the processor's words for the customer. */
  failure: string;
}

export interface VerifiedEvent { id: string; type: string; object_id: string; api_version: string; happened_at: Date }

/** Thrown if the processor could not answer; the caller retries later. */
export class ProcessorUnavailable extends Error {}
/** The processor knows no such checkout. */
export class CheckoutUnknown extends Error {}

const TIMEOUT_MS = 20_000;
const clients = new WeakMap<StripeSettings, Map<string, Promise<Stripe>>>();

/** Divisions without a key take no payments online. */
export function takesOnline(settings: Settings, division: string): boolean {
  return settings.stripe?.keys.has(division) ?? false;
}

/** Paid with a test key: no money moves, and every page says so. */
export function isTest(settings: Settings, division: string): boolean {
  return settings.stripe?.keys.get(division)?.startsWith('sk_test_') ?? false;
}

async function newClient(of: Pick<StripeSettings, 'api_url'>, key: string): Promise<Stripe> {
  const { default: Sdk } = await import('stripe');
  const at = of.api_url === null ? null : new URL(of.api_url);
  return new Sdk(key, { maxNetworkRetries: 2, timeout: TIMEOUT_MS, telemetry: false,
    ...(at && { host: at.hostname, protocol: at.protocol === 'http:' ? 'http' : 'https',
      ...(at.port && { port: at.port }) }) });
}

/** The SDK for the account of a division; one for each, with its connections. */
export function clientOf(settings: Settings, division: string): Promise<Stripe> {
  const of = settings.stripe;
  const key = of?.keys.get(division);
  if (!of || key === undefined) throw new ProcessorUnavailable(`division ${division} has no key of the processor`);
  const known = clients.get(of) ?? new Map<string, Promise<Stripe>>();
  clients.set(of, known);
  const client = known.get(key) ?? newClient(of, key);
  known.set(key, client);
  return client;
}

const codeOf = (error: unknown): { code?: string; statusCode?: number } => error as { code?: string };

/** Errors of the SDK as ours: what is unknown there, and what may work later. */
export async function asking<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code, statusCode } = codeOf(error);
    if (code === 'resource_missing' && statusCode === 404) throw new CheckoutUnknown((error as Error).message);
    throw new ProcessorUnavailable((error as Error).message);
  }
}

/** Why the processor does not take a key, in words; null: it does. */
export async function refusesKey(api_url: string | null, key: string): Promise<string | null> {
  const stripe = await newClient({ api_url }, key);
  return stripe.balance.retrieve().then(() => null, (error: { type?: string }) => {
    if (error.type === 'StripeAuthenticationError') return 'The card processor does not know this key';
    return error.type === 'StripePermissionError' ? 'This key may not read the account. Give it all rights, or use the '
      + 'secret key' : 'The card processor did not answer. Try again in some minutes';
  });
}

/** Makes the checkout once per key. 409 where the processor does not take it; nothing was charged. */
export async function beginCheckout(settings: Settings, division: string, of: CheckoutRequest): Promise<Checkout> {
  const stripe = await clientOf(settings, division);
  try {
    const session = await asking(stripe.checkout.sessions.create({
      mode: 'payment', allowed_payment_method_types: [PROCESSOR_METHODS[of.method]], customer_email: of.email,
      line_items: [{ quantity: 1, price_data: { currency: of.currency.toLowerCase(), unit_amount: of.amount_minor,
        product_data: { name: of.description } } }],
      client_reference_id: of.idempotency_key, payment_intent_data: { description: of.description,
        metadata: { reference: of.idempotency_key } },
      success_url: of.success_url, cancel_url: of.cancel_url,
    }, { idempotencyKey: of.idempotency_key }));
    if (!session.url) throw new ProcessorUnavailable('the checkout has no page');
    return { session_id: session.id, url: session.url, expires_at: new Date(session.expires_at * 1000) };
  } catch (error) {
    if (!(error instanceof ProcessorUnavailable)) throw error;
    throw conflict('online_payment.unavailable',
      'Paying by card or bank debit is not possible at the moment. Nothing was charged. Try again in some minutes, or '
      + 'pay in another way.');
  }
}

/** The checkout and its payment as they are now. */
export async function readCheckout(settings: Settings, division: string, sessionId: string): Promise<CheckoutReading> {
  const stripe = await clientOf(settings, division);
  const session = await asking(stripe.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent'] }));
  const intent = session.payment_intent as Stripe.PaymentIntent | null;
  const status = session.status as CheckoutFacts['session_status'] | null;
  return { session_status: status ?? 'open', payment_status: session.payment_status,
    intent_status: intent?.status ?? null, payment_intent_id: intent?.id ?? null,
    // Amount received, if any: a checkout reports the amount it asked for.
    amount_minor: BigInt(intent?.status === 'succeeded' ? intent.amount_received : session.amount_total ?? 0),
    currency: (intent?.currency ?? session.currency ?? '').toUpperCase(),
    failure: intent?.last_payment_error?.message ?? '' };
}

/** Nobody can pay on it any more. One that was paid meanwhile stays paid, and is settled as such. */
export async function endCheckout(settings: Settings, division: string, sessionId: string): Promise<void> {
  const stripe = await clientOf(settings, division);
  await asking(stripe.checkout.sessions.expire(sessionId)).catch(() => undefined);
}

/** The event, where the SDK finds it signed with a secret of the division; null where it does not. */
export async function verifiedEvent(
  settings: Settings, division: string, raw: Buffer, signature: string,
): Promise<VerifiedEvent | null> {
  const stripe = await clientOf(settings, division);
  for (const secret of settings.stripe?.webhook_secrets.get(division) ?? []) {
    try {
      const event = stripe.webhooks.constructEvent(raw, signature, secret);
      const { id } = event.data.object as { id?: string };
      return { id: event.id, type: event.type, object_id: id ?? '', api_version: event.api_version ?? '',
        happened_at: new Date(event.created * 1000) };
    } catch {
      // Another secret may fit: two are known while one replaces the other.
    }
  }
  return null;
}

export interface PayoutReading {
  id: string;
  amount_minor: bigint;
  currency: string;
  paid_on: string;
  /** The bank sent it back. */
  failed: boolean;
  lines: BalanceLine[];
}

const MOST_LINES = 10_000;

/** A payout that was paid, with what it is made of; null while it is on its way, or never left. */
export async function readPayout(settings: Settings, division: string, id: string): Promise<PayoutReading | null> {
  const stripe = await clientOf(settings, division);
  const payout = await asking(stripe.payouts.retrieve(id));
  if (payout.status !== 'paid' && payout.status !== 'failed') return null;
  const lines = await asking(stripe.balanceTransactions.list({ payout: id, limit: 100 })
    .autoPagingToArray({ limit: MOST_LINES }));
  return { id, amount_minor: BigInt(payout.amount), currency: payout.currency.toUpperCase(),
    paid_on: new Date(payout.arrival_date * 1000).toISOString().slice(0, 10), failed: payout.status === 'failed',
    lines: lines.map((line) => ({ id: line.id, type: line.type, amount_minor: BigInt(line.amount),
      fee_minor: BigInt(line.fee), net_minor: BigInt(line.net) })) };
}

/** Ids of the payouts made since then, the oldest first. */
export async function listPayouts(settings: Settings, division: string, since: Date): Promise<string[]> {
  const stripe = await clientOf(settings, division);
  const payouts = await asking(stripe.payouts.list({ limit: 100, created: { gte: Math.floor(since.getTime() / 1000) } })
    .autoPagingToArray({ limit: MOST_LINES }));
  return payouts.map((payout) => payout.id).toReversed();
}
