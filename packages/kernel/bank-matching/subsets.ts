/**
 * Finds subsets of a few amounts that add up to one amount. At most 20 amounts and 6 of them in a set (accounting.md
 * 4.2), so that no input can raise the bound on the work; the work done is counted.
 */
import { sum } from '../money/money.ts';

export const MAX_CANDIDATES = 20;
export const MAX_DEPTH = 6;
/** More sets than these tell nobody anything: the line is ambiguous. */
const MAX_SETS = 3;
/** All nodes of the search over 20 amounts, for sets of 2 to 6. */
export const MAX_STEPS = 89_913;

export interface SubsetAnswer {
  /** Indexes into the amounts, ascending; sets of fewer amounts first. */
  sets: number[][];
  /** True where amounts were left out or the search ended early: there may be other sets. */
  cutOff: boolean;
  steps: number;
}

interface Search {
  target: bigint;
  amounts: readonly bigint[];
  /** Largest and smallest amount from an index on, for giving up early. */
  most: readonly bigint[];
  least: readonly bigint[];
  answer: SubsetAnswer;
}

function extremes(amounts: readonly bigint[]): Pick<Search, 'most' | 'least'> {
  const most: bigint[] = [];
  const least: bigint[] = [];
  for (let at = amounts.length - 1; at >= 0; at -= 1) {
    const amount = amounts[at]!;
    most[at] = at + 1 < amounts.length && most[at + 1]! > amount ? most[at + 1]! : amount;
    least[at] = at + 1 < amounts.length && least[at + 1]! < amount ? least[at + 1]! : amount;
  }
  return { most, least };
}

/** Fills `chosen` up to `size`; false ends the whole search. */
function fill(search: Search, chosen: number[], reached: bigint, size: number): boolean {
  const missing = size - chosen.length;
  const first = chosen.length === 0 ? 0 : chosen.at(-1)! + 1;
  for (let at = first; at + missing <= search.amounts.length; at += 1) {
    const rest = search.target - reached;
    if (BigInt(missing) * search.most[at]! < rest || BigInt(missing) * search.least[at]! > rest) return true;
    search.answer.steps += 1;
    chosen.push(at);
    const next = reached + search.amounts[at]!;
    if (missing > 1) {
      if (!fill(search, chosen, next, size)) return false;
    } else if (next === search.target) {
      search.answer.sets.push([...chosen]);
      if (search.answer.sets.length >= MAX_SETS) {
        search.answer.cutOff = true;
        return false;
      }
    }
    chosen.pop();
  }
  return true;
}

/**
 * Sets of `smallest` or more amounts that add up to `target` exactly. All amounts together count as well, however many
 * they are. The first 20 are combined; give the likeliest first.
 */
export function findSubsets(
  target: bigint, amounts: readonly bigint[], smallest = 2, depth = MAX_DEPTH,
): SubsetAnswer {
  const considered = amounts.slice(0, MAX_CANDIDATES);
  const answer: SubsetAnswer = { sets: [], cutOff: amounts.length > considered.length, steps: amounts.length };
  if (amounts.length < smallest) return { ...answer, cutOff: false };
  const search: Search = { target, amounts: considered, ...extremes(considered), answer };
  for (let size = smallest; size <= Math.min(depth, considered.length); size += 1) {
    if (!fill(search, [], 0n, size)) break;
  }
  const isSearched = amounts.length <= Math.min(depth, considered.length);
  if (!isSearched && sum(amounts) === target) answer.sets.push(amounts.map((_, index) => index));
  return answer;
}
