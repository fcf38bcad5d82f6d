import { describe, expect, it } from 'vitest';
import { NO_RATE_TERMS, type RateTerms } from './rate-card.ts';
import { rateCardInWords } from './rate-card-words.ts';

const say = (terms: Partial<RateTerms>): string => rateCardInWords({ ...NO_RATE_TERMS, ...terms }).join(' ');

describe('a rate card in words', () => {
  it('names basis, minimum and step of a percentage', () => {
    expect(say({ rate_ppm: 125_000n, min_per_performance_minor: 9_500n, round_up_to_minor: 500n }))
      .toBe('12.5% of the weighted gross, at least 95.00 per performance, rounded up to 5.00.');
  });
  it('names every minimum and where the step applies', () => {
    expect(say({ rate_ppm: 100_000n, gross_basis: 'expected', min_per_performance_minor: 5_000n,
      min_per_week_minor: 50_000n, min_per_run_minor: 90_000n, round_up_to_minor: 1_000n, round_up_scope: 'run' }))
      .toBe('10% of the expected gross, at least 50.00 per performance and 500.00 per week and 900.00 for the run, '
        + 'rounded up to 10.00 on the whole run.');
  });
  it('walks through tiers and bands in their order', () => {
    expect(say({ fee_method: 'flat', performance_tiers: [{ from_n: 4, amount_minor: 7_500n },
      { from_n: 1, amount_minor: 9_000n }] }))
      .toBe('90.00 for performances 1 to 3, 75.00 from performance 4 on.');
    expect(say({ fee_method: 'seat_band', seat_bands: [{ from_seats: 301, to_seats: null, amount_minor: 10_000n },
      { from_seats: 0, to_seats: 300, amount_minor: 4_000n }] }))
      .toBe('40.00 with 0 to 300 seats, 100.00 with 301 seats or more per performance.');
  });
  it('a flat run knows the minimum of the run only, a negotiated fee none', () => {
    expect(say({ fee_method: 'flat_run', flat_run_minor: 250_000n, min_per_performance_minor: 1n,
      min_per_run_minor: 200_000n })).toBe('2,500.00 for the whole run, at least 2,000.00 for the run.');
    expect(say({ fee_method: 'negotiated', min_per_run_minor: 1n, round_up_to_minor: 500n }))
      .toBe('Negotiated for each license.');
  });
  it('says what else is on', () => {
    expect(say({ fee_method: 'percent_actual', rate_ppm: 110_000n, advance_minor: 200_000n, min_performances: 3,
      gross_tiers: [{ from_gross_minor: 20_000_000n, rate_ppm: 120_000n, mode: 'marginal',
        after_recoupment_on: '2026-01-01' }],
      box_office_deductions: [{ type: 'card_commission', cap_ppm: 30_000n }],
      free_admission_rule: { kind: 'percent_of_min', ppm: 500_000n } }))
      .toBe('11% of the actual box office. The rate rises to 12% from a gross of 200,000.00 on once recouped. '
        + 'An advance of 2,000.00 is paid first and counts towards the royalty. '
        + 'Fewer than 3 performances are charged as 3. Returns may deduct card commission up to 3% of the gross. '
        + 'Performances with free admission pay 50% of the minimum.');
  });
});
