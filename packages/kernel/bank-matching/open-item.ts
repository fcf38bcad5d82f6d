/**
 * The two sides of a match: a line of the bank, and an open item as every kind of document offers it. Nothing here
 * knows what an invoice or a transfer is; a kind that gives these fields can be matched (accounting.md 4.2).
 */
import type { IsoDate } from '../calendar/calendar.ts';
import { abs, applyPpm, min } from '../money/money.ts';

export type Direction = 'in' | 'out';

export interface LineToMatch {
  id: number;
  bank_account_id: number;
  /** Currency of the bank account: every comparison is made in it. */
  currency: string;
  booked_on: IsoDate;
  /** Signed minor units; positive is money in. */
  amount_minor: bigint;
  /** Amount left after earlier matches, with its sign. */
  left_minor: bigint;
  name: string;
  memo: string;
  reference: string;
  end_to_end_id: string | null;
  check_number: string | null;
  counterparty_account: string | null;
  /** Instructed in another currency, where the bank tells. */
  original: { amount_minor: bigint; currency: string } | null;
}

/** A document is named by its own number; by an id that travels with a payment; by the number of a check. */
export type ReferenceType = 'number' | 'end_to_end' | 'check';

export interface ItemReference {
  type: ReferenceType;
  value: string;
  /** As a sentence calls it: "invoice number". */
  label: string;
}

export interface ItemParty {
  /** Type and id, as in 'customer:12': one party is one key. */
  key: string;
  name: string;
  /** IBANs and account numbers that are known to be theirs. */
  accounts: readonly string[];
}

export interface OpenItem {
  /** Kind of document: invoice, proforma, refund, royalty_payment, bank_transfer, deposit_slip, journal_line, … */
  kind: string;
  id: number;
  /** As people know it: "INV-US-2026-000033". */
  label: string;
  direction: Direction;
  currency: string;
  /** Positive minor units of `currency`. */
  open_minor: bigint;
  /** The open amount in the currency of the bank account at the rate of the day; null where it is the same currency. */
  converted_minor: bigint | null;
  /** Amount that settles the whole of it up to a day, in `currency`; left out where no discount is open. */
  discount?: { paid_minor: bigint; until: IsoDate } | null;
  /** Reason why whoever reads it may not settle it. */
  refusal?: string | null;
  /** The one bank account that its money moves on; null while it may still be any. */
  bank_account_id: number | null;
  document_on: IsoDate;
  due_on: IsoDate | null;
  party: ItemParty | null;
  references: readonly ItemReference[];
  /** Items of one pool are settled together whatever their party, as receipts on the way to the bank are. */
  pool: string | null;
}

export interface MatchSettings {
  /** Limits of a short payment: the smaller of the two counts (accounting.md 2.2, event 6b). */
  tolerance_minor: bigint;
  tolerance_ppm: bigint;
  /** Largest difference that is proposed as a fee of a bank on the way. */
  fee_limit_minor: bigint;
  /** Allowed difference between a bank's rate and the ledger's. */
  exchange_ppm: bigint;
}

export const DEFAULT_SETTINGS: MatchSettings = {
  tolerance_minor: 500n, tolerance_ppm: 10_000n, fee_limit_minor: 5_000n, exchange_ppm: 30_000n,
};

/** Candidates lie within so many days of the line; the halves of a transfer within fewer. */
export const WINDOW_DAYS = 10;
export const TRANSFER_DAYS = 4;

export function itemKey(item: Pick<OpenItem, 'kind' | 'id'>): string {
  return `${item.kind}:${item.id}`;
}

/** Order of items that are otherwise equal: the same whatever order they came in. */
export function compareItems(a: OpenItem, b: OpenItem): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return a.id - b.id;
}

export function directionOf(minor: bigint): Direction {
  return minor < 0n ? 'out' : 'in';
}

/** Amount the item would take of a line, in the line's currency; null if no rate of the day is known. */
export function expectedMinor(item: OpenItem, currency: string): bigint | null {
  return item.currency === currency ? item.open_minor : item.converted_minor;
}

/** The smaller of the two limits, as where a short payment is forgiven. */
export function toleranceOf(openMinor: bigint, settings: MatchSettings): bigint {
  return min((openMinor * settings.tolerance_ppm) / 1_000_000n, settings.tolerance_minor);
}

/** Early-payment discount on that day, in the currency of the item; 0 where none is open. */
export function discountOn(item: Pick<OpenItem, 'discount' | 'open_minor'>, on: IsoDate): bigint {
  return item.discount != null && on <= item.discount.until ? item.open_minor - item.discount.paid_minor : 0n;
}

/** Whether an amount of that day settles the item with its early-payment discount. */
export function isDiscounted(
  item: OpenItem, line: Pick<LineToMatch, 'currency' | 'booked_on'>, minor: bigint,
): boolean {
  const discount = discountOn(item, line.booked_on);
  return discount > 0n && item.currency === line.currency && minor === item.open_minor - discount;
}

/** Whether an amount in another currency is what the bank's rate may have made of it. */
export function isWithinExchange(lineMinor: bigint, expected: bigint, settings: MatchSettings): boolean {
  return abs(lineMinor - expected) <= applyPpm(expected, settings.exchange_ppm);
}
