import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPpm, minorToDecimal, sum } from '../money/money.ts';
import { runsOf } from '#tests/support/full.ts';
import { bandFee, flatFee } from './fees.ts';
import { E2_ROWS, input, performances, row, venue } from './fixtures.ts';
import { parseWeight, potentialOf, potentials, ticketingProblem } from './potentials.ts';
import { price, untaxed } from './price.ts';
import type { Discount, PriceCharge, PriceInput, PriceResult, TaxResolver } from './price-types.ts';
import { resolveRateCard, NO_RATE_TERMS, type RateCard } from './rate-card.ts';
import { percentText, recomputeTrace, toJson, traceFromJson, Tracer } from './trace.ts';

const dec = (minor: bigint) => minorToDecimal(minor);
const royalty = (result: PriceResult) => dec(result.totals.royalty_minor);
const E2 = { rate_ppm: 125_000n, round_up_to_minor: 500n } as const;
const bands = [[0, 50, 40], [51, 100, 50], [101, 150, 60], [151, 200, 70], [201, 250, 80], [251, 300, 90],
  [301, null, 100]] as const;
const seat_bands = bands.map(([from_seats, to_seats, amount]) =>
  ({ from_seats, to_seats, amount_minor: BigInt(amount) * 100n }));

describe('potentials (2.1)', () => {
  it('E2: sold-out, weighted and expected house', () => {
    const p = potentials(E2_ROWS, 260);
    expect([p.capacity, dec(p.capacity_gross_minor), dec(p.weighted_avg_price_minor)])
      .toEqual([400, '7850.00', '19.90']);
    expect(dec(BigInt(p.capacity) * p.average_n / p.average_d)).toBe('7960.00');
    expect([dec(p.weighted_gross_minor), dec(p.expected_gross_minor!)]).toEqual(['7850.00', '5174.00']);
  });

  it('E2b: all weights zero is the plain average', () => {
    const p = potentials(E2_ROWS.map((r) => ({ ...r, weight_e4: 0n })));
    expect([dec(p.weighted_gross_minor), dec(p.weighted_avg_price_minor)]).toEqual(['7850.00', '19.63']);
  });

  it('an empty table and the default row 0/0/0 have no potential; a weight without seats still counts', () => {
    expect(potentials([]).weighted_gross_minor).toBe(0n);
    expect(potentials([row(0, 0n)]).capacity_gross_minor).toBe(0n);
    expect(potentials([row(100, 2_000n, 50), row(0, 0n, 50)]).weighted_avg_price_minor).toBe(1_000n);
    expect(() => potentialOf(potentials([]), 'expected')).toThrow(/expected attendance/);
  });

  it('limits a row and reads weights as decimal text', () => {
    expect([row(200_000, 9_999_999n), row(-1, 0n), row(1, 10_000_000n)].map(ticketingProblem))
      .toEqual([null, 'number_of_seats', 'price_minor']);
    expect(['30', '12.5', '0.0001', '-1', '1.00001'].map(parseWeight)).toEqual([300_000n, 125_000n, 1n, null, null]);
  });

  it('the weighted potential never passes a sold-out house (property)', () => {
    const rows = fc.array(fc.record({
      number_of_seats: fc.integer({ min: 0, max: 2_000 }), price_minor: fc.bigInt({ min: 0n, max: 99_999n }),
      weight_e4: fc.bigInt({ min: 0n, max: 1_000_000n }),
    }), { maxLength: 6 });
    fc.assert(fc.property(rows, fc.integer({ min: 0, max: 3_000 }), (table, a) => {
      const p = potentials(table, a);
      expect(p.weighted_gross_minor <= p.capacity_gross_minor).toBe(true);
      expect(p.expected_gross_minor! <= p.capacity_gross_minor).toBe(true);
      expect(p.capacity_gross_minor <= p.top_price_gross_minor).toBe(true);
      expect(potentials(table, a + 1).expected_gross_minor! >= p.expected_gross_minor!).toBe(true);
    }));
  });
});

describe('worked examples of 2.2', () => {
  it('E1: 200 x 15.00, 15%, four performances', () => {
    const r = price(input({ rate_ppm: 150_000n }, [venue([row(200, 1_500n)], 4)]));
    expect([dec(r.venues[0]!.unit_fee_minor!), royalty(r)]).toEqual(['450.00', '1800.00']);
  });

  it('E2: 981.25 steps to 985.00, six times 5,910.00', () => {
    const r = price(input(E2, [venue(E2_ROWS, 6)]));
    expect([dec(r.performances[0]!.unit_fee_minor), royalty(r)]).toEqual(['985.00', '5910.00']);
    expect(r.trace.map((s) => s.formula)).toEqual([
      '150 × 25.00 + 200 × 18.00 + 50 × 10.00 = 7,850.00',
      '400 × average 19.90, at most 7,850.00 = 7,850.00',
      '7,850.00 × 12.5% = 981.25',
      '981.25 rounded up to the next 5.00 = 985.00',
      '985.00 × 6 = 5,910.00',
      '5,910.00 = 5,910.00',
      '0.00 = 0.00',
      '5,910.00 + 0.00 = 5,910.00',
    ]);
  });

  it('E2c: expected attendance 260', () => {
    const house = venue(E2_ROWS, 1, { expected_attendance: 260 });
    expect(royalty(price(input({ ...E2, gross_basis: 'expected' }, [house])))).toBe('650.00');
  });

  it('E3: three venues, fees in cents, minimum 95.00 for a free house', () => {
    const r = price(input({ rate_ppm: 125_000n, min_per_performance_minor: 9_500n }, [
      venue(E2_ROWS, 4, { id: 1 }), venue([row(99, 1_250n)], 3, { id: 2 }), venue([row(1_200, 0n)], 1, { id: 3 }),
    ]));
    expect(r.venues.map((v) => dec(v.unit_fee_minor!))).toEqual(['981.25', '154.69', '95.00']);
    expect(r.venues.map((v) => dec(v.royalty_minor))).toEqual(['3925.00', '464.07', '95.00']);
    expect(royalty(r)).toBe('4484.07');
  });

  it('E4: 90.00 first, 75.00 next', () => {
    const tiers = [{ from_n: 1, amount_minor: 9_000n }, { from_n: 2, amount_minor: 7_500n }];
    const r = price(input({ fee_method: 'flat', performance_tiers: tiers }, [venue([row(80, 1_000n)], 5)]));
    expect([royalty(r), r.venues[0]!.unit_fee_minor]).toEqual(['390.00', null]);
    expect([1, 2, 9].map((n) => flatFee(tiers, n))).toEqual([9_000n, 7_500n, 7_500n]);
    expect(() => flatFee([{ from_n: 2, amount_minor: 1n }], 1)).toThrow(/performance number 1/);
  });

  it('E4 over two venues: the first tier goes to the earliest instant, wherever it is', () => {
    const tiers = [{ from_n: 1, amount_minor: 9_000n }, { from_n: 2, amount_minor: 7_500n }];
    const r = price(input({ fee_method: 'flat', performance_tiers: tiers }, [
      venue([row(80, 1_000n)], 2, { id: 1, performances: performances(2, 1, '2026-10-10') }),
      venue([row(80, 1_000n)], 2, { id: 2, performances: performances(2, 9, '2026-10-05') }),
    ]));
    expect(r.venues.map((v) => dec(v.royalty_minor))).toEqual(['150.00', '165.00']);
    expect(r.performances.map((p) => [p.id, p.ordinal])).toEqual([[9, 1], [10, 2], [1, 3], [2, 4]]);
  });

  it.each([
    ['E5', 85, 1_250n, 5, '540.00', '550.00'],
    ['G06', 10, 500n, 4, '20.00', '40.00'],
    ['G06b', 143, 1_250n, 3, '540.00', '540.00'],
    ['G06c', 100, 1_000n, 1, '100.00', '100.00'],
  ] as const)('%s: step of 10.00 by run and by performance', (_, seats, ticket, count, byRun, byPerformance) => {
    const at = (round_up_scope: 'run' | 'performance') => royalty(price(input(
      { rate_ppm: 100_000n, round_up_to_minor: 1_000n, round_up_scope }, [venue([row(seats, ticket)], count)])));
    expect([at('run'), at('performance')]).toEqual([byRun, byPerformance]);
  });

  it('G05: seat bands with a minimum of three performances', () => {
    const at = (seats: number, count: number) => royalty(price(input(
      { fee_method: 'seat_band', seat_bands, min_performances: 3 }, [venue([row(seats, 900n)], count)])));
    expect([at(150, 2), at(151, 4), at(301, 1)]).toEqual(['180.00', '280.00', '300.00']);
  });

  it('G04: a capacity in no band is an error, never zero', () => {
    const table = [[50, 149, 500], [150, 299, 500], [300, 599, 1000], [600, 999, 2000], [1000, 1499, 2500],
      [1500, null, 3000]] as const;
    const rows = table.map(([from_seats, to_seats, a]) => ({ from_seats, to_seats, amount_minor: BigInt(a) * 100n }));
    expect([149, 300, 599, 600, 1499, 1500].map((c) => bandFee(rows, c) / 100n))
      .toEqual([500n, 1000n, 1000n, 2000n, 2500n, 3000n]);
    expect(() => bandFee(rows, 49)).toThrow(expect.objectContaining({ code: 'rate.no_band' }));
  });

  it('G15: top price x seats', () => {
    const r = price(input({ rate_ppm: 120_000n, gross_basis: 'top_price', min_per_performance_minor: 35_000n },
      [venue([row(100, 2_200n), row(80, 1_100n)], 8)]));
    expect([dec(potentialOf(r.venues[0]!.potentials, 'top_price') * 8n), royalty(r)]).toEqual(['31680.00', '3801.60']);
    expect(dec(r.performances[0]!.unit_fee_minor)).toBe('475.20');
  });
});

describe('rules of the run (2.2, 2.11)', () => {
  it('the minimum comes after the step and stays as it is', () => {
    const r = price(input({ rate_ppm: 100_000n, round_up_to_minor: 1_000n, min_per_performance_minor: 9_500n },
      [venue([row(10, 500n)], 2)]));
    expect(royalty(r)).toBe('190.00');
  });

  it('free admission: without a rule the usual fee, with one its fee, also with the run stepped', () => {
    const free = venue([row(100, 1_000n)], 3);
    const first = { ...free, performances: free.performances.map((p, k) => ({ ...p, is_free: k === 0 })) };
    const at = (rule: PriceInput['terms']['free_admission_rule'], scope: 'run' | 'performance' = 'performance') =>
      royalty(price(input({ rate_ppm: 100_000n, min_per_performance_minor: 5_005n, free_admission_rule: rule,
        round_up_scope: scope, round_up_to_minor: 3_000n }, [first])));
    expect(at(null)).toBe('360.00');
    expect(at({ kind: 'min' })).toBe('290.05');
    expect(at({ kind: 'percent_of_min', ppm: 500_000n })).toBe('265.03');
    expect(at({ kind: 'flat', amount_minor: 1_100n }, 'run')).toBe('221.00');
  });

  it('percent_actual quotes the minimums, at least the advance', () => {
    const deal = { fee_method: 'percent_actual', min_per_performance_minor: 9_500n, rate_ppm: 150_000n } as const;
    expect(royalty(price(input(deal, [venue(E2_ROWS, 5)])))).toBe('475.00');
    expect(royalty(price(input({ ...deal, advance_minor: 200_000n }, [venue(E2_ROWS, 5)])))).toBe('2000.00');
  });

  it('counts a part week by its performances, as the settlement does (2.4)', () => {
    const deal = { fee_method: 'percent_actual', min_per_week_minor: 50_000n, full_week_performances: 8 } as const;
    // 5 October 2026 is a Monday: three performances owe 187.50 of 500.00, eleven 500.00 and 4 of 8, 250.00.
    expect(royalty(price(input(deal, [venue(E2_ROWS, 3)])))).toBe('187.50');
    expect(royalty(price(input(deal, [venue(E2_ROWS, 11)])))).toBe('687.50');
    expect(royalty(price(input({ ...deal, full_week_performances: null }, [venue(E2_ROWS, 3)])))).toBe('500.00');
  });

  it('the weekly minimum lifts each week of the deal', () => {
    const r = price(input({ fee_method: 'percent_actual', min_per_week_minor: 50_000n }, [
      venue([], 1, { id: 1, performances: performances(8, 1, '2026-10-05') }),
    ]));
    expect([royalty(r), r.performances.map((p) => p.week_key).at(-1)]).toEqual(['1000.00', '2026-10-12']);
  });

  it('rounding the percentage once for the run never takes a cent off the weekly minimum', () => {
    const evenings = [...performances(1, 1), ...performances(1, 2, '2026-10-12')];
    const weeks = venue([row(3, 5n)], 2, { performances: evenings });
    const deal = { rate_ppm: 100_000n, round_up_scope: 'run', min_per_week_minor: 2n } as const;
    expect(royalty(price(input(deal, [weeks])))).toBe('0.04');
    expect(royalty(price(input({ ...deal, min_per_week_minor: 0n }, [weeks])))).toBe('0.03');
  });

  it('greater of two: each after its own step, before the common minimum', () => {
    const deal = { fee_method: 'greater_of', greater_of: ['seat_band', 'percent_potential'], seat_bands,
      rate_ppm: 100_000n, round_up_to_minor: 4_500n } as const;
    expect(royalty(price(input(deal, [venue([row(100, 100n)], 1)])))).toBe('90.00');
    expect(royalty(price(input(deal, [venue([row(100, 1_000n)], 1)])))).toBe('135.00');
    expect(royalty(price(input({ ...deal, min_per_performance_minor: 13_600n }, [venue([row(100, 1_000n)], 1)]))))
      .toBe('136.00');
  });

  it('one amount for the run is spread by performances', () => {
    const r = price(input({ fee_method: 'flat_run', flat_run_minor: 10_000n, min_per_performance_minor: 99_900n },
      [venue([], 2, { id: 1 }), venue([], 1, { id: 2 })]));
    expect(r.venues.map((v) => dec(v.royalty_minor))).toEqual(['66.67', '33.33']);
  });

  it('negotiated fees stand as typed; a missing one is named', () => {
    const typed = (fee: bigint | null) => {
      const v = venue([], 1, { performances: performances(1).map((p) => ({ ...p, negotiated_fee_minor: fee })) });
      return price(input({ fee_method: 'negotiated', min_per_run_minor: 99_999n, round_up_to_minor: 500n }, [v]));
    };
    expect(royalty(typed(12_345n))).toBe('123.45');
    expect(() => typed(null)).toThrow(expect.objectContaining({ code: 'price.fee_missing' }));
  });

  it('cancelled and postponed performances have no ordinal and no fee; none left cannot be priced', () => {
    const v = venue([row(200, 1_500n)], 3);
    const status = (k: number) => (['cancelled', 'planned', 'planned'] as const)[k]!;
    const some = { ...v, performances: v.performances.map((p, k) => ({ ...p, status: status(k) })) };
    const r = price(input({ rate_ppm: 150_000n }, [some]));
    expect([royalty(r), r.performances[0]!.ordinal]).toEqual(['900.00', 1]);
    expect(() => price(input({}, [venue([], 0)]))).toThrow(expect.objectContaining({ code: 'price.no_performances' }));
  });

  it('the discount comes after the minimum, may go below it, and is at most the royalty', () => {
    const at = (discount: Discount) => price(input({ rate_ppm: 125_000n, min_per_performance_minor: 9_500n },
      [venue(E2_ROWS, 4, { id: 1 }), venue([row(99, 1_250n)], 3, { id: 2 })], { discount }));
    const by = { reason: 'Returning customer', approved_by: 'A. Manager' };
    const ten = at({ kind: 'percent', ppm: 100_000n, ...by });
    expect(dec(ten.totals.discount_minor)).toBe('438.91');
    expect(ten.venues.map((v) => dec(v.royalty_minor))).toEqual(['3532.50', '417.66']);
    const all = at({ kind: 'amount', amount_minor: 9_999_999n, ...by });
    expect([royalty(all), all.lines.map((l) => l.net_minor)]).toEqual(['0.00', [0n, 0n]]);
  });

  it('says when an instant is not in UTC', () => {
    const local = performances(1).map((p) => ({ ...p, starts_at: '2026-10-05T19:30:00+02:00' }));
    const v = venue([], 1, { performances: local });
    expect(() => price(input({}, [v]))).toThrow(expect.objectContaining({ code: 'price.instant' }));
  });
});

const charges: PriceCharge[] = [
  { key: 'rental', kind: 'rental', label: 'Rental', quantity: 1, unit_minor: 59_500n, item_class: 'rental' },
  { key: 'extra_weeks', kind: 'extra_week', label: 'Weeks', quantity: 3, unit_minor: 7_500n, item_class: 'rental' },
  { key: 'logo', kind: 'add_on', label: 'Logo pack', quantity: 1, unit_minor: 7_500n, item_class: 'logo' },
  { key: 'tracks', kind: 'add_on', label: 'Tracks', quantity: 1, unit_minor: 40_000n, item_class: 'tracks' },
  { key: 'ship', kind: 'shipping', label: 'Shipping', quantity: 1, unit_minor: 6_500n, item_class: 'shipping' },
];
const salesTax = (shippingToo: boolean): TaxResolver => (line) => {
  if (line.kind === 'royalty' || (line.kind === 'shipping' && !shippingToo)) return untaxed(line);
  const tax_minor = applyPpm(line.net_minor, 88_750n);
  return { ...untaxed(line), code: 'sales_tax', rate_ppm: 88_750n, tax_minor, reason: 'Sales tax' };
};
const quote = (tax: TaxResolver) => price(input(E2, [venue(E2_ROWS, 6)],
  { charges, tax, deposit: { kind: 'security', amount_minor: 40_000n } }));

describe('a whole quote (2.8)', () => {
  it('E14: tax line by line, deposit last', () => {
    const r = quote(salesTax(false));
    expect(r.lines.map((l) => dec(l.tax_minor))).toEqual(['0.00', '52.81', '19.97', '6.66', '35.50', '0.00']);
    expect([r.totals.net_minor, r.totals.tax_minor, r.totals.due_minor].map(dec))
      .toEqual(['7270.00', '114.94', '7784.94']);
    expect(r.payment_plan.map((i) => [i.due, dec(i.amount_minor)])).toEqual([['execution', '7384.94']]);
  });

  it('E14b: delivery taxed; E14c: exempt', () => {
    const b = quote(salesTax(true));
    expect([b.totals.tax_minor, b.totals.due_minor].map(dec)).toEqual(['120.71', '7790.71']);
    expect(dec(quote(untaxed).totals.due_minor)).toBe('7670.00');
  });

  it('E12: tax by line, header tax the sum', () => {
    const at = (units: bigint[]) => {
      const tax: TaxResolver = (line) => ({ ...untaxed(line), rate_ppm: 200_000n,
        tax_minor: line.kind === 'royalty' ? 0n : applyPpm(line.net_minor, 200_000n) });
      const lines = units.map((unit_minor, k): PriceCharge =>
        ({ key: `k${k}`, kind: 'sale', label: 'Sale', quantity: 1, unit_minor, item_class: 'merchandise' }));
      return dec(price(input({}, [venue([], 1)], { charges: lines, tax })).totals.tax_minor);
    };
    expect([at([33_333n, 33_333n, 33_334n]), at([1_013n, 1_013n, 1_013n])]).toEqual(['200.01', '6.09']);
  });

  it('an outside tax service is written down as returned', () => {
    const r = quote((line) => ({ ...untaxed(line), rate_ppm: 88_750n, tax_minor: 1n, reason: 'Service' }));
    expect(r.totals.tax_minor).toBe(6n);
    expect(recomputeTrace(r.trace)).toEqual([]);
  });

  it('goes through JSON and recomputes there (I10)', () => {
    const r = quote(salesTax(true));
    const stored = JSON.parse(JSON.stringify(toJson(r.trace)));
    expect(recomputeTrace(traceFromJson(stored))).toEqual([]);
    expect(traceFromJson(stored)).toEqual(r.trace);
    stored[2].result_minor += 1;
    expect(recomputeTrace(traceFromJson(stored))).toEqual([2]);
    expect(() => toJson({ amount_minor: 2n ** 60n })).toThrow(RangeError);
  });
});

describe('properties of every price', () => {
  const rowArb = fc.record({
    number_of_seats: fc.integer({ min: 0, max: 900 }), price_minor: fc.bigInt({ min: 0n, max: 20_000n }),
    weight_e4: fc.bigInt({ min: 0n, max: 500_000n }),
  });
  const rateArb = fc.record({
    fee_method: fc.constantFrom('percent_potential', 'percent_actual', 'flat', 'seat_band', 'flat_run'),
    rate_ppm: fc.bigInt({ min: 0n, max: 200_000n }),
    gross_basis: fc.constantFrom('capacity', 'weighted', 'top_price'),
    min_per_performance_minor: fc.bigInt({ min: 0n, max: 20_000n }),
    min_per_run_minor: fc.bigInt({ min: 0n, max: 90_000n }),
    min_per_week_minor: fc.bigInt({ min: 0n, max: 50_000n }),
    min_performances: fc.integer({ min: 0, max: 6 }),
    round_up_to_minor: fc.constantFrom(0n, 100n, 1_000n),
    round_up_scope: fc.constantFrom('performance', 'run'),
    flat_run_minor: fc.bigInt({ min: 0n, max: 90_000n }),
  });
  const houses = fc.array(fc.tuple(fc.array(rowArb, { maxLength: 3 }), fc.integer({ min: 1, max: 9 })),
    { minLength: 1, maxLength: 4 });
  const build = (rate: object, list: [ReturnType<typeof row>[], number][], ppm = 0n) => {
    const performance_tiers = [{ from_n: 1, amount_minor: 9_000n }, { from_n: 4, amount_minor: 5_050n }];
    const fixed = { seat_bands, performance_tiers };
    const venues = list.map(([rows, count], k) =>
      venue(rows, count, { id: k + 1, performances: performances(count, k * 10 + 1) }));
    const discount = { kind: 'percent', ppm, reason: 'Test', approved_by: 'A' } as const;
    return price(input({ ...rate, ...fixed }, venues, { charges, tax: salesTax(true), discount }));
  };

  it('adds up exactly: venues, lines, totals, plan (I1), and its trace comes out again (I10)', () => {
    fc.assert(fc.property(rateArb, houses, fc.bigInt({ min: 0n, max: 1_200_000n }), (rate, list, ppm) => {
      const r = build(rate, list, ppm);
      expect(sum(r.venues.map((v) => v.royalty_minor))).toBe(r.totals.royalty_minor);
      expect(r.venues.every((v) => v.royalty_minor >= 0n)).toBe(true);
      expect(r.totals.gross_royalty_minor - r.totals.discount_minor).toBe(r.totals.royalty_minor);
      expect(sum(r.lines.map((l) => l.total_minor))).toBe(r.totals.total_minor);
      expect(sum(r.payment_plan.map((i) => i.amount_minor))).toBe(r.totals.total_minor);
      expect(recomputeTrace(r.trace)).toEqual([]);
    }), { numRuns: runsOf(300) });
  });

  it('never falls below a minimum', () => {
    fc.assert(fc.property(rateArb, houses, (rate, list) => {
      const { totals, performances: all } = build(rate, list);
      expect(totals.royalty_minor >= rate.min_per_run_minor).toBe(true);
      if (rate.fee_method === 'flat_run') return;
      const charged = BigInt(Math.max(all.length, rate.min_performances));
      const weeks = BigInt(new Set(all.map((p) => p.week_key)).size);
      expect(totals.royalty_minor >= rate.min_per_performance_minor * charged).toBe(true);
      expect(totals.royalty_minor >= rate.min_per_week_minor * weeks).toBe(true);
    }), { numRuns: runsOf(300) });
  });

  it('never falls when the rate or a ticket price rises', () => {
    fc.assert(fc.property(rateArb, houses, fc.bigInt({ min: 0n, max: 99_999n }), (rate, list, more) => {
      const before = build(rate, list).totals.royalty_minor;
      const dearer = list.map(([rows, n]) =>
        [rows.map((r) => ({ ...r, price_minor: r.price_minor + more })), n] as [typeof rows, number]);
      expect(build({ ...rate, rate_ppm: rate.rate_ppm + more }, list).totals.royalty_minor >= before).toBe(true);
      expect(build(rate, dearer).totals.royalty_minor >= before).toBe(true);
    }), { numRuns: runsOf(200) });
  });
});

describe('rate card resolution (2.2)', () => {
  const card = (id: number, more: Partial<RateCard> = {}): RateCard => ({
    ...NO_RATE_TERMS, id, show_id: null, category: 'Amateur', division: null, classification_id: null, currency: 'USD',
    effective_from: null, effective_to: null, status: 'approved', deposit_minor: 0n, deposit_kind: 'security',
    execution_policy: 'paid_in_full', ...more,
  });
  const query = { show_id: 7, category: 'Amateur', division: 'US', classification_id: 3, currency: 'USD',
    first_performance_on: '2026-10-05' } as const;
  const find = (...cards: RateCard[]) => resolveRateCard(cards, query)?.id ?? null;

  it('takes the most specific, then the later start, then the lower id', () => {
    const all = [card(1), card(2, { division: 'US' }), card(3, { classification_id: 3 }), card(4, { show_id: 7 })];
    expect([find(...all), find(...all.slice(0, 3)), find(...all.slice(0, 2))]).toEqual([4, 3, 2]);
    expect(find(card(5), card(6, { effective_from: '2026-01-01' }))).toBe(6);
    expect(find(card(9), card(8))).toBe(8);
  });

  it('leaves out drafts, other shows, other currencies and cards not in force; none is null', () => {
    expect(find(card(1, { status: 'draft' }), card(2, { show_id: 8 }), card(3, { currency: 'GBP' }),
      card(4, { effective_to: '2026-10-04' }), card(5, { effective_from: '2026-10-06' }))).toBeNull();
    expect(find(card(6, { effective_from: '2026-10-05', effective_to: '2026-10-05' }))).toBe(6);
  });
});

describe('trace text', () => {
  it('writes rates without useless zeros', () => {
    expect([125_000n, 88_750n, 10_000n, 1n, -5_000n, 1_000_000n].map(percentText))
      .toEqual(['12.5', '8.875', '1', '0.0001', '-0.5', '100']);
    expect(new Tracer().add('x', 'r', 'l', 'share', { total_minor: 100n, weights: [1n, 1n, 1n], index: 0n })).toBe(34n);
  });
});
