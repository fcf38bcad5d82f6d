/** Display names of sales orders, and the columns of their lists. */
import { SALES_ORDER_STATUS_LABELS, type SalesOrderStatus } from '#kernel/licensing/sales-order-machine.ts';
import { spell } from '#kernel/text/english.ts';
import { Badge, type Tone } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import type { OrderEvent, OrderHold, OrderNote, SalesOrderDetail, SalesOrderRow } from './sales-order.contract.ts';

export const SALES_ORDERS = '/admin/sales-and-royalties/sales-orders';
export const KIND_LABELS = { license: spell`License`, book_order: 'Book order', perusal: 'Perusal',
  sales_item: 'Merchandise' } as const;
const TONES: Record<SalesOrderStatus, Tone> = { draft: 'neutral', released: 'info', picking: 'brass', packed: 'brass',
  partially_shipped: 'brass', shipped: 'info', delivered: 'info', on_hire: 'violet', return_due: 'warn',
  overdue: 'error', partially_returned: 'warn', returned: 'ok', closed: 'outline', cancelled: 'outline' };
export const HOLD_LABELS: Record<OrderHold, string> = { reserved: 'Reserved', picked: 'Picked', out: 'Out' };
export const EVENT_LABELS: Record<OrderEvent, string> = { release: 'Release', pick: 'Pick', pack: 'Pack',
  ship_part: 'Ship a part', ship: 'Ship', scan_some: 'Scan in returns', scan_all: 'Everything is back',
  charge_missing: 'Charge what is missing', close: 'Close', cancel: 'Cancel order' };

const NOTES: Record<OrderNote, string> = { create: 'drafted it', plan: 'changed its days' };
const isNote = (event: string): event is OrderNote => event in NOTES;
const wordOf = (status: string): string => SALES_ORDER_STATUS_LABELS[status as SalesOrderStatus] ?? status;

type Happening = Pick<SalesOrderDetail['events'][number], 'event' | 'from_status' | 'to_status'>;

/** 'moved it from Draft to Released', or in short, to follow the name of whoever did it. */
export function eventWords(one: Happening, short = false): string {
  if (isNote(one.event)) return NOTES[one.event];
  return short ? `moved it to ${wordOf(one.to_status).toLowerCase()}`
    : `moved it from ${wordOf(one.from_status)} to ${wordOf(one.to_status)}`;
}

export function StatusBadge({ status, small }: { status: SalesOrderStatus; small?: boolean }) {
  return <Badge tone={TONES[status]} {...(small ? { small } : {})}>{SALES_ORDER_STATUS_LABELS[status]}</Badge>;
}

export const orderColumns: readonly Column<SalesOrderRow>[] = [
  { id: 'number', header: 'Number', kind: 'title', cell: (row) => row.number, sort: true, fixed: true, width: 100 },
  { id: 'customer', header: 'Customer', kind: 'text', cell: (row) => row.customer_name, width: 220 },
  { id: 'status', header: 'Status', kind: 'badge', width: 130,
    cell: (row) => <StatusBadge status={row.status} small /> },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => KIND_LABELS[row.kind], width: 100 },
  { id: 'production', header: 'Production', kind: 'muted', cell: (row) => row.title, width: 170 },
  { id: 'warehouse', header: 'From', kind: 'muted', cell: (row) => row.warehouse_name, width: 130 },
  { id: 'pieces', header: 'Pieces', kind: 'number', cell: (row) => row.pieces, width: 64 },
  { id: 'outstanding', header: 'Out', kind: 'number', cell: (row) => row.outstanding || null, width: 50 },
  { id: 'ship_on', header: 'Ships on', kind: 'date', cell: (row) => row.ship_on, sort: true, width: 100 },
  { id: 'return_due_on', header: 'Due back', kind: 'date', cell: (row) => row.return_due_on, sort: true, width: 100 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'total', header: 'Goods', kind: 'money', cell: (row) => BigInt(row.total_minor), width: 100 },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, hidden: true,
    width: 110 },
];
