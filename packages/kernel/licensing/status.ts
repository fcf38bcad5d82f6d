/** The status that people read in lists and headers: derived, never stored (domain.md 1.1). */
import { diffDays, type IsoDate } from '../calendar/calendar.ts';
import { PHASE_LABELS, type LicensePhase } from './license-machine.ts';

export type DisplayStatus =
  | (typeof PHASE_LABELS)[LicensePhase]
  | '180+ Days' | '180 Days' | '90 Days' | '60 Days' | '30 Days' | 'On Stage' | 'Settling' | 'Overdue';

/**
 * licensed: days to opening, named by the bucket's upper end ('90 Days' is 61 to 90 days ahead);
 * in_production: 'On Stage'; settlement: 'Settling', 'Overdue' after settlement_due_on; else the phase's label.
 */
export function displayStatus(license: {
  phase: LicensePhase;
  first_performance_on: IsoDate | null;
  settlement_due_on: IsoDate | null;
}, today: IsoDate): DisplayStatus {
  if (license.phase === 'in_production') return 'On Stage';
  if (license.phase === 'settlement') {
    return license.settlement_due_on !== null && today > license.settlement_due_on ? 'Overdue' : 'Settling';
  }
  if (license.phase !== 'licensed' || license.first_performance_on === null) return PHASE_LABELS[license.phase];
  return openingBucket(diffDays(today, license.first_performance_on));
}

export function openingBucket(days: number): '180+ Days' | '180 Days' | '90 Days' | '60 Days' | '30 Days' {
  if (days > 180) return '180+ Days';
  if (days > 90) return '180 Days';
  if (days > 60) return '90 Days';
  return days > 30 ? '60 Days' : '30 Days';
}
