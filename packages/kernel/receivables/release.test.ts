/** Rows of a release schedule and what a credit takes of them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agingBucket } from './aging.ts';
import { releaseRows, takeUnreleased, type ReleaseTerms } from './release.ts';

const terms = (more: Partial<ReleaseTerms>): ReleaseTerms => ({
  rule: 'performances', net_minor: 100_000n, issued_on: '2026-03-02', performances: [], from: null, to: null,
    ...more });
const night = (id: number, weight = 0n) => ({ id, on: `2026-10-0${id}`, weight });

test('a fee is shared by what each performance is worth, equally where nothing is known', () => {
  const rows = releaseRows(terms({ performances: [night(1, 100n), night(2, 100n), night(3, 200n)] }));
  expect(rows.map((row) => row.amount_minor)).toEqual([25_000n, 25_000n, 50_000n]);
  expect(releaseRows(terms({ performances: [night(1), night(2), night(3)] })).map((row) => row.amount_minor))
    .toEqual([33_334n, 33_333n, 33_333n]);
});

test('a hire of four months is released by its days, the last month takes the rest', () => {
  const rows = releaseRows(terms({ rule: 'straight_line', net_minor: 29_500n, from: '2026-11-16', to: '2027-02-15' }));
  expect(rows.map((row) => [row.on, row.amount_minor])).toEqual([['2026-11-30', 4_810n], ['2026-12-31', 9_940n],
    ['2027-01-31', 9_940n], ['2027-02-15', 4_810n]]);
});

test('what waits for an event has no date; a fee is released on the day', () => {
  expect(releaseRows(terms({ rule: 'shipment' }))).toEqual([{ performance_id: null, on: null,
    amount_minor: 100_000n }]);
  expect(releaseRows(terms({ rule: 'at_once' }))[0]?.on).toBe('2026-03-02');
  expect(releaseRows(terms({ rule: 'opening', performances: [night(1), night(2)] }))[0]?.on).toBe('2026-10-01');
});

test('the rows of a line always sum to it', () => {
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: 10n ** 10n }), fc.integer({ min: 0, max: 900 }),
    fc.array(fc.bigInt({ min: 0n, max: 10n ** 7n }), { minLength: 1, maxLength: 9 }), (net_minor, days, weights) => {
      const to = new Date(Date.UTC(2026, 0, 17) + days * 86_400_000).toISOString().slice(0, 10);
      for (const rule of ['straight_line', 'performances'] as const) {
        const rows = releaseRows(terms({ rule, net_minor, from: '2026-01-17', to,
          performances: weights.map((weight, k) => night(k + 1, weight)) }));
        expect(rows.reduce((all, row) => all + row.amount_minor, 0n)).toBe(net_minor);
        expect(rows.every((row) => row.amount_minor >= 0n)).toBe(true);
      }
    }));
});

test('a credit takes the rows in their order and leaves the rest to income', () => {
  const rows = [{ id: 3, amount_minor: 300n }, { id: 2, amount_minor: 0n }, { id: 1, amount_minor: 200n }];
  expect(takeUnreleased(400n, rows)).toEqual({ rows: [{ id: 3, amount_minor: 300n }, { id: 1, amount_minor: 100n }],
    income_minor: 0n });
  expect(takeUnreleased(650n, rows).income_minor).toBe(150n);
});

test('a debt is late from the day after it was due', () => {
  const due = '2026-03-31';
  expect(['2026-03-31', '2026-04-01', '2026-04-30', '2026-05-01', '2026-05-30', '2026-06-29', '2026-06-30']
    .map((day) => agingBucket(due, day)))
    .toEqual(['current', 'days_1_30', 'days_1_30', 'days_31_60', 'days_31_60', 'days_61_90', 'days_91']);
});
