/** Display names of movements, places and conditions. */
import type { BalanceRow, EntryKind, MovementRow } from './movement.contract.ts';

export const ENTRY_LABELS: Record<EntryKind, string> = { receipt: 'Delivery', transfer: 'Transfer',
  count: 'Count', adjust: 'Correction', quarantine: 'Quarantine', grade: 'Grading', write_off: 'Write-off' };
export const MOVEMENT_LABELS: Record<MovementRow['kind'], string> = { ...ENTRY_LABELS, reserve: 'Reserved',
  unreserve: 'Released again', pick: 'Picked', unpick: 'Put back', ship: 'Shipped', return: 'Returned' };
export const LOCATION_LABELS = { on_hand: 'Shelf', picked: 'Picked', on_hire: 'Out', quarantine: 'Quarantine',
  damaged: 'Damaged', arriving: 'Arriving', gone: 'Gone' } as const;

/** Labels for the counts of a balance, as in every list of stock. */
export const STOCK_WORDS = { on_hand: 'On the shelf', reserved: 'Promised', picked: 'Picked', on_hire: 'Out',
  quarantine: 'Quarantine', damaged: 'Damaged', available: 'Available' } as const;

/** Fewer may be promised than the item should never fall below. */
export const isLow = (row: BalanceRow): boolean => row.reorder_point !== null
  && row.on_hand - row.reserved <= row.reorder_point;
