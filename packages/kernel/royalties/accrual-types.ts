/** Inputs and results of sharing one line of income (domain.md 3.2 to 3.4). */
import type { IsoDate } from '../calendar/calendar.ts';
import type { Currency } from '../money/money.ts';
import type { BaseInput } from './base.ts';
import type { AccrualBasis } from './entitlement.ts';
import type { IncomeType, LineDimensions, LosingTerm, RoyaltyBasis, RoyaltyTerm, TermFact } from './terms.ts';

export interface AccrualAgreement {
  readonly show_royaltor_id: number;
  readonly royaltor_id: number;
  readonly royaltor_name: string;
  readonly accrual_basis: AccrualBasis;
  readonly date_basis: 'performance' | 'receipt';
  /** Both inclusive; null is open. Outside of them the agreement has no share. */
  readonly term_from: IsoDate | null;
  readonly term_to: IsoDate | null;
  readonly share_group?: string;
  readonly terms: readonly RoyaltyTerm[];
}

export interface IncomeLine extends Omit<LineDimensions, 'date' | 'weekly_return'>, BaseInput {
  readonly currency: Currency;
  readonly performance_on: IsoDate | null;
  readonly tax_point_on: IsoDate;
  readonly received_on: IsoDate | null;
  /** The base of the same licence before this line, for terms with tiers. */
  readonly cumulative_before_minor: bigint;
  readonly producer_recouped: boolean;
}

/** One row of the allocation in the drawer: the exact share beside the paid one. */
export interface AllocationRow {
  readonly show_royaltor_id: number | null;
  readonly name: string;
  readonly weight: bigint;
  readonly weight_total: bigint;
  /** '360.0045': four decimals of the major unit. */
  readonly exact_share: string;
  readonly paid_minor: bigint;
}

/** "How this was calculated" of one accrual (LOOK.md 8). */
export interface AccrualTrace {
  readonly amount_minor: bigint;
  readonly base_formula: string;
  readonly share_formula: string;
  readonly matched: TermFact;
  readonly lost: readonly LosingTerm[];
  readonly allocation: readonly AllocationRow[];
}

export interface AccrualLine {
  readonly show_royaltor_id: number;
  readonly royaltor_id: number;
  readonly matched_term_id: number;
  readonly income_type: IncomeType;
  readonly basis: RoyaltyBasis;
  readonly base_minor: bigint;
  readonly rate_ppm: bigint;
  readonly share_points: bigint;
  readonly weight: bigint;
  readonly weight_total: bigint;
  readonly exact_share: string;
  /** The share with the top-up to the minimum per performance. */
  readonly amount_minor: bigint;
  readonly top_up_minor: bigint;
  readonly currency: Currency;
  readonly occurred_on: IsoDate;
  readonly accrual_basis: AccrualBasis;
  readonly trace: AccrualTrace;
}

/** One sharing of one base: its carries are stored under the two keys, in the order of `weights` (house last). */
export interface AccrualPot {
  readonly basis: RoyaltyBasis;
  readonly group_key: string;
  readonly weights_key: string;
  /** Amount shared: the base, or the amount that the tiers give. */
  readonly amount_minor: bigint;
  readonly weights: readonly bigint[];
  readonly parts: readonly bigint[];
  readonly carries_before: readonly bigint[];
  readonly carries_after: readonly bigint[];
  readonly without_carry: boolean;
}

export interface Accrual {
  readonly lines: readonly AccrualLine[];
  /** Amount that goes to no royaltor; lines and house sum to the gross of the line. */
  readonly house_minor: bigint;
  /** True when amounts per unit, minimums or a gross-up take more than the line brought. */
  readonly over_committed: boolean;
  readonly pots: readonly AccrualPot[];
  readonly unmatched: readonly { readonly show_royaltor_id: number; readonly reason: string;
    readonly losers: readonly LosingTerm[] }[];
}
