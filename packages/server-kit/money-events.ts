/**
 * Follow-up of money events in the same transaction: a license is executed, royalties accrue. Receivables calls these
 * ports and knows neither context; `apps/server` composes them, and leaving one out is a type error. `Context` is the
 * WorkContext of context.ts, which holds these ports.
 */
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

export interface LicensingMoney<Context> {
  /** Money reached the licence: its execution policy may be met now. */
  licensePaid: (ctx: Context, paid: { license_id: number }) => Promise<void>;
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

export interface MoneyEvents<Context> {
  licensing: LicensingMoney<Context>;
  royalties: RoyaltyMoney<Context>;
}
