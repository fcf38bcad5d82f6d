import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sum } from '../money/money.ts';
import { cashFlows, flowsOf, gather, movementsOf, type AccountBalance, type FlowAccount, type FlowLine,
  type FlowPosting } from './cash-flows.ts';
import type { PartyType } from './journal.ts';

const account = (code: string, kind: FlowAccount['class'], section: string, activity: FlowAccount['cash_flow_class'],
  system_key: string | null = null): FlowAccount =>
  ({ id: Number(code), code, name: `Account ${code}`, class: kind, section, system_key, cash_flow_class: activity });
const CHART = [
  account('1000', 'asset', 'cash', 'cash', 'bank'), account('1001', 'asset', 'cash', 'cash', 'bank_foreign'),
  account('1100', 'asset', 'current_asset', 'operating', 'ar'), account('1160', 'asset', 'current_asset', 'operating',
    'royaltor_advances_allowance'), account('1300', 'asset', 'tax', 'operating', 'vat_input'),
  account('1800', 'asset', 'equipment', 'investing'), account('2000', 'liability', 'current_liability', 'operating',
    'ap'), account('2100', 'liability', 'deferred_income', 'operating'), account('2320', 'liability', 'tax',
    'operating'), account('2600', 'liability', 'loans', 'financing'), account('3999', 'equity', 'equity', 'financing',
    'opening'), account('4000', 'income', 'revenue', 'operating'), account('5000', 'expense', 'cost_of_sales',
    'operating'), account('6000', 'expense', 'operating', 'operating', 'bad_debt'), account('6100', 'expense',
    'operating', 'operating', 'bank_fees'), account('7010', 'income', 'other', 'operating', 'fx_unrealised'),
];
const at = (code: string): FlowAccount => CHART.find((one) => one.code === code)!;
const line = (code: string, base: bigint, more: Partial<FlowLine> = {}): FlowLine =>
  ({ account: at(code), party_type: null, amount: base, base, ...more });
const of = (party_type: PartyType) => ({ party_type });
const exchange = (code: string, base: bigint): FlowLine => line(code, base, { amount: 0n });
const posting = (...lines: FlowLine[]): FlowPosting => ({ is_revaluation: false, lines });
const revaluation = (...lines: FlowLine[]): FlowPosting => ({ is_revaluation: true, lines });

/** The report of some postings, after others. */
function report(postings: readonly FlowPosting[], before: readonly FlowPosting[] = [], chart = CHART) {
  const on = (list: readonly FlowPosting[], id: number) => sum(list.flatMap((one) => one.lines)
    .filter((one) => one.account.id === id).map((one) => one.base));
  const balances: AccountBalance[] = chart.map((one) => ({ account: one, opening: on(before, one.id),
    change: on(postings, one.id) }));
  return cashFlows(balances, postings.flatMap(flowsOf));
}
const rows = (section: { rows: readonly { key: string; minor: bigint }[] }) =>
  Object.fromEntries(section.rows.map((row) => [row.key, row.minor]));

describe('the worked example of accounting.md 6.2', () => {
  const january = [
    posting(line('1100', 110_000n, of('customer')), line('2100', -110_000n, of('customer'))),
    posting(line('2100', 110_000n, of('customer')), line('4000', -110_000n)),
    posting(line('1001', 44_800n, { amount: 40_000n }), line('1100', -44_800n, of('customer'))),
    posting(exchange('1100', 800n), line('7010', -800n)),
    revaluation(exchange('1100', -1_200n), line('7010', 1_200n), exchange('1001', -1_600n), line('7010', 1_600n)),
  ];
  const february = [
    revaluation(exchange('1100', 1_200n), line('7010', -1_200n), exchange('1001', 1_600n), line('7010', -1_600n)),
    posting(line('1001', 64_200n, { amount: 60_000n }), line('1100', -64_200n, of('customer'))),
    posting(exchange('1100', -1_800n), line('7010', 1_800n)),
  ];

  it('has 448.00 from operations and loses 16.00 on the euros held in January', () => {
    const made = report(january);
    expect(rows(made.indirect)).toEqual({ 'net_result': 108_000n, 'unrealized_exchange': 2_800n,
      'change:1100': -66_000n });
    expect(rows(made.direct)).toEqual({ 'direct:customers': 44_800n });
    expect([made.indirect.total, made.exchange, made.opening, made.closing]).toEqual([44_800n, -1_600n, 0n, 43_200n]);
    expect(made.checks.filter((one) => one.expected !== one.actual)).toEqual([]);
  });

  it('has 642.00 in February, and the 16.00 comes back', () => {
    const made = report(february, january);
    expect(rows(made.indirect)).toEqual({ 'net_result': 1_000n, 'unrealized_exchange': -2_800n,
      'change:1100': 66_000n });
    expect([made.direct.total, made.exchange, made.opening, made.closing])
      .toEqual([64_200n, 1_600n, 43_200n, 109_000n]);
  });
});

describe('cash goes to whom it went', () => {
  const direct = (one: FlowPosting) => rows(report([one]).direct);

  it('all of a short receipt comes from the customer, tax that was paid with a bill goes to the vendor', () => {
    expect(direct(posting(line('1000', 89_500n), line('1300', 10_000n, of('tax_authority')), line('6100', 500n),
      line('1100', -100_000n, of('customer'))))).toEqual({ 'direct:customers': 89_500n });
    expect(direct(posting(line('5000', 50_000n), line('1300', 10_000n, of('tax_authority')), line('1000', -60_000n))))
      .toEqual({ 'direct:vendors': -60_000n });
    expect(direct(posting(line('2320', 30_000n, of('tax_authority')), line('1000', -30_000n))))
      .toEqual({ 'direct:taxes': -30_000n });
  });

  it('money between two bank accounts is none, what the bank keeps of it is a fee', () => {
    expect(direct(posting(line('1001', 109_000n), line('1000', -109_000n)))).toEqual({});
    expect(direct(posting(line('1001', 108_500n), line('6100', 500n), line('1000', -109_000n))))
      .toEqual({ 'direct:bank_fees': -500n });
  });

  it('opening balances bring their cash in, and change nothing else', () => {
    const made = report([posting(line('1000', 50_000n), line('1100', 80_000n, of('customer')),
      line('2000', -100_000n, of('vendor')), line('3999', -30_000n))]);
    expect([rows(made.financing), made.indirect.total, made.direct.total])
      .toEqual([{ 'financing:3999': 50_000n }, 0n, 0n]);
  });
});

describe('what moves no cash', () => {
  it('bad debt is added back and taken out of receivables; the tax on it stays where it is', () => {
    const made = report([posting(line('6000', 10_000n), line('1300', 2_000n), line('1100', -12_000n))]);
    expect(rows(made.indirect)).toEqual({ 'net_result': -10_000n, 'bad_debt': 10_000n, 'change:1100': 2_000n,
      'change:1300': -2_000n });
    expect(made.indirect.total).toBe(0n);
  });

  it('an advance that is written down is added back and taken out of its allowance', () => {
    expect(rows(report([posting(line('5000', 100_000n), line('1160', -100_000n))]).indirect))
      .toEqual({ net_result: -100_000n, impairment: 100_000n });
  });

  it('a machine on account is no cash until it is paid, and then investing', () => {
    const bought = posting(line('1800', 100_000n), line('2000', -100_000n, of('vendor')));
    const paid = posting(line('2000', 100_000n, { ...of('vendor'), settles: [{ account: at('1800'), weight: 1n }] }),
      line('1000', -100_000n));
    expect(report([bought])).toMatchObject({ indirect: { total: 0n }, investing: { total: 0n } });
    const made = report([paid], [bought]);
    expect([made.indirect.total, made.direct.total, rows(made.investing)])
      .toEqual([0n, 0n, { 'investing:1800': -100_000n }]);
  });
});

it('an account without a class fails its check by name', () => {
  const nobody = { ...account('1900', 'asset', 'odd', null), name: 'Odd things' };
  const made = report([posting({ ...line('1800', 500n), account: nobody }, line('1000', -500n))], [],
    [...CHART, nobody]);
  expect(made.unclassified.map((one) => `${one.code} ${one.name}`)).toEqual(['1900 Odd things']);
  expect(made.checks.filter((one) => one.expected !== one.actual).map((one) => one.name)).toEqual([
    'indirect_equals_change_of_cash', 'direct_equals_change_of_cash', 'accounts_without_cash_flow_class']);
});

describe('in books of any kind', () => {
  const anyLine = fc.record({ code: fc.constantFrom(...CHART.map((one) => one.code)), minor: fc.bigInt(-5_000n, 5_000n),
    bare: fc.boolean(), party: fc.constantFrom<PartyType | null>('customer', 'vendor', 'tax_authority', null),
    settles: fc.option(fc.record({ code: fc.constantFrom('1800', '2600', '5000'), weight: fc.bigInt(1n, 9n) })) });
  const anyPosting = fc.record({ is_revaluation: fc.boolean(), last: fc.constantFrom(...CHART.map((one) => one.code)),
    lines: fc.array(anyLine, { minLength: 1, maxLength: 5 }) }).map(({ is_revaluation, lines, last }): FlowPosting => {
    const made = lines.map(({ code, minor, bare, party, settles }): FlowLine => ({
      ...line(code, minor, bare && code !== '1000' ? { amount: 0n } : {}), party_type: party,
      ...(settles ? { settles: [{ account: at(settles.code), weight: settles.weight }, { account: at(code),
        weight: 3n }] } : {}) }));
    return { is_revaluation, lines: [...made, line(last, -sum(made.map((one) => one.base)))] };
  });
  const books = fc.array(anyPosting, { maxLength: 12 });

  it('both methods end at the change of cash, with the same cash from operations', () => {
    fc.assert(fc.property(books, books, (before, now) => {
      const made = report(now, before);
      expect(made.checks.filter((one) => one.expected !== one.actual)).toEqual([]);
      const cash = now.flatMap((one) => one.lines).filter((one) => one.account.cash_flow_class === 'cash');
      expect(made.closing - made.opening).toBe(sum(cash.map((one) => one.base)));
    }));
  });

  it('every figure is the sum of its postings', () => {
    fc.assert(fc.property(books, (now) => {
      const made = report(now);
      const parts = gather(now.flatMap((one) => [...movementsOf(one), ...flowsOf(one)]));
      for (const row of [made.indirect, made.direct, made.investing, made.financing].flatMap((one) => one.rows)) {
        expect([row.key, parts.find((part) => part.key === row.key)?.minor]).toEqual([row.key, row.minor]);
      }
      expect(parts.find((part) => part.key === 'exchange')?.minor ?? 0n).toBe(made.exchange);
    }));
  });
});
