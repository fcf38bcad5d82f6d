import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../calendar/calendar.ts';
import { filingDueOn, filingLines, filingPeriodOn, salesTaxFiling, unpaidLines, vendorDiscount, type FilingRule }
  from './filing-calendar.ts';
import { salesByState, type SalesTaxLine } from './sales-tax-return.ts';

const rule = (more: Partial<FilingRule> = {}): FilingRule => ({ state: 'US-NY', frequency: 'quarterly', first_month: 3,
  due_day: 20, discount_ppm: 0n, discount_cap_minor: null, valid_from: '2020-01-01', ...more });
const spanOf = (rules: readonly FilingRule[], on: string) => {
  const found = filingPeriodOn(rules, 'US-NY', on);
  return found && [found.from, found.to];
};

describe('a filing period', () => {
  it('is the quarter from March in New York, and reaches over the end of the year', () => {
    // Own example, from a calendar: quarters of March, June, September and December.
    expect(spanOf([rule()], '2026-08-31')).toEqual(['2026-06-01', '2026-08-31']);
    expect(spanOf([rule()], '2026-12-01')).toEqual(['2026-12-01', '2027-02-28']);
    expect(spanOf([rule()], '2027-01-15')).toEqual(['2026-12-01', '2027-02-28']);
    expect(spanOf([rule({ first_month: 1 })], '2026-11-26')).toEqual(['2026-10-01', '2026-12-31']);
    expect(spanOf([rule({ frequency: 'monthly' })], '2028-02-10')).toEqual(['2028-02-01', '2028-02-29']);
    expect(spanOf([rule({ frequency: 'annual' })], '2027-02-01')).toEqual(['2026-03-01', '2027-02-28']);
  });

  it('ends where the next rule begins, and that one begins with its first day', () => {
    const rules = [rule({ frequency: 'annual', first_month: 1 }),
      rule({ frequency: 'monthly', valid_from: '2026-07-01' })];
    expect(spanOf(rules, '2026-03-05')).toEqual(['2026-01-01', '2026-06-30']);
    expect(spanOf(rules, '2026-07-01')).toEqual(['2026-07-01', '2026-07-31']);
    expect(spanOf(rules, '2019-12-31')).toBeNull();
    expect(filingPeriodOn(rules, 'US-PA', '2026-07-01')).toBeNull();
  });

  it('follows the one before without a gap, whatever the rules and the day', () => {
    fc.assert(fc.property(
      fc.array(fc.record({ frequency: fc.constantFrom('monthly', 'quarterly', 'annual'), first_month: fc.integer({
        min: 1, max: 12 }), months: fc.integer({ min: 0, max: 60 }) }), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 2_000 }), (drawn, days) => {
        const rules = [rule(), ...drawn.map((one) => rule({ frequency: one.frequency, first_month: one.first_month,
          valid_from: `${2021 + Math.floor(one.months / 12)}-${String(one.months % 12 + 1).padStart(2, '0')}-01` }))];
        const on = addDays('2020-01-01', days);
        const now = filingPeriodOn(rules, 'US-NY', on)!;
        expect(now.from <= on && on <= now.to).toBe(true);
        expect(filingPeriodOn(rules, 'US-NY', now.to)!.from).toBe(now.from);
        expect(filingPeriodOn(rules, 'US-NY', addDays(now.to, 1))!.from).toBe(addDays(now.to, 1));
      }));
  });
});

describe('the due date', () => {
  it('moves off weekends and holidays to the next business day', () => {
    // Own examples, from a calendar: June 20, 2026 is a Saturday; June 19, 2026 is Juneteenth, a Friday.
    expect(filingDueOn(rule(), '2026-05-31', [])).toBe('2026-06-22');
    expect(filingDueOn(rule({ due_day: 19 }), '2026-05-31', ['2026-06-19'])).toBe('2026-06-22');
    expect(filingDueOn(rule(), '2026-11-30', [])).toBe('2026-12-21');
    expect(filingDueOn(rule(), '2026-08-31', [])).toBe('2026-09-21');
  });

  it('is the last day of a month that is shorter than the day says', () => {
    // January 31, 2027 is a Sunday; February 2026 ends on Saturday the 28th, so March 2 is the next Monday.
    expect(filingDueOn(rule({ due_day: 31 }), '2026-09-30', [])).toBe('2026-11-02');
    expect(filingDueOn(rule({ due_day: 30 }), '2026-01-31', [])).toBe('2026-03-02');
  });
});

describe('the vendor discount', () => {
  const days = { filed_on: '2026-06-22', due_on: '2026-06-22' };
  it('is the share of the tax up to the cap: event 23, 1% of 24.00 is 0.24', () => {
    expect(vendorDiscount(rule({ discount_ppm: 10_000n }), 2_400n, days)).toBe(24n);
    // 5% of 5,000.00 is 250.00; at most 200.00.
    const capped = rule({ discount_ppm: 50_000n, discount_cap_minor: 20_000n });
    expect(vendorDiscount(capped, 500_000n, days)).toBe(20_000n);
    expect(vendorDiscount(capped, 399_999n, days)).toBe(20_000n);
    expect(vendorDiscount(capped, 399_000n, days)).toBe(19_950n);
  });

  it('is lost the day after the due date, and there is none on a credit', () => {
    const some = rule({ discount_ppm: 10_000n });
    expect(vendorDiscount(some, 2_400n, { ...days, filed_on: '2026-06-23' })).toBe(0n);
    expect(vendorDiscount(some, -2_400n, days)).toBe(0n);
  });
});

let item = 0;
const line = (more: Partial<SalesTaxLine>): SalesTaxLine => ({ item: item += 1, document: 1, on: '2026-03-02',
  jurisdiction: 'US-NY', rate_ppm: 40_000n, base_minor: 60_000n, tax_minor: 2_400n, reason: 'taxed', certificate: null,
  ...more });
const none = { base_minor: 0n, tax_minor: 0n };
const boxesOf = (filing: ReturnType<typeof salesTaxFiling>) =>
  Object.fromEntries(filing.boxes.map((box) => [box.box, box.amount_minor]));

describe('the figures of a return', () => {
  it('are the tax collected less the discount, posted as event 23: 2310 24.00, 7090 (0.24), paid 23.76', () => {
    const [ny] = salesByState([line({}), line({ reason: 'exempt', certificate: 'school', tax_minor: 0n, rate_ppm: 0n,
      base_minor: 10_000n })]);
    const filing = salesTaxFiling(ny!, none, () => 24n);
    expect(boxesOf(filing)).toEqual({ gross: 70_000n, exempt: 10_000n, not_taxable: 0n, taxable: 60_000n, tax: 2_400n,
      excess: 0n, use_base: 0n, use_tax: 0n, discount: -24n, net: 2_376n });
    expect(filingLines(filing)).toEqual([{ account: 'sales_tax', what: 'sales_tax', amount_minor: 2_400n },
      { account: 'small_differences', what: 'discount', amount_minor: -24n }]);
  });

  it('pay what was collected above the rates, and what the rates come to above it', () => {
    // Four scripts of 2.50 at 8.625%: 0.88 collected, 0.86 due. Three of 2.55 at 8.625%: 0.66 collected and due 0.66.
    const each = { rate_ppm: 86_250n, base_minor: 250n };
    const over = salesTaxFiling(salesByState([1, 2, 3, 4].map(() => line({ ...each, tax_minor: 22n })))[0]!, none,
      () => 0n);
    expect(boxesOf(over)).toMatchObject({ tax: 86n, excess: 2n, net: 88n });
    expect(filingLines(over)).toEqual([{ account: 'sales_tax', what: 'sales_tax', amount_minor: 88n }]);
    // Four of 2.30 at 8.625%: 0.1984 each, 0.20 were due; collected 0.19 each is 0.76, due 0.79.
    const under = salesTaxFiling(salesByState([1, 2, 3, 4].map(() => line({ ...each, base_minor: 230n,
      tax_minor: 19n })))[0]!, { base_minor: 10_000n, tax_minor: 600n }, () => 0n);
    expect(boxesOf(under)).toMatchObject({ tax: 79n, excess: 0n, use_base: 10_000n, use_tax: 600n, net: 679n });
    expect(filingLines(under).map((one) => [one.what, one.amount_minor])).toEqual([['sales_tax', 76n],
      ['use_tax', 600n], ['short', 3n]]);
  });

  it('use a credit of earlier returns up to what they come to', () => {
    const of = (tax: bigint, credit: bigint) => salesTaxFiling(salesByState([line({ base_minor: tax * 25n,
      tax_minor: tax })])[0]!, none, () => 0n, credit);
    // Own examples at 4%: 24.00 due and 10.00 with the state; 24.00 and 30.00; a credit uses none.
    expect(boxesOf(of(2_400n, 1_000n))).toMatchObject({ tax: 2_400n, credit: -1_000n, net: 1_400n });
    expect(filingLines(of(2_400n, 1_000n)).map((one) => [one.account, one.amount_minor])).toEqual([
      ['sales_tax', 2_400n], ['sales_tax', -1_000n]]);
    expect(boxesOf(of(2_400n, 3_000n))).toMatchObject({ credit: -2_400n, net: 0n });
    expect(boxesOf(of(-2_400n, 3_000n))).toMatchObject({ credit: 0n, net: -2_400n });
    expect(boxesOf(of(2_400n, 0n))).not.toHaveProperty('credit');
  });

  it('are posted to sales tax payable where no bill pays them', () => {
    // Own example: tax of -24.00, use tax of 6.00: the credit of 18.00 is a debit of 2310, 2340 is cleared.
    const filing = salesTaxFiling(salesByState([line({ base_minor: -60_000n, tax_minor: -2_400n })])[0]!,
      { base_minor: 10_000n, tax_minor: 600n }, () => 0n);
    expect(filing.net_minor).toBe(-1_800n);
    expect(unpaidLines(filing)).toEqual([{ account: 'use_tax', amount_minor: 600n },
      { account: 'sales_tax', amount_minor: -600n }]);
    expect(unpaidLines(salesTaxFiling(null, none, () => 0n))).toEqual([]);
    expect(unpaidLines(salesTaxFiling(salesByState([line({})])[0]!, { base_minor: 1n, tax_minor: 600n }, () => 0n)))
      .toEqual([]);
  });

  it('come to the lines of the bill, whatever was sold, and leave the credit on 2310 where there is none', () => {
    fc.assert(fc.property(fc.array(fc.record({ base: fc.integer({ min: -50_000, max: 50_000 }),
      tax: fc.integer({ min: -5_000, max: 5_000 }), rate: fc.constantFrom(40_000, 45_000, 88_750) })),
    fc.integer({ min: -9_000, max: 9_000 }), fc.bigInt({ min: 0n, max: 9_000n }), (drawn, used, credit) => {
      const [ny] = salesByState(drawn.map((one) => line({ base_minor: BigInt(one.base), tax_minor: BigInt(one.tax),
        rate_ppm: BigInt(one.rate) })));
      const filing = salesTaxFiling(ny ?? null, { base_minor: 0n, tax_minor: BigInt(used) }, (tax) =>
        (tax > 0n ? tax / 100n : 0n), credit);
      const boxes = boxesOf(filing);
      expect(filing.credit_minor <= credit && (filing.credit_minor === 0n || filing.net_minor >= 0n)).toBe(true);
      const unpaid = unpaidLines(filing);
      expect(unpaid.reduce((all, one) => all + one.amount_minor, 0n)).toBe(0n);
      if (filing.net_minor <= 0n) {
        const onAccount = unpaid.find((one) => one.account === 'sales_tax')?.amount_minor ?? 0n;
        expect(filing.collected_minor - onAccount).toBe(filing.net_minor + filing.credit_minor);
      }
      expect(filingLines(filing).reduce((all, one) => all + one.amount_minor, 0n)).toBe(filing.net_minor);
      expect(boxes.exempt! + boxes.not_taxable! + boxes.taxable!).toBe(boxes.gross);
    }));
  });

  it('are zeros where nothing was sold: a return is due all the same', () => {
    const filing = salesTaxFiling(null, none, () => 0n);
    expect([filing.net_minor, filingLines(filing)]).toEqual([0n, []]);
  });
});
