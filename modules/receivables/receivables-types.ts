/** Types other contexts pass to receivables and get back. Amounts are integer minor units, dates YYYY-MM-DD. */
import type { Address } from '#kit/field.ts';
import type { ItemClass } from '#kernel/money/priced-line.ts';

export type InvoiceItemKind =
  | 'royalty' | 'minimum' | 'advance' | 'overage' | 'rental' | 'extra_week' | 'sale' | 'digital' | 'add_on' | 'shipping'
  | 'fee' | 'bank_charge' | 'late_interest';
export type IncomeType =
  | 'royalty' | 'rental' | 'sale' | 'digital' | 'add_on' | 'streaming' | 'video' | 'perusal' | 'late_fee' | 'advance'
  | 'breakage' | 'cancellation_fee' | 'shipping' | 'fee';
/** When the deferred income of a line becomes income (accounting.md 2.1). */
export type ReleaseRule =
  | 'performances' | 'opening' | 'as_recouped' | 'straight_line' | 'shipment' | 'access' | 'at_once';

export interface InvoiceLineInput {
  kind: InvoiceItemKind;
  description: string;
  item_class: ItemClass;
  quantity?: number;
  /** Defaults to net_minor / quantity where that is whole, else to net_minor with quantity 1. */
  unit_minor?: number;
  net_minor: number;
  /** Tax as quoted; absent: determined on the tax point (domain.md 2.12). */
  tax_minor?: number;
  /** Its share of a quoted tax: stands where only rounding tells it from the tax of the tax point. */
  quoted_tax_minor?: number;
  /** For shipping: the class of goods it carries. */
  carries?: ItemClass | null;
  /** The item is marked as not taxed (a material's or sales item's own tax and VAT). */
  tax_free?: boolean | undefined;
  income_type?: IncomeType;
  royalty_bearing?: boolean;
  /** Defaults by kind: licence fee performances, advance as_recouped, rental straight_line (shipment without
   * dates)... */
  release_rule?: ReleaseRule;
  release_from?: string | null;
  release_to?: string | null;
  license_charge_id?: number | null;
  license_venue_id?: number | null;
  performance_id?: number | null;
  add_on_id?: number | null;
  /** A line of a report is earned when billed: Cr 4010, never deferred. */
  box_office_report_id?: number | null;
}

export interface IssueInvoiceInput {
  license_id?: number | null;
  customer_id: number;
  division: string;
  currency: string;
  lines: readonly InvoiceLineInput[];
  issued_on: string;
  /** Absent: the customer's payment terms. */
  due_on?: string;
  purchase_order_no?: string | null;
  notes?: string;
  /** Shipping address of goods; absent: the customer's default shipping address, else the billing address. */
  ship_to?: Address | null;
  /** on_account deposits of the licence that this invoice sets off; absent: every one that is held (event 9c). */
  deposit_ids?: readonly number[];
}

export interface ReceiptInput {
  customer_id: number;
  division: string;
  currency: string;
  amount_minor: number;
  /** Amount that the bank credited in another currency, on an account of that currency. */
  bank?: { currency: string; amount_minor: number };
  method: PaymentMethod;
  /** Receiving account; the default of division and currency if absent. Checks and cash wait to be deposited. */
  bank_account_id?: number | null | undefined;
  received_on: string;
  reference?: string;
  memo?: string;
  license_id?: number | null;
  /** Invoices or pro formas; a pro forma becomes its tax invoice in the same transaction. */
  apply_to?: readonly { invoice_id: number; amount_minor: number; lines?: readonly LineShare[] }[];
  deposit_id?: number | null;
  /** Tax the customer withheld and the small difference that is accepted (event 6b). */
  withheld_minor?: number;
  accept_short?: boolean;
  /** A person records it: false asks about a likely duplicate, true was asked. Absent: nobody to ask. */
  duplicate_confirmed?: boolean;
  provider?: string | null;
  provider_id?: string | null;
}

export interface LineShare { invoice_item_id: number; amount_minor: number }

export const PAYMENT_METHODS = ['card', 'ach', 'wire', 'check', 'bacs', 'sepa', 'cash', 'set_off'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
