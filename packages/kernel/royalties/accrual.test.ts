import * as fc from 'fast-check';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyPpm, sum } from '../money/money.ts';
import { allocateRefund } from './allocate.ts';
import { accrue, mirrorAccruals } from './accrual.ts';
import type { AccrualAgreement, IncomeLine } from './accrual-types.ts';
import { atSource, tieredShare } from './base.ts';
import { poolWeek } from './pool.ts';
import { recoup } from './recoupment.ts';
import type { RoyaltyTerm } from './terms.ts';
import { line, term } from './testing.ts';

function income(gross_minor: bigint, own: Partial<IncomeLine> = {}): IncomeLine {
  const { date: _date, ...dimensions } = line({});
  return {
    ...dimensions, gross_minor, currency: 'USD', performance_on: '2026-10-03', tax_point_on: '2026-03-01',
    received_on: '2026-03-09', house_commission_ppm: 0n, costs_minor: 0n, performances_held: 0n, units: 0n,
    cumulative_before_minor: 0n, producer_recouped: false, ...own,
  };
}

function agreement(id: number, own: Partial<RoyaltyTerm>, more: Partial<AccrualAgreement> = {}): AccrualAgreement {
  return {
    show_royaltor_id: id, royaltor_id: id + 100, royaltor_name: `Author ${id}`, accrual_basis: 'on_receipt',
    date_basis: 'performance', term_from: null, term_to: null, terms: [term({ id: id * 10, ...own })], ...more,
  };
}

const AUTHORS = [1, 2, 3].map((id) => agreement(id, { rate_ppm: 800_000n }));
const amounts = (gross: bigint, all: readonly AccrualAgreement[], own: Partial<IncomeLine> = {}) => {
  const { lines, house_minor } = accrue(income(gross, own), all);
  return [...lines.map((one) => one.amount_minor), house_minor];
};

describe('sharing a line', () => {
  test('E9 through the agreements, in any order', () => {
    expect(amounts(100_000n, [...AUTHORS].reverse())).toEqual([26_667n, 26_667n, 26_666n, 20_000n]);
  });
  test('the trace holds the term that won, those that lost and the exact share beside the paid one', () => {
    const parts = [27n, 27n, 26n].map((share_points, i) => agreement(i + 1, { rate_ppm: 800_000n, share_points }));
    const losing = term({ id: 99, match_categories: ['Pro'] });
    const withLoser = { ...parts[0]!, terms: [...parts[0]!.terms, losing] };
    const { lines, pots } = accrue(income(133_335n), [withLoser, parts[1]!, parts[2]!]);
    const { trace } = lines[0]!;
    expect(trace.allocation.map((row) => [row.name, row.exact_share, row.paid_minor])).toEqual([
      ['Author 1', '360.0045', 36_001n], ['Author 2', '360.0045', 36_000n], ['Author 3', '346.6710', 34_667n],
      ['House', '266.6700', 26_667n],
    ]);
    expect(trace.lost.map((l) => l.reason)).toEqual(['Category: asks for Pro, the line has Amateur']);
    expect(trace.base_formula).toBe('receipts of 1,333.35');
    expect(pots[0]?.group_key).toBe('receipts:1.10+2.20+3.30+house');
  });
  test('carries go in and out under their keys', () => {
    const first = accrue(income(100_000n), AUTHORS).pots[0]!;
    const second = accrue(income(100_000n), AUTHORS, (group, weights) =>
      group === first.group_key && weights === first.weights_key ? first.carries_after : null);
    expect(second.lines.map((one) => one.amount_minor)).toEqual([26_667n, 26_666n, 26_667n]);
  });
  test('an agreement outside its term or without a matching term has no share and says why', () => {
    const over = agreement(1, {}, { term_to: '2026-09-30' });
    const other = agreement(2, { match_income_types: ['sale'] });
    const result = accrue(income(100_000n), [over, other]);
    expect(result).toMatchObject({ lines: [], house_minor: 100_000n });
    expect(result.unmatched.map((u) => u.reason)).toEqual([
      '2026-10-03 is outside the term of the agreement', 'No term of the agreement matches',
    ]);
  });
  test('the receipt decides the date where the agreement says so', () => {
    const dated = agreement(1, { match_date_to: '2026-03-31' }, { date_basis: 'receipt' });
    expect(accrue(income(100_000n), [dated]).lines[0]?.occurred_on).toBe('2026-03-09');
  });
  test('a refund mirrors term, rate and day of the original', () => {
    const { lines, pots } = accrue(income(100_000n), AUTHORS);
    const pot = pots[0]!;
    const back = allocateRefund(-50_000n, pot.parts, pot.weights, pot.carries_after);
    const mirrors = mirrorAccruals(lines.map((one, i) => ({ ...one, id: i + 1 })), back.parts, '2026-12-01');
    expect(mirrors[2]).toMatchObject({
      matched_term_id: 30, rate_ppm: 800_000n, occurred_on: '2026-10-03', due_on: '2026-12-01',
      reverses_accrual_id: 3, amount_minor: -13_333n,
    });
  });
});

describe('bases', () => {
  test('G18 at source: 1,000.00 received after 15% is 1,176.47', () => {
    expect(atSource(100_000n, 150_000n)).toBe(117_647n);
    const one = agreement(1, { basis: 'at_source', source_commission_ppm: 150_000n, rate_ppm: 500_000n });
    expect(amounts(100_000n, [one])).toEqual([58_824n, 41_176n]);
  });
  test('after house commission and net after costs', () => {
    const after = agreement(1, { basis: 'after_house_commission', rate_ppm: 500_000n });
    expect(amounts(100_000n, [after], { house_commission_ppm: 200_000n })).toEqual([40_000n, 60_000n]);
    const net = agreement(1, { basis: 'net_after_costs', rate_ppm: 500_000n });
    expect(amounts(100_000n, [net], { costs_minor: 30_000n })).toEqual([35_000n, 65_000n]);
    expect(amounts(100_000n, [net], { costs_minor: 130_000n })).toEqual([0n, 100_000n]);
    expect(amounts(-100_000n, [net], { costs_minor: -30_000n })).toEqual([-35_000n, -65_000n]);
  });
  test('amounts per performance and per unit go to their parties whole, by points', () => {
    const per = { basis: 'per_performance_amount', unit_amount_minor: 2_500n } as const;
    const two = [agreement(1, { ...per, share_points: 2n }), agreement(2, per)];
    expect(amounts(100_000n, two, { performances_held: 4n })).toEqual([6_667n, 3_333n, 90_000n]);
    const unit = agreement(1, { basis: 'per_unit', unit_amount_minor: 60_000n });
    expect(accrue(income(100_000n, { units: 2n }), [unit])).toMatchObject({
      house_minor: -20_000n, over_committed: true,
    });
  });
  test('a minimum per performance lifts the share, a credit has none', () => {
    const one = agreement(1, { rate_ppm: 100_000n, min_per_performance_minor: 5_000n });
    const { lines } = accrue(income(100_000n, { performances_held: 3n }), [one]);
    expect(lines[0]).toMatchObject({ amount_minor: 15_000n, top_up_minor: 5_000n });
    expect(amounts(-100_000n, [one], { performances_held: 3n })).toEqual([-10_000n, -90_000n]);
  });
  test('E8 tiers over a run equal the closed form', () => {
    const tiers = [
      { from_minor: 2_000_000n, rate_ppm: 100_000n, after_recoupment: false },
      { from_minor: 5_000_000n, rate_ppm: 120_000n, after_recoupment: false },
    ];
    const rising = term({ id: 1, rate_ppm: 80_000n, tiers });
    const ends = [1_875_050n, 4_200_000n, 6_155_075n];
    const weeks = ends.map((end, i) => tieredShare(rising, ends[i - 1] ?? 0n, end - (ends[i - 1] ?? 0n), false));
    expect(weeks).toEqual([150_004n, 229_996n, 218_609n]);
    const pair = [agreement(1, { rate_ppm: 80_000n, tiers }), agreement(2, { rate_ppm: 80_000n, tiers })];
    expect(amounts(1_875_050n, pair)).toEqual([75_002n, 75_002n, 1_725_046n]);
  });
  test('G14 4.5% before recoupment, 6% after', () => {
    const tiers = [{ from_minor: 0n, rate_ppm: 60_000n, after_recoupment: true }];
    const one = term({ id: 1, rate_ppm: 45_000n, tiers });
    expect([tieredShare(one, 0n, 50_000_000n, false), tieredShare(one, 0n, 50_000_000n, true)])
      .toEqual([2_250_000n, 3_000_000n]);
  });
});

describe('pools', () => {
  const week = (gross_minor: bigint) => poolWeek({
    gross_minor, running_costs_minor: 35_000_000n, pool_ppm: 350_000n, min_per_point_minor: 20_000n,
    points_x100: [600n, 100n, 200n, 50n, 150n, 100n, 300n],
  });
  test('E11', () => {
    const result = week(40_000_000n);
    expect(result.pool_minor).toBe(1_750_000n);
    expect(result.parts).toEqual([700_000n, 116_667n, 233_333n, 58_333n, 175_000n, 116_667n, 350_000n]);
  });
  test('E11b and E11c low weeks, and a week at a loss', () => {
    expect(week(36_000_000n)).toMatchObject({ paid_minor: 350_000n, minimum_minor: 300_000n, minimum_won: false });
    expect(week(35_800_000n)).toMatchObject({
      paid_minor: 300_000n, minimum_won: true,
      parts: [120_000n, 20_000n, 40_000n, 10_000n, 30_000n, 20_000n, 60_000n],
    });
    expect(week(30_000_000n)).toMatchObject({ pool_minor: 0n, operating_profit_minor: -5_000_000n });
  });
});

describe('pools in agreements', () => {
  const pool = (id: number, points: bigint, own: Partial<RoyaltyTerm> = {}) => agreement(id, { basis: 'pool_points',
    rate_ppm: 350_000n, pool_of: 'operating_profit', pool_min_per_point_minor: 20_000n, pool_points_x100: points,
    pool_total_points_x100: 1_500n, ...own });
  const week = (gross_minor: bigint, running_costs_minor: bigint | null = 35_000_000n) =>
    ({ pool_weeks: { before: null, now: { gross_minor, running_costs_minor } } });
  const parties = [pool(1, 600n), pool(2, 100n)];

  test('E11 two of seven parties are paid by us: 6 and 1 of 15 points, the others keep theirs', () => {
    expect(amounts(816_667n, parties, week(40_000_000n))).toEqual([700_000n, 116_667n, 0n]);
    const [author] = accrue(income(816_667n, week(40_000_000n)), parties).lines;
    expect(author).toMatchObject({ base_minor: 5_000_000n, weight: 600n, weight_total: 1_500n });
    expect(author!.trace.base_formula)
      .toBe('the operating profit: gross of 400,000.00 less running costs of 350,000.00');
    expect(author!.trace.share_formula)
      .toBe('35% is 17,500.00, not less than the guarantee of 3,000.00 (200.00 per point); 6 of 15 points');
  });
  test('E11b and E11c the guarantee is compared as a total', () => {
    expect(amounts(200_000n, parties, week(36_000_000n))).toEqual([140_000n, 23_333n, 36_667n]);
    expect(amounts(200_000n, parties, week(35_800_000n))).toEqual([120_000n, 20_000n, 60_000n]);
    expect(accrue(income(200_000n, week(35_800_000n)), parties).lines[0]!.trace.share_formula)
      .toBe('35% is 2,800.00; the guarantee of 3,000.00 (200.00 per point) is more; 6 of 15 points');
  });
  test('running costs that nobody reported leave the guarantee; a pool of the gross needs none', () => {
    expect(amounts(200_000n, parties, week(40_000_000n, null))).toEqual([120_000n, 20_000n, 60_000n]);
    const gross = [pool(1, 600n, { pool_of: 'gross', rate_ppm: 100_000n })];
    expect(amounts(2_000_000n, gross, week(40_000_000n, null))).toEqual([1_600_000n, 400_000n]);
  });
  test('F34 the percentage after recoupment', () => {
    const rising = [pool(1, 600n, { tiers: [{ from_minor: 0n, rate_ppm: 400_000n, after_recoupment: true }] })];
    expect(amounts(900_000n, rising, { ...week(40_000_000n), producer_recouped: false })[0]).toBe(700_000n);
    expect(amounts(900_000n, rising, { ...week(40_000_000n), producer_recouped: true })[0]).toBe(800_000n);
  });
  test('a later return of the week brings only what the week is worth more', () => {
    const before = { gross_minor: 36_000_000n, running_costs_minor: 35_000_000n };
    const now = { gross_minor: 40_000_000n, running_costs_minor: 35_000_000n };
    expect(amounts(800_000n, parties, { pool_weeks: { before, now } })).toEqual([560_000n, 93_334n, 146_666n]);
    expect(amounts(800_000n, parties, { pool_weeks: { before: now, now } })).toEqual([0n, 0n, 800_000n]);
  });
  test('a line that bills no week falls to the next term', () => {
    const both = { ...parties[0]!, terms: [...parties[0]!.terms, term({ id: 11, rate_ppm: 900_000n })] };
    expect(amounts(100_000n, [both])).toEqual([90_000n, 10_000n]);
    const { unmatched } = accrue(income(100_000n), [parties[0]!]);
    expect(unmatched[0]!.losers[0]!.reason).toBe('Box office: asks for the return of a week, the line has none');
  });
});

test('E7 the weeks recoup the advance of 2,000.00', () => {
  let left = 200_000n;
  const recouped = [50_000n, 116_090n, 160_053n].map((available_minor) => {
    const figures = [{ show_royaltor_id: 1, available_minor, not_recoupable_minor: 0n }];
    const advance = { id: 1, show_royaltor_id: 1, paid_on: '2026-01-01', unrecouped_minor: left };
    const taken = sum(recoup(figures, [advance]).map((r) => r.amount_minor));
    left -= taken;
    return taken;
  });
  expect(recouped).toEqual([50_000n, 116_090n, 33_910n]);
});

// cspell:ignore goldens
const tradeExamples = resolve(process.env['SHARED_DATA'] ?? '../shared/data', 'golden/royalty-goldens.json');
if (!existsSync(tradeExamples)) console.warn(`SKIPPED: no examples at ${tradeExamples}; set SHARED_DATA to run them.`);

describe.skipIf(!existsSync(tradeExamples))('printed examples of the trade', () => {
  interface Golden { id: string; expect_quoted: Record<string, Record<string, number>>; expect_computed:
    Record<string, Record<string, number>> }
  const all: Golden[] = existsSync(tradeExamples) ? JSON.parse(readFileSync(tradeExamples, 'utf8')) : [];
  const golden = (id: string) => all.find((one) => one.id === id)!;
  const minor = (value: unknown) => BigInt(Math.round(Number(value) * 100));

  test('G10 70% of royalties, 10% of scripts, 15% of sheet music', () => {
    const quoted = golden('G10').expect_quoted;
    const royalty = quoted['$50 x 3 performances']!;
    const author = agreement(1, { rate_ppm: 700_000n, match_income_types: ['royalty'] });
    expect(amounts(minor(royalty['gross']), [author])).toEqual([minor(royalty['author']), minor(royalty['house'])]);
    const sale = (rate_ppm: bigint) => [agreement(1, { rate_ppm, match_income_types: ['sale'] })];
    expect(amounts(500n, sale(100_000n), { income_type: 'sale' })[0]).toBe(minor(quoted['script $5']));
    expect(amounts(4_000n, sale(150_000n), { income_type: 'sale' })[0])
      .toBe(minor(quoted['20 x $2 sheet music = $40']));
  });
  test('G11 35% of the operating profit, guaranteed 1,000 per point and week', () => {
    const { profit, pool: whole } = golden('G11').expect_quoted['receipts 3,000,000 costs 2,000,000']!;
    const party = agreement(1, { basis: 'pool_points', rate_ppm: 350_000n, pool_of: 'operating_profit',
      pool_min_per_point_minor: 100_000n, pool_points_x100: 600n, pool_total_points_x100: 1_200n });
    const good = { now: { gross_minor: 300_000_000n, running_costs_minor: 200_000_000n }, before: null };
    const [line] = accrue(income(minor(whole), { pool_weeks: good }), [party]).lines;
    expect([line!.base_minor, line!.amount_minor]).toEqual([minor(profit), minor(whole) / 2n]);
    const poor = { now: { gross_minor: 202_000_000n, running_costs_minor: 200_000_000n }, before: null };
    // 24,000 in four weeks.
    expect(amounts(600_000n, [party], { pool_weeks: poor })[0]).toBe(2_400_000n / 4n);
  });
  test('G13 Hamilton: 6% in three equal parts', () => {
    const expected = golden('G13').expect_computed['Hamilton w/e 2016-08-14 gross 2045095']!;
    const three = [1, 2, 3].map((id) => agreement(id, { rate_ppm: 60_000n }));
    const [a, b, c] = amounts(204_509_500n, three);
    expect([a, b, c]).toEqual([1, 2, 3].map(() => minor(expected['each'])));
    expect(applyPpm(204_509_500n, 60_000n)).toBe(minor(expected['total']));
  });
});

describe('properties', () => {
  test('I1 lines and house sum to the gross, whatever the bases and the amount', () => {
    const bases = fc.constantFrom('receipts' as const, 'after_house_commission' as const, 'net_after_costs' as const,
      'per_unit' as const, 'at_source' as const);
    const terms = fc.array(fc.tuple(bases, fc.bigInt(0n, 160_000n), fc.bigInt(1n, 9n)), { maxLength: 6 });
    fc.assert(fc.property(terms, fc.bigInt(-900_000n, 900_000n), (rows, gross) => {
      const all = rows.map(([basis, rate_ppm, share_points], i) => agreement(i + 1, {
        basis, rate_ppm, share_points, unit_amount_minor: 7n, source_commission_ppm: 100_000n,
      }));
      const own = { house_commission_ppm: 100_000n, costs_minor: gross / 3n, units: 3n };
      expect(sum(amounts(gross, all, own))).toBe(gross);
      expect(amounts(gross, [...all].reverse(), own)).toEqual(amounts(gross, all, own));
    }));
  });
});
