/** State and carrier of a parcel, the same for orders of the shop and for materials of a production. */
import { SALES_ORDER_STATUS_LABELS, type SalesOrderStatus } from '#kernel/licensing/sales-order-machine.ts';
import { Badge, type Tone } from '#web/data/badge.tsx';
import styles from './portal.module.css';

/** Merges the warehouse's detailed states into one for the recipient of the parcel. */
function stateOf(status: SalesOrderStatus): [words: string, tone: Tone] {
  if (['released', 'picking', 'packed'].includes(status)) return ['Being packed', 'brass'];
  if (status === 'partially_shipped') return ['Partly on its way', 'info'];
  if (status === 'shipped') return ['On its way', 'info'];
  if (status === 'delivered' || status === 'closed') return ['Delivered', 'ok'];
  if (status === 'on_hire') return ['With you', 'ok'];
  if (status === 'return_due') return ['Due back', 'warn'];
  if (status === 'overdue') return ['Overdue', 'error'];
  return [SALES_ORDER_STATUS_LABELS[status], status === 'cancelled' ? 'outline' : 'neutral'];
}

export function ParcelState({ status }: { status: SalesOrderStatus }) {
  const [words, tone] = stateOf(status);
  return <Badge tone={tone}>{words}</Badge>;
}

/** Pages where carriers answer for a tracking number; a carrier that is not here is named without a link. */
const TRACKING: readonly (readonly [carrier: RegExp, page: string])[] = [
  [/\bups\b/i, 'https://www.ups.com/track?tracknum='],
  [/\bfedex\b/i, 'https://www.fedex.com/fedextrack/?trknbr='],
  [/\busps\b/i, 'https://tools.usps.com/go/TrackConfirmAction?tLabels='],
  [/\bdhl\b/i, 'https://www.dhl.com/en/express/tracking.html?AWB='],
  [/royal mail/i, 'https://www.royalmail.com/track-your-item#/tracking-results/'],
];

function TrackingNumber({ carrier, number }: { carrier: string; number: string }) {
  const page = TRACKING.find(([name]) => name.test(carrier))?.[1];
  if (page === undefined) return <>{number}</>;
  return (
    <a className="gr-link" href={page + encodeURIComponent(number)} target="_blank" rel="noreferrer">
      {number}<span className="gr-hidden"> (opens the page of {carrier})</span>
    </a>
  );
}

/** Nothing until a carrier is known. */
export function carrierFact({ carrier, tracking }: { carrier: string; tracking: readonly string[] }) {
  if (carrier === '') return false as const;
  return { label: 'Carrier', value: <span className={styles.tracking}>
    {carrier}{tracking.map((number) => <TrackingNumber key={number} carrier={carrier} number={number} />)}
  </span> };
}
