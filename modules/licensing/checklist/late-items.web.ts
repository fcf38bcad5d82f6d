/** Items of a checklist whose day has passed, while the licence still waits for them. */
import type { LicensePhase } from '#kernel/licensing/license-machine.ts';
import type { ChecklistRow } from './checklist.contract.ts';

const OVER: ReadonlySet<string> = new Set<LicensePhase>(['closed', 'declined', 'cancelled', 'expired']);

export function countLate(items: readonly ChecklistRow[], phase: string, on: string): number {
  if (OVER.has(phase)) return 0;
  return items.filter((item) => item.status === 'open' && item.due_on !== null && item.due_on < on).length;
}
