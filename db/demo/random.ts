/** A small seeded generator: the demo season is the same on every machine. */
export interface Random {
  /** 0 <= x < 1 */
  next(): number;
  int(low: number, high: number): number;
  pick<T>(items: readonly T[]): T;
  chance(share: number): boolean;
}

/** mulberry32: 32 bits of state, good enough for a season. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next, int,
    pick: (items) => items[int(0, items.length - 1)]!,
    chance: (share) => next() < share,
  };
}
