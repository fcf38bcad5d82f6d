/**
 * Postings of receivables, as signed lines (debit positive): accounting.md 2.2, events 1 to 10 and 25. Amounts are in
 * the currency of the document; every function's lines sum to 0.
 */
import { INCOME } from './income-accounts.ts';
import { sum } from '../money/money.ts';
import type { Party } from './journal.ts';

export interface ReceivableLine {
  /** Code of the chart. */
  readonly account: string;
  readonly amount_minor: bigint;
  readonly party?: Party;
  readonly tax_code_id?: number;
  readonly tax_base_minor?: bigint;
  /** Due date of the item that the line opens. */
  readonly due_on?: string;
}

export interface TaxOwed {
  /** 2300 VAT, 2310 sales tax, 2330 one-stop shop. */
  readonly account: string;
  readonly authority_id: number;
  readonly tax_code_id: number;
  readonly tax_minor: bigint;
  readonly base_minor: bigint;
}

export interface InvoicePosting {
  readonly customer_id: number;
  readonly due_on: string;
  /** One entry per line: 2100, or 4010 where it is earned when billed. */
  readonly income: readonly { readonly account: string; readonly net_minor: bigint }[];
  readonly taxes: readonly TaxOwed[];
  /** On-account deposits set off, with the tax already charged at their receipt (event 9c). */
  readonly prepaid: { readonly net_minor: bigint; readonly taxes: readonly TaxOwed[] };
}

const AR = '1100';
const customerOf = (id: number): Party => ({ type: 'customer', id });

/** Events 1, 1b, 3 and 9c. */
export function invoiceLines(posting: InvoicePosting): ReceivableLine[] {
  const party = customerOf(posting.customer_id);
  const { net_minor: prepaid, taxes: taxed } = posting.prepaid;
  const total = sum(posting.income.map((line) => line.net_minor)) + sum(posting.taxes.map((tax) => tax.tax_minor))
    - prepaid - sum(taxed.map((tax) => tax.tax_minor));
  return nonZero([
    { account: AR, amount_minor: total, party, due_on: posting.due_on },
    { account: '2160', amount_minor: prepaid, party },
    ...posting.income.map((line) => ({
      account: line.account, amount_minor: -line.net_minor, ...(line.account === '2100' ? { party } : {}),
    })),
    ...taxLines([...posting.taxes, ...taxed.map(negated)]),
  ]);
}

/** Event 2: deferred income becomes income. */
export function releaseLines(customerId: number, parts: readonly { account: string; amount_minor: bigint }[]):
ReceivableLine[] {
  return nonZero([
    { account: '2100', amount_minor: sum(parts.map((part) => part.amount_minor)), party: customerOf(customerId) },
    ...parts.map((part) => ({ account: part.account, amount_minor: -part.amount_minor })),
  ]);
}

export interface CreditPosting {
  readonly customer_id: number;
  readonly on: string;
  readonly deferred_minor: bigint;
  readonly income: readonly { readonly account: string; readonly amount_minor: bigint }[];
  readonly taxes: readonly TaxOwed[];
}

/** Events 4 and 4b: what is not released comes from deferred income, what is beyond it from the income account. */
export function creditLines(posting: CreditPosting): ReceivableLine[] {
  const party = customerOf(posting.customer_id);
  const net = posting.deferred_minor + sum(posting.income.map((line) => line.amount_minor));
  const total = net + sum(posting.taxes.map((tax) => tax.tax_minor));
  return nonZero([
    { account: '2100', amount_minor: posting.deferred_minor, party },
    ...posting.income,
    ...taxLines(posting.taxes.map(negated)),
    { account: AR, amount_minor: -total, party, due_on: posting.on },
  ]);
}

export interface ReceiptPosting {
  readonly customer_id: number;
  readonly bank_account: string;
  readonly on: string;
  readonly amount_minor: bigint;
  readonly withheld_minor: bigint;
  readonly short_minor: bigint;
  /** Authority that holds the tax the customer withheld. */
  readonly authority_id: number | null;
}

/** Events 5 and 6b. What settles without cash is an item of its own, so that the receipt's item is its cash. */
export function receiptLines(posting: ReceiptPosting): ReceivableLine[] {
  const party = customerOf(posting.customer_id);
  const withheld: ReceivableLine[] = posting.authority_id === null ? [] : [{
    account: '1310', amount_minor: posting.withheld_minor,
    party: { type: 'tax_authority', id: posting.authority_id },
  }];
  return nonZero([
    { account: posting.bank_account, amount_minor: posting.amount_minor },
    ...withheld,
    { account: '7090', amount_minor: posting.short_minor },
    { account: AR, amount_minor: -posting.amount_minor, party, due_on: posting.on },
    { account: AR, amount_minor: -(posting.withheld_minor + posting.short_minor), party, due_on: posting.on },
  ]);
}

export interface DepositPosting {
  readonly customer_id: number;
  readonly kind: 'security' | 'on_account';
  readonly on: string;
  readonly net_minor: bigint;
  /** Tax of the part, at most one: on_account only. */
  readonly tax: TaxOwed | null;
}

/** Events 9 and 9b: `account` is the bank. */
export function depositReceivedLines(posting: DepositPosting, account: string): ReceivableLine[] {
  return depositAgainst(posting, { account, amount_minor: depositTotal(posting) }, -1n);
}

/** A receipt that stands on account becomes the deposit: it leaves receivables. */
export function depositHeldLines(posting: DepositPosting): ReceivableLine[] {
  return depositAgainst(posting, { account: AR, amount_minor: depositTotal(posting),
    party: customerOf(posting.customer_id), due_on: posting.on }, -1n);
}

/** Event 10, refund: to the payment run. */
export function depositRefundLines(posting: DepositPosting): ReceivableLine[] {
  const party = customerOf(posting.customer_id);
  return depositAgainst(posting, {
    account: '2000', amount_minor: -depositTotal(posting), party, due_on: posting.on,
  }, 1n);
}

/** A deposit pays an invoice that is issued already. */
export function depositAppliedLines(posting: DepositPosting): ReceivableLine[] {
  const party = customerOf(posting.customer_id);
  return depositAgainst(posting, { account: AR, amount_minor: -depositTotal(posting), party, due_on: posting.on }, 1n);
}

/** Event 10, what is kept: the tax of its cause is inside the amount (domain.md 2.7). */
export function depositForfeitedLines(posting: DepositPosting, causeTaxes: readonly TaxOwed[]): ReceivableLine[] {
  const tax = sum(causeTaxes.map((part) => part.tax_minor));
  return [
    ...depositAgainst(posting, { account: INCOME.forfeited, amount_minor: tax - depositTotal(posting) }, 1n),
    ...nonZero(taxLines(causeTaxes)),
  ];
}

/** Event 7: a credit goes to the payment run. */
export function refundLines(customerId: number, amountMinor: bigint, on: string): ReceivableLine[] {
  const party = customerOf(customerId);
  return [
    { account: AR, amount_minor: amountMinor, party, due_on: on },
    { account: '2000', amount_minor: -amountMinor, party, due_on: on },
  ];
}

/** Event 16b: the refund leaves the bank. */
export function refundPaidLines(customerId: number, amountMinor: bigint, bank: string, on: string): ReceivableLine[] {
  return [
    { account: '2000', amount_minor: amountMinor, party: customerOf(customerId), due_on: on },
    { account: bank, amount_minor: -amountMinor },
  ];
}

/** Event 8: the bank's charge. What is billed on to the customer is an invoice of its own, against the same account. */
export function bankChargeLines(feeMinor: bigint, bank: string): ReceivableLine[] {
  return [{ account: '6100', amount_minor: feeMinor }, { account: bank, amount_minor: -feeMinor }];
}

/** A disputed card payment: what it paid is owed again, and the processor no longer holds the money. */
export function disputeLines(customerId: number, amountMinor: bigint, clearing: string, on: string): ReceivableLine[] {
  return [
    { account: AR, amount_minor: amountMinor, party: customerOf(customerId), due_on: on },
    { account: clearing, amount_minor: -amountMinor },
  ];
}

/** Event 25, direct write-off of a debt; the tax stays owed until relief is claimed on a return. */
export function writeOffLines(customerId: number, amountMinor: bigint, on: string): ReceivableLine[] {
  return [
    { account: '6000', amount_minor: amountMinor },
    { account: AR, amount_minor: -amountMinor, party: customerOf(customerId), due_on: on },
  ];
}

/** Reinstates debt settled without cash: part of a write-off or of a forgiven difference is reversed. */
export function recoveryLines(
  customerId: number, amountMinor: bigint, kind: 'bad_debt' | 'small_difference', on: string,
): ReceivableLine[] {
  return [
    { account: AR, amount_minor: amountMinor, party: customerOf(customerId), due_on: on },
    { account: kind === 'bad_debt' ? '6000' : '7090', amount_minor: -amountMinor },
  ];
}

/** Event 6b after the receipt: tax that the customer withheld and a forgiven difference settle what is left. */
export function settlementLines(posting: {
  customer_id: number; on: string; withheld_minor: bigint; short_minor: bigint; authority_id: number | null;
}): ReceivableLine[] {
  return receiptLines({ ...posting, bank_account: '', amount_minor: 0n });
}

function depositTotal(posting: DepositPosting): bigint {
  return posting.net_minor + (posting.tax?.tax_minor ?? 0n);
}

function depositAgainst(posting: DepositPosting, other: ReceivableLine, sign: 1n | -1n): ReceivableLine[] {
  const account = posting.kind === 'security' ? '2150' : '2160';
  const held = {
    account, amount_minor: sign * posting.net_minor, party: customerOf(posting.customer_id), due_on: posting.on,
  };
  const tax = posting.tax === null ? [] : taxLines([sign === -1n ? posting.tax : negated(posting.tax)]);
  return nonZero([other, held, ...tax]);
}

function negated(tax: TaxOwed): TaxOwed {
  return { ...tax, tax_minor: -tax.tax_minor, base_minor: -tax.base_minor };
}

/** One line per jurisdiction and code: parts of several lines of a document add up. */
function taxLines(taxes: readonly TaxOwed[]): ReceivableLine[] {
  const byKey = new Map<string, TaxOwed>();
  for (const tax of taxes) {
    const key = `${tax.account} ${tax.authority_id} ${tax.tax_code_id}`;
    const known = byKey.get(key);
    byKey.set(key, known === undefined ? tax : {
      ...known, tax_minor: known.tax_minor + tax.tax_minor, base_minor: known.base_minor + tax.base_minor,
    });
  }
  return [...byKey.values()].map((tax) => ({
    account: tax.account, amount_minor: -tax.tax_minor, party: { type: 'tax_authority', id: tax.authority_id },
    tax_code_id: tax.tax_code_id, tax_base_minor: -tax.base_minor,
  }));
}

function nonZero(lines: readonly ReceivableLine[]): ReceivableLine[] {
  return lines.filter((line) => line.amount_minor !== 0n);
}
