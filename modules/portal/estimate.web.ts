/** Price question of an estimate; pure. */
import { decimalPrice } from '#kernel/money/money.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { today } from '#web/data/local-day.ts';
import type { PriceQuestion } from './use-live.web.ts';

/** `price` in minor units, of an average ticket. */
export interface Guess { seats: number; price: number; performances: number }

/** `count` nights in a row. An estimate needs no dates: without a first night they lie a season ahead. */
export function nightsFrom(first: string | null, count: number): string[] {
  return Array.from({ length: count }, (_, at) => addDays(first ?? addDays(today(), 180), at));
}

export function estimateOf(
  showId: number, house: { name: string }, venueId: number | null, nights: readonly string[], guess: Guess,
): PriceQuestion {
  return {
    show_id: showId, with_package: true, extra_periods: 0,
    license_venues: [{
      ...(venueId ? { venue_id: venueId } : { name: house.name }), capacity: guess.seats,
      ticketing: [{ number_of_seats: guess.seats, price: decimalPrice(guess.price), weight: 1 }],
      performances: nights.map((day) => ({ local_date: day, local_time: '19:30' })),
    }],
  };
}
