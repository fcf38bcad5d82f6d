/**
 * Combined promises of a show's agreements, line by line, and the remainder for the company (domain.md 3.2).
 * Rates are compared as exact fractions; more than 100% is refused when an agreement is saved.
 */
import { addDays, type IsoDate } from '../calendar/calendar.ts';
import { divHalfAway, formatRate, PPM } from '../money/money.ts';
import { inPartyOrder, promisedWeights, type ShareClaim } from './allocate.ts';
import { pointsInWords } from './pool-share.ts';
import { matchTerm, type LineDimensions, type RoyaltyTerm } from './terms.ts';

export interface MatrixAgreement {
  readonly id: number;
  readonly royaltor_name: string;
  readonly share_group?: string;
  readonly terms: readonly RoyaltyTerm[];
}

export interface MatrixShare {
  readonly show_royaltor_id: number;
  readonly royaltor_name: string;
  readonly term_id: number;
  readonly rate_ppm: bigint;
  readonly share_points: bigint;
  /** The share for reading, rounded to ppm; the exact one is weight / weight_total. */
  readonly share_ppm: bigint;
  readonly weight: bigint;
}

export interface MatrixRow {
  readonly line: LineDimensions;
  readonly shares: readonly MatrixShare[];
  readonly weight_total: bigint;
  /** Negative when more than the whole is promised. */
  readonly house_weight: bigint;
  readonly house_ppm: bigint;
  readonly over_committed: boolean;
  /** A warning when the house keeps something else than expected. */
  readonly unexpected: boolean;
  readonly in_words: string;
}

/**
 * One row per kind of line. Amounts per performance or unit promise no percentage and stand outside the sum; a term
 * with tiers counts with its highest rate. `expectedHousePpm` null expects nothing.
 */
export function shareMatrix(
  agreements: readonly MatrixAgreement[],
  lines: readonly LineDimensions[],
  expectedHousePpm: bigint | null = null,
): MatrixRow[] {
  return lines.map((line) => matrixRow(agreements, line, expectedHousePpm));
}

/** The days on which any term's answer may change: a matrix over them covers every day. `today` is always one. */
export function matrixDates(agreements: readonly MatrixAgreement[], today: IsoDate): IsoDate[] {
  const days = new Set<IsoDate>([today]);
  for (const term of agreements.flatMap((agreement) => agreement.terms)) {
    if (term.match_date_from !== null) days.add(term.match_date_from).add(addDays(term.match_date_from, -1));
    if (term.match_date_to !== null) days.add(term.match_date_to).add(addDays(term.match_date_to, 1));
  }
  return [...days].sort();
}

function matrixRow(
  agreements: readonly MatrixAgreement[],
  line: LineDimensions,
  expectedHousePpm: bigint | null,
): MatrixRow {
  const found = inPartyOrder(agreements.flatMap((agreement) => percentClaim(agreement, line)));
  const weights = promisedWeights(found);
  const shares = found.map((claim, i) => ({
    show_royaltor_id: claim.show_royaltor_id,
    royaltor_name: claim.royaltor_name,
    term_id: claim.term_id,
    rate_ppm: claim.rate_ppm,
    share_points: claim.share_points,
    share_ppm: divHalfAway(weights.parties[i]! * PPM, weights.total),
    weight: weights.parties[i]!,
  }));
  const unexpected = expectedHousePpm !== null && weights.house * PPM !== expectedHousePpm * weights.total;
  const house_ppm = divHalfAway(weights.house * PPM, weights.total);
  const pools = agreements.flatMap((agreement) => poolOf(agreement, line));
  return {
    line, shares, weight_total: weights.total, house_weight: weights.house, house_ppm,
    over_committed: weights.house < 0n, unexpected, in_words: [...pools, inWords(found, house_ppm)].join('; '),
  };
}

type NamedClaim = ShareClaim & { readonly royaltor_name: string };

function percentClaim(agreement: MatrixAgreement, line: LineDimensions): NamedClaim[] {
  const { term } = matchTerm(line, agreement.terms);
  if (!term || term.basis === 'per_performance_amount' || term.basis === 'per_unit') return [];
  const rate_ppm = term.tiers.reduce((top, tier) => (tier.rate_ppm > top ? tier.rate_ppm : top), term.rate_ppm);
  return [{
    show_royaltor_id: agreement.id,
    royaltor_name: agreement.royaltor_name,
    term_id: term.id,
    rate_ppm,
    share_points: term.share_points,
    ...(agreement.share_group === undefined ? {} : { share_group: agreement.share_group }),
  }];
}

/** A pool promises no percentage of the line; it takes the place of other terms for the returns of weeks. */
function poolOf(agreement: MatrixAgreement, line: LineDimensions): string[] {
  const { term } = matchTerm({ ...line, weekly_return: true }, agreement.terms);
  if (term?.basis !== 'pool_points') return [];
  const of = term.pool_of === 'gross' ? 'gross' : 'operating profit';
  const [own, all] = [term.pool_points_x100, term.pool_total_points_x100].map((points) => pointsInWords(points ?? 0n));
  return [`of weeks, ${own} of ${all} points of a pool of ${formatRate(term.rate_ppm)} of the ${of} to ${
    agreement.royaltor_name}`];
}

function inWords(claims: readonly NamedClaim[], housePpm: bigint): string {
  const pools = new Map<string, NamedClaim[]>();
  for (const claim of claims) {
    const key = `${claim.rate_ppm}/${claim.share_group ?? ''}`;
    pools.set(key, [...(pools.get(key) ?? []), claim]);
  }
  const texts = [...pools.values()].map(poolInWords);
  const house = housePpm < 0n
    ? `${formatRate(-housePpm)} more than the whole is promised`
    : `the house keeps ${formatRate(housePpm)}`;
  return [...texts, house].join('; ');
}

function poolInWords(pool: readonly NamedClaim[]): string {
  const names = pool.map((claim) => claim.royaltor_name).join(', ');
  const rate = formatRate(pool[0]!.rate_ppm);
  if (pool.length === 1) return `${rate} to ${names}`;
  const points = pool.map((claim) => claim.share_points);
  if (points.every((p) => p === points[0])) return `${rate} in ${pool.length} equal parts to ${names}`;
  return `${rate} by points ${points.join(' : ')} to ${names}`;
}
