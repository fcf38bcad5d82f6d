/**
 * Names by how alike they are, found without comparing each with each: a name that is nearly the same shares one of the
 * rarest letter pairs (two texts with a likeness of at least `least` have so many pairs in common that any
 * `pairs - common + 1` of one of them hold a pair of the other). Work per question is bounded, so that a list of names
 * costs time in proportion to its length. Pure.
 */
import { likenessOf, pairsOf } from './alike.ts';

/** Names that one question looks at. */
const MOST_LOOKED_AT = 300;

interface Entry<T> { of: T; pairs: ReadonlySet<string>; place: number }

export class AlikeNames<T> {
  /** Comparisons of two names so far; a test counts them. */
  compared = 0;
  readonly #least: number;
  readonly #byPair = new Map<string, Entry<T>[]>();
  #places = 0;

  constructor(least: number) {
    this.#least = least;
  }

  add(name: string, of: T): void {
    const pairs = new Set(pairsOf(name));
    const entry = { of, pairs, place: this.#places++ };
    for (const pair of pairs) {
      const list = this.#byPair.get(pair);
      if (list) list.push(entry);
      else this.#byPair.set(pair, [entry]);
    }
  }

  /** The first that was added of those that are at least so alike. */
  find(name: string): T | undefined {
    const pairs = new Set(pairsOf(name));
    // Dice d needs 2c / (|a| + |b|) >= d with c <= |b|, so c >= d / (2 - d) * |a|.
    const common = Math.ceil((this.#least / (2 - this.#least)) * pairs.size - 1e-9);
    const lists = [...pairs].map((pair) => this.#byPair.get(pair) ?? []).toSorted((a, b) => a.length - b.length)
      .slice(0, pairs.size - common + 1);
    const seen = new Set<Entry<T>>();
    let best: Entry<T> | undefined;
    for (const entry of lists.flatMap((list) => list.slice(0, MOST_LOOKED_AT)).slice(0, MOST_LOOKED_AT)) {
      if (seen.has(entry)) continue;
      seen.add(entry);
      this.compared += 1;
      const alike = (likenessOf(pairs, entry.pairs) ?? 0) >= this.#least;
      if (alike && (!best || entry.place < best.place)) best = entry;
    }
    return best?.of;
  }
}
