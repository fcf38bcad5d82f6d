/**
 * Materials of a production: the lines of a BOM template as quantities for one production (domain.md 4).
 *
 * A rule counts its unit (cast, venues, weeks, performances), multiplies by a factor, rounds up and adds a constant;
 * `fixed` is its quantity. Lines that share a substitution group are substitutes: the available one with the lowest
 * rank is taken and names the line it replaces. Nothing is negative; a quantity above {@link MAX_QUANTITY} is refused
 * with the index of its line.
 */
export const QTY_RULES = ['fixed', 'per_cast', 'per_venue', 'per_week', 'per_performance'] as const;
export type QtyRule = (typeof QTY_RULES)[number];
export const SHIP_GROUPS = ['advance', 'main', 'orchestra', 'digital'] as const;
export type ShipGroup = (typeof SHIP_GROUPS)[number];

/** Largest quantity of one line; more is a slip of the hand. */
export const MAX_QUANTITY = 100_000;
const PPM = 1_000_000n;

/** Whole counts of one production; each at least 0. */
export interface ProductionFacts {
  readonly cast: number;
  readonly venues: number;
  readonly weeks: number;
  readonly performances: number;
}

export interface BomLine {
  readonly material_id: number;
  readonly qty_rule: QtyRule;
  /** Of a fixed line. */
  readonly quantity: number;
  /** Copies per counted one, in parts per million: one each is 1,000,000. */
  readonly factor_ppm: number;
  /** Added once. */
  readonly constant: number;
  /** Only there when somebody asks for it. */
  readonly optional: boolean;
  readonly ship_group: ShipGroup;
  /** '' stands alone. */
  readonly substitution_group: string;
  readonly substitution_rank: number;
}

export interface ExplodedLine<Line extends BomLine = BomLine> {
  readonly line: Line;
  readonly quantity: number;
  /** The material of the group's first line, where another stands in for it. */
  readonly substituted_for: number | null;
  /** Nothing of its group can be had: it is listed and has to be found. */
  readonly missing: boolean;
}

export type Exploded<Line extends BomLine = BomLine> =
  | { readonly ok: true; readonly lines: readonly ExplodedLine<Line>[] }
  | { readonly ok: false; readonly index: number; readonly quantity: bigint };

const COUNTED: Record<Exclude<QtyRule, 'fixed'>, keyof ProductionFacts> = {
  per_cast: 'cast', per_venue: 'venues', per_week: 'weeks', per_performance: 'performances' };

/** Copies of one line, never negative, not yet held against the limit. */
export function quantityOf(line: BomLine, facts: ProductionFacts): bigint {
  if (line.qty_rule === 'fixed') return BigInt(Math.max(0, line.quantity));
  const count = BigInt(Math.max(0, facts[COUNTED[line.qty_rule]]));
  const scaled = count * BigInt(line.factor_ppm);
  const copies = (scaled + PPM - 1n) / PPM + BigInt(line.constant);
  return copies < 0n ? 0n : copies;
}

/** `unavailable`: materials that cannot be had. Lines keep their order; those of quantity 0 are left out. */
export function explode<Line extends BomLine>(
  lines: readonly Line[], facts: ProductionFacts, unavailable: ReadonlySet<number> = new Set(),
): Exploded<Line> {
  const taken: ExplodedLine<Line>[] = [];
  for (const line of lines) {
    const group = line.substitution_group === '' ? [line] : groupOf(lines, line.substitution_group);
    // The group is listed where its first choice stands.
    if (group[0] !== line) continue;
    const found = group.find((one) => !unavailable.has(one.material_id));
    const chosen = found ?? line;
    const quantity = quantityOf(chosen, facts);
    if (quantity > BigInt(MAX_QUANTITY)) return { ok: false, index: lines.indexOf(chosen), quantity };
    if (quantity === 0n) continue;
    taken.push({ line: chosen, quantity: Number(quantity), missing: found === undefined,
      substituted_for: chosen === line ? null : line.material_id });
  }
  return { ok: true, lines: taken };
}

function groupOf<Line extends BomLine>(lines: readonly Line[], group: string): Line[] {
  return lines.filter((line) => line.substitution_group === group)
    .sort((a, b) => a.substitution_rank - b.substitution_rank);
}

export interface Difference {
  readonly material_id: number;
  readonly before: number;
  readonly after: number;
}

/** Changes a re-sync would make: materials whose quantity differs, 0 where one is absent; empty when there are none. */
export function differences(
  held: ReadonlyMap<number, number>, wanted: ReadonlyMap<number, number>,
): Difference[] {
  return [...new Set([...held.keys(), ...wanted.keys()])]
    .map((id) => ({ material_id: id, before: held.get(id) ?? 0, after: wanted.get(id) ?? 0 }))
    .filter((row) => row.before !== row.after);
}
