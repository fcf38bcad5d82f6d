import { expect, test } from 'vitest';
import { staleCheckLines, staleFrom } from './stale-check.ts';

test('a check is stale once 180 days are over', () => {
  expect(staleFrom('2026-01-01')).toBe('2026-07-01');
});

test('event 17d: 600.00 from the bank account to unclaimed property, with the payee', () => {
  const lines = staleCheckLines({ bank: '1000', currency: 'USD', amount_minor: 60_000n, base_minor: 60_000n,
    party: { type: 'vendor', id: 7 }, payment_id: 3 });
  expect(lines.map(({ account, amount, base, party }) => [account, amount, base, party?.id]))
    .toEqual([['1000', 60_000n, 60_000n, undefined], ['2450', -60_000n, -60_000n, 7]]);
});
