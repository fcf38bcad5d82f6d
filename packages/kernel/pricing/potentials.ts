/** The ticketing table and what a sold-out, weighted or expected house takes (domain.md 2.1). */
import { divHalfAway, max, min, sum } from '../money/money.ts';
import { PriceError } from './price-error.ts';
import type { Tracer } from './trace.ts';

/** Amounts are minor units; a weight is in ten-thousandths, as numeric(12,4) stores it. */
export interface TicketingRow {
  readonly number_of_seats: number;
  readonly price_minor: bigint;
  readonly weight_e4: bigint;
}

export type GrossBasis = 'capacity' | 'weighted' | 'expected' | 'top_price';

export interface Potentials {
  /** C: seats offered per performance. */
  readonly capacity: number;
  /** GPC, exact. */
  readonly capacity_gross_minor: bigint;
  /** WAP for display, rounded; the calculation uses the fraction `average_n / average_d`. */
  readonly weighted_avg_price_minor: bigint;
  readonly average_n: bigint;
  readonly average_d: bigint;
  /** WGP: round(C × WAP), at most GPC. */
  readonly weighted_gross_minor: bigint;
  /** EGP at the expected attendance; null when none is given. */
  readonly expected_gross_minor: bigint | null;
  readonly expected_attendance: number | null;
  /** TGP: C × the top price among rows with seats. */
  readonly top_price_gross_minor: bigint;
}

/** Limits of one row: seats 0..200000, price 0..99999.99, weight 0..1e6. Answers the first field that breaks one. */
export function ticketingProblem(row: TicketingRow): keyof TicketingRow | null {
  const seats = row.number_of_seats;
  if (!Number.isInteger(seats) || seats < 0 || seats > 200_000) return 'number_of_seats';
  if (row.price_minor < 0n || row.price_minor > 9_999_999n) return 'price_minor';
  return row.weight_e4 < 0n || row.weight_e4 > 10_000_000_000n ? 'weight_e4' : null;
}

/** Reads '30' or '12.5' as a weight in ten-thousandths; null when it is no decimal with at most four places. */
export function parseWeight(text: string): bigint | null {
  const match = /^(\d{1,8})(?:\.(\d{1,4}))?$/.exec(text.trim());
  return match ? BigInt(match[1]!) * 10_000n + BigInt((match[2] ?? '').padEnd(4, '0')) : null;
}

export function potentials(rows: readonly TicketingRow[], expectedAttendance: number | null = null): Potentials {
  const capacity = rows.reduce((total, row) => total + row.number_of_seats, 0);
  const gpc = sum(rows.map((row) => BigInt(row.number_of_seats) * row.price_minor));
  const [n, d] = averagePrice(rows, BigInt(capacity), gpc);
  const at = (seats: number) => min(divHalfAway(BigInt(seats) * n, d), gpc);
  const top = rows.filter((row) => row.number_of_seats > 0).reduce((a, row) => max(a, row.price_minor), 0n);
  return {
    capacity,
    capacity_gross_minor: gpc,
    weighted_avg_price_minor: divHalfAway(n, d),
    average_n: n,
    average_d: d,
    weighted_gross_minor: at(capacity),
    expected_gross_minor: expectedAttendance === null ? null : at(expectedAttendance),
    expected_attendance: expectedAttendance,
    top_price_gross_minor: BigInt(capacity) * top,
  };
}

/** WAP as a fraction: by weights, by seats when every weight is 0, zero for an empty table. */
function averagePrice(rows: readonly TicketingRow[], capacity: bigint, gpc: bigint): [bigint, bigint] {
  const weights = sum(rows.map((row) => row.weight_e4));
  if (weights > 0n) return [sum(rows.map((row) => row.price_minor * row.weight_e4)), weights];
  return capacity > 0n ? [gpc, capacity] : [0n, 1n];
}

/** The potential that a rate card's `gross_basis` names. Throws `price.attendance_missing`. */
export function potentialOf(found: Potentials, basis: GrossBasis): bigint {
  if (basis === 'capacity') return found.capacity_gross_minor;
  if (basis === 'weighted') return found.weighted_gross_minor;
  if (basis === 'top_price') return found.top_price_gross_minor;
  if (found.expected_gross_minor === null) {
    throw new PriceError('price.attendance_missing', 'This rate is on expected attendance: enter it for every venue.');
  }
  return found.expected_gross_minor;
}

/** The chosen potential with its steps written down. */
export function tracePotential(
  tracer: Tracer, rows: readonly TicketingRow[], found: Potentials, basis: GrossBasis, label: string, ruleId: string,
): bigint {
  const potential = potentialOf(found, basis);
  if (basis === 'top_price') {
    const top = rows.filter((row) => row.number_of_seats > 0).reduce((a, row) => max(a, row.price_minor), 0n);
    return tracer.add('potential', ruleId, `${label}: top price for every seat`, 'product',
      { amount_minor: top, count: BigInt(found.capacity) });
  }
  const cap = tracer.add('potential', ruleId, `${label}: at capacity`, 'seats', {
    seats: rows.map((row) => BigInt(row.number_of_seats)), prices_minor: rows.map((row) => row.price_minor),
  });
  if (basis === 'capacity') return potential;
  const expected = basis === 'expected';
  return tracer.add('potential', ruleId, `${label}: ${expected ? 'expected' : 'weighted'} house`, 'seats_at_average', {
    seats: BigInt(expected ? found.expected_attendance ?? 0 : found.capacity),
    average_n: found.average_n, average_d: found.average_d, cap_minor: cap,
  });
}
