/**
 * Cash paid from the bank to a payee (accounting.md 2.2, events 14, 16b and 17), and the items it settles. Credits of
 * the payee are set off first; the cash, the tax withheld and the discounts settle the remainder, in the order of the
 * parts.
 */
import { divHalfAway, sum } from '../money/money.ts';
import type { Party } from './journal.ts';
import type { ReceivableLine } from './receivable-events.ts';

export interface PaidPart {
  /** Item on accounts payable. */
  item_id: number;
  /** Above zero pays what is owed; below zero sets off a credit of the payee. */
  amount_minor: bigint;
  discount_minor: bigint;
  /** Tax that the bill behind the item reclaimed; none where there is none, as in the US. */
  bill?: { readonly id: number; readonly total_minor: bigint; readonly taxes: readonly ReclaimedTax[] } | undefined;
}

/** Input tax of a bill by code: what was reclaimed, and the net amount it was charged on. */
export interface ReclaimedTax {
  tax_code_id: number;
  authority_id: number;
  net_minor: bigint;
  tax_minor: bigint;
  /** Owed to the authority by the house itself, and no part of the bill. */
  reverse_charge: boolean;
}

/** Tax lines name the bill whose tax they change. */
export interface DisbursementLine extends ReceivableLine {
  readonly bill_id?: number;
}

export const DISCOUNTS_TAKEN = '7080';

/**
 * A discount makes the supply cheaper, and its input tax smaller in proportion (VAT Act 1994 s. 19 and VAT Notice 700,
 * 7.3; Directive 2006/112/EC art. 90 and 185): Cr input tax, with the net amount taken off its base. Reverse charge is
 * taken back on both sides. Shares are of the total of the bill.
 */
function taxOfDiscount({ discount_minor, bill }: PaidPart): DisbursementLine[] {
  if (discount_minor === 0n || bill === undefined || bill.total_minor <= 0n) return [];
  const share = (amount: bigint): bigint => divHalfAway(amount * discount_minor, bill.total_minor);
  return bill.taxes.flatMap(({ tax_code_id, authority_id, net_minor, tax_minor, reverse_charge }) => {
    const line = (account: string, sign: bigint): DisbursementLine => ({ account, amount_minor: sign * share(tax_minor),
      party: { type: 'tax_authority', id: authority_id }, tax_code_id, tax_base_minor: sign * share(net_minor),
      bill_id: bill.id });
    return [line('1300', -1n), ...(reverse_charge ? [line('2300', 1n)] : [])];
  });
}

export const WITHHOLDING_PAYABLE = '2320';

/**
 * Dr accounts payable of the party for cash, tax withheld and discounts, Cr the bank, Cr withholding tax payable, Cr
 * input tax and discounts taken. Throws where the tax is more than what is paid.
 */
export function disbursementLines(of: {
  party: Party; bank: string; on: string; parts: readonly PaidPart[];
  withheld: { amount_minor: bigint; authority_id: number } | null;
}): DisbursementLine[] {
  const paid = sum(of.parts.map((part) => part.amount_minor));
  const withheld = of.withheld?.amount_minor ?? 0n;
  if (withheld < 0n || withheld > paid) throw new RangeError('tax withheld exceeds what is paid');
  const discount = sum(of.parts.map((part) => part.discount_minor));
  const taxes = of.parts.flatMap(taxOfDiscount);
  return [
    { account: '2000', amount_minor: paid + discount, party: of.party, due_on: of.on },
    { account: of.bank, amount_minor: withheld - paid },
    ...(of.withheld === null ? [] : [{ account: WITHHOLDING_PAYABLE, amount_minor: -withheld,
      party: { type: 'tax_authority' as const, id: of.withheld.authority_id } }]), ...taxes,
    { account: DISCOUNTS_TAKEN, amount_minor: -discount - sum(taxes.map((line) => line.amount_minor)) },
  ].filter((line) => line.amount_minor !== 0n);
}

export interface Application {
  /** A credit of the payee that is set off; null: the payment itself. */
  debit_item_id: number | null;
  credit_item_id: number;
  amount_minor: bigint;
}

/** Settles each item, none for more than its part. Throws where credits exceed the amount paid. */
export function applicationsOf(parts: readonly PaidPart[]): Application[] {
  const cash = sum(parts.map((part) => part.amount_minor + part.discount_minor));
  if (cash < 0n) throw new RangeError('credits exceed what is paid');
  const sources = [
    ...parts.filter((part) => part.amount_minor < 0n)
      .map((part) => ({ id: part.item_id as number | null, left: -part.amount_minor })),
    { id: null, left: cash },
  ];
  const made: Application[] = [];
  for (const part of parts.filter((one) => one.amount_minor > 0n)) {
    let due = part.amount_minor + part.discount_minor;
    while (due > 0n) {
      const source = sources.find((one) => one.left > 0n)!;
      const amount = source.left < due ? source.left : due;
      made.push({ debit_item_id: source.id, credit_item_id: part.item_id, amount_minor: amount });
      source.left -= amount;
      due -= amount;
    }
  }
  return made;
}
