/** States of a check in words. */
import { spell } from '#kernel/text/english.ts';
import { Badge } from '#web/data/badge.tsx';
import type { CheckRow, CheckState } from './check.contract.ts';

export const STATE_LABELS: Readonly<Record<CheckState, string>> = {
  waiting: 'Awaiting approval', ready: 'To print', printed: 'Printed', cleared: 'Cleared', spoiled: 'Spoiled',
  voided: 'Voided', stale: 'Unclaimed property',
};
const TONES = { waiting: 'warn', ready: 'info', printed: 'neutral', cleared: 'ok', spoiled: 'neutral',
  voided: 'neutral', stale: 'error' } as const;

export function stateBadge(row: Pick<CheckRow, 'state'>, small = false) {
  return <Badge tone={TONES[row.state]} small={small}>{STATE_LABELS[row.state]}</Badge>;
}

export const checkName = (row: Pick<CheckRow, 'check_number'>): string =>
  (row.check_number === null ? spell`Check, not printed` : `${spell`Check`} ${row.check_number}`);
