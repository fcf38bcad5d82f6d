import { expect, it } from 'vitest';
import { applicationsOf, disbursementLines, type PaidPart } from './disbursement-lines.ts';

const party = { type: 'vendor', id: 7 } as const;
const part = (item_id: number, amount_minor: bigint, discount_minor = 0n): PaidPart =>
  ({ item_id, amount_minor, discount_minor });
const paid = { party, bank: '1000', on: '2026-03-02', withheld: null } as const;
const posted = (parts: PaidPart[]) => disbursementLines({ ...paid, parts })
  .map((line) => [line.account, line.amount_minor]);

it('a payment empties what is owed, and the discount is not paid', () => {
  expect(posted([part(1, 60_000n)])).toEqual([['2000', 60_000n], ['1000', -60_000n]]);
  expect(posted([part(1, 11_900n, 200n)])).toEqual([['2000', 12_100n], ['1000', -11_900n], ['7080', -200n]]);
});

it('a discount takes its part of the input tax back, and of its base: 2% of 1,000.00 and 200.00 VAT', () => {
  const bill = { id: 9, total_minor: 120_000n, taxes: [{ tax_code_id: 4, authority_id: 2, net_minor: 100_000n,
    tax_minor: 20_000n, reverse_charge: false }] };
  const lines = disbursementLines({ ...paid, parts: [{ ...part(1, 117_600n, 2_400n),
    bill }] });
  expect(lines[2]).toMatchObject({ tax_code_id: 4, bill_id: 9, party: { type: 'tax_authority', id: 2 } });
  expect(lines.map((line) => [line.account, line.amount_minor, line.tax_base_minor])).toEqual([
    ['2000', 120_000n, undefined], ['1000', -117_600n, undefined], ['1300', -400n, -2_000n],
    ['7080', -2_000n, undefined]]);
});

it('a discount on a bill with reverse charge takes both sides of the tax back', () => {
  const bill = { id: 9, total_minor: 100_000n, taxes: [{ tax_code_id: 4, authority_id: 2, net_minor: 100_000n,
    tax_minor: 20_000n, reverse_charge: true }] };
  const lines = disbursementLines({ ...paid, parts: [{ ...part(1, 98_000n, 2_000n),
    bill }] });
  expect(lines.map((line) => [line.account, line.amount_minor, line.tax_base_minor])).toEqual([
    ['2000', 100_000n, undefined], ['1000', -98_000n, undefined], ['1300', -400n, -2_000n], ['2300', 400n, 2_000n],
    ['7080', -2_000n, undefined]]);
});

it('tax withheld is owed to the authority: of 1,000.00 less 2% the bank pays 744.80', () => {
  const lines = disbursementLines({ ...paid, withheld: { amount_minor: 23_520n, authority_id: 5 },
    parts: [part(1, 98_000n, 2_000n)] });
  expect(lines.map((line) => [line.account, line.amount_minor])).toEqual([['2000', 100_000n], ['1000', -74_480n],
    ['2320', -23_520n], ['7080', -2_000n]]);
  expect(lines[2]!.party).toEqual({ type: 'tax_authority', id: 5 });
  expect(() => disbursementLines({ ...paid, withheld: { amount_minor: 3n, authority_id: 5 }, parts: [part(1, 2n)] }))
    .toThrow(RangeError);
});

it('a bill of 150.00 less a credit of 70.00 pays 80.00, and both are settled', () => {
  const parts = [part(1, 15_000n), part(2, -7_000n)];
  expect(posted(parts)).toEqual([['2000', 8_000n], ['1000', -8_000n]]);
  expect(applicationsOf(parts)).toEqual([
    { debit_item_id: 2, credit_item_id: 1, amount_minor: 7_000n },
    { debit_item_id: null, credit_item_id: 1, amount_minor: 8_000n },
  ]);
});

it('credits, cash and discounts settle each item for its part, never for more', () => {
  const parts = [part(1, 100n, 5n), part(2, -130n), part(3, 60n), part(4, 40n, 1n)];
  const made = applicationsOf(parts);
  const of = (id: number) => made.filter((one) => one.credit_item_id === id)
    .reduce((all, one) => all + one.amount_minor, 0n);
  expect([of(1), of(3), of(4)]).toEqual([105n, 60n, 41n]);
  expect(made.filter((one) => one.debit_item_id === null).reduce((all, one) => all + one.amount_minor, 0n)).toBe(76n);
  expect(posted(parts)[0]).toEqual(['2000', 76n]);
  expect(() => applicationsOf([part(1, 100n), part(2, -130n)])).toThrow('credits exceed');
});
