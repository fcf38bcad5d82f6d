/**
 * Postings of payables, as signed lines (debit positive): accounting.md 2.2, events 15, 16, 16c, 21 to 24. Amounts are
 * in the currency of the document; every function's lines sum to 0.
 */
import { sum } from '../money/money.ts';
import type { LineRefs, Party } from './journal.ts';

export interface PayableLine {
  /** Code of the chart. */
  readonly account: string;
  readonly amount_minor: bigint;
  readonly party?: Party;
  readonly tax_code_id?: number;
  readonly tax_base_minor?: bigint;
  /** Due date of the item that the line opens. */
  readonly due_on?: string;
  readonly refs?: LineRefs;
  readonly memo?: string;
}

/**
 * Treatment of the tax of a line: `recoverable` input tax that the vendor charges; `cost`, charged and part of the
 * expense (US sales tax); `reverse_charge` and `use_tax`, owed by the buyer to the authority.
 */
export const TAX_TREATMENTS = ['none', 'recoverable', 'cost', 'reverse_charge', 'use_tax'] as const;
export type TaxTreatment = (typeof TAX_TREATMENTS)[number];

export interface BillLinePosting {
  readonly account: string;
  readonly net_minor: bigint;
  readonly tax_minor: bigint;
  readonly treatment: TaxTreatment;
  readonly tax_code_id: number | null;
  /** Authority of the tax, or that the line pays; null where the line has none. */
  readonly authority_id: number | null;
  /** The account keeps the vendor beside the amount, as accrued purchases do. */
  readonly takes_vendor: boolean;
  /** The line pays tax that was withheld or collected: the account keeps the authority beside the amount. */
  readonly takes_authority: boolean;
  /**
   * Cost of goods received before the bill that the line takes off accrued purchases (2010); what else the line comes
   * to is a price difference on 5100.
   */
  readonly cleared_minor?: bigint | null;
  readonly refs: LineRefs;
  readonly memo: string;
}

export interface BillPosting {
  readonly kind: 'bill' | 'credit';
  readonly vendor_id: number;
  readonly due_on: string;
  readonly lines: readonly BillLinePosting[];
}

/** Tax that the vendor charges, as part of what is owed to the vendor. */
export function isCharged(treatment: TaxTreatment): boolean {
  return treatment === 'recoverable' || treatment === 'cost';
}

/** Events 16 and 16c with 21 and 23b inside: a credit is the mirror of a bill. */
export function billLines(posting: BillPosting): PayableLine[] {
  const owed = sum(posting.lines.map((line) =>
    line.net_minor + (isCharged(line.treatment) ? line.tax_minor : 0n)));
  const lines: PayableLine[] = [
    ...posting.lines.flatMap((line) => linePostings(line, posting.vendor_id)),
    { account: '2000', amount_minor: -owed, party: { type: 'vendor', id: posting.vendor_id },
      due_on: posting.due_on },
  ];
  const sign = posting.kind === 'credit' ? -1n : 1n;
  return lines.filter((line) => line.amount_minor !== 0n).map((line) => ({ ...line,
    amount_minor: sign * line.amount_minor,
    ...(line.tax_base_minor === undefined ? {} : { tax_base_minor: sign * line.tax_base_minor }) }));
}

function partyOf(line: BillLinePosting, vendorId: number): { party?: Party } {
  if (line.takes_vendor) return { party: { type: 'vendor', id: vendorId } };
  return line.takes_authority && line.authority_id !== null
    ? { party: { type: 'tax_authority', id: line.authority_id } } : {};
}

/** Event 24: what goods cost is owed to the vendor from their receipt; below zero they went back. */
export function goodsLines(vendorId: number, cost: bigint): PayableLine[] {
  return [{ account: '1200', amount_minor: cost },
    { account: '2010', amount_minor: -cost, party: { type: 'vendor', id: vendorId } }];
}

/** Cost of the line; goods received earlier clear their cost from 2010 and leave the difference on 5100. */
function costPostings(line: BillLinePosting, vendorId: number): PayableLine[] {
  const inCost = line.treatment === 'cost' || line.treatment === 'use_tax' ? line.tax_minor : 0n;
  const shared = { refs: line.refs, memo: line.memo };
  const amount = line.net_minor + inCost;
  const cleared = line.cleared_minor ?? null;
  if (cleared === null) return [{ account: line.account, amount_minor: amount, ...shared, ...partyOf(line, vendorId) }];
  return [{ account: '2010', amount_minor: cleared, ...shared, party: { type: 'vendor', id: vendorId } },
    { account: '5100', amount_minor: amount - cleared, ...shared }];
}

function linePostings(line: BillLinePosting, vendorId: number): PayableLine[] {
  const expense = costPostings(line, vendorId);
  if (line.authority_id === null || line.tax_code_id === null) return expense;
  const tax = (account: string, amount: bigint, base: bigint): PayableLine => ({ account, amount_minor: amount,
    party: { type: 'tax_authority', id: line.authority_id! }, tax_code_id: line.tax_code_id!, tax_base_minor: base });
  switch (line.treatment) {
    case 'recoverable': return [...expense, tax('1300', line.tax_minor, line.net_minor)];
    case 'reverse_charge':
      return [...expense, tax('1300', line.tax_minor, line.net_minor), tax('2300', -line.tax_minor, -line.net_minor)];
    case 'use_tax': return [...expense, tax('2340', -line.tax_minor, -line.net_minor)];
    case 'cost': case 'none': return expense;
  }
}

/** Amounts of a purchase by box of the VAT return: UK boxes 1, 4, 6, 7 (VAT Notice 700/12), Irish VAT3 T1 and T2. */
export function purchaseBoxes(
  division: string, lines: readonly Pick<BillLinePosting, 'net_minor' | 'tax_minor' | 'treatment' | 'tax_code_id'>[],
): ReadonlyMap<string, bigint> {
  const boxes = new Map<string, bigint>();
  const add = (box: string, amount: bigint): void => { boxes.set(box, (boxes.get(box) ?? 0n) + amount); };
  if (division !== 'UK' && division !== 'EU') return boxes;
  const uk = division === 'UK';
  for (const line of lines) {
    if (line.treatment === 'recoverable') add(uk ? '4' : 'T2', line.tax_minor);
    if (line.treatment === 'reverse_charge') {
      add(uk ? '1' : 'T1', line.tax_minor);
      add(uk ? '4' : 'T2', line.tax_minor);
      if (uk) add('6', line.net_minor);
    }
    if (uk && line.tax_code_id !== null) add('7', line.net_minor);
  }
  return new Map([...boxes].sort(([one], [other]) => one.localeCompare(other)));
}
