/**
 * Profit and loss on the cash basis (accounting.md 3.3): income and expense count when the document that brought them
 * is settled, by the share that is settled; the last settlement takes what is left, so that every line comes once.
 *
 * A document is a posting that opened items. What else stands on the side of its items settles it on its own day: a
 * deposit that an invoice sets off. Tax settles nothing. Deferred income stands under the income it becomes; its
 * release is no event here. Royalties have no items: each royaltor's costs are paid in their order, oldest first.
 *
 * A payment is spread over the lines of the document it settled, so a figure by show or class of customer follows the
 * line. Those parts are shares of the account's amount and sum to it, on every day and by every payment.
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
  /** Show and class of customer of the line; '' where they are not told apart. */
  part: string;
  minor: bigint;
}

export interface BasisLine {
  account: number;
  part?: string;
  /** `item`: opened an open item. `tax`: stands beside the document and settles nothing. */
  role: 'profit' | 'item' | 'tax' | 'other';
  base: bigint;
}

export interface BasisDocument {
  id: number;
  on: IsoDate;
  lines: readonly BasisLine[];
  /** Income that later postings took off the document or gave back: royalties in net presentation. */
  later: readonly { on: IsoDate; by: number; account: number; part?: string; base: bigint }[];
  /** Of the items, positive; negative where an application was taken back. */
  settled: readonly { on: IsoDate; by: number; base: bigint }[];
}

/** An amount by its parts, in their order. */
type Parts = Map<string, bigint>;

const plus = (parts: Parts, part: string, base: bigint): Parts => parts.set(part, (parts.get(part) ?? 0n) + base);

/** A share of an amount by parts: sums up to each part are rounded, so the shares sum to that of the amount. */
function shareOf(parts: Parts, settled: bigint, whole: bigint): Parts {
  let [reached, given] = [0n, 0n];
  return new Map([...parts].map(([part, base]) => {
    reached += base;
    const before = given;
    given = divHalfAway(reached * settled, whole);
    return [part, given - before];
  }));
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
  const totals = new Map<number, Parts>();
  const counted = new Map<number, Parts>();
  const made: Recognized[] = [];
  const add = ({ account, part = '', base }: Pick<BasisLine, 'account' | 'part' | 'base'>): void =>
    void totals.set(account, plus(totals.get(account) ?? new Map(), part, base));
  const count = (on: IsoDate, by: number): void => {
    for (const [account, parts] of totals) {
      const target = shareOf(parts, settled, whole);
      for (const [part, share] of target) {
        const minor = share - (counted.get(account)?.get(part) ?? 0n);
        if (minor !== 0n) made.push({ account, on, by, document: document.id, part, minor });
      }
      counted.set(account, target);
    }
  };
  for (const line of document.lines) if (line.role === 'profit') add(line);
  count(document.on, document.id);
  const events = [...document.later.map((one) => ({ ...one, step: 0 })),
    ...document.settled.map((one) => ({ ...one, account: null, step: 1 }))]
    .toSorted((a, b) => (a.on === b.on ? a.step - b.step : a.on < b.on ? -1 : 1));
  for (const event of events) {
    if (event.account !== null) add(event);
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
  costs: readonly { account: number; part?: string; base: bigint }[];
}

/** Owed more where positive; without an account it is money, or what never was a cost. */
interface Piece { account: number | null; minor: bigint; parts: Parts; posting: number }
type Emit = (piece: Piece) => void;

const isOpposite = (one: bigint, other: bigint): boolean => one > 0n !== other > 0n;
const signed = (part: bigint, like: bigint): bigint => (like < 0n ? -part : part);
const money = (minor: bigint, posting: number): Piece => ({ account: null, minor, parts: new Map([['', minor]]),
  posting });

/** Takes so much off a piece, with the share of its parts. */
function cut(piece: Piece, minor: bigint): Piece {
  const parts: Parts = minor === 0n ? new Map() : shareOf(piece.parts, minor, piece.minor);
  for (const [part, base] of parts) plus(piece.parts, part, -base);
  piece.minor -= minor;
  return { ...piece, minor, parts };
}

/** A cost that is taken back before it is paid moves nothing, except from one part of its account to another. */
function moved(owed: Piece, back: Piece): Piece {
  const parts = new Map(owed.parts);
  for (const [part, base] of back.parts) plus(parts, part, base);
  return { ...owed, parts };
}

/** Meets amounts owed with amounts paid, oldest first; the rest waits. */
function meet(queue: Piece[], piece: Piece, emit: Emit): void {
  while (piece.minor !== 0n && queue.length > 0 && isOpposite(queue[0]!.minor, piece.minor)) {
    const head = queue[0]!;
    const part = min(abs(head.minor), abs(piece.minor));
    const [owed, paid] = [cut(head, signed(part, head.minor)), cut(piece, signed(part, piece.minor))];
    for (const one of owed.account === paid.account ? [moved(owed, paid)] : [owed, paid]) emit(one);
    if (head.minor === 0n) queue.shift();
  }
  if (piece.minor !== 0n) queue.push(piece);
}

/** Takes so much of what is owed out of a queue; beyond it the queue has paid in advance. */
function take(queue: Piece[], amount: bigint, posting: number): Piece[] {
  const taken: Piece[] = [];
  let left = amount;
  while (left > 0n && queue.length > 0 && queue[0]!.minor > 0n) {
    const head = queue[0]!;
    const part = min(head.minor, left);
    taken.push(cut(head, part));
    left -= part;
    if (head.minor === 0n) queue.shift();
  }
  if (left > 0n) {
    taken.push(money(left, posting));
    queue.push(money(-left, posting));
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
    const emit: Emit = ({ account, parts, posting: document }) => {
      if (account === null) return;
      for (const [part, minor] of parts) if (minor !== 0n) made.push({ account, on, by: id, document, part, minor });
    };
    const changes = posting.changes.filter((one) => one.base !== 0n);
    const paid = changes.map((one) => one.base);
    for (const cost of costsOf(posting)) {
      if (changes.length === 0 || cost.minor === 0n) emit(cost);
      else splitByWeight(cost.minor, weightsOf(changes)).forEach((minor, at) => {
        paid[at]! += minor;
        meet(queueOf(changes[at]!.royaltor), cut(cost, minor), emit);
      });
    }
    passOn(changes.map((one, at) => ({ queue: queueOf(one.royaltor), paid: paid[at]! })), id, emit);
  }
  return made;
}

/** The costs of a posting by account. */
function costsOf({ id, costs }: RoyaltyPosting): Piece[] {
  const found = new Map<number, Piece>();
  for (const { account, part = '', base } of costs) {
    const piece = found.get(account) ?? { account, minor: 0n, parts: new Map(), posting: id };
    found.set(account, { ...piece, minor: piece.minor + base, parts: plus(piece.parts, part, base) });
  }
  return [...found.values()];
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
    if (left > 0n) meet(giver.queue, money(-left, posting), emit);
  }
  for (const taker of takers) {
    if (taker.paid < 0n) meet(taker.queue, money(-taker.paid, posting), emit);
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
