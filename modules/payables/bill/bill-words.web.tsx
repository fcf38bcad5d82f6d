/** States of a bill in words. */
import { Badge } from '#web/data/badge.tsx';
import type { BillRow, BillState } from './bill.contract.ts';

export const BILLS = '/admin/accounting/bills';
export const STATE_LABELS: Readonly<Record<BillState, string>> = { draft: 'Draft', submitted: 'Awaiting approval',
  approved: 'Approved', part_paid: 'Part paid', paid: 'Paid', void: 'Void' };
const TONES = { draft: 'neutral', submitted: 'warn', approved: 'info', part_paid: 'info', paid: 'ok',
  void: 'neutral' } as const;
export const KIND_LABELS = { bill: 'Bill', credit: 'Vendor credit' } as const;

/** A credit that is used up is applied, not paid. */
export function billBadge(row: Pick<BillRow, 'state' | 'kind' | 'hold_reason'>, small = false) {
  if (row.hold_reason !== null) return <Badge tone="error" small={small}>On hold</Badge>;
  const label = row.kind === 'credit' && row.state === 'paid' ? 'Applied'
    : row.kind === 'credit' && row.state === 'part_paid' ? 'Part applied' : STATE_LABELS[row.state];
  return <Badge tone={TONES[row.state]} small={small}>{label}</Badge>;
}
