import { describe, expect, it } from 'vitest';
import { deductionsAt, type Deal } from './deal.server.ts';

const deal = { deductions: [{ type: 'card_commission', cap_ppm: 30_000n },
  { type: 'group_sales_commission', cap_ppm: null }],
venue_deductions: new Map([[1, []], [2, [{ type: 'card_commission', cap_ppm: 20_000n },
  { type: 'restoration_charge', cap_ppm: 10_000n }]], [3, [{ type: 'card_commission', cap_ppm: 50_000n },
  { type: 'group_sales_commission', cap_ppm: 40_000n }]]]) } as unknown as Deal;

describe('deductions at a venue', () => {
  it('are those of the deal where the venue names none, and for a return of all venues', () => {
    expect(deductionsAt(deal, 1)).toEqual(deal.deductions);
    expect(deductionsAt(deal, null)).toEqual(deal.deductions);
  });

  it('are no more than was applied for there, and nothing that the deal does not allow', () => {
    expect(deductionsAt(deal, 2)).toEqual([{ type: 'card_commission', cap_ppm: 20_000n }]);
  });

  it('are no more than the deal allows', () => {
    expect(deductionsAt(deal, 3)).toEqual([{ type: 'card_commission', cap_ppm: 30_000n },
      { type: 'group_sales_commission', cap_ppm: 40_000n }]);
  });
});
