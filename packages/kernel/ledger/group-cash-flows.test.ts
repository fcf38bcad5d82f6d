import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cashFlows, flowsOf, type FlowAccount, type FlowLine } from './cash-flows.ts';
import { areExplained, eliminateFlows, flowTotal, ROUNDING, sumFlows, totalOf, translateFlows, type DivisionFlows,
  type TranslatedFlows } from './group-cash-flows.ts';

const account = (id: number, code: string, kind: FlowAccount['class'], flow: FlowAccount['cash_flow_class'],
  section: string = kind): FlowAccount => ({ id, code, name: code, class: kind, section, system_key: null,
  cash_flow_class: flow });
const BANK = account(1, '1000', 'asset', 'cash');
const OWED = account(2, '1100', 'asset', 'operating');
const FROM = account(3, '1500', 'asset', 'operating');
const TO = account(4, '2500', 'liability', 'operating');
const LOAN = account(5, '2700', 'liability', 'financing');
const INCOME = account(6, '4000', 'income', 'operating', 'revenue');
const ALL = [BANK, OWED, FROM, TO, LOAN, INCOME];
const CHART = new Map(ALL.map((one) => [one.id, one]));

type Posting = FlowLine[];
const line = (of: FlowAccount, base: bigint): FlowLine => ({ account: of, base, amount: base,
  party_type: of === FROM || of === TO ? 'division' : of === OWED ? 'customer' : null });
const post = (debit: FlowAccount, credit: FlowAccount, minor: bigint): Posting =>
  [line(debit, minor), line(credit, -minor)];

/** Books of a division: cash at the beginning, then the postings of each month and its average rate. */
function flows(division: DivisionFlows['division'], of: { opening: bigint; rates: [string, string];
  months: { rate: string; postings: Posting[] }[] }): TranslatedFlows {
  let cash = of.opening;
  const months = of.months.map(({ rate, postings }) => {
    const lines = postings.flat();
    const balances = ALL.map((one) => ({ account: one, opening: one === BANK ? cash : 0n,
      change: totalOf(lines.filter((each) => each.account === one).map((each) => ({ minor: each.base }))) }));
    cash += balances[0]!.change;
    return { rate, flows: cashFlows(balances, postings.flatMap((each) =>
      flowsOf({ is_revaluation: false, lines: each }))) };
  });
  const result = totalOf(of.months.map(({ rate, postings }) => ({ minor: -round(totalOf(postings.flat()
    .filter((one) => one.account === INCOME).map((one) => ({ minor: one.base }))), rate) })));
  return translateFlows({ division, months, cash: [{ opening: of.opening, closing: cash }], opening: of.rates[0],
    closing: of.rates[1], result, result_figures: months.length }, CHART);
}
/** Half away from zero, of a rate with four decimals. */
function round(minor: bigint, rate: string): bigint {
  const scaled = (minor < 0n ? -minor : minor) * BigInt(Math.round(Number(rate) * 10_000));
  return (scaled + 5_000n) / 10_000n * (minor < 0n ? -1n : 1n);
}
const of = (rows: TranslatedFlows['direct']) => Object.fromEntries(rows.map((row) => [row.key, row.minor]));

describe('cash flows of a division in the currency of the group', () => {
  it('are those of the worked example: 1,250 + 254 + 56 = 1,560', () => {
    const uk = flows('UK', { opening: 100_000n, rates: ['1.25', '1.3'],
      months: [{ rate: '1.27', postings: [post(BANK, INCOME, 20_000n)] }] });
    expect(uk).toMatchObject({ opening: 125_000n, exchange: 5_600n, closing: 156_000n, explained: 5_600n });
    expect([of(uk.direct), of(uk.indirect)]).toEqual([{ 'direct:customers': 25_400n }, { net_result: 25_400n }]);
    expect(areExplained(uk)).toBe(true);
  });

  it('take each month at its own average, and name accounts by their code', () => {
    // own example: sold for 100 at 1.20, paid at 1.30; the loan of 50 came in the first month
    const uk = flows('UK', { opening: 0n, rates: ['1.1', '1.3'], months: [
      { rate: '1.2', postings: [post(OWED, INCOME, 10_000n), post(BANK, LOAN, 5_000n)] },
      { rate: '1.3', postings: [post(BANK, OWED, 10_000n)] }] });
    expect(of(uk.indirect)).toEqual({ 'net_result': 12_000n, 'change:code:1100': 1_000n });
    expect([of(uk.direct), of(uk.financing)]).toEqual([{ 'direct:customers': 13_000n },
      { 'financing:code:2700': 6_000n }]);
    // 150.00 at 1.30 is 195.00; 130.00 and 60.00 came in, and 5.00 is the loan from 1.20 to 1.30
    expect([uk.closing, uk.exchange]).toEqual([19_500n, 500n]);
  });
});

describe('flows between divisions', () => {
  it('are eliminated in both readings; one row keeps the rest of the rates', () => {
    // own example: the US lends USD 100.00 to the UK, which books GBP 80.00; the average is 1.27, USD 101.60
    const us = flows('US', { opening: 50_000n, rates: ['1', '1'],
      months: [{ rate: '1', postings: [post(FROM, BANK, 10_000n)] }] });
    const uk = flows('UK', { opening: 0n, rates: ['1.25', '1.3'],
      months: [{ rate: '1.27', postings: [post(BANK, TO, 8_000n)] }] });
    const taken = eliminateFlows([us, uk]);
    expect(of(taken.direct)).toEqual({ 'direct:divisions': -160n, 'direct:unmatched': 160n });
    expect(of(taken.indirect)).toEqual({ 'change:code:1500': 10_000n, 'change:code:2500': -10_160n,
      'indirect:unmatched': 160n });
    const group = sumFlows([us, uk, taken]);
    expect([of(group.direct), of(group.indirect)]).toEqual([{ 'direct:unmatched': 160n },
      { 'indirect:unmatched': 160n }]);
    // USD 400.00 and GBP 80.00 at 1.30
    expect([group.opening, group.exchange, group.closing]).toEqual([50_000n, 240n, 50_400n]);
  });
});

describe('random books of three divisions', () => {
  const rate = fc.integer({ min: 5_000, max: 20_000 }).map((n) => (n / 10_000).toFixed(4));
  const posting = fc.record({ debit: fc.constantFrom(...ALL), credit: fc.constantFrom(...ALL),
    minor: fc.bigInt(1n, 10_000_000n) }).filter((one) => one.debit !== one.credit)
    .map((one) => post(one.debit, one.credit, one.minor));
  const books = fc.record({ opening: fc.bigInt(-10_000_000n, 10_000_000n), rates: fc.tuple(rate, rate),
    months: fc.array(fc.record({ rate, postings: fc.array(posting, { maxLength: 8 }) }), { maxLength: 12 }) });

  it('opening cash, both readings and exchange differences come to closing cash, which rates explain', () => {
    fc.assert(fc.property(books, books, books, (one, two, three) => {
      const all = [flows('US', one), flows('EU', two), flows('UK', three)];
      const group = sumFlows([...all, eliminateFlows(all)]);
      const rest = totalOf(group.investing) + totalOf(group.financing) + group.exchange;
      expect(group.opening + flowTotal(group) + group.exchange).toBe(group.closing);
      expect(group.opening + totalOf(group.indirect) + rest).toBe(group.closing);
      expect(all.every(areExplained)).toBe(true);
      const between = [...group.direct, ...group.indirect].map((row) => row.key);
      for (const key of ['direct:divisions', 'change:code:1500', 'change:code:2500']) {
        expect(between).not.toContain(key);
      }
      expect(group.closing).toBe(all.reduce((sum, each) => sum + each.closing, 0n));
    }));
  });

  it('fail the check where rates do not explain a difference', () => {
    const uk = flows('UK', { opening: 100_000n, rates: ['1.25', '1.3'],
      months: [{ rate: '1.27', postings: [post(BANK, INCOME, 20_000n)] }] });
    expect(areExplained({ ...uk, exchange: uk.exchange + 100n })).toBe(false);
    expect(areExplained({ ...uk, indirect: [...uk.indirect, { key: ROUNDING, title: '', minor: 100n }] })).toBe(false);
  });
});
