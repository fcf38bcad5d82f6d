/** The houses and cards of the worked examples, for the tests of this folder. */
import { addDays } from '../calendar/calendar.ts';
import type { PriceInput, PricePerformance, PriceVenue } from './price-types.ts';
import type { TicketingRow } from './potentials.ts';
import { untaxed } from './price.ts';
import { NO_RATE_TERMS, type RateTerms } from './rate-card.ts';

export function row(number_of_seats: number, price_minor: bigint, weight = 0): TicketingRow {
  return { number_of_seats, price_minor, weight_e4: BigInt(Math.round(weight * 10_000)) };
}

/** Example E2: 150 @ 25.00, 200 @ 18.00, 50 @ 10.00. */
export const E2_ROWS = [row(150, 2_500n, 50), row(200, 1_800n, 30), row(50, 1_000n, 20)];

export function performances(count: number, firstId = 1, from = '2026-10-05'): PricePerformance[] {
  return Array.from({ length: count }, (_, k) => {
    const local_date = addDays(from, k);
    return { id: firstId + k, starts_at: `${local_date}T19:30:00Z`, local_date, is_free: false, status: 'planned' };
  });
}

export function venue(ticketing: readonly TicketingRow[], count: number, more: Partial<PriceVenue> = {}): PriceVenue {
  const id = more.id ?? 1;
  return {
    id, name: 'Town Hall', ticketing, expected_attendance: null, performances: performances(count, id * 100), ...more,
  };
}

export function terms(more: Partial<RateTerms>): RateTerms {
  return { ...NO_RATE_TERMS, ...more };
}

export function input(
  rate: Partial<RateTerms>, venues: readonly PriceVenue[], more: Partial<PriceInput> = {},
): PriceInput {
  return { currency: 'USD', terms: terms(rate), rule_id: 'rate_card:1', venues, tax: untaxed, ...more };
}
