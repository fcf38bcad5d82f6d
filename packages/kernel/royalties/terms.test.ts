import { describe, expect, test } from 'vitest';
import { formatRate } from '../money/money.ts';
import { matrixDates, shareMatrix } from './share-matrix.ts';
import { matchDate, matchTerm, type LineDimensions, type RoyaltyTerm } from './terms.ts';
import { line, term } from './testing.ts';

function winnerId(l: LineDimensions, terms: readonly RoyaltyTerm[]): number | null {
  return matchTerm(l, terms).term?.id ?? null;
}

describe('picking a term', () => {
  const any = term({ id: 1 });
  const royalty = term({ id: 2, match_income_types: ['royalty'] });
  const proRoyalty = term({ id: 3, match_income_types: ['royalty'], match_categories: ['Pro'] });

  test('most match fields win, and the losers say why', () => {
    const match = matchTerm(line({ category: 'Pro' }), [any, royalty, proRoyalty]);
    expect(match.term).toBe(proRoyalty);
    expect(match.winner).toMatchObject({ term_id: 3, matched: 2, of: 2 });
    expect(match.losers.map((l) => [l.term_id, l.reason])).toEqual([
      [1, 'Less specific: 0 fields against 2'], [2, 'Less specific: 1 field against 2'],
    ]);
  });
  test('a field that does not match loses with what it asked for', () => {
    const match = matchTerm(line({ category: 'Amateur' }), [royalty, proRoyalty]);
    expect(match.term?.id).toBe(2);
    expect(match.losers[0]).toMatchObject({
      term_id: 3, matched: 1, of: 2, reason: 'Category: asks for Pro, the line has Amateur',
    });
  });
  test('a field that the line has no value for does not match', () => {
    expect(winnerId(line({ category: null }), [any, proRoyalty])).toBe(1);
    expect(matchTerm(line({ category: null }), [proRoyalty])).toMatchObject({
      term: null, winner: null, losers: [{ reason: 'Category: asks for Pro, the line has none' }],
    });
  });
  test('a tie goes to the higher priority, then to the lower id', () => {
    const low = term({ id: 4, match_income_types: ['royalty'] });
    const high = term({ id: 5, match_income_types: ['royalty'], priority: 3 });
    expect(winnerId(line({}), [royalty, low])).toBe(2);
    const match = matchTerm(line({}), [low, royalty, high]);
    expect(match.term?.id).toBe(5);
    expect(match.losers[0]?.reason).toBe('As specific, but priority 0 is below 3');
    expect(matchTerm(line({}), [royalty, low]).losers[0]?.reason).toContain('term 2 is the older one');
  });
  test('dates count as one field, territory as one, material as three', () => {
    const dated = term({ id: 6, match_date_from: '2026-01-01', match_date_to: '2026-12-31' });
    const land = term({ id: 7, match_countries: ['GB', 'IE'], match_territory_group: 'British Isles' });
    const stuff = term({
      id: 8, match_material_category: 'score', match_material_sub_category: 'vocal', match_item_number: 'VS-1',
    });
    const full = line({
      date: '2026-12-31', country: 'JE', territory_groups: ['British Isles'], material_category: 'score',
      material_sub_category: 'vocal', item_number: 'VS-1',
    });
    expect(matchTerm(full, [dated]).winner).toMatchObject({ matched: 1, of: 1 });
    expect(matchTerm(full, [land]).winner).toMatchObject({ matched: 1, of: 1 });
    expect(matchTerm(full, [stuff]).winner).toMatchObject({ matched: 3, of: 3 });
    expect(winnerId(line({ date: '2027-01-01' }), [dated])).toBeNull();
    expect(winnerId(line({ country: 'FR' }), [land])).toBeNull();
  });
  test.each([
    ['2026-01-01', '2026-06-30', 'from January 1, 2026 to June 30, 2026'],
    ['2026-01-01', null, 'from January 1, 2026'], [null, '2026-06-30', 'to June 30, 2026'],
  ])('the days of a term from %s to %s are told in words', (from, to, wanted) => {
    const dated = term({ id: 6, match_date_from: from, match_date_to: to });
    expect(matchTerm(line({ date: '2026-05-01' }), [dated]).winner?.fields).toContainEqual(
      { field: 'date', label: 'Date', wanted, found: 'May 1, 2026', matched: true });
  });
  test('the date is the performance, without one the tax point; or the receipt', () => {
    const days = { performance_on: '2026-10-03', tax_point_on: '2026-03-01', received_on: '2026-03-09' };
    expect(matchDate('performance', days)).toBe('2026-10-03');
    expect(matchDate('performance', { ...days, performance_on: null })).toBe('2026-03-01');
    expect(matchDate('receipt', days)).toBe('2026-03-09');
  });
});

describe('share matrix', () => {
  const agreement = (id: number, rate_ppm: bigint, share_points = 1n) => ({
    id, royaltor_name: `Author ${id}`, terms: [term({ id: id * 10, rate_ppm, share_points })],
  });

  test('80% in three equal parts leaves 20% to the house', () => {
    const three = [agreement(1, 800_000n), agreement(2, 800_000n), agreement(3, 800_000n)];
    const [row] = shareMatrix(three, [line({})], 200_000n);
    expect(row).toMatchObject({ house_ppm: 200_000n, over_committed: false, unexpected: false });
    expect(row?.shares.map((s) => s.share_ppm)).toEqual([266_667n, 266_667n, 266_667n]);
    expect(row?.in_words).toBe('80% in 3 equal parts to Author 1, Author 2, Author 3; the house keeps 20%');
  });
  test('more than the whole is shown as a negative house', () => {
    const [row] = shareMatrix([agreement(1, 800_000n), agreement(2, 225_000n)], [line({})], 200_000n);
    expect(row).toMatchObject({ house_ppm: -25_000n, over_committed: true, unexpected: true });
    expect(row?.in_words).toContain('2.5% more than the whole is promised');
  });
  test('exactly 100% in sevenths is not over', () => {
    const sevenths = [1n, 2n, 4n].map((points, i) => agreement(i + 1, 1_000_000n, points));
    const [row] = shareMatrix(sevenths, [line({})]);
    expect(row).toMatchObject({ house_weight: 0n, over_committed: false });
    expect(row?.in_words).toContain('100% by points 1 : 2 : 4');
  });
  test('amounts per unit promise no percentage', () => {
    const unitTerm = term({ id: 90, basis: 'per_unit', rate_ppm: 1_000_000n });
    const perUnit = { id: 9, royaltor_name: 'Estate', terms: [unitTerm] };
    expect(shareMatrix([agreement(1, 800_000n), perUnit], [line({})])[0]?.house_ppm).toBe(200_000n);
  });
  test('the days on which an answer may change', () => {
    const firstHalf = term({ id: 1, match_date_from: '2026-01-01', match_date_to: '2026-06-30' });
    const dated = { ...agreement(1, 1n), terms: [firstHalf] };
    expect(matrixDates([dated], '2026-03-01')).toEqual([
      '2025-12-31', '2026-01-01', '2026-03-01', '2026-06-30', '2026-07-01',
    ]);
    expect(formatRate(88_750n)).toBe('8.875%');
  });
});
