/** Bank transactions in words: where they come from and how far they are. */
import { Badge } from '#web/data/badge.tsx';
import type { BankTransactionRow } from './bank-transaction.contract.ts';

export const SOURCE_WORDS = { statement: 'Statement', manual: 'By hand' } as const;
export const STATE_WORDS = { booked: 'Booked', advance: 'Advance notice', superseded: 'In a statement',
  withdrawn: 'Taken back' } as const;

export function transactionBadge(
  { state, is_matched, is_reconciled }: Pick<BankTransactionRow, 'state' | 'is_matched' | 'is_reconciled'>,
) {
  if (state !== 'booked') return <Badge tone="outline" small>{STATE_WORDS[state]}</Badge>;
  if (is_reconciled) return <Badge tone="ok" small>Reconciled</Badge>;
  return is_matched ? <Badge tone="info" small>Matched</Badge> : <Badge tone="warn" small>Unmatched</Badge>;
}
