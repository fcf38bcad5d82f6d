import { describe, expect, it } from 'vitest';
import { termInput } from './agreement.contract.ts';
import { termInWords } from './term-words.ts';

const say = (term: object) => termInWords(termInput.parse({ rate_ppm: 800_000, ...term }));

describe('a term in words', () => {
  it.each([
    [{}, '80% of receipts, on everything'],
    [{ match_income_types: ['royalty', 'late_fee'], match_categories: ['Amateur'], match_divisions: ['US'] },
      '80% of receipts, from royalty or late fee, for Amateur, in the US division'],
    [{ basis: 'per_unit', unit_amount_minor: 150 }, '1.50 per unit, on everything'],
    [{ basis: 'at_source', source_commission_ppm: 150_000 },
      '80% of receipts at source before a sub-agent\'s 15%, on everything'],
    [{ tiers: [{ from_minor: 10_000_000, rate_ppm: 850_000, after_recoupment: true }] },
      '80% of receipts, 85% from 100,000.00 on once recouped, on everything'],
    [{ match_date_from: '2027-01-01', share_points: 2, reserve_ppm: 200_000, recoupable: false },
      '80% of receipts, from January 1, 2027 on, 2 points, 20% held in reserve, not set against the advance'],
    [{ match_countries: ['FR', 'BE'], min_per_performance_minor: 5_000 },
      '80% of receipts, in FR or BE, at least 50.00 per performance'],
    [{ rate_ppm: 350_000, basis: 'pool_points', pool_of: 'operating_profit', pool_min_per_point_minor: 20_000,
      pool_points_x100: 650, pool_total_points_x100: 1_500, match_income_types: ['royalty'],
      tiers: [{ from_minor: 0, rate_ppm: 400_000, after_recoupment: true }] },
    '35% of the week\'s operating profit to a pool, 6.5 of 15 points, at least 200.00 per point, 40% once recouped, '
      + 'from royalty'],
  ])('%j', (term, text) => expect(say(term)).toBe(text));
});
