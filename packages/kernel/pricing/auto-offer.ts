/** May an application be answered with an automatic offer? Every rule must hold (domain.md 2.11). */
import { diffDays, type IsoDate } from '../calendar/calendar.ts';
import { formatMinor } from '../money/money.ts';
import type { Category, FeeMethod } from './rate-card.ts';

export interface AutoOfferLimits {
  /** null: a person looks at every total. */
  readonly total_minor: bigint | null;
  readonly performances: number;
  readonly capacity: number;
  readonly days_ahead: number;
}

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
  /** Of the division. */
  readonly limits: AutoOfferLimits;
  readonly first_performance_on: IsoDate;
  readonly needs_streaming_or_video: boolean;
}

export interface AutoOfferRule {
  readonly rule: string;
  readonly holds: boolean;
  /** Why it goes to review, in plain words for staff; empty when the rule holds. */
  readonly reason: string;
  /** The same for the customer: what happens now or what it can do, no limit or standing of its own; empty as above. */
  readonly for_customer: string;
}

export interface AutoOffer {
  readonly offers_at_once: boolean;
  readonly rules: readonly AutoOfferRule[];
}

export function autoOffer(input: AutoOfferInput): AutoOffer {
  const { total_minor: limit, performances, capacity, days_ahead: days } = input.limits;
  const card = input.rate_card;
  const rules = [
    rule('customer_active', input.customer_active, 'The customer is not active.',
      'We have to confirm your account first.'),
    rule('no_arrears', !input.customer_in_arrears, 'An invoice of the customer is overdue.',
      'An invoice of yours is overdue: pay it first, or write to us if something is wrong with it.'),
    rule('amateur', input.category === 'Amateur', 'Professional productions are quoted by a person.',
      'We quote professional productions ourselves.'),
    rule('availability_clear', input.availability === 'clear', 'The rights have to be checked.',
      'We have to check the rights for these dates and places.'),
    rule('rate_card_approved', card?.status === 'approved', 'There is no approved rate card for it.',
      'We have to work out the price ourselves.'),
    rule('not_negotiated', card?.fee_method !== 'negotiated', 'The fee is negotiated.',
      'Your fee was agreed with you in person, and so we talk about changes of it.'),
    rule('performances', input.performances <= performances, `More than ${performances} performances.`,
      'We look at long runs ourselves.'),
    rule('capacity', input.capacity <= capacity, `More than ${capacity} seats.`,
      'We look at large houses ourselves.'),
    rule('total_limit', limit !== null && input.total_minor <= limit,
      limit === null ? 'The division has no limit for automatic offers.' : `The total is above ${formatMinor(limit)}.`,
      'We confirm the price ourselves.'),
    rule('days_ahead', diffDays(input.today, input.first_performance_on) >= days,
      `The first performance is less than ${days} days away.`,
      'Your first performance is close, so we check that everything still reaches you in time.'),
    rule('no_extra_rights', !input.needs_streaming_or_video, 'Streaming or video rights have to be cleared.',
      'For streaming and video we ask the rights holders first.'),
  ];
  return { offers_at_once: rules.every((item) => item.holds), rules };
}

function rule(name: string, holds: boolean, reason: string, forCustomer: string): AutoOfferRule {
  return { rule: name, holds, reason: holds ? '' : reason, for_customer: holds ? '' : forCustomer };
}
