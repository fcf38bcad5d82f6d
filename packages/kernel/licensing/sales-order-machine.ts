/** Sales-order statuses and their transitions (domain.md 1.3, domain/transitions.json `sales_order`). */
import { spell } from '../text/english.ts';
import { guard, type Edge, type Machine } from './machine.ts';

export const SALES_ORDER_STATUSES = [
  'draft', 'released', 'picking', 'packed', 'partially_shipped', 'shipped', 'delivered', 'on_hire', 'return_due',
  'overdue', 'partially_returned', 'returned', 'closed', 'cancelled',
] as const;
export type SalesOrderStatus = (typeof SALES_ORDER_STATUSES)[number];

export type SalesOrderEvent =
  | 'release' | 'pick' | 'pack' | 'ship_part' | 'ship' | 'deliver' | 'no_return_lines' | 'has_rental' | 'due' | 'late'
  | 'scan_some' | 'scan_all' | 'charge_missing' | 'close' | 'cancel';

export const SALES_ORDER_STATUS_LABELS = {
  draft: 'Draft',
  released: 'Released',
  picking: 'Picking',
  packed: 'Packed',
  partially_shipped: 'Partially shipped',
  shipped: 'Shipped',
  delivered: 'Delivered',
  on_hire: 'On hire',
  return_due: 'Return due',
  overdue: 'Overdue',
  partially_returned: 'Partially returned',
  returned: 'Returned',
  closed: 'Closed',
  cancelled: spell`Canceled`,
} as const satisfies Record<SalesOrderStatus, string>;

const EVENT_LABELS = {
  release: 'Release',
  pick: 'Pick',
  pack: 'Pack',
  ship_part: 'Ship a part',
  ship: 'Ship',
  deliver: 'Mark delivered',
  no_return_lines: 'Close without return',
  has_rental: 'Start the rental',
  due: 'Return due',
  late: 'Return late',
  scan_some: 'Scan in a part',
  scan_all: 'Scan in everything',
  charge_missing: 'Charge what is missing',
  close: 'Close',
  cancel: 'Cancel',
} as const satisfies Record<SalesOrderEvent, string>;

const shipping = [
  guard('carrier_given', 'Enter carrier and tracking number.'),
  guard('ship_on_reached', 'The shipping day has not come; mark it as rush to ship earlier.',
    ['ship_on_reached', 'rush']),
];
const system = ['system'];
const staff = ['staff'];
const both = ['system', 'staff'];

function edge(
  from: SalesOrderStatus, event: SalesOrderEvent, to: SalesOrderStatus, who: readonly string[],
  guards: Edge['guards'] = [],
): Edge<SalesOrderStatus, SalesOrderEvent> {
  return { from, event, to, who, guards };
}

const edges: readonly Edge<SalesOrderStatus, SalesOrderEvent>[] = [
  edge('draft', 'release', 'released', ['system', 'staff'], [
    guard('license_executed', spell`The license is not executed.`,
      ['license_executed', 'ship_before_execution', 'no_license']),
  ]),
  edge('released', 'pick', 'picking', staff),
  edge('picking', 'pack', 'packed', staff, [guard('picked', 'Pick at least one line.')]),
  edge('packed', 'ship_part', 'partially_shipped', staff, shipping),
  edge('packed', 'ship', 'shipped', staff, shipping),
  edge('partially_shipped', 'ship', 'shipped', staff, shipping),
  edge('partially_shipped', 'pick', 'picking', staff),
  edge('shipped', 'deliver', 'delivered', system),
  edge('delivered', 'no_return_lines', 'closed', system, [guard('nothing_to_return', 'Rental lines are outstanding.')]),
  edge('delivered', 'has_rental', 'on_hire', system, [guard('rental_outstanding', 'No rental line is outstanding.')]),
  edge('on_hire', 'due', 'return_due', system),
  edge('return_due', 'late', 'overdue', system),
  edge('on_hire', 'scan_some', 'partially_returned', staff),
  edge('on_hire', 'scan_all', 'returned', staff),
  edge('return_due', 'scan_some', 'partially_returned', staff),
  edge('return_due', 'scan_all', 'returned', staff),
  edge('overdue', 'scan_some', 'partially_returned', staff),
  edge('overdue', 'scan_all', 'returned', staff),
  edge('partially_returned', 'scan_all', 'returned', staff),
  edge('partially_returned', 'charge_missing', 'returned', ['staff', 'system']),
  edge('overdue', 'charge_missing', 'returned', ['staff', 'system']),
  edge('returned', 'close', 'closed', both, [
    guard('lines_resolved', 'A rental line is neither returned, charged nor written off.'),
  ]),
  edge('draft', 'cancel', 'cancelled', staff),
  edge('released', 'cancel', 'cancelled', staff),
  edge('picking', 'cancel', 'cancelled', staff),
  edge('packed', 'cancel', 'cancelled', staff),
];

export const SALES_ORDER_MACHINE: Machine<SalesOrderStatus, SalesOrderEvent> = {
  name: 'sales_order',
  noun: 'sales order',
  conflict_code: 'sales_order.status_conflict',
  initial: 'draft',
  terminal: ['closed', 'cancelled'],
  labels: SALES_ORDER_STATUS_LABELS,
  event_labels: EVENT_LABELS,
  edges,
};

/** Quantities of one line; all are whole pieces (domain.md 1.3). */
export interface SalesOrderLineQuantities {
  readonly ordered: number;
  readonly reserved: number;
  readonly shipped: number;
  readonly cancelled: number;
  readonly returned_good: number;
  readonly returned_damaged: number;
  readonly lost: number;
}

/** Quantity still out with the customer: shipped = returned_good + returned_damaged + lost + outstanding (I6). */
export function outstanding(line: SalesOrderLineQuantities): number {
  return line.shipped - line.returned_good - line.returned_damaged - line.lost;
}

/** Both invariants of 1.3: nothing is negative, ordered covers what is reserved, shipped and cancelled. */
export function quantitiesHold(line: SalesOrderLineQuantities): boolean {
  const none = Object.values(line as unknown as Record<string, number>).some((n) => n < 0 || !Number.isInteger(n));
  return !none && line.ordered >= line.reserved + line.shipped + line.cancelled && outstanding(line) >= 0;
}
