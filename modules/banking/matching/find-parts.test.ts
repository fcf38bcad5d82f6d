/** Amounts and discounts of the documents chosen in Find and match. */
import { expect, test } from 'vitest';
import { added, bodyOf, discounted, sumOf, typed } from './find-parts.web.ts';
import type { SidePart } from './matching.contract.ts';

const LINE = { id: 1, amount_minor: -294_000, booked_on: '2026-11-20', currency: 'USD' } as const;
const bill = (id: number, open_minor: number, until: string | null, currency: 'USD' | 'EUR' = 'USD'): SidePart => ({
  kind: 'bill', id, label: `BL-${id}`, party: 'Sullivan Sets', customer_id: null, document_on: '2026-11-11',
  due_on: null, currency, open_minor, amount_minor: -open_minor, bank_minor: currency === 'USD' ? null : -open_minor,
  discount_minor: 0, discount: until === null ? null : { until, amount_minor: open_minor / 50 }, refusal: null });
const chosen = (bills: readonly SidePart[], line = LINE) => bills.reduce<SidePart[]>((parts, one) =>
  [...parts, added(one, line, line.amount_minor - sumOf(parts))], []);

test('proposes the discount of each bill up to its last day, several at once', () => {
  const both = chosen([bill(1, 100_000, '2026-11-20'), bill(2, 200_000, '2026-11-30')]);
  expect(bodyOf(LINE, both, null).parts).toMatchObject([{ id: 1, amount_minor: 98_000, discount_minor: 2_000 },
    { id: 2, amount_minor: 196_000, discount_minor: 4_000 }]);
  expect(sumOf(both)).toBe(LINE.amount_minor);
  expect(chosen([bill(1, 100_000, '2026-11-19')])).toMatchObject([{ amount_minor: -100_000, discount_minor: 0 }]);
});

test('takes none where the rest of the line is the whole bill, or less than the amount with discount', () => {
  expect(chosen([bill(1, 294_000, '2026-11-30')])).toMatchObject([{ amount_minor: -294_000, discount_minor: 0 }]);
  expect(chosen([bill(1, 400_000, '2026-11-30')])).toMatchObject([{ amount_minor: -294_000, discount_minor: 0 }]);
});

test('leaves a discount out, takes it again, and drops it with any other amount', () => {
  const [one] = chosen([bill(1, 100_000, '2026-11-20')]) as [SidePart];
  expect(discounted(one, 0)).toMatchObject({ amount_minor: -100_000, discount_minor: 0 });
  expect(discounted(discounted(one, 0), 2_000)).toEqual(one);
  expect(typed(one, 98_000)).toEqual(one);
  expect(typed(one, 50_000)).toMatchObject({ amount_minor: -50_000, discount_minor: 0 });
});

test('a bill in another currency is paid less its discount with the rest of the line', () => {
  expect(chosen([bill(1, 270_000, '2026-11-20', 'EUR')])).toMatchObject([{ amount_minor: -264_600,
    discount_minor: 5_400, bank_minor: -294_000 }]);
});
