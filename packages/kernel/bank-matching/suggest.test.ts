import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '../calendar/calendar.ts';
import { abs, sum } from '../money/money.ts';
import { decide, decideTogether } from './auto-match.ts';
import { buildItemIndex } from './item-index.ts';
import type { LineToMatch, OpenItem } from './open-item.ts';
import { readLine } from './score.ts';
import { suggestMatches, type SuggestOptions } from './suggest.ts';
import type { MatchAnswer, Suggestion } from './suggestion.ts';
import { ACCOUNT, invoice, line, ravenswood } from './testing.ts';

const IBAN = 'IE29AIBK93115212345678';
const answer = (of: LineToMatch, items: OpenItem[], options?: SuggestOptions): MatchAnswer =>
  suggestMatches(buildItemIndex(items, ACCOUNT), of, options);
const best = (of: LineToMatch, items: OpenItem[], options?: SuggestOptions): Suggestion => {
  const { suggestions, others } = answer(of, items, options);
  return [...suggestions, ...others][0]!;
};
const points = (suggestion: Suggestion): Record<string, number> =>
  Object.fromEntries(suggestion.reasons.map((reason) => [reason.code, reason.points]));

const PAID = line({ amount_minor: 128_400n });
const NAMED = { ...PAID, memo: 'PAYMENT INV-US-2026-000033' };

test('the points of the amount: equal 45, within the smaller tolerance 20, else none', () => {
  const near = (minor: bigint, open: bigint): Record<string, number> => points(best(
    line({ amount_minor: minor, memo: 'INV-US-2026-000033' }), [invoice({ open_minor: open })]));
  expect(near(128_400n, 128_400n)).toMatchObject({ amount_equal: 45 });
  expect(near(127_900n, 128_400n)).toMatchObject({ amount_near: 20 });
  expect(near(127_899n, 128_400n)).not.toHaveProperty('amount_near');
  expect(near(9_900n, 10_000n)).toMatchObject({ amount_near: 20 });
  expect(near(9_899n, 10_000n)).not.toHaveProperty('amount_near');
});

test('the points of a reference, a name, an account and a rule', () => {
  const items = [invoice({ party: ravenswood([IBAN]) })];
  expect(points(best(NAMED, items))).toEqual({ amount_equal: 45, reference: 30, date: 10 });
  expect(points(best({ ...PAID, name: 'RAVENSWOOD PLAYHOUSE INC' }, items))).toEqual(
    { amount_equal: 45, name: 15, date: 10 });
  expect(points(best({ ...PAID, name: 'Ravenswood Playhouse Foundation' }, items))).toEqual(
    { amount_equal: 45, name_near: 8, date: 10 });
  expect(points(best({ ...PAID, counterparty_account: 'IE29 AIBK 9311 5212 3456 78' }, items))).toEqual(
    { amount_equal: 45, account: 15, date: 10 });
  expect(points(best(PAID, items, { rule_party_key: 'customer:7' }))).toEqual(
    { amount_equal: 45, rule: 10, date: 10 });
});

test('the points of the date: 10 up to a day, 7 up to three, 3 up to seven', () => {
  const days = [0, 1, 2, 3, 4, 7, 8, 10].map((days) =>
    points(best({ ...PAID, booked_on: addDays(PAID.booked_on, days) }, [invoice()])).date ?? 0);
  expect(days).toEqual([10, 10, 7, 7, 3, 3, 0, 0]);
});

test('candidates lie within ten days of the time from the document to its due day', () => {
  const on = (days: number, items = [invoice()]): number => {
    const { suggestions, others } = answer({ ...PAID, booked_on: addDays(PAID.booked_on, days) }, items);
    return suggestions.length + others.length;
  };
  expect([on(10), on(11), on(-10), on(-11)]).toEqual([1, 0, 1, 0]);
  expect(on(25, [invoice({ due_on: addDays(PAID.booked_on, 30) })])).toBe(1);
});

test('everything together is 100 at most, in words that a bookkeeper reads', () => {
  const suggestion = best({ ...NAMED, name: 'Ravenswood Playhouse', counterparty_account: IBAN },
    [invoice({ party: ravenswood([IBAN]) })]);
  expect(suggestion).toMatchObject({ score: 100, shape: 'whole',
    summary: 'Amount, invoice number, name and bank account agree; same day' });
  expect(best(NAMED, [invoice()]).summary).toBe('Amount and invoice number agree; same day');
  expect(best(NAMED, [invoice()]).reasons.map((one) => one.text)).toEqual(
    ['Amount agrees', 'Invoice number INV-US-2026-000033 is in the text', 'Same day']);
});

test('another account, another currency without a rate or the other direction is no candidate', () => {
  for (const more of [{ bank_account_id: 2 }, { currency: 'EUR' }, { direction: 'out' as const }]) {
    expect(best(NAMED, [invoice(more)])).toBeUndefined();
  }
  expect(() => answer({ ...PAID, bank_account_id: 2 }, [])).toThrow(RangeError);
});

test('a part payment takes what was paid and leaves the rest of the document open', () => {
  const part = best({ ...NAMED, amount_minor: 50_000n, left_minor: 50_000n }, [invoice()]);
  expect(part).toMatchObject({ shape: 'part', left_minor: 0n, difference_minor: 0n });
  expect(part.items[0]).toMatchObject({ applied_minor: 50_000n, line_minor: 50_000n });
});

test('a fee that a bank withheld settles the document, a larger difference does not', () => {
  const paid = (minor: bigint): Suggestion => best({ ...NAMED, amount_minor: minor, left_minor: minor }, [invoice()]);
  expect(paid(125_900n)).toMatchObject({ shape: 'fee', difference_minor: 2_500n,
    items: [{ applied_minor: 128_400n, line_minor: 125_900n }] });
  expect(paid(123_399n).shape).toBe('part');
  const out = best(line({ amount_minor: -102_500n, memo: 'INV-US-2026-000033' }),
    [invoice({ direction: 'out', open_minor: 100_000n })]);
  expect(out).toMatchObject({ shape: 'fee', difference_minor: 2_500n, items: [{ applied_minor: 100_000n }] });
});

test('more than a document has open leaves the rest on the line', () => {
  expect(best({ ...NAMED, amount_minor: 150_000n, left_minor: 150_000n }, [invoice()])).toMatchObject(
    { shape: 'rest', left_minor: 21_600n, items: [{ applied_minor: 128_400n, line_minor: 128_400n }] });
});

test('an invoice in another currency is settled by what the bank made of it, whatever the rate since', () => {
  const euros = invoice({ currency: 'EUR', open_minor: 60_000n, converted_minor: 65_400n });
  const paid = { ...NAMED, amount_minor: 64_900n, left_minor: 64_900n };
  expect(best(paid, [euros])).toMatchObject({ shape: 'exchange', difference_minor: -500n,
    items: [{ applied_minor: 60_000n, line_minor: 64_900n }] });
  const instructed = { ...paid, amount_minor: 52_815n, left_minor: 52_815n,
    original: { amount_minor: 60_000n, currency: 'EUR' } };
  expect(best(instructed, [euros]).reasons.map((one) => one.text)).toContain('Amount agrees in EUR');
  expect(best({ ...paid, left_minor: 30_000n }, [euros])).toMatchObject({ shape: 'part' });
});

test('one deposit is many documents of one party; a credit reduces what it pays', () => {
  const three = [invoice({ id: 1, open_minor: 5_000n }), invoice({ id: 2, open_minor: 7_000n }),
    invoice({ id: 3, open_minor: 9_000n }), invoice({ id: 4, open_minor: 11_111n })];
  const paid = line({ amount_minor: 21_000n, name: 'Ravenswood Playhouse' });
  expect(best(paid, three)).toMatchObject({ shape: 'combined', score: 70, left_minor: 0n,
    items: [{ item: { id: 1 } }, { item: { id: 2 } }, { item: { id: 3 } }],
    reasons: [{ text: '3 documents add up to the amount' }, {}, {}] });
  const credit = invoice({ kind: 'credit_note', id: 9, direction: 'out', open_minor: 1_000n });
  const netted = best(line({ amount_minor: 4_000n, name: 'Ravenswood Playhouse' }), [three[0]!, credit]);
  expect(netted).toMatchObject({ shape: 'combined', items: [{ line_minor: -1_000n }, { line_minor: 5_000n }] });
});

test('forty receipts on the way to the bank are one deposit, and a pool joins parties', () => {
  const receipts = Array.from({ length: 40 }, (_, at) => invoice({ kind: 'receipt', id: at + 1, pool: 'undeposited',
    open_minor: BigInt(1_000 + at * 37), references: [],
    party: { key: `customer:${at}`, name: `P${at}`, accounts: [] } }));
  const total = sum(receipts.map((one) => one.open_minor));
  expect(best(line({ amount_minor: total, name: 'DEPOSIT' }), receipts)).toMatchObject(
    { shape: 'combined', score: 55 });
  expect(best(line({ amount_minor: 2_037n, name: 'DEPOSIT' }), receipts).items).toHaveLength(2);
});

test('matched by itself: from 90 points, equal to the cent, nobody within 20 points', () => {
  const named = { ...NAMED, name: 'Ravenswood Playhouse' };
  expect(answer(named, [invoice()]).auto.match?.items[0]?.item.id).toBe(33);
  const refusal = (of: LineToMatch, items: OpenItem[]): string => answer(of, items).auto.refusal!.message;
  expect(refusal(PAID, [])).toBe('No open document fits the line.');
  expect(refusal(NAMED, [invoice()])).toBe('The best suggestion has 85 points; 90 are needed.');
  const near = { ...named, amount_minor: 128_000n, left_minor: 128_000n, counterparty_account: IBAN };
  expect(refusal(near, [invoice({ party: ravenswood([IBAN]) })])).toBe(
    'The amount of INV-US-2026-000033 does not agree to the cent.');
  expect(refusal({ ...named, left_minor: 100n }, [invoice()])).toBe('Part of the line is matched already.');
  expect(refusal({ ...named, left_minor: 0n }, [invoice()])).toBe('The line is matched already.');
  const late = { ...named, booked_on: '2027-01-20' };
  expect(refusal({ ...late, counterparty_account: IBAN }, [invoice({ party: ravenswood([IBAN]) })])).toBe(
    'The dates of INV-US-2026-000033 are too far from the line.');
});

test('90 points are enough and 20 points of lead are needed', () => {
  const one = best({ ...NAMED, name: 'Ravenswood Playhouse' }, [invoice()]);
  const code = (...scores: number[]): string | undefined =>
    decide(PAID, readLine(PAID), scores.map((score) => ({ ...one, score })), false).refusal?.code;
  expect([code(90), code(89), code(95, 75), code(95, 76)]).toEqual([undefined, 'score_low', undefined, 'runner_up']);
  expect(decide(PAID, readLine(PAID), [one], true).refusal?.code).toBe('too_many');
});

test('two documents that fit alike, or another number in the text, are for a person', () => {
  const named = { ...NAMED, name: 'Ravenswood Playhouse', reference: 'PO-2026-77' };
  const order = { type: 'number' as const, value: 'PO-2026-77', label: 'order number' };
  const twins = [invoice(), invoice({ id: 34, references: [order] })];
  expect(answer(named, twins).auto.refusal).toEqual({ code: 'runner_up',
    message: 'INV-US-2026-000034 fits nearly as well (100 against 100 points).' });
  expect(answer({ ...named, memo: `${NAMED.memo} and INV-US-2026-000035` }, [invoice()]).auto.refusal).toEqual(
    { code: 'other_number', message: 'The text also names INV-US-2026-35.' });
});

test('a document that two lines fit is matched to neither', () => {
  const index = buildItemIndex([invoice()], ACCOUNT);
  const named = { ...NAMED, name: 'Ravenswood Playhouse' };
  const answers = new Map([1, 2].map((id) => [id, suggestMatches(index, { ...named, id })]));
  expect([...decideTogether(answers).values()].map((one) => one.refusal?.message)).toEqual(
    ['Another line fits INV-US-2026-000033 as well.', 'Another line fits INV-US-2026-000033 as well.']);
  answers.delete(2);
  expect(decideTogether(answers).get(1)?.match).not.toBeNull();
});

const NAMES = ['Ravenswood Playhouse', 'Oak Hill School', 'Castle Players', 'Castle Players Ltd'];
const anItem = fc.record({ id: fc.integer({ min: 1, max: 60 }), open: fc.integer({ min: 1, max: 40 }),
  day: fc.integer({ min: -15, max: 15 }), party: fc.integer({ min: 0, max: 3 }), isOut: fc.boolean(),
  isPooled: fc.boolean() });
const items = fc.uniqueArray(anItem, { maxLength: 25, selector: (one) => one.id }).map((all) => all.map((one) =>
  invoice({ id: one.id, open_minor: BigInt(one.open) * 500n, document_on: addDays('2026-11-20', one.day),
    direction: one.isOut ? 'out' : 'in', pool: one.isPooled ? 'undeposited' : null,
    party: { key: `customer:${one.party}`, name: NAMES[one.party]!, accounts: [] } })));
const aLine = fc.record({ minor: fc.integer({ min: -60, max: 60 }).filter((minor) => minor !== 0),
  name: fc.constantFrom(...NAMES, ''), names: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 3 }) })
  .map(({ minor, name, names }) => line({ amount_minor: BigInt(minor) * 500n, name,
    memo: names.map((id) => `INV-US-2026-${String(id).padStart(6, '0')}`).join(' ') }));

test('no suggestion takes more than an item has open or the line has left', () => {
  fc.assert(fc.property(items, aLine, (all, of) => {
    const { suggestions, others, auto } = answer(of, all);
    for (const one of [...suggestions, ...others]) {
      for (const part of one.items) {
        expect(part.applied_minor > 0n && part.applied_minor <= part.item.open_minor).toBe(true);
      }
      const taken = sum(one.items.map((part) => part.line_minor));
      expect(taken + one.left_minor + (of.amount_minor < 0n ? one.difference_minor : 0n)).toBe(abs(of.left_minor));
      expect(one.score).toBeLessThanOrEqual(100);
      expect(new Set(one.items.map((part) => part.item.id)).size).toBe(one.items.length);
    }
    if (auto.match) expect([auto.match.score >= 90, auto.match.left_minor]).toEqual([true, 0n]);
  }));
});

test('the order of the items has no influence', () => {
  fc.assert(fc.property(items, aLine, fc.infiniteStream(fc.nat()), (all, of, random) => {
    const shuffled = all.map((one) => ({ one, at: random.next().value as number })).sort((a, b) => a.at - b.at)
      .map(({ one }) => one);
    expect(answer(of, shuffled)).toEqual(answer(of, all));
  }));
});

test('one line among 100,000 open items is compared with a few hundred, and combining has a bound', () => {
  const many = Array.from({ length: 100_000 }, (_, at) => invoice({ id: at + 1,
    open_minor: BigInt(10_000 + (at % 5_000)), document_on: addDays('2026-11-01', at % 40),
    party: { key: `customer:${at % 8_000}`, name: `School ${at % 8_000} of Music`, accounts: [] } }));
  const index = buildItemIndex(many, ACCOUNT);
  const named = line({ amount_minor: 10_032n, memo: 'INV US 2026 000033', name: 'School 32 of Music' });
  const sure = suggestMatches(index, named);
  expect(sure.suggestions[0]?.items[0]?.item.id).toBe(33);
  expect(sure.comparisons).toBeLessThan(500);
  const unnamed = suggestMatches(index, line({ amount_minor: 30_411n, name: 'School 32 of Music' }));
  expect(unnamed.comparisons).toBeLessThan(6 * 89_913 + 1_000);
  const alike = buildItemIndex(many.slice(0, 10_000).map((one) =>
    ({ ...one, open_minor: 10_000n, pool: 'undeposited' })), ACCOUNT);
  expect(suggestMatches(alike, line({ amount_minor: 10_000n, name: 'DEPOSIT' })).comparisons).toBeLessThan(1_000);
});

test('a discount settles the document up to its day, is worth the points of the amount and never automatic', () => {
  const item = invoice({ kind: 'bill', open_minor: 100_000n, discount: { paid_minor: 98_000n, until: '2026-11-20' } });
  const paid = line({ amount_minor: 98_000n, memo: 'INV-US-2026-000033', name: 'RAVENSWOOD PLAYHOUSE' });
  const found = answer(paid, [item]);
  expect(found.suggestions[0]).toMatchObject({ shape: 'discount', difference_minor: 2_000n, score: 100,
    items: [{ applied_minor: 98_000n }] });
  expect(points(found.suggestions[0]!)).toMatchObject({ amount_discounted: 45 });
  expect(found.auto.refusal).toMatchObject({ code: 'amount_differs' });
  expect(best({ ...paid, booked_on: '2026-11-21' }, [item]).shape).not.toBe('discount');
  expect(best({ ...paid, amount_minor: 98_001n, left_minor: 98_001n }, [item]).shape).not.toBe('discount');
});
