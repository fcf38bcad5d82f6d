/** Box-office reports: only where the receipts, or the seats sold, change what is owed. */
import { expect, it } from 'vitest';
import { reportScope, type ReportedDeal } from './report-scope.ts';

const fixed: ReportedDeal = { fee_method: 'per_performance', rate_ppm: 0n, guarantee_scope: 'run', gross_tiers: [],
  true_up: 'none', average_seat_cap: null, report_frequency: 'run' };
const percentage: ReportedDeal = { ...fixed, fee_method: 'percent_actual', rate_ppm: 100_000n };

it('expects no report of a fixed fee, whatever the terms say by default', () => {
  for (const report_frequency of ['run', 'week', 'performance', 'none']) {
    expect(reportScope({ ...fixed, report_frequency })).toBeNull();
  }
});

it('expects one of a fixed fee whose attendance is checked, unless none was agreed', () => {
  expect(reportScope({ ...fixed, average_seat_cap: 200 })).toBe('run');
  expect(reportScope({ ...fixed, average_seat_cap: 200, report_frequency: 'none' })).toBeNull();
});

it('expects one of every percentage: by the week, as agreed, at least once for the run', () => {
  expect(reportScope(percentage)).toBe('run');
  expect(reportScope({ ...percentage, report_frequency: 'performance' })).toBe('performance');
  expect(reportScope({ ...percentage, report_frequency: 'none' })).toBe('run');
  expect(reportScope({ ...percentage, guarantee_scope: 'week', report_frequency: 'none' })).toBe('week');
  expect(reportScope({ ...fixed, gross_tiers: [{}] })).toBe('run');
});

it('expects one where a quoted fee is adjusted to the receipts', () => {
  const potential: ReportedDeal = { ...fixed, fee_method: 'percent_potential', rate_ppm: 100_000n };
  expect(reportScope(potential)).toBeNull();
  expect(reportScope({ ...potential, true_up: 'down_only' })).toBe('run');
});
