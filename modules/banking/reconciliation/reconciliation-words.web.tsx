/** States of a reconciliation in words. */
import { Badge } from '#web/data/badge.tsx';
import type { ReconciliationRow } from './reconciliation.contract.ts';

const LABELS = { open: 'In progress', finished: 'Finished', undone: 'Undone', discarded: 'Discarded' } as const;
const TONES = { open: 'info', finished: 'ok', undone: 'neutral', discarded: 'neutral' } as const;

export function reconciliationBadge(row: Pick<ReconciliationRow, 'status'>, small = false) {
  return <Badge tone={TONES[row.status]} small={small}>{LABELS[row.status]}</Badge>;
}
