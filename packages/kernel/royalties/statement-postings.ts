/** The ledger events of a statement (accounting.md 2.2 rows 13 to 14b): at issue, and at payment. */
import { sum } from '../money/money.ts';
import type { Recoupment } from './recoupment.ts';
import type { Settlement } from './settlement.ts';
import type { AgreementFigures, StatementInput, StatementParty, StatementPosting } from './statement-types.ts';

type Leg = StatementPosting['legs'][number];

/** Every non-zero event; the legs of each sum to 0. Payable means 2200, with the royaltor as party. */
export function statementPostings(
  input: StatementInput,
  figures: readonly AgreementFigures[],
  recoupments: readonly Recoupment[],
  settlement: Settlement,
): StatementPosting[] {
  return [
    ...figures.flatMap(reservePostings),
    ...input.agreements.flatMap((agreement) => agreement.adjustments.map((adjustment) =>
      posting('adjustment', agreement.show_royaltor_id, adjustment.amount_minor, [adjustment.against, null]))),
    ...recoupments.map((r) => mirrored('13', r.show_royaltor_id, r.amount_minor, ['1150', 'royaltor'])),
    ...figures.map((f) => posting('13b', f.show_royaltor_id, f.top_up_minor, ['5000', null])),
    ...settlementPostings(input, settlement),
  ].filter((p) => p.legs.some((leg) => leg.amount_minor !== 0n));
}

function reservePostings(f: AgreementFigures): StatementPosting[] {
  const released = sum(f.releases.map((r) => r.amount_minor));
  return [
    mirrored('14b', f.show_royaltor_id, f.reserve_taken_minor, ['2205', 'royaltor']),
    posting('14b', f.show_royaltor_id, released, ['2205', 'royaltor']),
  ];
}

function settlementPostings(input: StatementInput, s: Settlement): StatementPosting[] {
  const vat: StatementPosting[] = input.vat.kind === 'self_billed'
    ? [posting('13d', null, s.vat_minor, ['1300', 'tax_authority'])]
    : [legs('13e', 'issue', [leg('1300', 'tax_authority', s.vat_minor), leg('2300', 'tax_authority', -s.vat_minor)])];
  return [
    ...vat,
    legs('13c', 'issue', [
      leg('2200', 'royaltor', s.agent_commission_minor), leg('2200', 'agent', -s.agent_commission_minor),
    ]),
    legs('14', 'payment', [
      leg('2200', 'royaltor', s.payment_minor + s.withholding_minor),
      leg('1000', null, -s.payment_minor),
      leg('2320', 'tax_authority', -s.withholding_minor),
    ]),
  ];
}

/** Dr the other account / Cr 2200. */
function posting(
  event: StatementPosting['event'],
  showRoyaltorId: number | null,
  amount: bigint,
  [account, party]: readonly [string, StatementParty],
): StatementPosting {
  return {
    event, when: 'issue', show_royaltor_id: showRoyaltorId,
    legs: [leg(account, party, amount), leg('2200', 'royaltor', -amount)],
  };
}

/** Dr 2200 / Cr the other account. */
function mirrored(
  event: StatementPosting['event'],
  showRoyaltorId: number | null,
  amount: bigint,
  other: readonly [string, StatementParty],
): StatementPosting {
  return posting(event, showRoyaltorId, -amount, other);
}

function legs(event: StatementPosting['event'], when: 'issue' | 'payment', own: readonly Leg[]): StatementPosting {
  return { event, when, show_royaltor_id: null, legs: own.filter((l) => l.amount_minor !== 0n) };
}

function leg(account: string, party: StatementParty, amount_minor: bigint): Leg {
  return { account, party, amount_minor };
}
