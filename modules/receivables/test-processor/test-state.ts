/** State of the test processor per account: objects with the fields of the real API that the SDK reads. */

export interface TestSession {
  id: string;
  object: 'checkout.session';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  amount_total: number;
  currency: string;
  client_reference_id: string;
  payment_method_types: string[];
  payment_intent: string | null;
  success_url: string;
  cancel_url: string;
  url: string;
  created: number;
  expires_at: number;
  livemode: false;
  /** Text shown on the page. */
  line: string;
}

/** Special cards, as the real processor has them for tests. */
export type TestCard = 'plain' | 'refund_waits' | 'refund_fails' | 'disputed';

export interface TestIntent {
  id: string;
  object: 'payment_intent';
  status: 'requires_payment_method' | 'processing' | 'succeeded' | 'canceled';
  amount: number;
  amount_received: number;
  currency: string;
  latest_charge: string | null;
  last_payment_error: { type: 'card_error' | 'invalid_request_error'; code: string; message: string } | null;
  metadata: Record<string, string>;
  created: number;
  session: string;
  /** For a bank debit under way: what the bank will say, and when (ms). */
  answer: { ok: boolean; at: number } | null;
  card: TestCard;
}

export interface TestCharge {
  id: string;
  object: 'charge';
  amount: number;
  currency: string;
  payment_intent: string;
  balance_transaction: string;
  amount_refunded: number;
  disputed: boolean;
  created: number;
}

export interface TestRefund {
  id: string;
  object: 'refund';
  amount: number;
  currency: string;
  charge: string;
  payment_intent: string;
  status: 'pending' | 'succeeded' | 'failed';
  failure_reason?: string;
  metadata: Record<string, string>;
  created: number;
  /** When a refund that is pending is answered, or one that went out comes back (ms). */
  answer: { ok: boolean; at: number } | null;
}

export interface TestDispute {
  id: string;
  object: 'dispute';
  amount: number;
  currency: string;
  charge: string;
  payment_intent: string;
  reason: string;
  status: 'warning_needs_response' | 'warning_closed' | 'needs_response' | 'under_review' | 'won' | 'lost';
  is_charge_refundable: boolean;
  evidence_details: { due_by: number; has_evidence: boolean; submission_count: number; past_due: boolean };
  balance_transactions: TestBalanceLine[];
  created: number;
}

export interface TestBalanceLine {
  id: string;
  object: 'balance_transaction';
  type: 'charge' | 'payment' | 'payout' | 'payout_failure' | 'refund' | 'payment_refund' | 'refund_failure'
    | 'adjustment';
  amount: number;
  fee: number;
  net: number;
  currency: string;
  source: string;
  created: number;
  payout: string | null;
}

export interface TestPayout {
  id: string;
  object: 'payout';
  amount: number;
  currency: string;
  status: 'paid' | 'failed';
  automatic: true;
  arrival_date: number;
  created: number;
}

export interface TestEvent {
  id: string;
  object: 'event';
  type: string;
  api_version: string;
  created: number;
  livemode: false;
  data: { object: { id: string } };
}

export interface TestAccount {
  sessions: Record<string, TestSession>;
  intents: Record<string, TestIntent>;
  charges: Record<string, TestCharge>;
  payouts: Record<string, TestPayout>;
  refunds: Record<string, TestRefund>;
  disputes: Record<string, TestDispute>;
  balance: TestBalanceLine[];
  events: TestEvent[];
  /** Answers by idempotency key, with a digest of what was asked. */
  keys: Record<string, { asked: string; status: number; body: unknown }>;
  next: number;
}

export const emptyAccount = (): TestAccount => ({ sessions: {}, intents: {}, charges: {},
  payouts: {}, refunds: {}, disputes: {}, balance: [], events: [], keys: {}, next: 1 });

export const API_VERSION = '2026-10-28.endive';
