/**
 * Parts of a shared line: what of every share moves with a release, a receipt or a close, and which accounts it moves
 * (domain.md 2.10, 3.3, 3.4).
 */
import { divHalfAway, sum } from '#kernel/money/money.ts';
import { allocateRefund } from '#kernel/royalties/allocate.ts';
import { carriedPart } from '#kernel/royalties/carried.ts';
import {
  moveEntitlement, partOfLine, type AccrualBasis, type EntitlementLeg, type Presentation,
} from '#kernel/royalties/entitlement.ts';
import type { Family, Share } from './families.server.ts';

export interface Part {
  share: Share;
  amount_minor: bigint;
}

export interface Parts {
  parts: Part[];
  /** Of the house and of parties that are not asked. */
  rest_minor: bigint;
}

export type PartKind = 'cost' | 'due' | 'release';

const moved = { cost: 'cost_minor', due: 'due_minor', release: 'released_minor' } as const;

/**
 * Part `amount` of the line over what is left of the shares; null moves all that is left. With `basis` only the
 * parties of that basis move, the others' part counts to the rest.
 */
export function partsOf(family: Family, kind: PartKind, amount: bigint | null, basis: AccrualBasis | null): Parts {
  const asked = basis === null ? family.shares : family.shares.filter((share) => share.basis === basis);
  const left = asked.map((share) => share.amount_minor - share[moved[kind]]);
  const restWhole = family.amount_minor - sum(asked.map((share) => share.amount_minor));
  const restLeft = restWhole - family.rest[kind];
  const cut = amount === null ? [...left, restLeft] : slice(amount, [...left, restLeft]);
  return { parts: asked.map((share, k) => ({ share, amount_minor: cut[k]! })), rest_minor: cut.at(-1)! };
}

/** Where promises took more than the line brought, the rest is negative and parts are taken in proportion. */
function slice(amount: bigint, left: readonly bigint[]): bigint[] {
  const remaining = sum(left);
  if (left.every((part) => part >= 0n)) return partOfLine(amount, left);
  if (amount === remaining) return [...left];
  const parts = left.slice(0, -1).map((part) => divHalfAway(part * amount, remaining));
  return [...parts, amount - sum(parts)];
}

/** What goes back of the parts moved so far when `amount` (> 0) of the line is credited. */
export function takenBack(family: Family, kind: PartKind, amount: bigint, basis: AccrualBasis | null): Parts {
  const asked = basis === null ? family.shares : family.shares.filter((share) => share.basis === basis);
  const had = asked.map((share) => share[moved[kind]]);
  const rest = basis === null ? family.rest[kind] : family.amount_minor - sum(had);
  const cut = allocateRefund(-amount, [...had, rest], [...had, rest].map(() => 1n), [...had, rest].map(() => 0n)).parts;
  return { parts: asked.map((share, k) => ({ share, amount_minor: cut[k]! })), rest_minor: cut.at(-1)! };
}

/** A part with the accounts it moves; a release moves none of the royaltor's. */
export interface MovedPart extends Part {
  functional_minor: bigint;
  legs: readonly EntitlementLeg[];
}

const functional = {
  cost: 'cost_functional_minor', due: 'due_functional_minor', release: 'released_functional_minor',
} as const;

/** Moves the shares of a family, so that the next part of the same call sees what is left. */
export function moveParts(
  parts: readonly Part[], kind: PartKind, rate: string, presentation: Presentation,
): MovedPart[] {
  return parts.map((part) => {
    const { share, amount_minor } = part;
    const before = share[functional[kind]];
    const legs = kind === 'release' ? [] : moveCostOrDue(share, kind, amount_minor, rate, presentation);
    if (kind === 'release') {
      share.released_functional_minor += releasedAt(share, amount_minor);
      share.released_minor += amount_minor;
    }
    return { ...part, functional_minor: share[functional[kind]] - before, legs };
  });
}

function moveCostOrDue(
  share: Share, kind: 'cost' | 'due', amount_minor: bigint, rate: string, presentation: Presentation,
): readonly EntitlementLeg[] {
  const step = moveEntitlement(share, { kind, amount_minor, rate, show_royaltor_id: share.show_royaltor_id },
    presentation);
  Object.assign(share, { cost_minor: step.state.cost_minor, due_minor: step.state.due_minor,
    cost_functional_minor: step.state.cost_functional_minor, due_functional_minor: step.state.due_functional_minor });
  return step.legs;
}

/** The royaltors' part of deferred income leaves it at what the invoice put aside for it; the last one whole. */
function releasedAt(share: Share, amount: bigint): bigint {
  if (amount < 0n) {
    return carriedPart({ amount_minor: share.released_minor,
      functional_minor: share.released_functional_minor }, amount);
  }
  return carriedPart({
    amount_minor: share.cost_minor - share.released_minor,
    functional_minor: share.cost_functional_minor - share.released_functional_minor,
  }, amount);
}
