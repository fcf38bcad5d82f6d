/** Inputs and outputs of a price (domain.md 2.11). Counts are numbers, money and rates are bigint. */
import type { DayOfWeek, IsoDate } from '../calendar/calendar.ts';
import type { Currency } from '../money/money.ts';
import type { ItemClass, LineKind, LineTax } from '../money/priced-line.ts';
import type { Instalment, InstalmentRule } from './payment-plan.ts';
import type { Potentials, TicketingRow } from './potentials.ts';
import type { RateTerms } from './rate-card.ts';
import type { TraceStep } from './trace.ts';

export interface PricePerformance {
  readonly id: number;
  /** UTC instant ending in Z: the order of the performances over the whole licence is (starts_at, id). */
  readonly starts_at: string;
  /** Day at the venue. */
  readonly local_date: IsoDate;
  readonly is_free: boolean;
  readonly status: 'planned' | 'performed' | 'cancelled' | 'postponed';
  /** 'matinees' where its type has prices of its own; absent: 'performances'. */
  readonly kind?: string | undefined;
  /** Replaces the venue's rows for this performance. */
  readonly ticketing_override?: readonly TicketingRow[] | null;
  readonly expected_attendance?: number | null;
  readonly negotiated_fee_minor?: bigint | null;
}

export interface PriceVenue {
  readonly id: number;
  /** Shown in lines and trace: 'Town Hall'. */
  readonly name: string;
  readonly ticketing: readonly TicketingRow[];
  readonly expected_attendance: number | null;
  readonly performances: readonly PricePerformance[];
}

/** Everything beside the royalty: materials, add-ons, shipping, fees. */
export interface PriceCharge {
  readonly key: string;
  readonly kind: Exclude<LineKind, 'royalty'>;
  readonly label: string;
  readonly quantity: number;
  readonly unit_minor: bigint;
  readonly item_class: ItemClass;
  /** For shipping: the class of goods that it carries. */
  readonly carries?: ItemClass | null;
  /** The item is marked as not taxed, whatever its class. */
  readonly tax_free?: boolean | undefined;
}

export interface TaxableLine {
  readonly key: string;
  readonly kind: LineKind;
  readonly item_class: ItemClass;
  readonly carries: ItemClass | null;
  readonly venue_id: number | null;
  readonly net_minor: bigint;
  readonly tax_free?: boolean | undefined;
}

export type TaxResolver = (line: TaxableLine) => LineTax;

export type Discount =
  | { readonly kind: 'amount'; readonly amount_minor: bigint; readonly reason: string; readonly approved_by: string }
  | { readonly kind: 'percent'; readonly ppm: bigint; readonly reason: string; readonly approved_by: string };

export interface PriceDeposit {
  readonly kind: 'security' | 'on_account';
  readonly amount_minor: bigint;
}

export interface PriceInput {
  readonly currency: Currency;
  readonly terms: RateTerms;
  /** Names the terms in the trace: 'rate_card:12' or 'license:9'. */
  readonly rule_id: string;
  readonly venues: readonly PriceVenue[];
  /** Monday (1) unless the deal says otherwise. */
  readonly week_start?: DayOfWeek;
  readonly discount?: Discount | null;
  readonly charges?: readonly PriceCharge[];
  readonly tax: TaxResolver;
  readonly deposit?: PriceDeposit | null;
  /** Empty or absent: everything before execution. */
  readonly plan?: readonly InstalmentRule[];
}

export interface PricedPerformance {
  readonly id: number;
  readonly venue_id: number;
  readonly ordinal: number;
  readonly unit_fee_minor: bigint;
  readonly fee_rule: string;
  /** First day of its week. */
  readonly week_key: IsoDate;
}

export interface PricedVenue {
  readonly id: number;
  readonly potentials: Potentials;
  readonly number_of_performances: number;
  /** The fee of each performance where they are all equal, else null. */
  readonly unit_fee_minor: bigint | null;
  /** Net of the discount; the venues sum to `royalty_minor`. */
  readonly royalty_minor: bigint;
}

export interface PriceLine extends TaxableLine {
  readonly label: string;
  readonly quantity: number;
  /** null where the quantity does not multiply to the net: a royalty of unequal fees, tops-up or discount. */
  readonly unit_minor: bigint | null;
  readonly tax: LineTax;
  readonly tax_minor: bigint;
  readonly total_minor: bigint;
}

export interface PriceTotals {
  /** The royalty before the discount. */
  readonly gross_royalty_minor: bigint;
  readonly discount_minor: bigint;
  readonly royalty_minor: bigint;
  readonly charges_minor: bigint;
  readonly net_minor: bigint;
  readonly tax_minor: bigint;
  /** net + tax. */
  readonly total_minor: bigint;
  readonly security_deposit_minor: bigint;
  readonly on_account_deposit_minor: bigint;
  /** total + security deposit: what the customer pays in all, before anything is returned. */
  readonly due_minor: bigint;
}

export interface PriceResult {
  readonly currency: Currency;
  readonly performances: readonly PricedPerformance[];
  readonly venues: readonly PricedVenue[];
  readonly lines: readonly PriceLine[];
  readonly totals: PriceTotals;
  readonly payment_plan: readonly Instalment[];
  readonly problems: readonly string[];
  readonly trace: readonly TraceStep[];
}
