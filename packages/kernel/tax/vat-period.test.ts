import { describe, expect, it } from 'vitest';
import { quartersEndingIn, VAT_PERIOD_MONTHS, vatPeriodAround, vatPeriodBefore, vatPeriodFrom } from './vat-period.ts';

describe('periods of VAT returns', () => {
  it('are counted from January, by the months the authority granted', () => {
    expect(VAT_PERIOD_MONTHS.map((months) => vatPeriodAround('2026-07-15', months))).toEqual([
      { from: '2026-07-01', to: '2026-07-31' }, { from: '2026-07-01', to: '2026-08-31' },
      { from: '2026-07-01', to: '2026-09-30' }, { from: '2026-05-01', to: '2026-08-31' },
      { from: '2026-07-01', to: '2026-12-31' }, { from: '2026-01-01', to: '2026-12-31' }]);
    expect(vatPeriodBefore('2026-01-31', 2)).toEqual({ from: '2025-11-01', to: '2025-12-31' });
    expect(vatPeriodBefore('2026-05-01', 2)).toEqual({ from: '2026-03-01', to: '2026-04-30' });
  });

  it('go on from the day after the last return, whatever its months were', () => {
    expect(vatPeriodFrom('2026-04-01', 2)).toEqual({ from: '2026-04-01', to: '2026-05-31' });
    expect(vatPeriodFrom('2026-02-10', 1)).toEqual({ from: '2026-02-10', to: '2026-02-28' });
  });

  it('hold the quarters of the one-stop shop that end in them', () => {
    expect(quartersEndingIn({ from: '2026-01-01', to: '2026-02-28' })).toEqual([]);
    expect(quartersEndingIn({ from: '2026-03-01', to: '2026-04-30' })).toEqual([
      { from: '2026-01-01', to: '2026-03-31' }]);
    expect(quartersEndingIn({ from: '2026-01-01', to: '2026-12-31' })).toHaveLength(4);
  });
});
