/** Base of a term's rate (domain.md 3.2 "basis"), with the formula that the drawer prints. */
import { applyPpm, divHalfAway, formatMinor, formatRate, max, PPM } from '../money/money.ts';
import { poolBase, type PoolWeeks } from './pool-share.ts';
import type { RoyaltyTerm } from './terms.ts';

export interface BaseInput {
  /** The line excluding tax; negative for a credit. */
  readonly gross_minor: bigint;
  readonly house_commission_ppm: bigint;
  /** Costs that the agreement lets off first, with the sign of the line. */
  readonly costs_minor: bigint;
  readonly performances_held: bigint;
  readonly units: bigint;
  /** The week that the line bills, for terms with a royalty pool. */
  readonly pool_weeks?: PoolWeeks | null;
}

export interface Base {
  readonly base_minor: bigint;
  readonly formula: string;
}

/** The base of a term on a line, rounded once. Amounts per performance or unit are the base themselves. */
export function baseOf(term: RoyaltyTerm, line: BaseInput): Base {
  const gross = formatMinor(line.gross_minor);
  const unit = term.unit_amount_minor ?? 0n;
  switch (term.basis) {
    case 'receipts':
      return { base_minor: line.gross_minor, formula: `receipts of ${gross}` };
    case 'after_house_commission':
      return {
        base_minor: line.gross_minor - applyPpm(line.gross_minor, line.house_commission_ppm),
        formula: `${gross} less house commission of ${formatRate(line.house_commission_ppm)}`,
      };
    case 'net_after_costs':
      return { base_minor: netOfCosts(line), formula: `${gross} less costs of ${formatMinor(line.costs_minor)}` };
    case 'per_performance_amount':
      return {
        base_minor: unit * line.performances_held,
        formula: `${formatMinor(unit)} x ${line.performances_held} performances`,
      };
    case 'per_unit':
      return { base_minor: unit * line.units, formula: `${formatMinor(unit)} x ${line.units}` };
    case 'at_source': {
      const cut = term.source_commission_ppm ?? 0n;
      return { base_minor: atSource(line.gross_minor, cut), formula: `${gross} / (1 - ${formatRate(cut)})` };
    }
    case 'pool_points':
      return poolBase(term, line.pool_weeks?.now ?? null);
  }
}

/** The amount before a sub-agent's cut: 1,000.00 received after 15% is 1,176.47 (G18). The cut is below 100%. */
export function atSource(receivedMinor: bigint, commissionPpm: bigint): bigint {
  return divHalfAway(receivedMinor * PPM, PPM - commissionPpm);
}

/**
 * Percentages that rise with the cumulative base, marginal: F(after) - F(before), each rounded once, so that a run
 * always equals its closed form (domain.md 2.5). Tiers of recoupment count once the producer has declared it.
 */
export function tieredShare(
  term: RoyaltyTerm,
  beforeMinor: bigint,
  baseMinor: bigint,
  producerRecouped: boolean,
): bigint {
  return cumulative(term, beforeMinor + baseMinor, producerRecouped) - cumulative(term, beforeMinor, producerRecouped);
}

function cumulative(term: RoyaltyTerm, amount: bigint, producerRecouped: boolean): bigint {
  const after = term.tiers.filter((tier) => tier.after_recoupment);
  const usual = term.tiers.filter((tier) => !tier.after_recoupment);
  const tiers = producerRecouped && after.length > 0 ? after : usual;
  const steps = [{ from_minor: 0n, rate_ppm: term.rate_ppm }, ...tiers]
    .sort((a, b) => (a.from_minor < b.from_minor ? -1 : a.from_minor > b.from_minor ? 1 : 0));
  let scaled = 0n;
  steps.forEach((step, i) => {
    const upTo = steps[i + 1]?.from_minor ?? null;
    const reached = upTo === null || amount < upTo ? amount : upTo;
    scaled += max(reached - step.from_minor, 0n) * step.rate_ppm;
  });
  return divHalfAway(scaled, PPM);
}

function netOfCosts(line: BaseInput): bigint {
  const net = line.gross_minor - line.costs_minor;
  return net < 0n === line.gross_minor < 0n ? net : 0n;
}
