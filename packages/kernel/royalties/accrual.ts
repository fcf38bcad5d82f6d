/**
 * From one line of income to what every royaltor of the show earns by it and what the house keeps, with the reason
 * for each (domain.md 3.2 to 3.4). Agreements whose terms look at the same base share it in one pot, with a carry of
 * its own; the house is the rest of the line, so lines and house always sum to its gross.
 */
import { abs, divHalfAway, formatRate, max, minorToDecimal, sum } from '../money/money.ts';
import {
  allocateWithCarry, allocationGroupKey, inPartyOrder, weightSet, weightSetKey, type ShareClaim,
} from './allocate.ts';
import type {
  Accrual, AccrualAgreement, AccrualLine, AccrualPot, AllocationRow, IncomeLine,
} from './accrual-types.ts';
import { baseOf, tieredShare, type Base } from './base.ts';
import { poolInWords, sharePool } from './pool-share.ts';
import { matchDate, matchTerm, type LosingTerm, type RoyaltyTerm, type TermFact } from './terms.ts';

/** The stored carries of a pot, in the order of its parties, the house last; null starts at 0. */
export type CarriesOf = (groupKey: string, weightsKey: string) => readonly bigint[] | null;

interface Claim extends ShareClaim {
  readonly agreement: AccrualAgreement;
  readonly term: RoyaltyTerm;
  readonly winner: TermFact;
  readonly losers: readonly LosingTerm[];
  readonly base: Base;
  readonly occurred_on: string;
}

/**
 * Shares a line. Throws OverCommittedError when the rates of one base sum to over 100%, and NoWeightError when an
 * amount per unit finds only parties without points.
 */
export function accrue(
  line: IncomeLine,
  agreements: readonly AccrualAgreement[],
  carriesOf: CarriesOf = () => null,
): Accrual {
  const matches = agreements.map((agreement) => claimOf(line, agreement));
  const claims = inPartyOrder(matches.flatMap((match) => ('term' in match ? [match] : [])));
  const shared = potsOf(claims).map((pot) => sharePot(line, pot, carriesOf));
  const lines = shared.flatMap((pot) => pot.lines).sort((a, b) => a.show_royaltor_id - b.show_royaltor_id);
  const house_minor = line.gross_minor - sum(lines.map((one) => one.amount_minor));
  return {
    lines,
    house_minor,
    over_committed: house_minor !== 0n && house_minor < 0n !== line.gross_minor < 0n,
    pots: shared.map((one) => one.pot),
    unmatched: matches.flatMap((match) => ('term' in match ? [] : [match])),
  };
}

/** '360.0045': amount x weight / total to four decimals of the major unit, for reading only. */
export function exactShare(amountMinor: bigint, weight: bigint, total: bigint): string {
  const scaled = total === 0n ? 0n : divHalfAway(amountMinor * weight * 100n, total);
  const text = minorToDecimal(abs(scaled) / 100n);
  return `${scaled < 0n ? '-' : ''}${text}${(abs(scaled) % 100n).toString().padStart(2, '0')}`;
}

function claimOf(line: IncomeLine, agreement: AccrualAgreement): Claim | Accrual['unmatched'][number] {
  const date = matchDate(agreement.date_basis, line);
  const { show_royaltor_id, term_from, term_to } = agreement;
  if ((term_from !== null && date < term_from) || (term_to !== null && date > term_to)) {
    return { show_royaltor_id, reason: `${date} is outside the term of the agreement`, losers: [] };
  }
  const match = matchTerm({ ...line, date, weekly_return: (line.pool_weeks ?? null) !== null }, agreement.terms);
  if (!match.term) return { show_royaltor_id, reason: 'No term of the agreement matches', losers: match.losers };
  const { term, winner, losers } = match;
  return {
    show_royaltor_id, term_id: term.id, rate_ppm: term.rate_ppm, share_points: term.share_points,
    share_group: agreement.share_group ?? '', agreement, term, winner, losers, base: baseOf(term, line),
    occurred_on: date,
  };
}

/** Claims that look at the same base share one pot; amounts and tiers that parties have in common are one too. */
function potsOf(claims: readonly Claim[]): Claim[][] {
  const pots = new Map<string, Claim[]>();
  for (const claim of claims) {
    const { term } = claim;
    const tiers = term.tiers.map((t) => `${t.from_minor}:${t.rate_ppm}:${t.after_recoupment}`).join(',');
    const pool = [term.pool_of, term.pool_min_per_point_minor, term.pool_total_points_x100].join('.');
    const own = isWhole(term)
      ? `/${term.unit_amount_minor}/${claim.share_group}/${term.rate_ppm}/${tiers}/${pool}` : '';
    const key = `${term.basis}/${term.source_commission_ppm ?? ''}${own}`;
    pots.set(key, [...(pots.get(key) ?? []), claim]);
  }
  return [...pots.values()];
}

/** Amounts per performance or unit, pools and tiered percentages belong to their parties; the house has no rest. */
function isWhole(term: RoyaltyTerm): boolean {
  return ['per_performance_amount', 'per_unit', 'pool_points'].includes(term.basis) || term.tiers.length > 0;
}

function sharePot(
  line: IncomeLine,
  claims: readonly Claim[],
  carriesOf: CarriesOf,
): { lines: AccrualLine[]; pot: AccrualPot } {
  const { term, base } = claims[0]!;
  if (term.basis === 'pool_points') return shareByPoints(line, claims);
  const amount = term.tiers.length > 0
    ? tieredShare(term, line.cumulative_before_minor, base.base_minor, line.producer_recouped)
    : base.base_minor;
  const { weights, weights_key } = potWeights(claims);
  const group_key = `${term.basis}:${allocationGroupKey(claims)}`;
  const carries_before = carriesOf(group_key, weights_key) ?? weights.map(() => 0n);
  const shared = allocateWithCarry(amount, weights, carries_before);
  const rows = allocationRows(claims, amount, weights, shared.parts);
  return {
    lines: claims.map((claim, i) => accrualLine(line, claim, shared.parts[i]!, rows, i)),
    pot: {
      basis: term.basis, group_key, weights_key, amount_minor: amount, weights, parts: shared.parts, carries_before,
      carries_after: shared.carries, without_carry: shared.without_carry,
    },
  };
}

/** A royalty pool is split once by points and keeps no carry: each week stands for itself (E11). */
function shareByPoints(line: IncomeLine, claims: readonly Claim[]): { lines: AccrualLine[]; pot: AccrualPot } {
  const { term } = claims[0]!;
  const points = claims.map((claim) => claim.term.pool_points_x100 ?? 0n);
  const { amount_minor, weights, parts } = sharePool(term, line.pool_weeks!, points, line.producer_recouped);
  const rows = allocationRows(claims, amount_minor, weights, parts);
  const nothing = weights.map(() => 0n);
  const names = claims.map((claim, i) => `${claim.show_royaltor_id}.${claim.term_id}=${points[i]}`);
  return {
    lines: claims.map((claim, i) => accrualLine(line, claim, parts[i]!, rows, i)),
    pot: {
      basis: term.basis, group_key: `${term.basis}:${allocationGroupKey(claims)}`,
      weights_key: `${[...names, `others=${weights.at(-1)}`].join('+')}/${sum(weights)}`, amount_minor, weights, parts,
      carries_before: nothing, carries_after: nothing, without_carry: false,
    },
  };
}

function potWeights(claims: readonly Claim[]): { weights: bigint[]; weights_key: string } {
  if (isWhole(claims[0]!.term)) {
    const weights = [...claims.map((claim) => claim.share_points), 0n];
    const names = claims.map((claim) => `${claim.show_royaltor_id}.${claim.term_id}=${claim.share_points}`);
    return { weights, weights_key: `${[...names, 'house=0'].join('+')}/${sum(weights)}` };
  }
  const set = weightSet(claims);
  return { weights: [...set.parties, set.house], weights_key: weightSetKey(claims) };
}

function allocationRows(
  claims: readonly Claim[],
  amount: bigint,
  weights: readonly bigint[],
  parts: readonly bigint[],
): AllocationRow[] {
  const weight_total = sum(weights);
  return weights.map((weight, i) => ({
    show_royaltor_id: claims[i]?.show_royaltor_id ?? null,
    name: claims[i]?.agreement.royaltor_name ?? (claims[0]!.term.basis === 'pool_points' ? 'Others' : 'House'),
    weight,
    weight_total,
    exact_share: exactShare(amount, weight, weight_total),
    paid_minor: parts[i]!,
  }));
}

function accrualLine(
  line: IncomeLine,
  claim: Claim,
  part: bigint,
  rows: readonly AllocationRow[],
  index: number,
): AccrualLine {
  const { term, agreement } = claim;
  const row = rows[index]!;
  const top_up_minor = line.gross_minor > 0n
    ? max(0n, (term.min_per_performance_minor ?? 0n) * line.performances_held - part)
    : 0n;
  const amount_minor = part + top_up_minor;
  const rate = term.tiers.length > 0 ? 'by tiers' : isWhole(term) ? 'the whole' : formatRate(term.rate_ppm);
  const share_formula = term.basis === 'pool_points'
    ? poolInWords(term, line.pool_weeks!, rows.slice(0, -1).map((one) => one.weight), line.producer_recouped)
    : `${rate}, weight ${row.weight} of ${row.weight_total}`
    + (top_up_minor > 0n ? `, raised to the minimum of ${line.performances_held} performances` : '');
  return {
    show_royaltor_id: agreement.show_royaltor_id, royaltor_id: agreement.royaltor_id, matched_term_id: term.id,
    income_type: line.income_type, basis: term.basis, base_minor: claim.base.base_minor, rate_ppm: term.rate_ppm,
    share_points: term.share_points, weight: row.weight, weight_total: row.weight_total,
    exact_share: row.exact_share, amount_minor, top_up_minor, currency: line.currency,
    occurred_on: claim.occurred_on, accrual_basis: agreement.accrual_basis,
    trace: {
      amount_minor, base_formula: claim.base.formula, share_formula, matched: claim.winner, lost: claim.losers,
      allocation: rows,
    },
  };
}

/** Fields an accrual keeps of its original when money is refunded: same term, rate and occurred_on, own days. */
export interface MirrorAccrual extends Pick<AccrualLine,
  'show_royaltor_id' | 'royaltor_id' | 'matched_term_id' | 'rate_ppm' | 'occurred_on' | 'amount_minor'> {
  readonly reverses_accrual_id: number;
  readonly due_on: string;
}

type StoredAccrual = Omit<MirrorAccrual, 'reverses_accrual_id' | 'due_on'> & { readonly id: number };

/** Mirrors of stored accruals with the given amounts (negative of what goes back), due on the day of the refund. */
export function mirrorAccruals(
  originals: readonly StoredAccrual[],
  amounts: readonly bigint[],
  refundedOn: string,
): MirrorAccrual[] {
  return originals.map(({ id, ...original }, i) => ({
    ...original, amount_minor: amounts[i] ?? 0n, reverses_accrual_id: id, due_on: refundedOn,
  }));
}
