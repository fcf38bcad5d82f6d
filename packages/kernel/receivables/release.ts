/** When deferred income becomes income, and what a credit takes back first (accounting.md 2.1). */
import { addDays, diffDays, endOfMonth, type IsoDate } from '../calendar/calendar.ts';
import { divHalfAway, min } from '../money/money.ts';
import { splitByWeight } from '../money/split.ts';

export type ReleaseRule =
  | 'performances' | 'opening' | 'as_recouped' | 'straight_line' | 'shipment' | 'access' | 'at_once';

export interface ReleaseTerms {
  readonly rule: ReleaseRule;
  readonly net_minor: bigint;
  readonly issued_on: IsoDate;
  /** Performances of the line's venue, in order, with the fee each is worth; 0 for all shares them equally. */
  readonly performances: readonly { readonly id: number; readonly on: IsoDate; readonly weight: bigint }[];
  /** Opening of the run, or first day of the hire. */
  readonly from: IsoDate | null;
  readonly to: IsoDate | null;
}

export interface ReleaseRow {
  readonly performance_id: number | null;
  /** null: waits for its event (a shipment, a report, access). */
  readonly on: IsoDate | null;
  readonly amount_minor: bigint;
}

/** The rows of one invoice line; they sum to its net amount. */
export function releaseRows(terms: ReleaseTerms): ReleaseRow[] {
  const { net_minor: net } = terms;
  const whole = (on: IsoDate | null): ReleaseRow[] => [{ performance_id: null, on, amount_minor: net }];
  switch (terms.rule) {
    case 'at_once': return whole(terms.issued_on);
    case 'opening': return whole(terms.from ?? terms.performances[0]?.on ?? null);
    case 'shipment': case 'access': case 'as_recouped': return whole(null);
    case 'straight_line': return terms.from && terms.to ? byMonths(net, terms.from, terms.to) : whole(null);
    case 'performances': return terms.performances.length === 0 ? whole(null) : byPerformances(terms);
  }
}

function byPerformances(terms: ReleaseTerms): ReleaseRow[] {
  const weights = terms.performances.map((performance) => performance.weight);
  const parts = splitByWeight(terms.net_minor, weights.every((weight) => weight === 0n)
    ? weights.map(() => 1n) : weights);
  return terms.performances.map((performance, k) => ({
    performance_id: performance.id, on: performance.on, amount_minor: parts[k]!,
  }));
}

/** By days of the hire, one row at each month's end; every row is a difference of rounded totals, the last the rest. */
function byMonths(net: bigint, from: IsoDate, to: IsoDate): ReleaseRow[] {
  const days = BigInt(diffDays(from, to) + 1);
  const rows: ReleaseRow[] = [];
  let before = 0n;
  for (let start = from; start <= to;) {
    const end = endOfMonth(start) < to ? endOfMonth(start) : to;
    const total = end === to ? net : divHalfAway(net * BigInt(diffDays(from, end) + 1), days);
    rows.push({ performance_id: null, on: end, amount_minor: total - before });
    before = total;
    start = addDays(end, 1);
  }
  return rows;
}

export interface PlannedRow {
  readonly id: number;
  /** Amount left of the row. */
  readonly amount_minor: bigint;
}

/** A credit takes the rows in the given order (latest first); what is beyond them is income already. */
export function takeUnreleased(amountMinor: bigint, planned: readonly PlannedRow[]): {
  rows: { id: number; amount_minor: bigint }[]; income_minor: bigint;
} {
  let left = amountMinor;
  const rows: { id: number; amount_minor: bigint }[] = [];
  for (const row of planned) {
    const taken = min(left, row.amount_minor);
    if (taken <= 0n) continue;
    rows.push({ id: row.id, amount_minor: taken });
    left -= taken;
  }
  return { rows, income_minor: left };
}
