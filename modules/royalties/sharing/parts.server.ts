/**
 * Parts of a shared line: what of every share moves with a release, a receipt or a close, and which accounts it moves
 * (domain.md 2.10, 3.3, 3.4).
 */
import { min, sum } from '#kernel/money/money.ts';
import { carriedPart } from '#kernel/royalties/carried.ts';
import {
  moveEntitlement, partOfLeft, type AccrualBasis, type EntitlementLeg, type Presentation,
} from '#kernel/royalties/entitlement.ts';
import type { SharedLine, Share } from './shared-lines.server.ts';

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
 * parties of that basis move, the others' part counts to the rest. A release leaves deferred income, so that it moves
 * what its cost brought there (net presentation); every other part ends at what credits left of the share.
 */
export function partsOf(
  sharedLine: SharedLine, kind: PartKind, amount: bigint | null, basis: AccrualBasis | null,
): Parts {
  const asked = askedOf(sharedLine, basis);
  const kept = keptLeft(sharedLine, kind, asked);
  const cut = amount === null ? kept
    : partOfLeft(amount, amount <= sum(kept) ? kept : uncreditedLeft(sharedLine, kind, asked));
  return { parts: asked.map((share, k) => ({ share, amount_minor: cut[k]! })), rest_minor: cut.at(-1)! };
}

const askedOf = (sharedLine: SharedLine, basis: AccrualBasis | null): readonly Share[] =>
  (basis === null ? sharedLine.shares : sharedLine.shares.filter((share) => share.basis === basis));

function keptLeft(sharedLine: SharedLine, kind: PartKind, asked: readonly Share[]): bigint[] {
  if (kind === 'release') {
    return [...asked.map((share) => share.cost_minor - share.released_minor),
      sharedLine.rest.cost - sharedLine.rest.release];
  }
  const whole = sharedLine.house_kept_minor + sum(sharedLine.shares.map((share) => share.kept_minor));
  const rest = whole - sum(asked.map((share) => share.kept_minor));
  return [...asked.map((share) => share.kept_minor - share[moved[kind]]), rest - sharedLine.rest[kind]];
}

/** Money may reach a line before its credit set free what was too much, or a show change its presentation. */
function uncreditedLeft(sharedLine: SharedLine, kind: PartKind, asked: readonly Share[]): bigint[] {
  const rest = sharedLine.amount_minor - sum(asked.map((share) => share.amount_minor));
  return [...asked.map((share) => share.amount_minor - share[moved[kind]]), rest - sharedLine.rest[kind]];
}

/**
 * Parts to take back from the cost or release moved so far when `amount` (> 0) of the line is credited. If nothing else
 * is to come, the remainder equals the shares left after credits.
 */
export function takenBack(sharedLine: SharedLine, kind: 'cost' | 'release', amount: bigint): Parts {
  const had = [...sharedLine.shares.map((share) => share[moved[kind]]), sharedLine.rest[kind]];
  const end = kind === 'release' ? [...sharedLine.shares.map((share) => share.cost_minor), sharedLine.rest.cost]
    : [...sharedLine.shares.map((share) => share.kept_minor), sharedLine.house_kept_minor];
  // An agreement that began later had nothing of the income before it: nobody gives back more than he got.
  const back = min(amount, sum(had));
  const cut = sum(had) - back === sum(end) ? had.map((part, k) => part - end[k]!) : partOfLeft(back, had);
  return { parts: sharedLine.shares.map((share, k) => ({ share, amount_minor: -cut[k]! })), rest_minor: -cut.at(-1)! };
}

/** Reverses dues that exceed the shares left after credits. Dues by receipts are reversed with the money. */
export function dueBack(sharedLine: SharedLine, basis: AccrualBasis): Parts {
  const parts = askedOf(sharedLine, basis).map((share) => ({ share,
    amount_minor: share.due_minor === 0n ? 0n : share.kept_minor - share.due_minor }));
  return { parts, rest_minor: 0n };
}

/** A part with the accounts it moves; a release moves none of the royaltor's. */
export interface MovedPart extends Part {
  functional_minor: bigint;
  legs: readonly EntitlementLeg[];
}

const functional = {
  cost: 'cost_functional_minor', due: 'due_functional_minor', release: 'released_functional_minor',
} as const;

/** Moves the shares of a shared line, so that the next part of the same call sees what is left. */
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
  const left = { amount_minor: share.cost_minor - share.released_minor,
    functional_minor: share.cost_functional_minor - share.released_functional_minor };
  if (amount === left.amount_minor) return left.functional_minor;
  if (amount > 0n) return carriedPart(left, amount);
  return carriedPart({ amount_minor: share.released_minor, functional_minor: share.released_functional_minor }, amount);
}
