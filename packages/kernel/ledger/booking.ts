/**
 * From the legs of one business event to a journal: legs of zero are left out, base amounts are computed at the rate
 * of the booking (or of the leg, where it carries an older one), and the result balances or this throws, because a
 * caller that passes figures which do not add up has a defect.
 */
import type { Division } from '../money/division.ts';
import { abs, type Currency } from '../money/money.ts';
import {
  atRate, checkBalanced, CONTROL_ACCOUNTS, FUNCTIONAL_CURRENCY, type JournalDraft, type JournalLine, type LineRefs,
  type Party, type Source,
} from './journal.ts';

/** What every event is told: where, when, in which money, and which document caused it. */
export interface Booking {
  division: Division;
  /** YYYY-MM-DD. */
  transaction_at: string;
  currency: Currency;
  /** Functional units per unit of `currency`, decimal text; needed where the currency is not the division's. */
  rate?: string;
  description: string;
  source: Source | null;
  refs?: LineRefs;
}

export interface Leg {
  account: string;
  /** Minor units in the booking's currency, + debit, - credit. */
  amount: bigint;
  party?: Party;
  /** The rate this leg was first booked at,
    where it is not the booking's (deferred income, prepayments, accruals). */
  rate?: string;
  /** Base amount carried already, where it is no product of a rate. */
  base?: bigint;
  /** Takes what the base amounts of the other legs leave: income that mixes an old and a new rate. */
  rest?: boolean;
  tax_code_id?: number;
  tax_base?: bigint;
  due_date?: string;
  refs?: LineRefs;
  memo?: string;
}

export class UnbalancedEventError extends Error {
  readonly code = 'ledger.unbalanced_event';
}

export const debit = (account: string, amount: bigint, more: Omit<Leg, 'account' | 'amount'> = {}): Leg =>
  ({ ...more, account, amount });
export const credit = (account: string, amount: bigint, more: Omit<Leg, 'account' | 'amount'> = {}): Leg =>
  ({ ...more, account, amount: -amount });
export const party = (type: Party['type'], id: number): { party: Party } => ({ party: { type, id } });

/** One journal of one currency. Throws {@link UnbalancedEventError} where the legs do not add up. */
export function book(kind: string, booking: Booking, legs: readonly Leg[]): JournalDraft {
  const used = legs.filter((leg) => leg.amount !== 0n || (leg.base ?? 0n) !== 0n);
  const lines = used.map((leg) => toLine(leg, booking));
  const left = lines.reduce((total, line) => total + line.base, 0n);
  const marked = used.findIndex((leg) => leg.rest);
  const carrier = marked === -1 ? largestFree(lines, booking) : marked;
  if (left !== 0n && lines[carrier] && lines[carrier].currency !== FUNCTIONAL_CURRENCY[booking.division]) {
    lines[carrier].base -= left;
  }
  const draft: JournalDraft = {
    division: booking.division, kind, transaction_at: booking.transaction_at, description: booking.description,
    source: booking.source, lines,
  };
  const balance = checkBalanced(draft);
  if (!('ok' in balance)) {
    const facts = JSON.stringify(balance.facts);
    throw new UnbalancedEventError(`${kind} ${booking.description}: ${balance.refused} ${facts}`);
  }
  return draft;
}

function toLine(leg: Leg, booking: Booking): JournalLine {
  const functional = FUNCTIONAL_CURRENCY[booking.division];
  const { rate, base, rest: _, refs, ...line } = leg;
  const at = rate ?? booking.rate;
  if (booking.currency !== functional && base === undefined && at === undefined) {
    throw new UnbalancedEventError(`${booking.description}: no rate for ${booking.currency} in ${booking.division}`);
  }
  const merged = { ...booking.refs, ...refs };
  return {
    ...line,
    currency: booking.currency,
    base: booking.currency === functional ? line.amount : base ?? atRate(line.amount, at!),
    ...(booking.currency !== functional && at !== undefined ? { fx_rate: at } : {}),
    ...(Object.keys(merged).length > 0 ? { refs: merged } : {}),
  };
}

/** Where rounding goes: the largest line off the control accounts, the first on a tie (accounting.md 1.1). */
function largestFree(lines: readonly JournalLine[], booking: Booking): number {
  let best = -1;
  lines.forEach((line, index) => {
    if (line.currency === FUNCTIONAL_CURRENCY[booking.division] || CONTROL_ACCOUNTS.has(line.account)) return;
    if (best === -1 || abs(line.base) > abs(lines[best]!.base)) best = index;
  });
  return best;
}
