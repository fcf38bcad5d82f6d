/** May the house answer an application with an offer at once? Every rule must hold (domain.md 2.11). */
import { diffDays, type IsoDate } from '../calendar/calendar.ts';
import { formatMinor } from '../money/money.ts';
import type { Category, FeeMethod } from './rate-card.ts';

export interface AutoOfferInput {
  readonly today: IsoDate;
  readonly customer_active: boolean;
  readonly customer_in_arrears: boolean;
  readonly category: Category;
  readonly availability: 'clear' | 'needs_clearance' | 'blocked';
  /** null: no rate card was found. */
  readonly rate_card: { readonly status: 'draft' | 'approved'; readonly fee_method: FeeMethod } | null;
  readonly performances: number;
  /** The largest house of the application. */
  readonly capacity: number;
  readonly total_minor: bigint;
  /** Limit of the division; null switches offers at once off. */
  readonly total_limit_minor: bigint | null;
  readonly first_performance_on: IsoDate;
  readonly needs_streaming_or_video: boolean;
}

export interface AutoOfferRule {
  readonly rule: string;
  readonly holds: boolean;
  /** Why it goes to review, in plain words; empty when the rule holds. */
  readonly reason: string;
}

export interface AutoOffer {
  readonly offers_at_once: boolean;
  readonly rules: readonly AutoOfferRule[];
}

export const AUTO_OFFER_LIMITS = { performances: 30, capacity: 3_000, days_ahead: 42 } as const;

export function autoOffer(input: AutoOfferInput): AutoOffer {
  const { performances, capacity, days_ahead: days } = AUTO_OFFER_LIMITS;
  const limit = input.total_limit_minor;
  const card = input.rate_card;
  const rules = [
    rule('customer_active', input.customer_active, 'The customer is not active.'),
    rule('no_arrears', !input.customer_in_arrears, 'An invoice of the customer is overdue.'),
    rule('amateur', input.category === 'Amateur', 'Professional productions are quoted by a person.'),
    rule('availability_clear', input.availability === 'clear', 'The rights have to be checked.'),
    rule('rate_card_approved', card?.status === 'approved', 'There is no approved rate card for it.'),
    rule('not_negotiated', card?.fee_method !== 'negotiated', 'The fee is negotiated.'),
    rule('performances', input.performances <= performances, `More than ${performances} performances.`),
    rule('capacity', input.capacity <= capacity, `More than ${capacity} seats.`),
    rule('total_limit', limit !== null && input.total_minor <= limit,
      limit === null ? 'Offers at once are switched off.' : `The total is above ${formatMinor(limit)}.`),
    rule('days_ahead', diffDays(input.today, input.first_performance_on) >= days,
      `The first performance is less than ${days} days away.`),
    rule('no_extra_rights', !input.needs_streaming_or_video, 'Streaming or video rights have to be cleared.'),
  ];
  return { offers_at_once: rules.every((item) => item.holds), rules };
}

function rule(name: string, holds: boolean, reason: string): AutoOfferRule {
  return { rule: name, holds, reason: holds ? '' : reason };
}
