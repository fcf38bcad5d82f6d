/** Why pieces are not reserved, in one line: beside an order's line, and at the materials of its licence. */
import { SALES_ORDER_STATUS_LABELS } from '#kernel/licensing/sales-order-machine.ts';
import { today } from '#web/data/local-day.ts';
import { formatDay } from '#web/data/date-text.tsx';
import type { LineWaiting, OrderedLine } from './sales-order.contract.ts';

/** 'due back Dec 4, 2026', 'was due back Dec 4, 2026'. */
const backWords = (day: string | null, on: string): string => (day === null ? 'no day is set for their return'
  : `${day < on ? 'was due back' : 'due back'} ${formatDay(day)}`);

/** Whether pieces of a line are to be reserved: files and services take nothing from a shelf. */
export const waitsForStock = ({ waiting }: { waiting: LineWaiting | null }): boolean =>
  waiting !== null && waiting.why !== 'file' && waiting.why !== 'service';

/** '3 wait: all are lent, due back Dec 4, 2026; 4 are free at Burbank depot'. */
export function waitingWords(row: LineWaiting, on = today()): string {
  const wait = `${row.pieces.toLocaleString('en-US')} ${row.pieces === 1 ? 'waits' : 'wait'}: `;
  const other = row.elsewhere === null ? ''
    : `; ${row.elsewhere.free.toLocaleString('en-US')} free at ${row.elsewhere.warehouse_name}`;
  switch (row.why) {
    case 'file': return 'Digital: no stock needed';
    case 'service': return 'Not in stock';
    case 'release': return 'Release the order to reserve it';
    case 'pick': return `${wait}${row.free.toLocaleString('en-US')} free now, reserved by picking`;
    case 'others': return `${wait}what lies here is reserved for other orders${other}`;
    case 'return': return `${wait}all are lent, ${backWords(row.back_on, on)}${other}`;
    case 'inspection': return `${wait}what is here lies in quarantine${other}`;
    case 'stock': return `${wait}none at ${row.warehouse_name}${other}`;
  }
}

/** Status of a license's material in one of its orders. */
export function orderedWords(row: OrderedLine): string {
  if (row.waiting !== null) return waitingWords(row.waiting);
  return row.reserved > 0 ? `${row.reserved.toLocaleString('en-US')} reserved` : SALES_ORDER_STATUS_LABELS[row.status];
}
