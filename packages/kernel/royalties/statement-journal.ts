/**
 * The journal of an issued statement (accounting.md 2.2 rows 13 to 14b) with what every line is carried at: earnings
 * and the opening balance keep theirs, what arises with the statement takes the rate of its day, what leaves 2200
 * leaves at what is in it. An advance goes back at its historical rate; differences are realised on 7000.
 */
import { atRate } from '../money/exchange.ts';
import { sum } from '../money/money.ts';
import { carriedPart, setOff, type Carried } from './carried.ts';
import type { StatementParty } from './statement-types.ts';

/** Figures of the statement, each in its currency with what it is carried at in the division's own. */
export interface StatementFigures {
  readonly opening: Carried;
  /** Royalties due, line by line; `reserve_ppm` tells which lines the reserve of the agreement is of. */
  readonly earnings: readonly (Carried & { readonly show_royaltor_id: number; readonly reserve_ppm: bigint })[];
  readonly reserves_taken: readonly { readonly show_royaltor_id: number; readonly amount_minor: bigint }[];
  readonly reserves_released: readonly Carried[];
  readonly adjustments_minor: bigint;
  /** Recoupments of returned advances: corrections that stand in 2200 already. */
  readonly restored?: readonly Carried[];
  readonly top_up_minor: bigint;
  readonly recouped: readonly Carried[];
  readonly agent_commission_minor: bigint;
  readonly vat: { readonly kind: 'none' | 'self_billed' | 'reverse_charge'; readonly amount_minor: bigint };
  /** Functional units per unit on the day of issue; '1' in the division's own currency. */
  readonly rate: string;
}

export interface StatementJournalLine extends Carried {
  readonly account: '2200' | '2205' | '1150' | '1300' | '2300' | '5000' | '7000';
  readonly party: StatementParty;
  /** In the division's own currency: the exchange difference. */
  readonly functional: boolean;
  readonly memo: string;
}

export interface StatementJournal {
  readonly lines: readonly StatementJournalLine[];
  /** Balance the statement leaves in 2200, and its agent's part of it, at their carrying amounts. */
  readonly carried_minor: bigint;
  readonly agent_carried_minor: bigint;
  readonly reserves_taken: readonly (Carried & { readonly show_royaltor_id: number })[];
}

/** Debits positive; amounts of the statement's currency sum to 0, and so do the functional ones. */
export function statementJournal(of: StatementFigures): StatementJournal {
  const at = (amount_minor: bigint): Carried => ({ amount_minor, functional_minor: atRate(amount_minor, of.rate) });
  const taken = of.reserves_taken.map((one) => ({ ...one, functional_minor: carriedPart(positive(of.earnings.filter(
    (line) => line.show_royaltor_id === one.show_royaltor_id && line.reserve_ppm > 0n)), one.amount_minor) }));
  const reserved = total(taken);
  const [released, adjusted, toppedUp] = [total(of.reserves_released), at(of.adjustments_minor), at(of.top_up_minor)];
  const vat = at(of.vat.amount_minor);
  const selfBilled = of.vat.kind === 'self_billed' ? vat : at(0n);
  const pool = setOff([
    of.opening, less(positive(of.earnings), reserved), ...of.earnings.filter((line) => line.amount_minor < 0n),
    ...(of.restored ?? []), released, adjusted, toppedUp, selfBilled,
  ]);
  const recouped = total(of.recouped);
  const recoupedAt: Carried = { ...recouped, functional_minor: carriedPart(pool.left, recouped.amount_minor) };
  const left = less(pool.left, recoupedAt);
  const agent: Carried = { amount_minor: of.agent_commission_minor,
    functional_minor: carriedPart(left, of.agent_commission_minor) };
  const realised = pool.realised_minor + recouped.functional_minor - recoupedAt.functional_minor;
  const lines: StatementJournalLine[] = [
    ...pair('Reserve held', ['2200', 'royaltor'], ['2205', 'royaltor'], reserved),
    ...pair('Reserve released', ['2205', 'royaltor'], ['2200', 'royaltor'], released),
    ...pair('Correction', ['5000', null], ['2200', 'royaltor'], adjusted),
    line('2200', 'royaltor', recoupedAt, 'Advance recouped'),
    line('1150', 'royaltor', minus(recouped), 'Advance recouped'),
    ...pair('Minimum top-up', ['5000', null], ['2200', 'royaltor'], toppedUp),
    ...pair('VAT, self-billed', ['1300', 'tax_authority'], ['2200', 'royaltor'], selfBilled),
    ...pair('VAT, reverse charge', ['1300', 'tax_authority'], ['2300', 'tax_authority'],
      of.vat.kind === 'reverse_charge' ? vat : at(0n)),
    ...pair('Agent commission', ['2200', 'royaltor'], ['2200', 'agent'], agent),
    line('2200', 'royaltor', { amount_minor: 0n, functional_minor: -pool.realised_minor }, 'Exchange difference'),
    { ...line('7000', null, { amount_minor: realised, functional_minor: realised }, 'Exchange difference'),
      functional: true },
  ];
  return {
    lines: lines.filter((one) => one.amount_minor !== 0n || one.functional_minor !== 0n),
    carried_minor: left.functional_minor - agent.functional_minor,
    agent_carried_minor: agent.functional_minor, reserves_taken: taken,
  };
}

type Side = readonly [StatementJournalLine['account'], StatementParty];

function pair(memo: string, debit: Side, credit: Side, of: Carried): StatementJournalLine[] {
  return [line(...debit, of, memo), line(...credit, minus(of), memo)];
}

function line(
  account: StatementJournalLine['account'], party: StatementParty, of: Carried, memo: string,
): StatementJournalLine {
  const { amount_minor, functional_minor } = of;
  return { account, party, amount_minor, functional_minor, functional: false, memo };
}

function minus(of: Carried): Carried {
  return { amount_minor: -of.amount_minor, functional_minor: -of.functional_minor };
}

function less(of: Carried, part: Carried): Carried {
  return { amount_minor: of.amount_minor - part.amount_minor,
    functional_minor: of.functional_minor - part.functional_minor };
}

function total(of: readonly Carried[]): Carried {
  return { amount_minor: sum(of.map((one) => one.amount_minor)),
    functional_minor: sum(of.map((one) => one.functional_minor)) };
}

function positive(of: readonly Carried[]): Carried {
  return total(of.filter((one) => one.amount_minor > 0n));
}
