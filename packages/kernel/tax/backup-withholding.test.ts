import { describe, expect, it } from 'vitest';
import { backupRate, backupWithholding, isSuggested, isWithheldFrom } from './backup-withholding.ts';

const RATE = 240_000n;

describe('backup withholding', () => {
  it('is 24% of the payment, to the nearest cent, half a cent up', () => {
    const cases: [gross: bigint, withheld: bigint][] = [[100_000n, 24_000n], [1n, 0n], [2n, 0n], [3n, 1n],
      [1_234n, 296n], [123_456n, 29_629n], [99_999n, 24_000n], [0n, 0n], [-5_000n, 0n]];
    expect(cases.map(([gross]) => backupWithholding(gross, RATE))).toEqual(cases.map(([, withheld]) => withheld));
    // 12.50 at 25% is 3.125.
    expect(backupWithholding(1_250n, 250_000n)).toBe(313n);
  });

  it('leaves cash and tax that sum to the payment, whatever it is', () => {
    for (let gross = 1n; gross < 20_000n; gross += 7n) {
      const withheld = backupWithholding(gross, RATE);
      expect(withheld).toBeGreaterThanOrEqual(0n);
      expect(withheld).toBeLessThan(gross);
      const off = withheld * 1_000_000n - gross * RATE;
      expect(off <= 500_000n && off > -500_000n).toBe(true);
    }
  });

  it('counts from its day on, in the US divisions, for what is not paid by card', () => {
    const setting = { reason: 'no_tin', from: '2026-11-10' } as const;
    const of = { division: 'US', method: 'ach', on: '2026-11-10' } as const;
    expect(isWithheldFrom(setting, of)).toBe(true);
    expect(isWithheldFrom(setting, { ...of, division: 'PROD', method: 'check', on: '2027-01-02' })).toBe(true);
    expect(isWithheldFrom(setting, { ...of, on: '2026-11-09' })).toBe(false);
    expect(isWithheldFrom(setting, { ...of, division: 'UK' })).toBe(false);
    expect(isWithheldFrom(setting, { ...of, method: 'card' })).toBe(false);
    expect(isWithheldFrom({ reason: 'none', from: null }, of)).toBe(false);
  });

  it('takes the rate of the day', () => {
    const rules = [{ rate_ppm: 280_000n, valid_from: '2003-01-01', valid_to: '2017-12-31' },
      { rate_ppm: RATE, valid_from: '2018-01-01', valid_to: null },
      { rate_ppm: 310_000n, valid_from: '2027-01-01', valid_to: null }];
    expect(['2002-12-31', '2017-12-31', '2018-01-01', '2026-12-31', '2027-01-01'].map((on) => backupRate(rules, on)))
      .toEqual([null, 280_000n, RATE, RATE, 310_000n]);
  });

  it('is suggested for a reported vendor without a W-9 or without a taxpayer number', () => {
    const vendor = { tax_form_type: 'w9', tax_1099_category: 'nec', tin_last4: '1234',
      backup_withholding_reason: 'none' };
    expect(isSuggested(vendor)).toBe(false);
    expect(isSuggested({ ...vendor, tin_last4: null })).toBe(true);
    expect(isSuggested({ ...vendor, tax_form_type: 'none' })).toBe(true);
    expect(isSuggested({ ...vendor, tax_form_type: 'w8ben', tin_last4: null })).toBe(false);
    expect(isSuggested({ ...vendor, tin_last4: null, tax_1099_category: 'none' })).toBe(false);
    expect(isSuggested({ ...vendor, tin_last4: null, backup_withholding_reason: 'no_tin' })).toBe(false);
  });
});
