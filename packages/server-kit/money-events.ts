/**
 * Follow-up of money events in the same transaction: a license is executed, royalties accrue, what another division
 * collected stands on account. Receivables and accounting call these ports and know none of those contexts;
 * `apps/server` composes them, and leaving one out is a type error. `Context` is the WorkContext of context.ts, which
 * holds these ports.
 */
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';

export interface InvoiceIssued {
  invoice_id: number;
  license_id: number | null;
  on: string;
}

export interface IncomeEarned {
  invoice_item_id: number;
  license_id: number | null;
  division: string;
  currency: string;
  amount_minor: number;
  occurred_on: string;
  /** The posting that made it income, and the account it went to; a royalty's cost takes its rate. */
  transaction_id: number;
  income_account: string;
  rate: string;
  performance_id: number | null;
  /** Row of the release schedule: one posting may release several rows of one line. */
  release_schedule_id?: number;
}

export interface ReceiptOnLine {
  payment_allocation_id: number;
  payment_id: number;
  invoice_id: number;
  invoice_item_id: number;
  license_id: number | null;
  division: string;
  currency: string;
  /** Net of tax: what on_receipt agreements share. */
  net_minor: number;
  applied_on: string;
  rate: string;
}

export interface IncomeCredited {
  credit_item_id: number;
  invoice_item_id: number;
  license_id: number | null;
  division: string;
  currency: string;
  /** Net amount of the credit; `income_minor` of it was income already, the rest was still deferred. */
  net_minor: number;
  income_minor: number;
  occurred_on: string;
  transaction_id: number;
}

/** Sums over the documents of a licence, credits taken off. */
export interface LicenseAmounts {
  license_id: number;
  invoiced_minor: number;
  paid_minor: number;
  balance_minor: number;
}

export interface ChargeBilled {
  license_charge_id: number;
  /** Below zero where a credit note takes it back. */
  net_minor: number;
  tax_minor: number;
}

/** A tax invoice was paid at the tax of an older version: the rest is collected by hand. */
export interface TaxLeftOpen {
  invoice_id: number;
  number: string;
  license_id: number | null;
  customer_id: number;
  division: string;
  currency: Currency;
  balance_minor: number;
  due_on: string | null;
}

/** Interest on late payment in the newest signed contract of a licence; a rate of 0: it agrees none. */
export interface AgreedInterest {
  ppm_per_month: number;
  license_number: string;
  signed_on: string;
}

/** Events in the payment plan of a licence. The caller has locked the licence. */
export interface InstalmentMoney<Context> {
  /** A pro forma, the request of its deposit or its tax invoice was issued; an invoice takes a pro forma's place. */
  instalmentBilled: (ctx: Context, billed: { instalment_id: number }
    & ({ proforma_id: number } | { deposit_id: number } | { invoice_id: number })) => Promise<void>;
  /** The part that a deposit on account pays is on a tax invoice; null where nothing was left to bill. */
  depositInvoiced: (ctx: Context, billed: { instalment_id: number; invoice_id: number | null }) => Promise<void>;
  /** A pro forma was paid and became a tax invoice. */
  proFormaInvoiced: (ctx: Context, billed: { proforma_id: number; invoice_id: number }) => Promise<void>;
  /** A pro forma was voided: its instalment is to be billed again. */
  proFormaVoided: (ctx: Context, voided: { proforma_id: number }) => Promise<void>;
  /** A voided pro forma is deleted for good; instalments that name it forget it. */
  proFormaDeleted: (ctx: Context, deleted: { proforma_id: number }) => Promise<void>;
  /** All that was asked for and not paid is withdrawn: those instalments are to be billed again. */
  proFormasWithdrawn: (ctx: Context, withdrawn: { license_id: number }) => Promise<void>;
  /** Instalments whose document has its money. */
  instalmentsPaid: (ctx: Context, paid: { instalment_ids: readonly number[] }) => Promise<void>;
}

export interface LicensingMoney<Context> extends InstalmentMoney<Context> {
  /** Money reached the licence: its execution policy may be met now. */
  licensePaid: (ctx: Context, paid: { license_id: number }) => Promise<void>;
  /** After every command that changes them (I2). The caller has locked the licences. */
  amountsChanged: (ctx: Context, amounts: readonly LicenseAmounts[]) => Promise<void>;
  /** In the order of the lines of one document. */
  chargesBilled: (ctx: Context, charges: readonly ChargeBilled[]) => Promise<void>;
  /** The customer gave a number on an invoice of the licence. */
  purchaseOrderGiven: (ctx: Context, given: { license_id: number; purchase_order_no: string }) => Promise<void>;
  taxLeftOpen: (ctx: Context, open: TaxLeftOpen) => Promise<void>;
  /** Null: no contract is signed. */
  interestAgreed: (ctx: Context, of: { license_id: number }) => Promise<AgreedInterest | null>;
  /** The invoice has all its money now. */
  taxCollected: (ctx: Context, collected: { invoice_id: number }) => Promise<void>;
}

/** Lists hold one row for a single document and many for an import. */
export interface RoyaltyMoney<Context> {
  /** Tax invoices were posted (on_invoice agreements, net presentation). */
  invoicesIssued: (ctx: Context, invoices: readonly InvoiceIssued[]) => Promise<void>;
  /** Royalty-bearing lines only: event 11 follows. */
  incomesEarned: (ctx: Context, incomes: readonly IncomeEarned[]) => Promise<void>;
  /** Royalty-bearing lines only: events 11c and 11d follow. */
  receiptApplied: (ctx: Context, receipt: ReceiptOnLine) => Promise<void>;
  /** `payment_allocation_id` is the inverse row; event 11r follows. */
  receiptUnapplied: (ctx: Context, receipt: ReceiptOnLine & { reverses_allocation_id: number }) => Promise<void>;
  /** Royalty-bearing lines only: event 11r follows. */
  incomeCredited: (ctx: Context, credit: IncomeCredited) => Promise<void>;
}

/** Another division took in money of a customer of this one; the posting between the two is made. */
export interface CollectedElsewhere {
  customer_id: number;
  division: string;
  currency: string;
  amount_minor: number;
  on: string;
  /** Functional units of the division per unit; 1 in its own currency. */
  rate: string;
  transaction_id: number;
  reference: string;
  memo: string;
}

export interface CollectionTakenBack { transaction_id: number; reversal_id: number; on: string; reason: string }

export interface ReceivablesMoney<Context> {
  /** The money stands on account of the customer. */
  collectedElsewhere: (ctx: Context, of: CollectedElsewhere) => Promise<void>;
  /** Before the posting is reversed: 409 where the money pays a document. */
  refuseAppliedCollection: (ctx: Context, transactionId: number) => Promise<void>;
  collectionTakenBack: (ctx: Context, of: CollectionTakenBack) => Promise<void>;
}

/** Another division is to pay `amount_minor` of a bill of `division` on the day. */
export interface BillToPayElsewhere {
  bill_id: number;
  division: Division;
  currency: string;
  amount_minor: number;
  on: string;
}

export interface BillPaidElsewhere extends BillToPayElsewhere { reference: string; memo: string; asked_by_id: number }

export interface PayablesMoney<Context> {
  /** 422 at `bill_id`, `amount_minor` or `dated_on` where the bill cannot be paid so; answers its vendor. */
  refuseNotPayable: (ctx: Context, of: BillToPayElsewhere) => Promise<{ vendor_id: number }>;
  /** Before the posting between the two: locks the bill and reserves the amount; 409 with its number. */
  reserveBill: (ctx: Context, of: BillPaidElsewhere) => Promise<{ payment_id: number;
    /** Party of the line on accounts payable. */
    vendor_id: number }>;
  /** After the posting: the bill is settled. `rate` as in {@link CollectedElsewhere}. */
  billPaid: (ctx: Context, of: { payment_id: number; transaction_id: number; on: string; rate: string }) =>
  Promise<void>;
  /** Before the posting is reversed: the bill is open again. */
  takeOffBill: (ctx: Context, of: { transaction_id: number; on: string }) => Promise<void>;
  billPaymentTakenBack: (ctx: Context, of: CollectionTakenBack) => Promise<void>;
}

export interface MoneyEvents<Context> {
  payables: PayablesMoney<Context>;
  receivables: ReceivablesMoney<Context>;
  licensing: LicensingMoney<Context>;
  royalties: RoyaltyMoney<Context>;
}
