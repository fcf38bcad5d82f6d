import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countNexus, stateRuleOn, SALE_REASONS, salesByState, countedFrom, type NexusRule, type SalesTaxLine }
  from './sales-tax-return.ts';

let item = 0;
const line = (more: Partial<SalesTaxLine>): SalesTaxLine => ({ item: item += 1, document: 1, on: '2026-03-02',
  jurisdiction: 'US-CA',
  rate_ppm: 72_500n, base_minor: 40_000n, tax_minor: 2_900n, reason: 'taxed', certificate: null, ...more });

describe('sales by state', () => {
  it('counts a line once though state and district tax it, and shows what was collected beyond the due', () => {
    // Own example after known-failures.md 17: 400.00 at 9.25% collected, of which 2.00% belongs to a town it is not in.
    const state = line({});
    const [ca] = salesByState([state, line({ ...state, jurisdiction: 'US-CA-Carmel-city', rate_ppm: 20_000n,
      tax_minor: 900n })]);
    expect(ca).toMatchObject({ gross_minor: 40_000n, taxable_minor: 40_000n, collected_minor: 3_800n,
      due_minor: 3_700n });
    expect(ca!.rows.map((row) => row.over_minor)).toEqual([0n, 100n]);
  });

  it('rounds once for a row: four scripts of 2.50 at 8.625% are 0.86 due, not 0.88', () => {
    const each = { rate_ppm: 86_250n, base_minor: 250n, tax_minor: 22n };
    const [ca] = salesByState([line(each), line(each), line(each), line(each)]);
    expect([ca!.collected_minor, ca!.due_minor, ca!.rows[0]!.over_minor]).toEqual([88n, 86n, 2n]);
  });

  it('keeps exempt sales by certificate, untaxed and unregistered ones apart, and takes credits back', () => {
    const [ny, pa] = salesByState([
      line({ jurisdiction: 'US-NY', reason: 'exempt', certificate: 'school', tax_minor: 0n, rate_ppm: 0n }),
      line({ jurisdiction: 'US-NY', reason: 'not_taxable', base_minor: 100n, tax_minor: 0n, rate_ppm: 0n }),
      line({ jurisdiction: 'US-NY', reason: 'exempt', certificate: 'school', base_minor: -10_000n, tax_minor: 0n,
        rate_ppm: 0n }),
      line({ jurisdiction: 'US-PA', reason: 'not_registered', base_minor: 1_650n, tax_minor: 0n, rate_ppm: 0n }),
    ]);
    expect(ny).toMatchObject({ gross_minor: 30_100n, exempt: [{ certificate: 'school', minor: 30_000n }],
      not_taxable_minor: 100n, rows: [] });
    expect(pa).toMatchObject({ gross_minor: 1_650n, not_registered_minor: 1_650n });
  });

  it('has gross as the sum of its parts, whatever the lines', () => {
    const any = fc.record({ jurisdiction: fc.constantFrom('US-NY', 'US-PA', 'US-CA'),
      base_minor: fc.bigInt(-100_000n, 100_000n), reason: fc.constantFrom(...SALE_REASONS) });
    fc.assert(fc.property(fc.array(any), (lines) => {
      for (const state of salesByState(lines.map(line))) {
        const exempt = state.exempt.reduce((total, one) => total + one.minor, 0n);
        expect(state.taxable_minor + exempt + state.not_taxable_minor + state.not_registered_minor
          + state.unknown_minor).toBe(state.gross_minor);
      }
    }));
  });
});

const rule = (more: Partial<NexusRule>): NexusRule => ({ state: 'US-PA', threshold_minor: 10_000_000n,
  transactions: null, needs_both: false, measure: 'gross', counted_over: 'calendar_year', valid_from: '2020-01-01',
  ...more });
const sale = (base: bigint, document: number, reason: SalesTaxLine['reason'] = 'not_registered') =>
  line({ jurisdiction: 'US-PA', base_minor: base, document, reason, tax_minor: 0n, rate_ppm: 0n });

describe('economic nexus', () => {
  it('asks for one threshold or for both, of gross or of taxable sales', () => {
    const sales = [sale(9_000_000n, 1), sale(1_000_000n, 2), sale(1_000_000n, 2, 'taxed')];
    expect(countNexus(rule({}), '2026-06-30', sales)).toMatchObject({ sales_minor: 11_000_000n, transactions: 2,
      reached: true, from: '2026-01-01' });
    expect(countNexus(rule({ transactions: 3, needs_both: true }), '2026-06-30', sales).reached).toBe(false);
    expect(countNexus(rule({ threshold_minor: null, transactions: 2 }), '2026-06-30', sales).reached).toBe(true);
    const untaxed = [...sales, sale(4_000_000n, 3, 'exempt'), sale(2_000_000n, 4, 'not_taxable')];
    expect(countNexus(rule({}), '2026-06-30', untaxed).sales_minor).toBe(17_000_000n);
    expect(countNexus(rule({ measure: 'taxable' }), '2026-06-30', untaxed)).toMatchObject({ sales_minor: 11_000_000n,
      transactions: 2, reached: true });
  });

  it('counts a calendar year or twelve months, by the rule of the day', () => {
    const old = { ...sale(10_000_000n, 1), on: '2025-12-31' };
    expect(countNexus(rule({}), '2026-06-30', [old])).toMatchObject({ from: '2025-01-01', reached: true });
    const less = { ...old, base_minor: 9_999_999n };
    expect(countNexus(rule({}), '2026-06-30', [less])).toMatchObject({ from: '2026-01-01', sales_minor: 0n,
      reached: false });
    expect(countNexus(rule({}), '2027-01-01', [old]).reached).toBe(false);
    expect(countNexus(rule({ counted_over: 'rolling_12' }), '2026-06-30', [old]).reached).toBe(true);
    expect(countedFrom('rolling_12', '2026-11-26')).toBe('2025-11-27');
    const rules = [rule({}), rule({ transactions: 200, valid_from: '2026-07-01' })];
    expect(stateRuleOn(rules, 'US-PA', '2026-06-30')!.transactions).toBeNull();
    expect(stateRuleOn(rules, 'US-PA', '2026-07-01')!.transactions).toBe(200);
    expect(stateRuleOn(rules, 'US-NJ', '2026-07-01')).toBeNull();
  });
});
