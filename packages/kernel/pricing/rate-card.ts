/** The rate card: what a performance costs, and which card applies (domain.md 2.2). */
import type { IsoDate } from '../calendar/calendar.ts';
import type { Division } from '../money/division.ts';
import type { Currency } from '../money/money.ts';
import type { GrossBasis } from './potentials.ts';

export type Category = 'Amateur' | 'Pro';
export type SimpleFeeMethod = 'flat' | 'seat_band' | 'percent_potential' | 'percent_actual';
export type FeeMethod = SimpleFeeMethod | 'greater_of' | 'flat_run' | 'negotiated';
export type GuaranteeScope = 'performance' | 'run' | 'week';
export type ExecutionPolicy = 'paid_in_full' | 'deposit_paid' | 'advance_paid' | 'purchase_order' | 'signature_only';

export interface PerformanceTier {
  readonly from_n: number;
  readonly amount_minor: bigint;
}

/** Both ends inclusive; `to_seats` null has no upper end. */
export interface SeatBand {
  readonly from_seats: number;
  readonly to_seats: number | null;
  readonly amount_minor: bigint;
}

/** Reached when the cumulative gross is at or above `from_gross_minor` (domain.md 2.5). */
export interface GrossTier {
  readonly from_gross_minor: bigint;
  readonly rate_ppm: bigint;
  readonly mode: 'marginal' | 'retroactive';
  /** Counts only from the week that ends on or after this day: the producer's declared recoupment. */
  readonly after_recoupment_on?: IsoDate | null;
}

export const DEDUCTION_TYPES = [
  'admission_tax', 'theatre_party_commission', 'union_pension_welfare', 'group_sales_commission', 'card_commission',
  'remote_ticketing_commission', 'restoration_charge', 'subscription_discount',
] as const;
export type DeductionType = (typeof DEDUCTION_TYPES)[number];

/** A deduction that the deal allows; the cap is a part of the reported gross, ticket tax included; null is none. */
export interface AllowedDeduction {
  readonly type: DeductionType;
  readonly cap_ppm: bigint | null;
}

export type FreeAdmissionRule =
  | { readonly kind: 'min' }
  | { readonly kind: 'percent_of_min'; readonly ppm: bigint }
  | { readonly kind: 'flat'; readonly amount_minor: bigint };

/** Inputs to the fee of a performance and of a run; both a rate card and a negotiated deal carry them. */
export interface RateTerms {
  readonly fee_method: FeeMethod;
  /** The two methods that `greater_of` compares. */
  readonly greater_of: readonly [SimpleFeeMethod, SimpleFeeMethod] | null;
  readonly rate_ppm: bigint;
  readonly gross_basis: GrossBasis;
  readonly min_per_performance_minor: bigint;
  readonly min_per_run_minor: bigint;
  readonly min_per_week_minor: bigint;
  /** n performances make a full week and fewer pro-rate the weekly minimum; null never does. */
  readonly full_week_performances: number | null;
  /** Whether a reported week without a performance owes the weekly minimum. */
  readonly empty_week_owes_minimum: boolean;
  /** Fewer performances are charged as this many; 0 is off. */
  readonly min_performances: number;
  readonly guarantee_scope: GuaranteeScope;
  /** 0 is off. */
  readonly round_up_to_minor: bigint;
  readonly round_up_scope: 'performance' | 'run';
  readonly performance_tiers: readonly PerformanceTier[];
  readonly seat_bands: readonly SeatBand[];
  readonly gross_tiers: readonly GrossTier[];
  /** The one amount of `flat_run`. */
  readonly flat_run_minor: bigint;
  readonly advance_minor: bigint;
  readonly box_office_deductions: readonly AllowedDeduction[];
  readonly free_admission_rule: FreeAdmissionRule | null;
}

export interface RateCard extends RateTerms {
  readonly id: number;
  /** null in show_id, division or classification_id stands for any. */
  readonly show_id: number | null;
  readonly category: Category;
  readonly division: Division | null;
  readonly classification_id: number | null;
  readonly currency: Currency;
  readonly effective_from: IsoDate | null;
  /** Inclusive. */
  readonly effective_to: IsoDate | null;
  readonly status: 'draft' | 'approved';
  readonly deposit_minor: bigint;
  readonly deposit_kind: 'security' | 'on_account';
  readonly execution_policy: ExecutionPolicy;
}

export interface RateQuery {
  readonly show_id: number;
  readonly category: Category;
  readonly division: Division;
  readonly classification_id: number | null;
  readonly currency: Currency;
  readonly first_performance_on: IsoDate;
}

/** Everything off; a card or a deal names what it sets. */
export const NO_RATE_TERMS: RateTerms = {
  fee_method: 'percent_potential',
  greater_of: null,
  rate_ppm: 0n,
  gross_basis: 'weighted',
  min_per_performance_minor: 0n,
  min_per_run_minor: 0n,
  min_per_week_minor: 0n,
  full_week_performances: null,
  empty_week_owes_minimum: false,
  min_performances: 0,
  guarantee_scope: 'run',
  round_up_to_minor: 0n,
  round_up_scope: 'performance',
  performance_tiers: [],
  seat_bands: [],
  gross_tiers: [],
  flat_run_minor: 0n,
  advance_minor: 0n,
  box_office_deductions: [],
  free_admission_rule: null,
};

/**
 * The approved card in force on the first performance; the most specific wins: a show before a classification
 * before a division, then the later start, then the lower id. null means no card: quote by hand.
 */
export function resolveRateCard<Card extends RateCard>(cards: readonly Card[], query: RateQuery): Card | null {
  const matching = cards.filter((card) => matches(card, query));
  return matching.reduce<Card | null>((best, card) => (best === null || beats(card, best) ? card : best), null);
}

function matches(card: RateCard, query: RateQuery): boolean {
  return card.status === 'approved'
    && card.category === query.category
    && card.currency === query.currency
    && (card.show_id === null || card.show_id === query.show_id)
    && (card.division === null || card.division === query.division)
    && (card.classification_id === null || card.classification_id === query.classification_id)
    && (card.effective_from === null || card.effective_from <= query.first_performance_on)
    && (card.effective_to === null || query.first_performance_on <= card.effective_to);
}

function specificity(card: RateCard): number {
  return (card.show_id === null ? 0 : 4) + (card.classification_id === null ? 0 : 2) + (card.division === null ? 0 : 1);
}

function beats(card: RateCard, best: RateCard): boolean {
  const more = specificity(card) - specificity(best);
  if (more !== 0) return more > 0;
  const [from, bestFrom] = [card.effective_from ?? '', best.effective_from ?? ''];
  return from === bestFrom ? card.id < best.id : from > bestFrom;
}
