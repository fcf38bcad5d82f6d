/** States of a deposit slip in words. */
import { spell } from '#kernel/text/english.ts';
import { Badge } from '#web/data/badge.tsx';
import type { DepositSlipRow } from './deposit-slip.contract.ts';

export const SLIP_LABELS = { draft: 'Draft', deposited: 'Deposited', taken_back: 'Taken back',
  discarded: 'Discarded' } as const;
const TONES = { draft: 'warn', deposited: 'ok', taken_back: 'neutral', discarded: 'neutral' } as const;

export function slipBadge(row: Pick<DepositSlipRow, 'status'>, small = false) {
  return <Badge tone={TONES[row.status]} small={small}>{SLIP_LABELS[row.status]}</Badge>;
}

export const METHOD_WORDS = { check: spell`Check`, cash: 'Cash' } as const;
