import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemsOfBox, mayCorrect, mtdReturn, returnLines, vatReturn, wholePounds, type VatItem } from './vat-return.ts';

const item = (side: VatItem['side'], net: bigint, tax: bigint, rest: Partial<VatItem> = {}): VatItem =>
  ({ side, net_minor: net, tax_minor: tax, intra_eu: false, is_goods: false, ...rest });
const amounts = (division: 'UK' | 'EU', items: readonly VatItem[]): Record<string, bigint> =>
  Object.fromEntries(vatReturn(division, items).boxes.map((box) => [box.box, box.amount_minor]));
/** A service from abroad: the tax is owed and taken back. */
const reverse = (net: bigint, tax: bigint): VatItem[] => [item('output', net, tax), item('input', net, tax)];

describe('VAT return of the United Kingdom', () => {
  it('fills the nine boxes of the worked example of accounting.md 3.8 [A101]', () => {
    const items = [item('output', 1_000_000n, 200_000n), ...reverse(100_000n, 20_000n),
      item('input', 300_000n, 60_000n)];
    expect(amounts('UK', items)).toEqual({ 1: 220_000n, 2: 0n, 3: 220_000n, 4: 80_000n, 5: 140_000n, 6: 1_100_000n,
      7: 400_000n, 8: 0n, 9: 0n });
  });

  it('keeps boxes below zero and the direction of box 5', () => {
    const credits = [item('output', 200_000n, 40_000n), item('input', 30_000n, 6_000n),
      item('input', -47_500n, -9_500n)];
    expect(amounts('UK', credits)).toMatchObject({ 1: 40_000n, 4: -3_500n, 5: 43_500n });
    const reclaim = vatReturn('UK', [item('output', 200_000n, 40_000n), item('input', 325_000n, 65_000n)]);
    expect([reclaim.net_minor, reclaim.boxes[4]!.amount_minor]).toEqual([-25_000n, 25_000n]);
    expect(amounts('UK', reverse(-25_000n, -5_000n))).toMatchObject({ 1: -5_000n, 4: -5_000n, 6: -25_000n,
      7: -25_000n });
  });

  it('cuts boxes 6 to 9 to whole pounds toward zero', () => {
    expect([wholePounds(199n), wholePounds(-199n), wholePounds(78_740n)]).toEqual([100n, -100n, 78_700n]);
  });

  it('splits a taxed deposit and its final invoice over two quarters (story 2)', () => {
    expect(amounts('UK', [item('output', 41_667n, 8_333n)])).toMatchObject({ 1: 8_333n, 6: 41_600n });
    expect(amounts('UK', [item('output', 198_453n, 39_691n)])).toMatchObject({ 1: 39_691n, 6: 198_400n });
  });

  it('names the boxes as HMRC’s VAT API does', () => {
    const { boxes } = vatReturn('UK', [item('output', 1_000_050n, 200_010n)]);
    expect(mtdReturn('18A1', boxes, true)).toEqual({ periodKey: '18A1', vatDueSales: 2000.1, vatDueAcquisitions: 0,
      totalVatDue: 2000.1, vatReclaimedCurrPeriod: 0, netVatDue: 2000.1, totalValueSalesExVAT: 10000,
      totalValuePurchasesExVAT: 0, totalValueGoodsSuppliedExVAT: 0, totalAcquisitionsExVAT: 0, finalised: true });
  });

  it('says when an error of an earlier period must be notified', () => {
    expect(mayCorrect(1_000_000n, 0n)).toBe(true);
    expect(mayCorrect(1_200_000n, 80_000_000n)).toBe(false);
    expect(mayCorrect(-1_200_000n, 150_000_000n)).toBe(true);
    expect(mayCorrect(5_000_001n, 900_000_000n)).toBe(false);
  });
});

describe('VAT return of the EU division', () => {
  it('fills T1 to T4 and the trade with other member states', () => {
    const items = [item('output', 100_000n, 23_000n), item('output', 50_000n, 0n, { intra_eu: true }),
      item('output', 7_000n, 0n, { intra_eu: true, is_goods: true }),
      item('output', 10_000n, 2_300n, { intra_eu: true }), item('input', 10_000n, 2_300n, { intra_eu: true })];
    expect(amounts('EU', items)).toEqual({ T1: 25_300n, T2: 2_300n, T3: 23_000n, T4: 0n, E1: 7_000n, E2: 0n,
      ES1: 50_000n, ES2: 10_000n });
  });
});

const anyItem = fc.record({ side: fc.constantFrom('output' as const, 'input' as const),
  tax_minor: fc.bigInt(-1_000_000n, 1_000_000n), net_minor: fc.bigInt(-5_000_000n, 5_000_000n),
  intra_eu: fc.boolean(), is_goods: fc.boolean() });

describe('identities of a return', () => {
  it('holds box 3 = 1 + 2, box 5 = |3 − 4|, and each box equals the items behind it', () => {
    fc.assert(fc.property(fc.array(anyItem), (items) => {
      const found = amounts('UK', items);
      expect(found[3]).toBe(found[1]! + found[2]!);
      const difference = found[3]! - found[4]!;
      expect(found[5]).toBe(difference < 0n ? -difference : difference);
      for (const box of ['1', '4', '6', '7']) {
        const behind = items.filter(itemsOfBox('UK', box)!);
        const sum = behind.reduce((total, one) => total + (box < '5' ? one.tax_minor : one.net_minor), 0n);
        expect(found[box]).toBe(box < '5' ? sum : wholePounds(sum));
      }
    }));
  });

  it('posts what was taken and nothing else: event 22 sums to zero', () => {
    const taken = fc.record({ account: fc.constantFrom('1300' as const, '2300' as const),
      authority_id: fc.constantFrom(1, 2), base_minor: fc.bigInt(-1_000_000n, 1_000_000n) });
    fc.assert(fc.property(fc.array(taken), (all) => {
      const lines = returnLines(all, 9);
      expect(lines.reduce((sum, line) => sum + line.amount_minor, 0n)).toBe(0n);
      for (const account of ['1300', '2300'] as const) {
        const was = all.filter((one) => one.account === account).reduce((sum, one) => sum + one.base_minor, 0n);
        const left = lines.filter((one) => one.account === account).reduce((sum, one) => sum + one.amount_minor, was);
        expect(left).toBe(0n);
      }
    }));
  });

  it('carries 400.00 output and 150.00 input as 250.00 on 2350 (event 22)', () => {
    expect(returnLines([{ account: '2300', authority_id: 3, base_minor: -40_000n },
      { account: '1300', authority_id: 3, base_minor: 15_000n }], 3)).toEqual([
      { account: '2300', authority_id: 3, amount_minor: 40_000n },
      { account: '1300', authority_id: 3, amount_minor: -15_000n },
      { account: '2350', authority_id: 3, amount_minor: -25_000n }]);
  });
});
