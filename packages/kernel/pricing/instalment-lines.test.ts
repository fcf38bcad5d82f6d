import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sum } from '../money/money.ts';
import { instalmentLines, type ChargeToBill } from './instalment-lines.ts';

const charge = (id: number, kind: string, net: bigint, tax = 0n): ChargeToBill =>
  ({ id, kind, net_minor: net, tax_minor: tax });
const billed = (amount: bigint, charges: readonly ChargeToBill[], kinds: readonly string[] = []) => {
  const { lines, unapplied_minor: over } = instalmentLines(amount, charges, kinds);
  return { lines: lines.map((line) => [line.line_id, line.net_minor, line.tax_minor]), over };
};

describe('lines of an instalment', () => {
  const license = [charge(1, 'royalty', 591_000n), charge(2, 'discount', -1_000n),
    charge(3, 'rental', 59_500n, 5_281n)];

  it('the whole plan bills every charge, the discount off the royalty', () => {
    expect(billed(654_781n, license)).toEqual({ lines: [[1, 590_000n, 0n], [3, 59_500n, 5_281n]], over: 0n });
  });

  it('half of it is split over the charges, net and tax apart, nothing lost', () => {
    expect(billed(327_391n, license)).toEqual({ lines: [[1, 295_000n, 0n], [3, 29_750n, 2_641n]], over: 0n });
  });

  it('kinds that it names are billed alone; what is beyond them is left over', () => {
    expect(billed(64_781n, license, ['rental'])).toEqual({ lines: [[3, 59_500n, 5_281n]], over: 0n });
    expect(billed(65_000n, license, ['rental'])).toEqual({ lines: [[3, 59_500n, 5_281n]], over: 219n });
  });

  it('a discount larger than the first royalty lessens the next one by the rest', () => {
    expect(billed(2_400n, [charge(1, 'royalty', 1_000n, 200n), charge(2, 'royalty', 3_000n, 600n),
      charge(3, 'discount', -2_000n, -400n)])).toEqual({ lines: [[2, 2_000n, 400n]], over: 0n });
  });

  it('bills what it can and never more: lines and rest are the amount', () => {
    const one = fc.record({ kind: fc.constantFrom('royalty', 'rental', 'discount'), net: fc.bigInt(1n, 1_000_000n),
      tax: fc.bigInt(0n, 200_000n) });
    fc.assert(fc.property(fc.array(one, { maxLength: 8 }), fc.bigInt(0n, 5_000_000n), (rows, amount) => {
      const charges = rows.map(({ kind, net, tax }, id) =>
        charge(id, kind, kind === 'discount' ? -net : net, kind === 'discount' ? -tax : tax));
      const { lines, unapplied_minor: over } = instalmentLines(amount, charges, []);
      expect(sum(lines.map((line) => line.amount_minor)) + over).toBe(amount);
      for (const line of lines) {
        const own = charges[line.line_id]!;
        expect(line.net_minor >= 0n && line.net_minor <= own.net_minor && line.tax_minor <= own.tax_minor).toBe(true);
      }
    }));
  });
});
