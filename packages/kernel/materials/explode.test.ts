import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differences, explode, MAX_QUANTITY, QTY_RULES, quantityOf, type BomLine } from './explode.ts';
import { rankTemplates, type TemplateFacts } from './select-template.ts';

const line = (material_id: number, more: Partial<BomLine> = {}): BomLine => ({ material_id, qty_rule: 'fixed',
  quantity: 1, factor_ppm: 1_000_000, constant: 0, optional: false, ship_group: 'main', substitution_group: '',
  substitution_rank: 1, ...more });
const FACTS = { cast: 28, venues: 2, weeks: 3, performances: 12 };

describe('the bill of materials of a production', () => {
  it('is that of domain.md 4: cast 28 gets 30 librettos, two scores, one of each reed', () => {
    const template = [line(1, { qty_rule: 'per_cast', constant: 2 }), line(2, { quantity: 2 }),
      ...[3, 4, 5, 6].map((reed) => line(reed))];
    const exploded = explode(template, FACTS);
    expect(exploded.ok && exploded.lines.map((row) => [row.line.material_id, row.quantity]))
      .toEqual([[1, 30], [2, 2], [3, 1], [4, 1], [5, 1], [6, 1]]);
  });

  it.each([
    ['per_cast', 500_000, 0, 14], ['per_cast', 350_000, 1, 11], ['per_venue', 1_000_000, 0, 2],
    ['per_venue', 1_500_000, 1, 4], ['per_week', 333_334, 0, 2], ['per_performance', 100_000, 0, 2],
    ['per_cast', 0, 0, 0],
  ] as const)('counts %s times %i ppm plus %i as %i', (qty_rule, factor_ppm, constant, expected) => {
    expect(quantityOf(line(1, { qty_rule, factor_ppm, constant }), FACTS)).toBe(BigInt(expected));
  });

  it('leaves out what comes to nothing and keeps the order', () => {
    const exploded = explode([line(1, { quantity: 0 }), line(3), line(2)], FACTS);
    expect(exploded.ok && exploded.lines.map((row) => row.line.material_id)).toEqual([3, 2]);
  });

  it('takes the smallest rank that can be had, and says for which it stands', () => {
    const group = [line(1, { substitution_group: 'score', substitution_rank: 1, quantity: 2 }),
      line(2, { substitution_group: 'score', substitution_rank: 3, quantity: 5 }),
      line(3, { substitution_group: 'score', substitution_rank: 2, quantity: 3 })];
    const taken = (gone: number[]) => {
      const exploded = explode(group, FACTS, new Set(gone));
      return exploded.ok ? exploded.lines.map((row) =>
        [row.line.material_id, row.quantity, row.substituted_for, row.missing]) : null;
    };
    expect(taken([])).toEqual([[1, 2, null, false]]);
    expect(taken([1])).toEqual([[3, 3, 1, false]]);
    expect(taken([1, 3])).toEqual([[2, 5, 1, false]]);
    expect(taken([1, 2, 3])).toEqual([[1, 2, null, true]]);
  });

  it('refuses a quantity that nobody can mean, with the line it stands on', () => {
    const exploded = explode([line(1), line(2, { qty_rule: 'per_cast', factor_ppm: 1_000_000_000 })],
      { ...FACTS, cast: 1000 });
    expect(exploded).toEqual({ ok: false, index: 1, quantity: 1_000_000n });
    expect(explode([line(1, { quantity: MAX_QUANTITY })], FACTS).ok).toBe(true);
    expect(explode([line(1, { quantity: MAX_QUANTITY + 1 })], FACTS).ok).toBe(false);
  });
});

const anyLine = fc.record({ qty_rule: fc.constantFrom(...QTY_RULES), quantity: fc.integer({ min: 0, max: 2000 }),
  factor_ppm: fc.integer({ min: 0, max: 5_000_000 }), constant: fc.integer({ min: 0, max: 50 }) })
  .map((given) => line(1, given));
const anyFacts = fc.record({ cast: fc.nat(1000), venues: fc.nat(50), weeks: fc.nat(100), performances: fc.nat(1000) });

describe('properties of the explosion', () => {
  it('is monotone: a larger cast, run or tour never gets less', () => {
    fc.assert(fc.property(anyLine, anyFacts, fc.nat(100), (one, facts, more) => {
      for (const key of ['cast', 'venues', 'weeks', 'performances'] as const) {
        expect(quantityOf(one, { ...facts, [key]: facts[key] + more })).toBeGreaterThanOrEqual(quantityOf(one, facts));
      }
    }));
  });

  it('has nothing negative and nothing fractional, and is enough: one each covers the cast', () => {
    fc.assert(fc.property(fc.array(anyLine, { maxLength: 8 }), anyFacts, (lines, facts) => {
      const numbered = lines.map((one, index) => ({ ...one, material_id: index + 1 }));
      const exploded = explode(numbered, facts);
      expect(exploded.ok).toBe(true);
      for (const row of exploded.ok ? exploded.lines : []) {
        expect(Number.isInteger(row.quantity) && row.quantity > 0 && row.quantity <= MAX_QUANTITY).toBe(true);
        if (row.line.qty_rule === 'per_cast') {
          expect(BigInt(row.quantity) * 1_000_000n)
            .toBeGreaterThanOrEqual(BigInt(facts.cast) * BigInt(row.line.factor_ppm));
        }
      }
    }));
  });

  it('differs in nothing from itself, and in both directions by the same materials', () => {
    const counts = fc.array(fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 9 }))).map((rows) => new Map(rows));
    fc.assert(fc.property(counts, counts, (a, b) => {
      expect(differences(a, a)).toEqual([]);
      const there = differences(a, b).map((row) => [row.material_id, row.before, row.after].join());
      const back = differences(b, a).map((row) => [row.material_id, row.after, row.before].join());
      expect(there.sort()).toEqual(back.sort());
    }));
  });
});

describe('the template that fits', () => {
  const template = (id: number, more: Partial<TemplateFacts> = {}): TemplateFacts => ({ id, category: 'Amateur',
    customer_classification_id: null, division: null, cast_min: null, cast_max: null, orchestration: null,
    template_version: 1, ...more });
  const licence = { category: 'Amateur', customer_classification_id: 7, division: 'US', cast: 28,
    orchestration: 'full' };
  it('is the most specific, then the highest version; other categories, casts and divisions do not fit', () => {
    const ranked = rankTemplates([
      template(1), template(2, { template_version: 3 }), template(3, { cast_min: 20, cast_max: 40 }),
      template(4, { cast_min: 30 }), template(5, { division: 'UK' }), template(6, { category: 'Pro' }),
      template(7, { division: 'US', orchestration: 'full' }), template(8, { customer_classification_id: 8 }),
    ], licence);
    expect(ranked.map((row) => row.id)).toEqual([7, 3, 2, 1]);
  });
  it('with a cast range waits until the cast is known', () => {
    expect(rankTemplates([template(1, { cast_min: 1 }), template(2)], { ...licence, cast: null }).map((row) => row.id))
      .toEqual([2]);
  });
});
