/**
 * One line of income with its shares, and what of each became cost and became due so far (domain.md 2.10). The sharing
 * is stored once (role line); parts and mirrors stand beside it.
 */
import type { AccrualAgreement, AccrualLine, AccrualPot, IncomeLine } from '#kernel/royalties/accrual-types.ts';
import { accrue } from '#kernel/royalties/accrual.ts';
import { sum } from '#kernel/money/money.ts';
import { keptShares, NOTHING_YET, type AccrualBasis } from '#kernel/royalties/entitlement.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { houseCommission, type ShowAgreements } from './agreements.server.ts';
import { weightsHash, type Carries } from './carries.server.ts';
import type { LineFacts } from './line-facts.server.ts';
import type { PoolWeeks } from './pool-weeks.server.ts';

export interface Share {
  show_royaltor_id: number;
  royaltor_id: number;
  basis: AccrualBasis;
  term_id: number | null;
  base_minor: bigint;
  rate_ppm: bigint;
  share_points: bigint;
  weight: bigint;
  recoupable: boolean;
  reserve_ppm: bigint;
  occurred_on: string;
  amount_minor: bigint;
  /** Its amount less what credits took of it: what becomes cost and due in the end, to the cent. */
  kept_minor: bigint;
  cost_minor: bigint;
  due_minor: bigint;
  /** Net presentation: what was taken off deferred income with its releases. */
  released_minor: bigint;
  /** The same in the division's own currency, each at the rates it came with. */
  cost_functional_minor: bigint;
  due_functional_minor: bigint;
  released_functional_minor: bigint;
}

export interface SharedLine {
  facts: LineFacts;
  /** null until the sharing is stored. */
  allocation_id: number | null;
  amount_minor: bigint;
  house_minor: bigint;
  /** Of the house and of everybody who has no share, less what credits took of it. */
  house_kept_minor: bigint;
  shares: Share[];
  /** Of the house and of everybody who is not asked: moved with the parts of each kind. */
  rest: { cost: bigint; due: bigint; release: bigint };
  group_key: string;
  weights_hash: string;
  weight_total: bigint;
  method: 'plain' | 'carried' | 'safe';
  /** Facts of the drawer; only while the sharing is new. */
  trace: unknown;
}

interface StoredShare {
  invoice_item_id: number; allocation_id: number; amount_minor: number; house_minor: number; group_key: string;
  weights_hash: string; method: SharedLine['method']; weight_total: string | null;
  parts: { cost: number; due: number; release: number };
  shares: (Record<'show_royaltor_id' | 'royaltor_id' | 'base_minor' | 'rate_ppm' | 'share_points' | 'reserve_ppm'
    | 'amount_minor' | 'cost_minor' | 'due_minor' | 'released_minor' | 'cost_functional_minor'
    | 'due_functional_minor' | 'released_functional_minor', number>
    & { term_id: number | null; weight: string; recoupable: boolean; occurred_on: string; basis: AccrualBasis })[];
}

/** The stored sharing of these lines. Call under the lock of their shows. */
export async function storedLines(
  db: Queryable, facts: ReadonlyMap<number, LineFacts>,
): Promise<Map<number, SharedLine>> {
  const rows = await db.query<StoredShare>(sql`
    select l.invoice_item_id, l.id as allocation_id, l.amount_minor, l.house_minor, l.group_key, l.weights_hash,
      l.method, l.trace ->> 'weight_total' as weight_total,
      (select jsonb_build_object(
          'cost', coalesce(sum(p.house_minor) filter (where p.role = 'cost'), 0)
            + case when (select bool_and(cost_on is not null) from royalty_accruals where royalty_allocation_id = l.id)
              then l.house_minor else 0 end,
          'due', coalesce(sum(p.house_minor) filter (where p.role = 'due'), 0),
          'release', coalesce(sum(p.house_minor) filter (where p.role = 'release'), 0))
        from royalty_allocations p where p.part_of_id = l.id) as parts,
      (select jsonb_agg(jsonb_build_object('show_royaltor_id', a.show_royaltor_id, 'royaltor_id', g.royaltor_id,
          'basis', g.accrual_basis, 'term_id', a.matched_term_id, 'base_minor', a.base_minor, 'rate_ppm', a.rate_ppm,
          'share_points', a.share_points, 'weight', a.weight::text, 'recoupable', a.recoupable,
          'reserve_ppm', a.reserve_ppm, 'occurred_on', a.occurred_on, 'amount_minor', a.amount_minor,
          'cost_minor', m.cost, 'due_minor', m.due, 'released_minor', m.released,
          'cost_functional_minor', m.cost_functional, 'due_functional_minor', m.due_functional,
          'released_functional_minor', m.released_functional)
          order by a.show_royaltor_id, a.matched_term_id)
        from royalty_accruals a join show_royaltors g on g.id = a.show_royaltor_id, lateral (
          select coalesce(sum(x.amount_minor) filter (where x.cost_on is not null), 0) as cost,
            coalesce(sum(x.amount_minor) filter (where x.due_on is not null), 0) as due,
            coalesce(sum(x.amount_minor) filter (where y.role = 'release'), 0) as released,
            coalesce(sum(x.functional_minor) filter (where x.cost_on is not null), 0) as cost_functional,
            coalesce(sum(x.functional_minor) filter (where x.due_on is not null), 0) as due_functional,
            coalesce(sum(x.functional_minor) filter (where y.role = 'release'), 0) as released_functional
          from royalty_allocations y join royalty_accruals x on x.royalty_allocation_id = y.id
          where (y.id = l.id or y.part_of_id = l.id) and x.show_royaltor_id = a.show_royaltor_id
            and x.matched_term_id is not distinct from a.matched_term_id) m
        where a.royalty_allocation_id = l.id) as shares
    from royalty_allocations l
    where l.invoice_item_id = any(${[...facts.keys()]}::bigint[]) and l.part_of_id is null`);
  return new Map(rows.map((row) => [row.invoice_item_id, sharedLineOf(row, facts.get(row.invoice_item_id)!)]));
}

function sharedLineOf(row: StoredShare, facts: LineFacts): SharedLine {
  const big = (value: number | string): bigint => BigInt(value);
  const shares = (row.shares ?? []).map((share): Share => ({
    ...share, base_minor: big(share.base_minor), rate_ppm: big(share.rate_ppm), weight: big(share.weight),
    share_points: big(share.share_points), reserve_ppm: big(share.reserve_ppm), amount_minor: big(share.amount_minor),
    kept_minor: big(share.amount_minor),
    cost_minor: big(share.cost_minor), due_minor: big(share.due_minor), released_minor: big(share.released_minor),
    cost_functional_minor: big(share.cost_functional_minor), due_functional_minor: big(share.due_functional_minor),
    released_functional_minor: big(share.released_functional_minor),
  }));
  return withCredits({
    facts, allocation_id: row.allocation_id, amount_minor: big(row.amount_minor), house_minor: big(row.house_minor),
    house_kept_minor: 0n, shares,
    rest: { cost: big(row.parts.cost), due: big(row.parts.due), release: big(row.parts.release) },
    group_key: row.group_key, weights_hash: row.weights_hash, method: row.method,
    weight_total: big(row.weight_total ?? 0), trace: null,
  });
}

/** Sets the amount each share keeps after the line's credits, each over the rest of the one before (domain.md 3.4). */
function withCredits(sharedLine: SharedLine): SharedLine {
  const whole = sharedLine.shares.map((share) => share.amount_minor);
  const kept = keptShares([...whole, sharedLine.amount_minor - sum(whole)], sharedLine.facts.credited.map(BigInt));
  sharedLine.shares.forEach((share, k) => { share.kept_minor = kept[k]!; });
  sharedLine.house_kept_minor = kept.at(-1)!;
  return sharedLine;
}

/**
 * Shares a line among the parties of its show, with the carries, which move on. null where nobody but the house has a
 * share. `cumulativeBefore` is the base of the same licence before this line, for terms with tiers.
 */
export function shareLine(
  facts: LineFacts, agreements: ShowAgreements, carries: Carries, weeks: PoolWeeks, received_on: string | null,
  cumulativeBefore: bigint,
): SharedLine | null {
  if (agreements.parties.length === 0) return null;
  const { show_id, division, currency } = facts;
  const line = { ...incomeLine(facts, agreements, received_on, cumulativeBefore), pool_weeks: weeks.take(facts) };
  const accrued = accrue(line, agreements.parties, (group, weights) =>
    carries.of(show_id, division, currency, group, weights));
  if (accrued.lines.length === 0) return null;
  for (const pot of accrued.pots) carries.keep(show_id, division, currency, pot);
  const first = accrued.pots[0]!;
  const byId = new Map(agreements.parties.map((party) => [party.show_royaltor_id, party]));
  return withCredits({
    facts, allocation_id: null, amount_minor: line.gross_minor, house_minor: accrued.house_minor, house_kept_minor: 0n,
    shares: accrued.lines.map((one) => newShare(one, byId)), rest: { cost: 0n, due: 0n, release: 0n },
    group_key: accrued.pots.map((pot) => pot.group_key).join(' | '),
    weights_hash: accrued.pots.map((pot) => weightsHash(pot.weights_key)).join('.'),
    weight_total: accrued.pots.length === 1 ? first.weights.reduce((all, weight) => all + weight, 0n) : 0n,
    method: methodOf(accrued.pots), trace: traceOf(accrued.lines, accrued.pots, accrued.house_minor),
  });
}

function incomeLine(
  facts: LineFacts, agreements: ShowAgreements, received_on: string | null, cumulativeBefore: bigint,
): IncomeLine {
  const dimensions = {
    income_type: facts.income_type, category: facts.category, division: facts.division, country: facts.country,
    territory_groups: [], material_category: null, material_sub_category: null, item_number: null,
    add_on_id: facts.add_on_id, customer_classification_id: facts.customer_classification_id,
    performance_on: facts.performance_on, tax_point_on: facts.tax_point_on, received_on,
  };
  const recouped = facts.recoupment_declared_on;
  return {
    ...dimensions, gross_minor: BigInt(facts.net_minor), currency: facts.currency, costs_minor: 0n,
    house_commission_ppm: houseCommission(agreements.house, dimensions),
    performances_held: BigInt(facts.performances_held), units: BigInt(facts.units),
    cumulative_before_minor: cumulativeBefore,
    producer_recouped: recouped !== null && recouped <= (facts.performance_on ?? facts.tax_point_on),
  };
}

function newShare(line: AccrualLine, byId: ReadonlyMap<number, AccrualAgreement>): Share {
  const agreement = byId.get(line.show_royaltor_id)!;
  const term = agreement.terms.find((one) => one.id === line.matched_term_id)!;
  return {
    show_royaltor_id: line.show_royaltor_id, royaltor_id: line.royaltor_id, basis: agreement.accrual_basis,
    term_id: line.matched_term_id, base_minor: line.base_minor, rate_ppm: line.rate_ppm,
    share_points: line.share_points, weight: line.weight, recoupable: term.recoupable, reserve_ppm: term.reserve_ppm,
    occurred_on: line.occurred_on, amount_minor: line.amount_minor, kept_minor: line.amount_minor,
    released_minor: 0n, released_functional_minor: 0n, ...NOTHING_YET,
  };
}

function methodOf(pots: readonly AccrualPot[]): SharedLine['method'] {
  if (pots.some((pot) => pot.without_carry)) return 'safe';
  return pots.some((pot) => pot.carries_before.some((carry) => carry !== 0n)) ? 'carried' : 'plain';
}

/** Trace for the drawer, once per sharing; names and present figures are joined when it is read. */
function traceOf(lines: readonly AccrualLine[], pots: readonly AccrualPot[], house: bigint): unknown {
  // Of a pool the house has no points; what it keeps is the rest of the line.
  const only = pots.length === 1 && pots[0]!.basis !== 'pool_points' ? pots[0]! : null;
  return {
    weight_total: only === null ? null : only.weights.reduce((all, weight) => all + weight, 0n).toString(),
    house_weight: only?.weights.at(-1)?.toString() ?? null,
    house_minor: Number(house),
    lines: lines.map((line) => ({
      id: line.show_royaltor_id, base: line.trace.base_formula, share: line.trace.share_formula,
      exact: line.exact_share, weight: line.weight.toString(), total: line.weight_total.toString(),
      of: [line.trace.matched.matched, line.trace.matched.of],
      ...(line.trace.matched.fields.length > 0 ? { fields: line.trace.matched.fields.map((f) =>
        ({ label: f.label, wanted: f.wanted, found: f.found, matched: f.matched })) } : {}),
      ...(line.trace.lost.length > 0 ? { lost: line.trace.lost.map((l) =>
        ({ term_id: l.term_id, matched: l.matched, of: l.of, reason: l.reason })) } : {}),
    })),
  };
}
