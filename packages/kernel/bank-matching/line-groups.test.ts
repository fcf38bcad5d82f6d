import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sum } from '../money/money.ts';
import { buildItemIndex } from './item-index.ts';
import { suggestLineGroups } from './line-groups.ts';
import { findSubsets, MAX_STEPS } from './subsets.ts';
import { ACCOUNT, invoice, line } from './testing.ts';
import { pairTransfers } from './transfer-pairs.ts';

test('lines that name one document and add up to it are one group, others are not', () => {
  const index = buildItemIndex([invoice({ open_minor: 100_00n })], ACCOUNT);
  const memo = 'INV-US-2026-000033';
  const halves = [1, 2].map((id) => line({ id, amount_minor: 50_00n, memo }));
  const strangers = [line({ id: 3, amount_minor: 50_00n, memo: 'rent' }),
    line({ id: 4, amount_minor: 50_00n, memo, bank_account_id: 2 }), line({ id: 5, amount_minor: -50_00n, memo }),
    line({ id: 6, amount_minor: 50_00n, memo, booked_on: '2026-12-20' })];
  const groups = suggestLineGroups(index, halves[0]!, [...halves, ...strangers]);
  expect(groups.map((group) => [group.lines, group.score, group.summary])).toEqual(
    [[[1, 2], 85, 'Amount and invoice number agree; same day']]);
  expect(groups[0]?.reasons[0]?.text).toBe('2 lines add up to the amount');
});

test('sets of a search add up, fewer amounts first, within a counted number of steps', () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: -9, max: 30 }), { maxLength: 30 }), fc.integer({ min: 1, max: 60 }),
    (amounts, target) => {
      const answer = findSubsets(BigInt(target), amounts.map(BigInt));
      for (const set of answer.sets) expect(sum(set.map((at) => BigInt(amounts[at]!)))).toBe(BigInt(target));
      expect(answer.steps).toBeLessThanOrEqual(MAX_STEPS + amounts.length);
      expect(answer.cutOff || amounts.length <= 20).toBe(true);
    }));
  const hardest = Array.from({ length: 20 }, (_, at) => BigInt(2 * (at + 1)));
  expect(findSubsets(81n, hardest).steps).toBeLessThanOrEqual(MAX_STEPS + 20);
});

test('a set that exists is found', () => {
  fc.assert(fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 19 }), { minLength: 2, maxLength: 6 }), (picked) => {
    const amounts = Array.from({ length: 20 }, (_, at) => 2n ** BigInt(at));
    const found = findSubsets(sum(picked.map((at) => amounts[at]!)), amounts);
    expect(found.sets).toEqual([[...picked].sort((a, b) => a - b)]);
    expect(found.cutOff).toBe(false);
  }));
});

test('halves of a transfer have opposite signs, two accounts and at most four days between them', () => {
  const out = line({ id: 1, amount_minor: -100_00n });
  const into = (id: number, booked_on: string, more = {}): ReturnType<typeof line> =>
    line({ id, bank_account_id: 2, amount_minor: 100_00n, booked_on, ...more });
  const pairs = pairTransfers([out, into(2, '2026-11-24'), into(3, '2026-11-25'), into(4, '2026-11-16'),
    into(5, '2026-11-15'), into(6, '2026-11-20', { bank_account_id: 1 }), into(7, '2026-11-20', { currency: 'EUR' }),
    into(8, '2026-11-20', { left_minor: 1n }), line({ id: 9, bank_account_id: 2, amount_minor: -100_00n })],
  new Map([[2, 'DE89370400440532013000']]));
  expect(pairs.map((pair) => [pair.out.id, pair.in.id, pair.score])).toEqual(
    [[9, 6, 55], [1, 2, 48], [1, 4, 48]]);
});

test('a transfer number and an account of our own make a pair sure; a line may be in several', () => {
  const out = line({ id: 1, amount_minor: -100_00n, memo: 'T-US-2026-000004',
    counterparty_account: 'DE89 3704 0044 0532 0130 00' });
  const into = [2, 3].map((id) =>
    line({ id, bank_account_id: 2, amount_minor: 100_00n, memo: id === 3 ? out.memo : '' }));
  const pairs = pairTransfers([...into, out], new Map([[2, 'DE89370400440532013000']]));
  expect(pairs.map((pair) => [pair.in.id, pair.score, pair.summary])).toEqual([
    [3, 100, 'Amount, reference and bank account agree; same day'],
    [2, 70, 'Amount and bank account agree; same day']]);
});
