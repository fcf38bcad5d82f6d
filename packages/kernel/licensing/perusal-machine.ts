/** Perusals and their transitions (domain.md 1.4): read on the screen until a day, or as books that come back. */
import { guard, type Edge, type Machine } from './machine.ts';

export const PERUSAL_STATUSES = ['requested', 'declined', 'approved', 'active', 'expired', 'shipped', 'due', 'returned',
  'lost_charged', 'closed'] as const;
export type PerusalStatus = (typeof PERUSAL_STATUSES)[number];
export type PerusalEvent =
  | 'approve' | 'decline' | 'open' | 'expire' | 'extend' | 'ship' | 'due' | 'return' | 'charge_lost' | 'close';

/** A customer has so many at a time; days to read on the screen, and with the books (domain.md 1.4). */
export const PERUSAL_TERMS = { most_open: 3, days_digital: 14, days_physical: 21 } as const;
/** States that count against {@link PERUSAL_TERMS}.most_open. */
export const OPEN_PERUSALS: readonly PerusalStatus[] = ['requested', 'approved', 'active', 'shipped', 'due'];

const staff = ['staff:license_material.update'];
const system = ['system'];
const both = [...system, ...staff];
const later = guard('until_later', 'Choose a day after the one it ends on now.');
const reason = guard('reason_given', 'Say why; the customer reads it.');

function edge(
  from: PerusalStatus, event: PerusalEvent, to: PerusalStatus, who: readonly string[], guards: Edge['guards'] = [],
): Edge<PerusalStatus, PerusalEvent> {
  return { from, event, to, who, guards };
}

export const PERUSAL_MACHINE: Machine<PerusalStatus, PerusalEvent> = {
  name: 'perusal',
  noun: 'perusal',
  conflict_code: 'perusal.status_conflict',
  initial: 'requested',
  terminal: ['declined', 'lost_charged', 'closed'],
  labels: {
    requested: 'Requested', declined: 'Declined', approved: 'Approved', active: 'Open', expired: 'Expired',
    shipped: 'Shipped', due: 'Due back', returned: 'Returned', lost_charged: 'Lost, charged', closed: 'Closed',
  },
  event_labels: {
    approve: 'Approve', decline: 'Decline', open: 'Open', expire: 'Expire', extend: 'Extend', ship: 'Ship',
    due: 'Return due', return: 'Scan in', charge_lost: 'Charge as lost', close: 'Close',
  },
  edges: [
    edge('requested', 'approve', 'approved', staff),
    edge('requested', 'decline', 'declined', staff, [reason]),
    edge('approved', 'open', 'active', system, [guard('readable', 'Only a digital perusal opens on the screen.')]),
    edge('active', 'expire', 'expired', system),
    edge('active', 'extend', 'active', staff, [later]),
    edge('expired', 'extend', 'active', staff, [later]),
    edge('active', 'close', 'closed', staff, [reason]),
    // By hand, or because the warehouse moved its sales order.
    edge('approved', 'ship', 'shipped', both, [guard('by_post', 'Only books are shipped.')]),
    edge('approved', 'close', 'closed', both, [reason]),
    edge('shipped', 'due', 'due', system),
    edge('shipped', 'extend', 'shipped', staff, [later]),
    edge('due', 'extend', 'shipped', staff, [later]),
    edge('shipped', 'return', 'returned', both),
    edge('due', 'return', 'returned', both),
    edge('shipped', 'charge_lost', 'lost_charged', both),
    edge('due', 'charge_lost', 'lost_charged', both),
    edge('returned', 'close', 'closed', both),
  ],
};
