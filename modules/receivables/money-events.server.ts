/**
 * What follows money in the same transaction: licensing executes a licence, royalties accrue. Those contexts listen
 * here, so that receivables needs to know neither of them; each registers itself when it is loaded.
 */
import type { WorkContext } from '#server/context.ts';

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

export interface MoneyListener {
  /** A tax invoice was posted (on_invoice agreements, net presentation). */
  invoiceIssued?(ctx: WorkContext,
    invoice: { invoice_id: number; license_id: number | null; on: string }): Promise<void>;
  /** Many at once, of an import; a listener without it hears of them one by one. */
  invoicesIssued?(
    ctx: WorkContext, invoices: readonly { invoice_id: number; license_id: number | null; on: string }[],
  ): Promise<void>;
  /** Royalty-bearing lines only: event 11 follows. */
  incomeEarned?(ctx: WorkContext, income: IncomeEarned): Promise<void>;
  /** Many at once, of an import; a listener without it hears of them one by one. */
  incomesEarned?(ctx: WorkContext, incomes: readonly IncomeEarned[]): Promise<void>;
  /** Royalty-bearing lines only: events 11c and 11d follow. */
  receiptApplied?(ctx: WorkContext, receipt: ReceiptOnLine): Promise<void>;
  /** `payment_allocation_id` is the inverse row; event 11r follows. */
  receiptUnapplied?(ctx: WorkContext, receipt: ReceiptOnLine & { reverses_allocation_id: number }): Promise<void>;
  /** Royalty-bearing lines only: event 11r follows. */
  incomeCredited?(ctx: WorkContext, credit: IncomeCredited): Promise<void>;
  /** Money reached the licence: its execution policy may be met now. */
  licensePaid?(ctx: WorkContext, paid: { license_id: number }): Promise<void>;
}

const listeners: MoneyListener[] = [];

/** Registers once at load; a second registration of the same object changes nothing. */
export function listenToMoney(listener: MoneyListener): void {
  if (!listeners.includes(listener)) listeners.push(listener);
}

type Event = Exclude<keyof MoneyListener, 'invoicesIssued' | 'incomesEarned'>;
type Argument<E extends Event> = Parameters<NonNullable<MoneyListener[E]>>[1];

/** Tells every listener, one after the other, inside the caller's transaction. */
export async function tellMoney<E extends Event>(event: E, ctx: WorkContext, about: Argument<E>): Promise<void> {
  for (const listener of listeners) {
    await (listener[event] as ((ctx: WorkContext, about: Argument<E>) => Promise<void>) | undefined)?.(ctx, about);
  }
}

/** Tells of many invoices and the income they earned, each listener in one call where it takes one. */
export async function tellManyInvoices(
  ctx: WorkContext, invoices: readonly { invoice_id: number; license_id: number | null; on: string }[],
  incomes: readonly IncomeEarned[],
): Promise<void> {
  for (const listener of listeners) {
    if (listener.invoicesIssued) await listener.invoicesIssued(ctx, invoices);
    else for (const invoice of invoices) await listener.invoiceIssued?.(ctx, invoice);
    if (listener.incomesEarned) await listener.incomesEarned(ctx, incomes);
    else for (const income of incomes) await listener.incomeEarned?.(ctx, income);
  }
}
