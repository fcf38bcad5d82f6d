/**
 * Postings of royalties: cost, what becomes due, advances, statements, payments (accounting.md 2.1, 2.2 events 11 to
 * 15). 2210 is cost not yet due, 1140 what was due before its cost, 2200 what is owed; statements read 2200 alone.
 * Amounts are positive minor units in the booking's currency unless a comment says "signed".
 */
import { sum } from '../money/money.ts';
import { book, credit, debit, party, type Booking } from './booking.ts';
import type { CashAccount } from './receipt-events.ts';
import type { JournalDraft } from './journal.ts';

/** One royaltor's movement on one account, signed (+ debit), as the entitlement kernel answers it. */
export interface RoyaltyLeg {
  account: '5000' | '2210' | '1140' | '2200';
  royaltor_id: number;
  amount: bigint;
  /** The rate the leg is carried at, where it is not the booking's. */
  rate?: string;
}

/**
 * Events 11, 11c, 11d and 11r from the legs of a movement. Cost (5000) needs no party; its legs add up to one line.
 * `royalty_cost` follows income, `royalty_due` follows the agreement.
 */
export function royaltyMoved(
  of: Booking & { kind: 'royalty_cost' | 'royalty_due'; legs: readonly RoyaltyLeg[] },
): JournalDraft {
  const cost = sum(of.legs.filter((leg) => leg.account === '5000').map((leg) => leg.amount));
  return book(of.kind, of, [
    debit('5000', cost, { rest: true }),
    ...of.legs.filter((leg) => leg.account !== '5000').map((leg) => debit(leg.account, leg.amount,
      { ...party('royaltor', leg.royaltor_id), ...(leg.rate === undefined ? {} : { rate: leg.rate }) })),
  ]);
}

/** Event 12: an advance is a payment, withheld and reported when paid. */
export function advancePaid(of: Booking & {
  royaltor_id: number; cash_account: CashAccount; amount: bigint; withheld?: { amount: bigint; authority_id: number };
}): JournalDraft {
  const withheld = of.withheld?.amount ?? 0n;
  return book('royalty_advance', of, [
    debit('1150', of.amount, party('royaltor', of.royaltor_id)),
    credit(of.cash_account, of.amount - withheld),
    ...(of.withheld ? [credit('2320', withheld, party('tax_authority', of.withheld.authority_id))] : []),
  ]);
}

export interface StatementBooking extends Booking {
  royaltor_id: number;
  amount: bigint;
}

/** Event 13: an advance is recouped from what is due. */
export function advanceRecouped(of: StatementBooking): JournalDraft {
  const royaltor = party('royaltor', of.royaltor_id);
  return book('royalty_statement', of, [debit('2200', of.amount, royaltor), credit('1150', of.amount, royaltor)]);
}

/** Event 13b: up to the guaranteed minimum. */
export function minimumToppedUp(of: StatementBooking): JournalDraft {
  return book('royalty_statement', of, [
    debit('5000', of.amount), credit('2200', of.amount, party('royaltor', of.royaltor_id)),
  ]);
}

/** Event 13c: from the author to the agent, both royaltors. */
export function agentCommission(of: StatementBooking & { agent_id: number }): JournalDraft {
  return book('royalty_statement', of, [
    debit('2200', of.amount, party('royaltor', of.royaltor_id)),
    credit('2200', of.amount, party('royaltor', of.agent_id)),
  ]);
}

export interface StatementTax {
  authority_id: number;
  tax_code_id?: number;
  /** Net amount that the tax is of. */
  tax_base?: bigint;
}

/** Event 13d: VAT of a registered author under self-billing. */
export function selfBilledVat(of: StatementBooking & { tax: StatementTax }): JournalDraft {
  return book('royalty_statement', of, [
    debit('1300', of.amount, vat(of.tax)), credit('2200', of.amount, party('royaltor', of.royaltor_id)),
  ]);
}

/** Event 13e: reverse charge on a foreign author, input and output alike. */
export function reverseChargeVat(of: Booking & { amount: bigint; tax: StatementTax }): JournalDraft {
  return book('royalty_statement', of, [
    debit('1300', of.amount, vat(of.tax)), credit('2300', of.amount, vat(of.tax, -1n)),
  ]);
}

function vat(tax: StatementTax, sign = 1n) {
  return {
    ...party('tax_authority', tax.authority_id),
    ...(tax.tax_code_id === undefined ? {} : { tax_code_id: tax.tax_code_id }),
    ...(tax.tax_base === undefined ? {} : { tax_base: sign * tax.tax_base }),
  };
}

/** Event 14: what is due leaves the bank, less what is withheld. Event 14d, its return, is the reversal of this. */
export function royaltyPaid(of: Booking & {
  royaltor_id: number; cash_account: CashAccount; due: bigint; withheld?: { amount: bigint; authority_id: number };
}): JournalDraft {
  const withheld = of.withheld?.amount ?? 0n;
  return book('royalty_payment', of, [
    debit('2200', of.due, party('royaltor', of.royaltor_id)),
    credit(of.cash_account, of.due - withheld),
    ...(of.withheld ? [credit('2320', withheld, party('tax_authority', of.withheld.authority_id))] : []),
  ]);
}

/** Event 14b: a reserve is held back from what is due. */
export function reserveHeld(of: StatementBooking): JournalDraft {
  const royaltor = party('royaltor', of.royaltor_id);
  return book('royalty_statement', of, [debit('2200', of.amount, royaltor), credit('2205', of.amount, royaltor)]);
}

/** Event 14b, the way back. */
export function reserveReleased(of: StatementBooking): JournalDraft {
  const royaltor = party('royaltor', of.royaltor_id);
  return book('royalty_statement', of, [debit('2205', of.amount, royaltor), credit('2200', of.amount, royaltor)]);
}

/** Event 15: withheld tax is paid to the authority. */
export function withholdingRemitted(of: Booking & {
  authority_id: number; cash_account: CashAccount; amount: bigint;
}): JournalDraft {
  return book('tax_payment', of, [
    debit('2320', of.amount, party('tax_authority', of.authority_id)), credit(of.cash_account, of.amount),
  ]);
}
