/**
 * A royalty statement in the calculation order of domain.md 3.5: thirteen steps, each with its amount and a formula
 * that a person can read. It is computed per agreement or cross-collateral group, per period, issuing division and
 * currency; statement-journal.ts says what its issue posts.
 */
import { formatMinor, formatRate, max, sum } from '../money/money.ts';
import { recoup, type Recoupment } from './recoupment.ts';
import { releaseOf, releaseSchedule, reserveOn, stillHeld } from './reserves.ts';
import { settle, type Settlement } from './settlement.ts';
import type {
  AgreementFigures, Statement, StatementAgreement, StatementInput, StatementMinimum, StatementStep,
} from './statement-types.ts';

/** The whole statement. Throws NoWeightError when a reserve is taken without a release schedule. */
export function calculateStatement(input: StatementInput): Statement {
  const figures = input.agreements.map(agreementFigures);
  const recoupments = recoup(figures, input.advances);
  const total = totals(figures, recoupments);
  const settlement = settle(total.net, input);
  const unrecouped = sum(input.advances.map((a) => a.unrecouped_minor)) - total.recouped;
  const held = sum(figures.map((f) => f.reserve_held_minor));
  return {
    steps: [
      ...earningSteps(total),
      ...settlementSteps(total.net, settlement, input),
      ...closingSteps(settlement, unrecouped, held),
    ],
    opening_minor: total.opening,
    earnings_minor: total.earnings,
    reserves_taken: figures
      .filter((f) => f.reserve_taken_minor > 0n)
      .map((f) => ({
        show_royaltor_id: f.show_royaltor_id, amount_minor: f.reserve_taken_minor, release_parts: f.release_parts,
      })),
    reserves_released: figures.flatMap((f) => f.releases),
    adjustments_minor: total.adjustments,
    available_minor: total.available,
    recoupments,
    top_up_minor: total.topUp,
    net_minor: total.net,
    payable: settlement.payable,
    carried_reason: settlement.carried_reason,
    vat_minor: settlement.vat_minor,
    vat_paid_minor: settlement.vat_paid_minor,
    withholding_minor: settlement.withholding_minor,
    agent_commission_minor: settlement.agent_commission_minor,
    payment_minor: settlement.payment_minor,
    payee: settlement.payee,
    closing_balance_minor: settlement.closing_minor,
    closing_unrecouped_minor: unrecouped,
    closing_reserve_minor: held,
  };
}

/** The top-up to a minimum over its window; never recouped (step 8). */
export function topUp(minimum: StatementMinimum | null, earningsMinor: bigint): bigint {
  if (!minimum) return 0n;
  const soFar = minimum.earned_before_minor + minimum.topped_up_before_minor + earningsMinor;
  return max(0n, minimum.minimum_minor - soFar);
}

function agreementFigures(agreement: StatementAgreement): AgreementFigures {
  const earnings_minor = sum(agreement.earnings.map((e) => e.amount_minor));
  const reserve_taken_minor = sum(agreement.earnings.map((e) => reserveOn(e.amount_minor, e.reserve_ppm)));
  const releases = agreement.reserves.map(releaseOf).filter((release) => release !== null);
  const adjustments_minor = sum(agreement.adjustments.map((a) => a.amount_minor));
  const available_minor = agreement.opening_balance_minor + earnings_minor - reserve_taken_minor
    + sum(releases.map((r) => r.amount_minor)) + adjustments_minor;
  const keptOut = agreement.earnings.filter((e) => !e.recoupable);
  const not_recoupable_minor = max(
    0n, sum(keptOut.map((e) => e.amount_minor - reserveOn(e.amount_minor, e.reserve_ppm))),
  );
  return {
    show_royaltor_id: agreement.show_royaltor_id,
    opening_minor: agreement.opening_balance_minor,
    earnings_minor, reserve_taken_minor, releases, adjustments_minor, available_minor, not_recoupable_minor,
    release_parts: releaseSchedule(reserve_taken_minor, agreement.reserve_schedule_ppm),
    reserve_held_minor: reserve_taken_minor + sum(agreement.reserves.map(stillHeld)),
    top_up_minor: topUp(agreement.minimum, earnings_minor),
  };
}

function totals(figures: readonly AgreementFigures[], recoupments: readonly Recoupment[]) {
  const of = (pick: (f: AgreementFigures) => bigint): bigint => sum(figures.map(pick));
  const available = of((f) => f.available_minor);
  const recouped = sum(recoupments.map((r) => r.amount_minor));
  const topUpMinor = of((f) => f.top_up_minor);
  return {
    opening: of((f) => f.opening_minor),
    earnings: of((f) => f.earnings_minor),
    reserved: of((f) => f.reserve_taken_minor),
    released: of((f) => sum(f.releases.map((r) => r.amount_minor))),
    adjustments: of((f) => f.adjustments_minor),
    available,
    recouped,
    topUp: topUpMinor,
    net: available - recouped + topUpMinor,
  };
}

function earningSteps(t: ReturnType<typeof totals>): StatementStep[] {
  const money = formatMinor;
  const beforeTopUp = t.net - t.topUp;
  return [
    { step: '1', label: 'Opening balance', amount_minor: t.opening, formula: 'carried from the last statement' },
    { step: '2', label: 'Became due', amount_minor: t.earnings, formula: 'royalties due by the end of the period' },
    { step: '3', label: 'Reserves taken', amount_minor: -t.reserved, formula: 'reserve rate of each positive line' },
    { step: '3b', label: 'Reserves released', amount_minor: t.released, formula: 'parts that fall due now' },
    { step: '4', label: 'Adjustments', amount_minor: t.adjustments, formula: 'as listed below' },
    {
      step: '5', label: 'Available', amount_minor: t.available,
      formula: `${money(t.opening)} + ${money(t.earnings)} - ${money(t.reserved)} + ${money(t.released)}`
        + ` + ${money(t.adjustments)}`,
    },
    {
      step: '6', label: 'Recoupment', amount_minor: -t.recouped,
      formula: 'the smaller of what is available and the unrecouped advance',
    },
    {
      step: '7', label: 'Net royalty', amount_minor: beforeTopUp,
      formula: `${money(t.available)} - ${money(t.recouped)}`,
    },
    { step: '8', label: 'Minimum top-up', amount_minor: t.topUp,
      formula: 'minimum less what became due in its window' },
  ];
}

function settlementSteps(net: bigint, s: Settlement, input: StatementInput): StatementStep[] {
  const money = formatMinor;
  const rate = input.vat.kind === 'none' ? 0n : input.vat.rate_ppm;
  const agent = input.agent?.pays === 'split_payment' ? input.agent.ppm : 0n;
  const vatName = input.vat.kind === 'reverse_charge' ? 'VAT, reverse charge (not paid out)' : 'VAT, self-billed';
  return [
    {
      step: '9', label: s.payable ? 'Payable' : 'Carried forward', amount_minor: net,
      formula: s.carried_reason ?? 'net royalty with the top-up, at or above the minimum payout',
    },
    {
      step: '9b', label: input.vat.kind === 'none' ? 'VAT' : vatName, amount_minor: s.vat_minor,
      formula: input.vat.kind === 'none' ? 'no VAT for this payee' : `${formatRate(rate)} of ${money(net)}`,
    },
    {
      step: '10', label: 'Withholding tax', amount_minor: -s.withholding_minor,
      formula: `${formatRate(input.wht_ppm)} of ${money(net)}`,
    },
    {
      step: '11', label: 'Agent commission', amount_minor: -s.agent_commission_minor,
      formula: s.payee === 'agent'
        ? 'the agent is paid the whole and takes it himself'
        : `${formatRate(agent)} of ${money(net)}, at most what withholding leaves`,
    },
    {
      step: '12', label: s.payee === 'agent' ? 'Payment to the agent' : 'Payment', amount_minor: s.payment_minor,
      formula: `${money(s.payable ? net : 0n)} + ${money(s.vat_paid_minor)} - ${money(s.withholding_minor)}`
        + ` - ${money(s.agent_commission_minor)}`,
    },
  ];
}

function closingSteps(s: Settlement, unrecouped: bigint, held: bigint): StatementStep[] {
  return [
    { step: '13', label: 'Closing balance', amount_minor: s.closing_minor, formula: 'goes into the next statement' },
    { step: '13b', label: 'Unrecouped advance', amount_minor: unrecouped, formula: 'advances less recoupment' },
    { step: '13c', label: 'Reserve held', amount_minor: held, formula: 'reserves taken less released' },
  ];
}
