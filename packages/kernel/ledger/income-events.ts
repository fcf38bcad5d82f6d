/**
 * Postings of income: invoices, releases, box-office royalties, accrued income, credit notes (accounting.md 2.1, 2.2
 * events 1 to 4b, 9c, 11b). Income is deferred when billed, unless it is earned by then; tax is never deferred.
 * Amounts are positive minor units in the booking's currency.
 */
import { sum } from '../money/money.ts';
import { book, credit, debit, party, type Booking, type Leg } from './booking.ts';
import type { JournalDraft, LineRefs } from './journal.ts';

export type IncomeAccount = '4000' | '4010' | '4100' | '4200' | '4300' | '4400' | '4500';
export type TaxAccount = '2300' | '2310' | '2330';

export interface TaxPart {
  account: TaxAccount;
  amount: bigint;
  /** Party id of the tax authority. */
  authority_id: number;
  tax_code_id?: number;
  /** Net amount that the tax is of. */
  tax_base?: bigint;
}

/** A royaltor's part of a royalty. */
export interface RoyaltorShare {
  royaltor_id: number;
  amount: bigint;
  /** Rate of the income it follows, where it is not the booking's. */
  rate?: string;
}

export interface InvoiceLine {
  amount: bigint;
  /** Income account of a line that is earned when billed; absent: deferred (2100). */
  earned?: IncomeAccount;
  refs?: LineRefs;
  memo?: string;
}

export interface InvoiceIssued extends Booking {
  customer_id: number;
  due_date: string;
  lines: readonly InvoiceLine[];
  taxes?: readonly TaxPart[];
  /** Net presentation (1n): royaltors' parts of the lines, out of income altogether. They are not in `lines`. */
  royaltor_shares?: readonly RoyaltorShare[];
  /** A payment on account set off (9c): net and the tax already charged on it, at the rate of its receipt. */
  prepaid?: { net: bigint; tax: TaxPart | null; rate?: string };
}

/** Events 1, 1n, 1b, 9c. The receivable is lines, shares and taxes less what was prepaid. */
export function invoiceIssued(of: InvoiceIssued): JournalDraft {
  const customer = party('customer', of.customer_id);
  const taxes = of.taxes ?? [];
  const shares = of.royaltor_shares ?? [];
  const prepaid = of.prepaid;
  const prepaidTotal = (prepaid?.net ?? 0n) + (prepaid?.tax?.amount ?? 0n);
  const total = sum([...of.lines, ...taxes, ...shares].map((part) => part.amount)) - prepaidTotal;
  return book('invoice', of, [
    debit('1100', total, { ...customer, due_date: of.due_date }),
    ...(prepaid ? [debit('2160', prepaid.net, { ...customer, ...rateOf(prepaid) })] : []),
    ...of.lines.map((line) => credit(line.earned ?? '2100', line.amount, {
      ...(line.earned ? {} : customer), ...refsOf(line), ...(line.memo ? { memo: line.memo } : {}) })),
    ...shares.map((share) => credit('2210', share.amount, party('royaltor', share.royaltor_id))),
    ...taxes.map((tax) => taxLeg(tax, prepaid?.tax ?? null)),
  ]);
}

/** The tax of the invoice less the tax already charged at the receipt of the prepayment. */
function taxLeg(tax: TaxPart, prepaid: TaxPart | null): Leg {
  const taken = prepaid && prepaid.account === tax.account && prepaid.authority_id === tax.authority_id;
  return credit(tax.account, tax.amount - (taken ? prepaid.amount : 0n), taxParty(tax, -1n));
}

function taxParty(tax: TaxPart, sign: bigint): Omit<Leg, 'account' | 'amount'> {
  return {
    ...party('tax_authority', tax.authority_id),
    ...(tax.tax_code_id === undefined ? {} : { tax_code_id: tax.tax_code_id }),
    ...(tax.tax_base === undefined ? {} : { tax_base: sign * tax.tax_base }),
  };
}

const rateOf = (of: { rate?: string }): { rate?: string } => (of.rate === undefined ? {} : { rate: of.rate });
const refsOf = (of: { refs?: LineRefs }): { refs?: LineRefs } => (of.refs === undefined ? {} : { refs: of.refs });

/**
 * Events 2 and 11b, and breakage of an advance: deferred income becomes income at the rate it was billed at; pass
   that
 * as the booking's rate.
 */
export function incomeReleased(of: Booking & {
  customer_id: number; parts: readonly { account: IncomeAccount; amount: bigint; refs?: LineRefs }[];
}): JournalDraft {
  const customer = party('customer', of.customer_id);
  return book('release', of, of.parts.flatMap((part) => [
    debit('2100', part.amount, { ...customer, ...refsOf(part) }), credit(part.account, part.amount, refsOf(part)),
  ]));
}

/**
 * Events 3, 3b, 3p and 3r: a box-office report above what is billed (`due`), or taken from an advance (`recouped`, at
 * the advance's rate). In net presentation the royaltors' parts go to 2210 and only the rest is income.
 */
export function boxOfficeEarned(of: Booking & {
  customer_id: number; due_date?: string; due: bigint; recouped?: bigint; recouped_rate?: string;
  royaltor_shares?: readonly RoyaltorShare[]; taxes?: readonly TaxPart[];
}): JournalDraft {
  const customer = party('customer', of.customer_id);
  const taxes = of.taxes ?? [];
  const shares = of.royaltor_shares ?? [];
  const recouped = of.recouped ?? 0n;
  const income = of.due + recouped - sum(shares.map((share) => share.amount));
  return book('box_office', of, [
    debit('2100', recouped, { ...customer, ...(of.recouped_rate === undefined ? {} : { rate: of.recouped_rate }) }),
    debit('1100', of.due + sum(taxes.map((tax) => tax.amount)),
      { ...customer, ...(of.due_date === undefined ? {} : { due_date: of.due_date }) }),
    credit('4010', income, { rest: true }),
    ...shares.map((share) => credit('2210', share.amount, party('royaltor', share.royaltor_id))),
    ...taxes.map((tax) => credit(tax.account, tax.amount, taxParty(tax, -1n))),
  ]);
}

/** Event 3a: weeks played and not reported at a month's end; the caller reverses it on the next period's first day.
  */
export function incomeAccrued(of: Booking & {
  customer_id: number; amount: bigint; royaltor_shares: readonly RoyaltorShare[];
}): JournalDraft {
  return book('accrued_income', of, [
    debit('1120', of.amount, party('customer', of.customer_id)),
    debit('5000', sum(of.royaltor_shares.map((share) => share.amount))),
    credit('4010', of.amount),
    ...of.royaltor_shares.map((share) => credit('2210', share.amount, party('royaltor', share.royaltor_id))),
  ]);
}

/**
 * Events 4 and 4b: what is still deferred is taken back first (at the invoice's rate), what is income already debits
 * its account. `royaltor_shares` are the unreleased parts of net presentation.
 */
export function creditNoteIssued(of: Booking & {
  customer_id: number;
  deferred: readonly { amount: bigint; refs?: LineRefs }[];
  earned?: readonly { account: IncomeAccount; amount: bigint; refs?: LineRefs }[];
  royaltor_shares?: readonly RoyaltorShare[];
  taxes?: readonly TaxPart[];
}): JournalDraft {
  const customer = party('customer', of.customer_id);
  const earned = of.earned ?? [];
  const shares = of.royaltor_shares ?? [];
  const taxes = of.taxes ?? [];
  return book('credit_note', of, [
    ...of.deferred.map((part) => debit('2100', part.amount, { ...customer, ...refsOf(part) })),
    ...earned.map((part) => debit(part.account, part.amount, refsOf(part))),
    ...shares.map((share) => debit('2210', share.amount, party('royaltor', share.royaltor_id))),
    ...taxes.map((tax) => debit(tax.account, tax.amount, taxParty(tax, 1n))),
    credit('1100', sum([...of.deferred, ...earned, ...shares, ...taxes].map((part) => part.amount)), customer),
  ]);
}
