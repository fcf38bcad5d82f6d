/** Operations that move money in an account of the test processor, and the events that report it. */
import { openDispute } from './test-back.ts';
import { balanceLine, idOf, seconds, tell } from './test-lines.ts';
import type { TestAccount, TestCard, TestCharge, TestIntent, TestPayout, TestSession } from './test-state.ts';

export type How = 'pay' | 'pay_refund_waits' | 'pay_refund_fails' | 'pay_disputed' | 'decline' | 'bank_pays'
  | 'bank_refuses';
const CARDS: Partial<Record<How, TestCard>> = { pay_refund_waits: 'refund_waits', pay_refund_fails: 'refund_fails',
  pay_disputed: 'disputed' };

/** Card 2.9% and 30, bank debit 0.8% and at most 500. */
const feeOf = (method: string, amount: number): number => (method === 'card' ? Math.round(amount * 0.029) + 30
  : Math.min(Math.round(amount * 0.008), 500));

function intentOf(account: TestAccount, session: TestSession, now: Date): TestIntent {
  const known = session.payment_intent === null ? undefined : account.intents[session.payment_intent];
  if (known) return known;
  const intent: TestIntent = { id: idOf('pi'), object: 'payment_intent', status: 'requires_payment_method',
    amount: session.amount_total, amount_received: 0, currency: session.currency, latest_charge: null,
    last_payment_error: null, metadata: { reference: session.client_reference_id }, created: seconds(now),
    session: session.id, answer: null, card: 'plain' };
  account.intents[intent.id] = intent;
  session.payment_intent = intent.id;
  return intent;
}

function charge(account: TestAccount, session: TestSession, intent: TestIntent, now: Date): void {
  const method = session.payment_method_types[0]!;
  const made: TestCharge = { id: idOf('ch'), object: 'charge', amount: intent.amount,
    currency: intent.currency, payment_intent: intent.id, balance_transaction: '', amount_refunded: 0,
    disputed: false, created: seconds(now) };
  made.balance_transaction = balanceLine(account, { type: method === 'card' ? 'charge' : 'payment',
    amount: intent.amount, fee: feeOf(method, intent.amount), currency: intent.currency, source: made.id }, now).id;
  account.charges[made.id] = made;
  Object.assign(intent, { status: 'succeeded', amount_received: intent.amount, latest_charge: made.id,
    last_payment_error: null, answer: null });
  session.payment_status = 'paid';
  tell(account, 'charge.succeeded', made, now);
  tell(account, 'payment_intent.succeeded', intent, now);
}

/** Pays as the customer does on the page. A checkout that is over takes nothing. */
export function payOn(account: TestAccount, session: TestSession, how: How, now: Date, bankDelayMs: number): void {
  if (session.status !== 'open') return;
  const intent = intentOf(account, session, now);
  if (how === 'decline') {
    intent.last_payment_error = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' };
    tell(account, 'payment_intent.payment_failed', intent, now);
    return;
  }
  session.status = 'complete';
  if (how !== 'bank_pays' && how !== 'bank_refuses') {
    intent.card = CARDS[how] ?? 'plain';
    charge(account, session, intent, now);
  } else {
    intent.status = 'processing';
    intent.answer = { ok: how === 'bank_pays', at: now.getTime() + bankDelayMs };
    tell(account, 'payment_intent.processing', intent, now);
  }
  tell(account, 'checkout.session.completed', session, now);
  if (intent.card === 'disputed') openDispute(account, account.charges[intent.latest_charge!]!, now);
}

/** The bank of the customer pays a debit, or does not. */
export function answerDebit(account: TestAccount, intent: TestIntent, ok: boolean, now: Date): void {
  const session = account.sessions[intent.session]!;
  if (intent.status !== 'processing') return;
  if (ok) {
    charge(account, session, intent, now);
    tell(account, 'checkout.session.async_payment_succeeded', session, now);
    return;
  }
  Object.assign(intent, { status: 'requires_payment_method', answer: null, last_payment_error: {
    type: 'invalid_request_error', code: 'payment_intent_payment_attempt_failed',
    message: 'The bank account does not have enough money.' } });
  tell(account, 'payment_intent.payment_failed', intent, now);
  tell(account, 'checkout.session.async_payment_failed', session, now);
}

/** Pays out all that is available: older than `before` (seconds). Null where that comes to nothing. */
export function payOut(account: TestAccount, currency: string, before: number, now: Date): TestPayout | null {
  const lines = account.balance.filter((line) => line.payout === null && line.currency === currency
    && line.created <= before && line.type !== 'payout');
  const amount = lines.reduce((all, line) => all + line.net, 0);
  if (amount <= 0) return null;
  const payout: TestPayout = { id: idOf('po'), object: 'payout', amount, currency, status: 'paid', automatic: true,
    arrival_date: seconds(now), created: seconds(now) };
  account.payouts[payout.id] = payout;
  for (const line of lines) line.payout = payout.id;
  balanceLine(account, { type: 'payout', amount: -amount, fee: 0, currency, source: payout.id }, now)
    .payout = payout.id;
  tell(account, 'payout.paid', payout, now);
  return payout;
}

/** The bank of the house sends a payout back: the money is with the processor again. */
export function returnPayout(account: TestAccount, payout: TestPayout, now: Date): void {
  payout.status = 'failed';
  balanceLine(account, { type: 'payout_failure', amount: payout.amount, fee: 0, currency: payout.currency,
    source: payout.id }, now);
  tell(account, 'payout.failed', payout, now);
}
