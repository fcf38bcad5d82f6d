/**
 * 31,296 real weeks of Broadway grosses against totals that Python Decimal computed independently of this code:
 * the rounding rule, the greater-of with a minimum and the plain split, to the cent. The data stays outside the
 * repository; where it is absent the test says so and skips.
 */
import { parse } from 'csv-parse/sync';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyPpm, max, minorToDecimal, parseMinor, PPM, sum } from '../money/money.ts';
import { allocatePlain } from './allocate.ts';

const folder = resolve(process.env['SHARED_DATA'] ?? '../shared/data', 'broadway');
const present = existsSync(resolve(folder, 'oracle-totals.json'));
if (!present) console.warn(`SKIPPED: no Broadway data at ${folder}; set SHARED_DATA to run the oracle.`);

interface Week {
  readonly show: string;
  readonly type: string;
  readonly year: string;
  readonly grossMinor: bigint;
  readonly performances: bigint;
}

const GROUPS: Record<string, (week: Week) => boolean> = {
  corgis_all: () => true,
  hamilton: (week) => week.show === 'Hamilton',
  plays_2015: (week) => week.type === 'Play' && week.year === '2015',
};

function readWeeks(): Week[] {
  const rows = parse(readFileSync(resolve(folder, 'corgis_broadway.csv'), 'utf8'), { columns: true, bom: true });
  return (rows as Record<string, string>[]).map((row) => ({
    show: row['Show.Name'] ?? '',
    type: row['Show.Type'] ?? '',
    year: row['Date.Year'] ?? '',
    grossMinor: BigInt(row['Statistics.Gross'] ?? '') * 100n,
    performances: BigInt(row['Statistics.Performances'] ?? ''),
  }));
}

/** The other rounding rule, for this comparison only: the product rounds half away from zero. */
function applyPpmHalfEven(minor: bigint, ratePpm: bigint): bigint {
  const quotient = (minor * ratePpm) / PPM;
  const twice = ((minor * ratePpm) % PPM) * 2n;
  return twice > PPM || (twice === PPM && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

function ppmOf(percent: string): bigint {
  const [whole = '0', fraction = ''] = percent.split('.');
  return BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0'));
}

function splitThreeWays(weeks: readonly Week[], ppm: bigint): bigint[] {
  const totals = [0n, 0n, 0n];
  for (const week of weeks) {
    allocatePlain(applyPpm(week.grossMinor, ppm), [1n, 1n, 1n]).forEach((part, i) => (totals[i]! += part));
  }
  return totals;
}

type Oracle = Record<string, number | string | number[]>;

/** The figure that a key of the oracle asks for, recomputed; throws for a key that it cannot read. */
function recompute(key: string, weeks: readonly Week[], oracle: Oracle): number | string | number[] {
  if (key === 'rows') return weeks.length;
  if (key === 'gross_total') return String(sum(weeks.map((week) => week.grossMinor)) / 100n);
  const rounded = /^sum of round\(([\d.]+)% x gross, cents\) (half_up|half_even)$/.exec(key);
  if (rounded) {
    const apply = rounded[2] === 'half_up' ? applyPpm : applyPpmHalfEven;
    return minorToDecimal(sum(weeks.map((week) => apply(week.grossMinor, ppmOf(rounded[1]!)))));
  }
  const greater = greaterOf(key);
  if (greater) return minorToDecimal(sum(weeks.map((week) => max(percentage(week, greater), minimum(week, greater)))));
  if (key === 'rows where the minimum wins') {
    const rule = greaterOf(Object.keys(oracle).find((other) => greaterOf(other)) ?? '')!;
    return weeks.filter((week) => minimum(week, rule) > percentage(week, rule)).length;
  }
  const split = /^([\d.]+)% split 1:1:1 /.exec(key);
  if (split) return splitThreeWays(weeks, ppmOf(split[1]!)).map(Number);
  if (key === 'check sum equals') {
    const other = Object.keys(oracle).find((name) => name.includes('% split 1:1:1')) ?? '';
    return minorToDecimal(sum(splitThreeWays(weeks, ppmOf(other.slice(0, other.indexOf('%'))))));
  }
  throw new Error(`The oracle asks for something unknown: ${key}`);
}

interface GreaterOf {
  readonly ppm: bigint;
  readonly perPerformanceMinor: bigint;
}

function greaterOf(key: string): GreaterOf | null {
  const found = /^sum of max\(([\d.]+)% x gross, (\d+)\/performance x performances\(\+previews\)\)$/.exec(key);
  return found ? { ppm: ppmOf(found[1]!), perPerformanceMinor: BigInt(found[2]!) * 100n } : null;
}

function percentage(week: Week, rule: GreaterOf): bigint {
  return applyPpm(week.grossMinor, rule.ppm);
}

function minimum(week: Week, rule: GreaterOf): bigint {
  return week.performances * rule.perPerformanceMinor;
}

/** Money text of the oracle has one or two decimals ('10830587.9'); everything else is compared as it stands. */
function canonical(key: string, value: number | string | number[]): number | string | number[] {
  if (typeof value !== 'string' || key === 'gross_total') return value;
  return minorToDecimal(parseMinor(value)!);
}

describe.skipIf(!present)('Broadway weeks 1990-2016 against the oracle', () => {
  const oracle: Record<string, Oracle> = present
    ? JSON.parse(readFileSync(resolve(folder, 'oracle-totals.json'), 'utf8'))
    : {};
  const weeks = present ? readWeeks() : [];
  const figures = Object.entries(oracle).flatMap(([group, values]) =>
    Object.entries(values).map(([key, value]) => ({ group, key, value })));

  test('every group of the oracle is known and holds figures', () => {
    expect(Object.keys(oracle).sort()).toEqual(Object.keys(GROUPS).sort());
    expect(weeks).toHaveLength(31_296);
  });
  test.each(figures)('$group: $key', ({ group, key, value }) => {
    const chosen = weeks.filter(GROUPS[group]!);
    expect(recompute(key, chosen, oracle[group]!)).toEqual(canonical(key, value));
  });
});
