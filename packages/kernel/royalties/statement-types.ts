/** Inputs and results of a royalty statement (domain.md 3.5). Amounts are bigint minor units. */
import type { IsoDate } from '../calendar/calendar.ts';
import type { Advance, Recoupment } from './recoupment.ts';
import type { HeldReserve, ReserveRelease } from './reserves.ts';

export interface StatementEarning {
  readonly id: number;
  readonly amount_minor: bigint;
  readonly reserve_ppm: bigint;
  readonly recoupable: boolean;
}

export interface StatementAdjustment {
  readonly id: number;
  readonly amount_minor: bigint;
  /** The other side of 2200: a cost of its own, or cost that was accrued before. */
  readonly against: '5000' | '2210';
}

/** An annual or periodic minimum, given in the period in which its window ends. */
export interface StatementMinimum {
  readonly minimum_minor: bigint;
  /** Earnings of the window before this period, and top-ups already given in it. */
  readonly earned_before_minor: bigint;
  readonly topped_up_before_minor: bigint;
}

export interface StatementAgreement {
  readonly show_royaltor_id: number;
  readonly opening_balance_minor: bigint;
  readonly earnings: readonly StatementEarning[];
  readonly reserves: readonly HeldReserve[];
  readonly reserve_schedule_ppm: readonly bigint[];
  readonly adjustments: readonly StatementAdjustment[];
  readonly minimum: StatementMinimum | null;
}

export interface PaymentCondition {
  readonly requires_show_royaltor_id: number;
  readonly met: boolean;
  readonly explanation: string;
}

export interface MinPayout {
  /** The agreement's own threshold; null leaves the royaltor's. */
  readonly agreement_minor: bigint | null;
  readonly royaltor_minor: bigint;
  /** The royaltor's lower threshold of some months (1-12), by the month of the period's end. */
  readonly tier2_minor: bigint | null;
  readonly tier2_months: readonly number[];
}

export type StatementVat =
  | { readonly kind: 'none' }
  | { readonly kind: 'self_billed' | 'reverse_charge'; readonly rate_ppm: bigint };

export interface StatementInput {
  readonly period_end: IsoDate;
  /** One agreement, or those of one cross-collateral group, division and currency. */
  readonly agreements: readonly StatementAgreement[];
  /** Carried opening and paid in the period, of these agreements. */
  readonly advances: readonly Advance[];
  readonly conditions: readonly PaymentCondition[];
  readonly min_payout: MinPayout;
  readonly vat: StatementVat;
  /** Expected at issue; the payment resolves it again on its own day. */
  readonly wht_ppm: bigint;
  readonly agent: { readonly ppm: bigint; readonly pays: 'split_payment' | 'all_to_agent' } | null;
}

export interface StatementStep {
  readonly step: '1' | '2' | '3' | '3b' | '4' | '5' | '6' | '7' | '8' | '9' | '9b' | '10' | '11' | '12' | '13'
    | '13b' | '13c';
  readonly label: string;
  /** With its sign on the statement: what is taken is negative. */
  readonly amount_minor: bigint;
  readonly formula: string;
}

export type StatementParty = 'royaltor' | 'agent' | 'tax_authority' | null;

export interface Statement {
  readonly steps: readonly StatementStep[];
  readonly opening_minor: bigint;
  readonly earnings_minor: bigint;
  readonly reserves_taken: readonly { readonly show_royaltor_id: number; readonly amount_minor: bigint;
    readonly release_parts: readonly bigint[] }[];
  readonly reserves_released: readonly ReserveRelease[];
  readonly adjustments_minor: bigint;
  readonly available_minor: bigint;
  readonly recoupments: readonly Recoupment[];
  readonly top_up_minor: bigint;
  /** Steps 7 + 8: what is payable before VAT, withholding and commission. */
  readonly net_minor: bigint;
  readonly payable: boolean;
  /** Why nothing is paid, printed on the statement; null when it is paid. */
  readonly carried_reason: string | null;
  readonly vat_minor: bigint;
  /** The VAT that the payee gets: self-billed only. */
  readonly vat_paid_minor: bigint;
  readonly withholding_minor: bigint;
  readonly agent_commission_minor: bigint;
  readonly payment_minor: bigint;
  readonly payee: 'royaltor' | 'agent';
  readonly closing_balance_minor: bigint;
  readonly closing_unrecouped_minor: bigint;
  readonly closing_reserve_minor: bigint;
}

/** Steps 1 to 5 of one agreement. */
export interface AgreementFigures {
  readonly show_royaltor_id: number;
  readonly opening_minor: bigint;
  readonly earnings_minor: bigint;
  readonly reserve_taken_minor: bigint;
  readonly release_parts: readonly bigint[];
  readonly releases: readonly ReserveRelease[];
  readonly reserve_held_minor: bigint;
  readonly adjustments_minor: bigint;
  readonly available_minor: bigint;
  readonly not_recoupable_minor: bigint;
  readonly top_up_minor: bigint;
}
