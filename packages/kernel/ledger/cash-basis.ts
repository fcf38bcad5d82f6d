/**
 * Profit and loss on the cash basis (accounting.md 3.3): income and expense count when the document that brought them
 * is settled, by the share that is settled; the last settlement takes what is left, so that every line comes once.
 *
 * A document is a posting that opened items. What else stands on the side of its items settles it on its own day: a
 * deposit that an invoice sets off. Tax settles nothing. Deferred income stands under the income it becomes; its
 * release is no event here. Royalties have no items: each royaltor's costs are paid in their order, oldest first.
 *
 * Worked example: an invoice of 1,200.00, income 1,000.00 and VAT 200.00, of which 400.00 are paid in March and the
 * rest in April: 333.33 and 666.67. Everything is in the currency of the division, debits positive.
 */
import type { IsoDate } from '../calendar/calendar.ts';
import { abs, divHalfAway, min, sum } from '../money/money.ts';
import { splitByWeight } from '../money/split.ts';

/** A part of a line of income or expense, counted on the day of the posting that settled it. */
export interface Recognized {
  account: number;
  on: IsoDate;
  /** The posting that settled: a payment, a credit note, the document itself. */
  by: number;
  /** The posting that the line is of. */
  document: number;
  minor: bigint;
}

export interface BasisLine {
  account: number;
  /** `item`: opened an open item. `tax`: stands beside the document and settles nothing. */
  role: 'profit' | 'item' | 'tax' | 'other';
  base: bigint;
}

export interface BasisDocument {
  id: number;
  on: IsoDate;
  lines: readonly BasisLine[];
  /** Income that later postings took off the document or gave back: royalties in net presentation. */
  later: readonly { on: IsoDate; by: number; account: number; base: bigint }[];
  /** Of the items, positive; negative where an application was taken back. */
  settled: readonly { on: IsoDate; by: number; base: bigint }[];
}

/** Opening and settled part of a document, both in weights of its side. */
function sideOf(document: BasisDocument): { open: bigint; atOnce: bigint } {
  const profit = sum(document.lines.filter((line) => line.role === 'profit').map((line) => line.base));
  const onSide = (role: BasisLine['role']): bigint => (profit === 0n ? 0n : sum(document.lines
    .filter((line) => line.role === role && line.base !== 0n && line.base > 0n === profit < 0n)
    .map((line) => abs(line.base))));
  return { open: onSide('item'), atOnce: onSide('other') };
}

/** The lines of a document by the days on which it was settled. */
export function documentBasis(document: BasisDocument): Recognized[] {
  const { open, atOnce } = sideOf(document);
  const whole = open === 0n ? 1n : open + atOnce;
  let settled = open === 0n ? 1n : atOnce;
  const totals = new Map<number, bigint>();
  const counted = new Map<number, bigint>();
  const made: Recognized[] = [];
  const add = (account: number, base: bigint): void => void totals.set(account, (totals.get(account) ?? 0n) + base);
  const count = (on: IsoDate, by: number): void => {
    for (const [account, total] of totals) {
      const target = divHalfAway(total * settled, whole);
      const minor = target - (counted.get(account) ?? 0n);
      counted.set(account, target);
      if (minor !== 0n) made.push({ account, on, by, document: document.id, minor });
    }
  };
  for (const line of document.lines) if (line.role === 'profit') add(line.account, line.base);
  count(document.on, document.id);
  const events = [...document.later.map((one) => ({ ...one, step: 0 })),
    ...document.settled.map((one) => ({ ...one, account: null, step: 1 }))]
    .toSorted((a, b) => (a.on === b.on ? a.step - b.step : a.on < b.on ? -1 : 1));
  for (const event of events) {
    if (event.account !== null) add(event.account, event.base);
    else if (open !== 0n) settled += event.base;
    count(event.on, event.by);
  }
  return made;
}

/** A posting on the accounts that are owed to royaltors. */
export interface RoyaltyPosting {
  id: number;
  on: IsoDate;
  /** By royaltor, over all those accounts: positive where less is owed. */
  changes: readonly { royaltor: number; base: bigint }[];
  /** Income and expense of the posting. */
  costs: readonly { account: number; base: bigint }[];
}

/** Owed more where positive; without an account it is money, or what never was a cost. */
interface Piece { account: number | null; minor: bigint; posting: number }
type Emit = (piece: Piece, minor: bigint) => void;

const isOpposite = (one: bigint, other: bigint): boolean => one > 0n !== other > 0n;
const signed = (part: bigint, like: bigint): bigint => (like < 0n ? -part : part);

/** Meets amounts owed with amounts paid, oldest first; the rest waits. */
function meet(queue: Piece[], piece: Piece, emit: Emit): void {
  let left = piece.minor;
  while (left !== 0n && queue.length > 0 && isOpposite(queue[0]!.minor, left)) {
    const head = queue[0]!;
    const part = min(abs(head.minor), abs(left));
    if (head.account !== piece.account) {
      emit(head, signed(part, head.minor));
      emit(piece, signed(part, left));
    }
    head.minor -= signed(part, head.minor);
    left -= signed(part, left);
    if (head.minor === 0n) queue.shift();
  }
  if (left !== 0n) queue.push({ ...piece, minor: left });
}

/** Takes so much of what is owed out of a queue; beyond it the queue has paid in advance. */
function take(queue: Piece[], amount: bigint, posting: number): Piece[] {
  const taken: Piece[] = [];
  let left = amount;
  while (left > 0n && queue.length > 0 && queue[0]!.minor > 0n) {
    const head = queue[0]!;
    const part = min(head.minor, left);
    taken.push({ ...head, minor: part });
    head.minor -= part;
    left -= part;
    if (head.minor === 0n) queue.shift();
  }
  if (left > 0n) {
    taken.push({ account: null, minor: left, posting });
    queue.push({ account: null, minor: -left, posting });
  }
  return taken;
}

/** Weights of the cost: by the amount each is owed, or all to the largest where some are owed more and some less. */
function weightsOf(changes: RoyaltyPosting['changes']): bigint[] {
  const sizes = changes.map((one) => abs(one.base));
  if (changes.every((one) => one.base >= 0n) || changes.every((one) => one.base <= 0n)) return sizes;
  const largest = sizes.reduce((best, size, at) => (size > sizes[best]! ? at : best), 0);
  return sizes.map((size, at) => (at === largest ? size : 0n));
}

/**
 * The costs of royaltors by the postings that paid them: payments, recouped advances, tax withheld. A commission passes
 * from the author's queue to the agent's with the costs in it. Postings in the order of their days.
 */
export function royaltyBasis(postings: readonly RoyaltyPosting[]): Recognized[] {
  const queues = new Map<number, Piece[]>();
  const queueOf = (royaltor: number): Piece[] => {
    const known = queues.get(royaltor) ?? [];
    queues.set(royaltor, known);
    return known;
  };
  const made: Recognized[] = [];
  for (const posting of postings) {
    const { id, on } = posting;
    const emit: Emit = (piece, minor) => {
      if (piece.account !== null) made.push({ account: piece.account, on, by: id, document: piece.posting, minor });
    };
    const changes = posting.changes.filter((one) => one.base !== 0n);
    if (changes.length === 0) {
      for (const { account, base } of posting.costs) made.push({ account, on, by: id, document: id, minor: base });
      continue;
    }
    const paid = changes.map((one) => one.base);
    for (const cost of posting.costs) {
      splitByWeight(cost.base, weightsOf(changes)).forEach((minor, at) => {
        paid[at]! += minor;
        if (minor !== 0n) meet(queueOf(changes[at]!.royaltor), { account: cost.account, minor, posting: id }, emit);
      });
    }
    passOn(changes.map((one, at) => ({ queue: queueOf(one.royaltor), paid: paid[at]! })), id, emit);
  }
  return made;
}

/** Passes on the rest after the costs: from one royaltor to another as far as both have one, the rest is money. */
function passOn(parts: { queue: Piece[]; paid: bigint }[], posting: number, emit: Emit): void {
  const takers = parts.filter((one) => one.paid < 0n).map((one) => ({ ...one }));
  for (const giver of parts.filter((one) => one.paid > 0n)) {
    let left = giver.paid;
    for (const taker of takers) {
      const part = min(left, -taker.paid);
      if (part <= 0n) continue;
      for (const piece of take(giver.queue, part, posting)) meet(taker.queue, piece, emit);
      taker.paid += part;
      left -= part;
    }
    if (left > 0n) meet(giver.queue, { account: null, minor: -left, posting }, emit);
  }
  for (const taker of takers) {
    if (taker.paid < 0n) meet(taker.queue, { account: null, minor: -taker.paid, posting }, emit);
  }
}

/** A line of deferred income under the accounts that it becomes income on; null where nobody says which. */
export function deferredParts(
  base: bigint, weights: readonly { account: number; weight: bigint }[],
): { account: number; base: bigint }[] | null {
  const known = weights.filter((one) => one.weight > 0n);
  if (known.length === 0) return null;
  return splitByWeight(base, known.map((one) => one.weight)).map((part, at) =>
    ({ account: known[at]!.account, base: part }));
}
