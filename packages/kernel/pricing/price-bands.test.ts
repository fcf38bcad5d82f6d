import { describe, expect, it } from 'vitest';
import { minorToDecimal } from '../money/money.ts';
import { input, performances, row, venue } from './fixtures.ts';
import { bandsOfType, performancesOfType, usualBands } from './price-bands.ts';
import { priceRows } from './price-rows.ts';
import { price } from './price.ts';

const EVENING = [row(250, 1_200n), row(120, 800n)];
const MATINEE = [row(250, 900n), row(120, 600n)];
const typed = [...EVENING.map((one) => ({ ...one, performance_type: null })),
  ...MATINEE.map((one) => ({ ...one, performance_type: 'matinee' }))];

describe('price bands by type of performance', () => {
  it('are those of the type, else those of the venue', () => {
    expect(bandsOfType(typed, 'matinee')).toMatchObject({ own: true, rows: [{ price_minor: 900n },
      { price_minor: 600n }] });
    expect(bandsOfType(typed, 'public')).toMatchObject({ own: false, rows: [{ price_minor: 1_200n },
      { price_minor: 800n }] });
    expect(bandsOfType(typed.slice(2), 'public').rows).toEqual([]);
    expect(usualBands(typed.slice(2))).toHaveLength(2);
    expect(performancesOfType('matinee')).toBe('matinees');
  });

  it('price three evenings and a matinee: 3 × 396.00 and 297.00 are 1,485.00, each in a row of its own', () => {
    const [a, b, c, d] = performances(4);
    const matinee = { ...d!, ticketing_override: MATINEE, kind: 'matinees' };
    const result = price(input({ rate_ppm: 100_000n, min_per_performance_minor: 9_500n },
      [venue(EVENING, 0, { performances: [a!, b!, c!, matinee] })]));
    expect(minorToDecimal(result.totals.royalty_minor)).toBe('1485.00');
    expect(result.performances.map((one) => minorToDecimal(one.unit_fee_minor)))
      .toEqual(['396.00', '396.00', '396.00', '297.00']);
    const [block] = priceRows(result.lines.map((line) => ({ ...line })), result.trace);
    expect(block!.rows.map((one) => [one.label, one.quantity, minorToDecimal(one.amount_minor)]))
      .toEqual([['Performances', 3, '1188.00'], ['Matinee', 1, '297.00']]);
  });

  it('lift a matinee below the minimum to the minimum', () => {
    const [a, b] = performances(2);
    const result = price(input({ rate_ppm: 100_000n, min_per_performance_minor: 9_500n },
      [venue(EVENING, 0, { performances: [a!, { ...b!, kind: 'matinees', ticketing_override: [row(100, 500n)] }] })]));
    expect(result.performances.map((one) => minorToDecimal(one.unit_fee_minor))).toEqual(['396.00', '95.00']);
  });
});
