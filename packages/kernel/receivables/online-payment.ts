/**
 * Payments by card and bank debit through a processor: which ways a division offers, how a payment stands by what the
 * processor says of it, and whether what was charged is what was asked. Pure.
 */
import { formatMoney } from '../money/money.ts';

export const ONLINE_METHODS = ['card', 'ach', 'sepa', 'bacs'] as const;
export type OnlineMethod = (typeof ONLINE_METHODS)[number];

/** Bank debits by division; each is in the currency of the division's books. */
const DEBITS: Record<string, { currency: string; method: OnlineMethod }> = {
  US: { currency: 'USD', method: 'ach' }, PROD: { currency: 'USD', method: 'ach' },
  UK: { currency: 'GBP', method: 'bacs' }, EU: { currency: 'EUR', method: 'sepa' },
};

/** Ways that a division can take an amount online: the processor pays out in the currency of its books only. */
export function onlineMethods(division: string, currency: string): OnlineMethod[] {
  const debit = DEBITS[division];
  return debit?.currency === currency ? ['card', debit.method] : [];
}

/** As the processor calls them. */
export const PROCESSOR_METHODS: Record<OnlineMethod, 'card' | 'us_bank_account' | 'sepa_debit' | 'bacs_debit'> = {
  card: 'card', ach: 'us_bank_account', sepa: 'sepa_debit', bacs: 'bacs_debit',
};

/** `open` waits for the customer, `processing` for the bank; the others are over. */
export const ONLINE_STATES = ['open', 'processing', 'paid', 'failed', 'expired'] as const;
export type OnlineState = (typeof ONLINE_STATES)[number];

/** State of a checkout and its payment as read from the processor now; an event only prompts the read. */
export interface CheckoutFacts {
  readonly session_status: 'open' | 'complete' | 'expired';
  /** `paid`; anything else is not. */
  readonly payment_status: string;
  readonly intent_status: string | null;
  readonly amount_minor: bigint;
  readonly currency: string;
}

/**
 * A checkout that is complete and unpaid is a bank debit under way: it is neither paid nor failed before the bank
 * answers. A declined card leaves the checkout open, so that the customer can try another one.
 */
export function onlineState(facts: CheckoutFacts): OnlineState {
  if (facts.payment_status === 'paid' || facts.intent_status === 'succeeded') return 'paid';
  if (facts.session_status === 'expired') return 'expired';
  if (facts.session_status === 'open') return 'open';
  return facts.intent_status === 'requires_payment_method' || facts.intent_status === 'canceled' ? 'failed'
    : 'processing';
}

/** Paid, failed and expired payments stay as they are, whatever event comes late. */
export function isOver(state: OnlineState): boolean {
  return state !== 'open' && state !== 'processing';
}

export interface AskedSum { readonly amount_minor: bigint; readonly currency: string }

/** Problem with the amount charged, for staff; null if it matches the amount asked. */
export function chargeProblem(asked: AskedSum, charged: AskedSum): string | null {
  if (asked.currency === charged.currency && asked.amount_minor === charged.amount_minor) return null;
  return `Charged ${formatMoney(charged.amount_minor, charged.currency)} instead of ${
    formatMoney(asked.amount_minor, asked.currency)}`;
}
