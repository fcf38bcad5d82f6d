/**
 * Cost and entitlement of a royalty are two things (domain.md 2.10, accounting.md 2.1): the cost follows the income,
 * what is due follows the agreement. Per line and royaltor, with c the cost and d the due to date:
 * 2210 Accrued royalties = max(c - d, 0), 1140 Prepaid royalties = max(d - c, 0), 2200 Royalties payable receives d.
 *
 * In a foreign currency every amount also has a functional one, in the division's own currency: what opens a balance
 * takes the rate of its event, what closes one keeps the rate it was carried at, so that an account of amount 0 is
 * always carried at 0 (accounting.md 2.1).
 */
import { atRate } from '../money/exchange.ts';
import { abs, divHalfAway, min, sum } from '../money/money.ts';
import { splitByWeight } from '../money/split.ts';
import { RefundTooLargeError } from './allocate.ts';
import { carriedPart, type Carried } from './carried.ts';

export type AccrualBasis = 'on_receipt' | 'on_invoice' | 'on_close';
export type Presentation = 'gross' | 'net';
/** Money events of a license line; recoupment and breakage are of the licensee's advance (domain.md 2.4). */
export type MoneyEvent = 'invoice_issued' | 'receipt_applied' | 'license_closed' | 'advance_recouped' | 'breakage';

/** Cost and due to date of one line and royaltor, minor units, each with what it is carried at. */
export interface Entitlement {
  readonly cost_minor: bigint;
  readonly due_minor: bigint;
  readonly cost_functional_minor: bigint;
  readonly due_functional_minor: bigint;
}

export const NOTHING_YET: Entitlement = {
  cost_minor: 0n, due_minor: 0n, cost_functional_minor: 0n, due_functional_minor: 0n,
};

/** 'source' is the entry that carries the royaltors' share itself: the invoice or report in net presentation. */
export interface EntitlementLeg {
  readonly account: '5000' | '2210' | '1140' | '2200' | 'source';
  readonly show_royaltor_id: number;
  /** Debit positive, credit negative. */
  readonly amount_minor: bigint;
  readonly functional_minor: bigint;
}

export interface EntitlementMove {
  readonly state: Entitlement;
  readonly legs: readonly EntitlementLeg[];
}

/** 2210 of a state. Net presentation has no 1140: what is due before the invoice stands as a debit of 2210. */
export function accruedMinor(state: Entitlement, presentation: Presentation = 'gross'): bigint {
  return accruedOf(state, presentation).amount_minor;
}

/** 1140 of a state. */
export function prepaidMinor(state: Entitlement, presentation: Presentation = 'gross'): bigint {
  return prepaidOf(state, presentation).amount_minor;
}

export interface Movement {
  readonly kind: 'cost' | 'due';
  /** Negative takes back. */
  readonly amount_minor: bigint;
  readonly show_royaltor_id: number;
  /** Functional units per unit of the line's currency on the day of the event; '1' in the division's own. */
  readonly rate: string;
}

/**
 * One movement of cost (income released, or the invoice in net presentation) or of due. The legs are the differences
 * of the accounts; amounts and functional amounts each sum to 0.
 */
export function moveEntitlement(
  state: Entitlement,
  movement: Movement,
  presentation: Presentation = 'gross',
): EntitlementMove {
  const next = moved(state, movement);
  const leg = (account: EntitlementLeg['account'], of: (at: Entitlement) => Carried, sign: 1n | -1n) => {
    const [before, after] = [of(state), of(next)];
    return {
      account, show_royaltor_id: movement.show_royaltor_id,
      amount_minor: sign * (after.amount_minor - before.amount_minor),
      functional_minor: sign * (after.functional_minor - before.functional_minor),
    };
  };
  const legs = [
    leg(presentation === 'net' ? 'source' : '5000', costOf, 1n),
    leg('1140', (at) => prepaidOf(at, presentation), 1n),
    leg('2210', (at) => accruedOf(at, presentation), -1n),
    leg('2200', dueOf, -1n),
  ];
  return { state: next, legs: legs.filter((one) => one.amount_minor !== 0n || one.functional_minor !== 0n) };
}

const NONE: Carried = { amount_minor: 0n, functional_minor: 0n };
const costOf = (at: Entitlement): Carried =>
  ({ amount_minor: at.cost_minor, functional_minor: at.cost_functional_minor });
const dueOf = (at: Entitlement): Carried =>
  ({ amount_minor: at.due_minor, functional_minor: at.due_functional_minor });

/** Cost less due: 2210 where it is positive, 1140 where it is negative; in net presentation 2210 alone. */
function gapOf(at: Entitlement): Carried {
  return {
    amount_minor: at.cost_minor - at.due_minor,
    functional_minor: at.cost_functional_minor - at.due_functional_minor,
  };
}

function accruedOf(at: Entitlement, presentation: Presentation): Carried {
  const gap = gapOf(at);
  return presentation === 'net' || gap.amount_minor > 0n ? gap : NONE;
}

function prepaidOf(at: Entitlement, presentation: Presentation): Carried {
  const gap = gapOf(at);
  if (presentation === 'net' || gap.amount_minor >= 0n) return NONE;
  return { amount_minor: -gap.amount_minor, functional_minor: -gap.functional_minor };
}

function moved(state: Entitlement, { kind, amount_minor, rate }: Movement): Entitlement {
  const cost = kind === 'cost';
  const own = cost ? costOf(state) : dueOf(state);
  const amount = own.amount_minor + amount_minor;
  // A full reversal leaves nothing; otherwise the gap between cost and due closes at its carrying amount.
  const sign = cost ? 1n : -1n;
  const functional = amount === 0n ? 0n
    : own.functional_minor + sign * gapMoved(state, sign * amount_minor, amount_minor, rate);
  return cost ? { ...state, cost_minor: amount, cost_functional_minor: functional }
    : { ...state, due_minor: amount, due_functional_minor: functional };
}

/** Functional amount by which the gap moves when its amount moves by `delta`. */
function gapMoved(state: Entitlement, delta: bigint, amount: bigint, rate: string): bigint {
  const gap = gapOf(state);
  const closes = gap.amount_minor < 0n === delta < 0n ? 0n : min(abs(gap.amount_minor), abs(delta));
  const sign = delta < 0n ? -1n : 1n;
  const opens = delta - sign * closes;
  return carriedPart(gap, sign * closes) + (amount > 0n ? atRate(opens, rate) : reopened(state, opens, rate));
}

/**
 * Taking back opens the gap out of what cost and due have in common, at what that is carried at: a receipt that bounced
 * is cost not yet due again. In common they have the smaller of the two, whole; the rest of the larger one is the gap.
 */
function reopened(state: Entitlement, opens: bigint, rate: string): bigint {
  const common = gapOf(state).amount_minor > 0n ? dueOf(state) : costOf(state);
  return common.amount_minor > 0n ? carriedPart(common, opens) : atRate(opens, rate);
}

/**
 * A part of a line (a release, a receipt, an application) over what is left of the shares of all its parties, the
 * house included: parts sum exactly and the last one of a line takes the remainder. Throws
 * {@link RefundTooLargeError} for more than is left, or the other direction.
 */
export function partOfLine(partMinor: bigint, left: readonly bigint[]): bigint[] {
  const remaining = sum(left);
  if (partMinor === 0n) return left.map(() => 0n);
  if (partMinor < 0n !== remaining < 0n || abs(partMinor) > abs(remaining)) throw new RefundTooLargeError();
  return splitByWeight(partMinor, left.map(abs));
}

/**
 * Part `amount` (> 0) of what is left of a line; all of it takes all. Where promises took more than the line brought,
 * the rest of the house is negative and parts are taken in proportion.
 */
export function partOfLeft(amount: bigint, left: readonly bigint[]): bigint[] {
  const remaining = sum(left);
  if (amount === remaining) return [...left];
  if (left.every((part) => part >= 0n)) return partOfLine(amount, left);
  const parts = left.slice(0, -1).map((part) => divHalfAway(part * amount, remaining));
  return [...parts, amount - sum(parts)];
}

/** Remainders of a line's shares after the credits, in order: each is split over what the previous one left. */
export function keptShares(shares: readonly bigint[], credits: readonly bigint[]): bigint[] {
  return credits.reduce((left, credit) => {
    const taken = partOfLeft(credit, left);
    return left.map((share, k) => share - taken[k]!);
  }, [...shares]);
}

/**
 * Whether an event makes an agreement's share due. Recoupment and breakage never do: the advance was shared when it
 * was received or invoiced, or is shared at close, so the money is shared once (domain.md 2.4).
 */
export function makesDue(basis: AccrualBasis, event: MoneyEvent): boolean {
  return (basis === 'on_receipt' && event === 'receipt_applied')
    || (basis === 'on_invoice' && event === 'invoice_issued')
    || (basis === 'on_close' && event === 'license_closed');
}

/** The presentation of a show: where its agreements differ, the show decides for all of them. */
export function presentationOf(agreements: readonly Presentation[], show: Presentation): Presentation {
  const first = agreements[0];
  return first !== undefined && agreements.every((one) => one === first) ? first : show;
}
