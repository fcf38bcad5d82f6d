import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minorToDecimal, sum } from '../money/money.ts';
import {
  paymentPlan, PLAN_VARIABLE_FEE, professionalPlan, type InstalmentRule, type PlanLine,
} from './payment-plan.ts';

const shown = (lines: readonly PlanLine[], rules: readonly InstalmentRule[], deposit = 0n) =>
  paymentPlan(lines, rules, deposit).map((i) => [i.due, i.label, minorToDecimal(i.amount_minor)]);
const uk: PlanLine[] = [
  { kind: 'royalty', total_minor: 231_750n }, { kind: 'rental', total_minor: 29_500n },
  { kind: 'add_on', total_minor: 7_800n }, { kind: 'shipping', total_minor: 1_800n },
];

describe('payment plans (2.11)', () => {
  it('everything before execution when no plan is given', () => {
    expect(shown(uk, [])).toEqual([['execution', 'instalment', '2708.50']]);
  });

  it('E6 by parts: deposit first, hire before shipment, the royalty less the deposit after the return', () => {
    expect(shown(uk, PLAN_VARIABLE_FEE, 50_000n)).toEqual([
      ['acceptance', 'deposit', '500.00'], ['shipment', 'instalment', '391.00'],
      ['report', 'instalment', '1817.50'],
    ]);
  });

  it('professional: advance at signature, the rest of the guarantee after closing', () => {
    const lines: PlanLine[] = [{ kind: 'royalty', total_minor: 700_000n }];
    expect(shown(lines, professionalPlan(200_000n))).toEqual([
      ['acceptance', 'instalment', '2000.00'], ['closing', 'instalment', '5000.00'],
    ]);
    expect(shown(lines, professionalPlan(900_000n))).toEqual([['acceptance', 'instalment', '7000.00']]);
  });

  it('shares split by largest remainder, the tie to the earlier instalment', () => {
    const half = (due: InstalmentRule['due']) => ({ due, line_kinds: [], share_ppm: 500_000n });
    expect(shown([{ kind: 'royalty', total_minor: 101n }], [half('2026-10-01'), half('2026-11-01')]))
      .toEqual([['2026-10-01', 'instalment', '0.51'], ['2026-11-01', 'instalment', '0.50']]);
  });

  it('a deposit larger than the royalty comes off the other instalments too, and never beyond the total', () => {
    const lines: PlanLine[] = [{ kind: 'royalty', total_minor: 30_000n }, { kind: 'rental', total_minor: 40_000n }];
    expect(shown(lines, PLAN_VARIABLE_FEE, 50_000n)).toEqual([
      ['acceptance', 'deposit', '500.00'], ['shipment', 'instalment', '200.00'],
    ]);
    expect(shown(lines, PLAN_VARIABLE_FEE, 90_000n)).toEqual([['acceptance', 'deposit', '700.00']]);
  });

  it('refuses shares that are not 100% and kinds that no instalment or two hold', () => {
    const rule = (line_kinds: InstalmentRule['line_kinds'], share_ppm = 1_000_000n) =>
      ({ due: 'acceptance', line_kinds, share_ppm }) as const;
    const bad = (...rules: InstalmentRule[]) => expect(() => paymentPlan(uk, rules));
    bad(rule([], 999_999n)).toThrow(expect.objectContaining({ code: 'plan.shares' }));
    bad(rule(['royalty'])).toThrow(expect.objectContaining({ code: 'plan.kinds' }));
    bad(rule([]), rule(['royalty', 'rental']), rule(['rental']))
      .toThrow(expect.objectContaining({ code: 'plan.kinds' }));
  });

  it('always sums to the lines with their tax (property)', () => {
    const amount = fc.bigInt({ min: 0n, max: 10_000_000n });
    const line = fc.record({ kind: fc.constantFrom('royalty', 'rental', 'sale', 'shipping'), total_minor: amount });
    const cut = fc.bigInt({ min: 0n, max: 1_000_000n });
    fc.assert(fc.property(fc.array(line, { maxLength: 8 }), cut, amount, amount, (lines, share, deposit, fixed) => {
      const plan = paymentPlan(lines as PlanLine[], [
        { due: 'acceptance', line_kinds: [], share_ppm: share },
        { due: 'closing', line_kinds: [], share_ppm: 1_000_000n - share },
        { due: 'acceptance', line_kinds: ['royalty'], share_ppm: 0n, fixed_minor: fixed },
        { due: 'settlement', line_kinds: ['royalty'], share_ppm: 1_000_000n },
      ], deposit);
      expect(sum(plan.map((i) => i.amount_minor))).toBe(sum(lines.map((l) => l.total_minor)));
      expect(plan.every((i) => i.amount_minor > 0n)).toBe(true);
    }));
  });
});
