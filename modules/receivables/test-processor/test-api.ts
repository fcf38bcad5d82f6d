/**
 * The calls of the processor's API that the product makes, answered as the real one does: form-encoded requests, JSON
 * answers, its error shapes, idempotency keys that answer the same again and refuse other parameters.
 */
import { createHash } from 'node:crypto';
import { refundOf } from './test-back.ts';
import { idOf, tell } from './test-lines.ts';
import type { TestAccount, TestSession } from './test-state.ts';

export interface ApiRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: URLSearchParams;
  idempotencyKey: string | null;
}

export interface ApiAnswer { status: number; body: unknown }

class ApiError extends Error {
  readonly status: number;
  readonly facts: Record<string, unknown>;
  constructor(status: number, facts: Record<string, unknown>) {
    super(String(facts.message));
    this.status = status;
    this.facts = facts;
  }
}

export const errorAnswer = (status: number, facts: Record<string, unknown>): ApiAnswer =>
  ({ status, body: { error: facts } });

const invalid = (message: string, param: string, more = {}): ApiError =>
  new ApiError(400, { type: 'invalid_request_error', message, param, ...more });

function found<T>(of: Record<string, T>, id: string, kind: string): T {
  const object = of[id];
  if (object) return object;
  throw new ApiError(404, { type: 'invalid_request_error', code: 'resource_missing', param: 'id',
    message: `No such ${kind}: '${id}'` });
}

function text(body: URLSearchParams, name: string): string {
  const value = body.get(name);
  if (!value) throw invalid(`Missing required param: ${name}.`, name, { code: 'parameter_missing' });
  return value;
}

function amount(body: URLSearchParams, name: string): number {
  const value = Number(text(body, name));
  if (!Number.isSafeInteger(value) || value < 1) throw invalid(`Invalid positive integer`, name);
  return value;
}

export interface ApiWorld {
  account: TestAccount;
  now: Date;
  pageUrl: (id: string) => string;
  /** Delay of a refund that waits or comes back. */
  refundDelayMs?: number | undefined;
}
type Call = (world: ApiWorld, request: ApiRequest, id: string) => unknown;

const DAY = 24 * 60 * 60;

const createSession: Call = ({ account, now, pageUrl }, { body }) => {
  const id = idOf('cs');
  const created = Math.floor(now.getTime() / 1000);
  const price = 'line_items[0][price_data]';
  const session: TestSession = { id, object: 'checkout.session', status: 'open', payment_status: 'unpaid',
    amount_total: amount(body, `${price}[unit_amount]`) * amount(body, 'line_items[0][quantity]'),
    currency: text(body, `${price}[currency]`), client_reference_id: body.get('client_reference_id') ?? '',
    payment_method_types: [text(body, 'allowed_payment_method_types[0]')], payment_intent: null,
    success_url: text(body, 'success_url'), cancel_url: body.get('cancel_url') ?? text(body, 'success_url'),
    url: pageUrl(id), created, expires_at: created + DAY, livemode: false,
    line: text(body, `${price}[product_data][name]`) };
  account.sessions[id] = session;
  return session;
};

/** Past its day nobody can pay on a checkout; the event says so once. */
function aged(world: ApiWorld, session: TestSession): TestSession {
  if (session.status === 'open' && session.expires_at * 1000 <= world.now.getTime()) expire(world, session);
  return session;
}

function expire({ account, now }: ApiWorld, session: TestSession): void {
  session.status = 'expired';
  tell(account, 'checkout.session.expired', session, now);
}

const showSession: Call = (world, { query }, id) => {
  const session = aged(world, found(world.account.sessions, id, 'checkout.session'));
  const expanded = [...query.values()].includes('payment_intent') && session.payment_intent !== null;
  return expanded ? { ...session, payment_intent: world.account.intents[session.payment_intent!] } : session;
};

const expireSession: Call = (world, _, id) => {
  const session = aged(world, found(world.account.sessions, id, 'checkout.session'));
  if (session.status !== 'open') {
    throw invalid('Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status '
      + `of ${session.status}`, 'session');
  }
  expire(world, session);
  return session;
};

const createRefund: Call = ({ account, now, refundDelayMs }, { body }) => {
  const intent = found(account.intents, text(body, 'payment_intent'), 'payment_intent');
  const charge = intent.latest_charge === null ? undefined : account.charges[intent.latest_charge];
  if (!charge) throw invalid('This PaymentIntent does not have a successful charge to refund.', 'payment_intent');
  const left = charge.amount - charge.amount_refunded;
  const wanted = body.has('amount') ? amount(body, 'amount') : left;
  if (charge.disputed) {
    throw new ApiError(400, { type: 'invalid_request_error', code: 'charge_disputed',
      message: `Charge ${charge.id} has been charged back; cannot issue a refund.` });
  }
  if (left === 0) {
    throw new ApiError(400, { type: 'invalid_request_error', code: 'charge_already_refunded',
      message: `Charge ${charge.id} has already been refunded.` });
  }
  if (wanted > left) {
    throw invalid(`Refund amount ($${wanted / 100}) is greater than unrefunded amount on charge ($${left / 100})`,
      'amount');
  }
  const metadata = Object.fromEntries([...body].flatMap(([name, value]) =>
    (/^metadata\[(\w+)\]$/.exec(name) ? [[name.slice(9, -1), value]] : [])));
  return refundOf(account, intent, { amount: wanted, metadata }, now, refundDelayMs);
};

const listOf = (data: readonly { id: string }[], { query, path }: ApiRequest): unknown => {
  const newestFirst = data.toReversed();
  const after = query.get('starting_after');
  const from = after === null ? 0 : newestFirst.findIndex((one) => one.id === after) + 1;
  const limit = Number(query.get('limit') ?? 10);
  const page = newestFirst.slice(from, from + limit);
  return { object: 'list', url: path, data: page, has_more: from + limit < newestFirst.length };
};

const since = (query: URLSearchParams): number => Number(query.get('created[gte]') ?? 0);

const isOf = (query: URLSearchParams, one: { payment_intent: string }): boolean =>
  [null, one.payment_intent].includes(query.get('payment_intent'));

const CALLS: readonly [method: string, path: RegExp, call: Call][] = [
  ['POST', /^\/v1\/checkout\/sessions$/, createSession],
  ['GET', /^\/v1\/checkout\/sessions\/([^/]+)$/, showSession],
  ['POST', /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/, expireSession],
  ['GET', /^\/v1\/payment_intents\/([^/]+)$/, ({ account }, _, id) => found(account.intents, id, 'payment_intent')],
  ['GET', /^\/v1\/balance$/, ({ account }) => ({ object: 'balance', livemode: false, available: [...new Set(
    account.balance.map((line) => line.currency))].map((currency) => ({ currency, amount: account.balance
    .filter((line) => line.currency === currency && line.payout === null).reduce((all, line) => all + line.net, 0) })),
    pending: [] })],
  ['POST', /^\/v1\/refunds$/, createRefund],
  ['GET', /^\/v1\/refunds\/([^/]+)$/, ({ account }, _, id) => found(account.refunds, id, 'refund')],
  ['GET', /^\/v1\/refunds$/, ({ account }, request) => listOf(Object.values(account.refunds).filter((one) =>
    one.created >= since(request.query) && isOf(request.query, one)), request)],
  ['GET', /^\/v1\/disputes\/([^/]+)$/, ({ account }, _, id) => found(account.disputes, id, 'dispute')],
  ['GET', /^\/v1\/disputes$/, ({ account }, request) => listOf(Object.values(account.disputes).filter((one) =>
    one.created >= since(request.query) && isOf(request.query, one)), request)],
  ['GET', /^\/v1\/payouts$/, ({ account }, request) =>
    listOf(Object.values(account.payouts).filter((one) => one.created >= since(request.query)), request)],
  ['GET', /^\/v1\/payouts\/([^/]+)$/, ({ account }, _, id) => found(account.payouts, id, 'payout')],
  ['GET', /^\/v1\/balance_transactions$/, ({ account }, request) => listOf(account.balance.filter((line) =>
    request.query.get('payout') === null || line.payout === request.query.get('payout')), request)],
];

function dispatch(world: ApiWorld, request: ApiRequest): ApiAnswer {
  for (const [method, path, call] of CALLS) {
    const match = method === request.method ? path.exec(request.path) : null;
    if (!match) continue;
    try {
      return { status: 200, body: structuredClone(call(world, request, match[1] ?? '')) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return errorAnswer(error.status, error.facts);
    }
  }
  return errorAnswer(404, { type: 'invalid_request_error',
    message: `No such request URL (${request.method}: ${request.path}).` });
}

/** A POST with a key is worked once; refused parameters are not kept, as the real one does not keep them either. */
export function answerApi(world: ApiWorld, request: ApiRequest): ApiAnswer {
  const key = request.method === 'POST' ? request.idempotencyKey : null;
  if (key === null) return dispatch(world, request);
  const asked = createHash('sha256').update(`${request.path}?${request.body.toString()}`).digest('hex');
  const known = world.account.keys[key];
  if (known && known.asked !== asked) {
    return errorAnswer(400, { type: 'idempotency_error', message: 'Keys for idempotent requests can only be used with '
      + `the same parameters they were first used with. Try using a key other than '${key}'.` });
  }
  if (known) return { status: known.status, body: known.body };
  const answer = dispatch(world, request);
  if (answer.status === 200) world.account.keys[key] = { asked, ...answer };
  return answer;
}
