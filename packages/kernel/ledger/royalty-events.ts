/**
 * What a payment to a royaltor posts: accounting.md 2.2, events 12 and 14; event 14d, its return, is the reversal.
 * Cost and entitlement (11 to 11r) are `../royalties/entitlement.ts`, a statement's own events (13 to 13e, 14b)
 * `../royalties/statement-postings.ts`.
 */
import { type Currency, sum } from '../money/money.ts';
import type { LineRefs, UnconvertedLine } from './journal.ts';

export interface RoyaltyPayment {
  readonly currency: Currency;
  readonly refs: LineRefs;
  /** 2200 what is due, 1150 an advance: an asset until it is recouped. */
  readonly account: '2200' | '1150';
  /** What is settled, by the royaltor on whose account it stands (an agent's commission stands on the agent's). */
  readonly settled: readonly { readonly royaltor_id: number; readonly amount_minor: bigint }[];
  readonly bank_account: string;
  /** What leaves the bank; the rest was withheld and is owed to the authority. */
  readonly paid_minor: bigint;
  readonly authority_id: number;
}

export function royaltyPaidLines(payment: RoyaltyPayment): UnconvertedLine[] {
  const { currency, refs } = payment;
  const withheld = sum(payment.settled.map((part) => part.amount_minor)) - payment.paid_minor;
  const lines: UnconvertedLine[] = [
    ...payment.settled.map((part): UnconvertedLine => ({
      account: payment.account, currency, amount: part.amount_minor, refs,
      party: { type: 'royaltor', id: part.royaltor_id },
    })),
    { account: payment.bank_account, currency, amount: -payment.paid_minor, refs },
    { account: '2320', currency, amount: -withheld, refs, party: { type: 'tax_authority', id: payment.authority_id } },
  ];
  return lines.filter((line) => line.amount !== 0n);
}
