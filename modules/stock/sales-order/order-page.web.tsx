/** One sales order: where it stands, its lines with what was picked, shipped and returned, its papers, its history. */
import { useState } from 'react';
import { addressLine } from '#kernel/address/address-lines.ts';
import { urlOf } from '#kit/client.ts';
import { SALES_ORDER_STATUS_LABELS, type SalesOrderStatus } from '#kernel/licensing/sales-order-machine.ts';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ActivityTimeline } from '#web/data/activity-timeline.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { AppLink, useIdParam } from '#web/navigation/navigation.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import styles from '../stock.module.css';
import { EventDialog } from './event-dialog.web.tsx';
import { EVENT_LABELS, eventWords, KIND_LABELS, SALES_ORDERS, StatusBadge } from './order-words.web.tsx';
import { waitingWords, waitsForStock } from './waiting-words.web.ts';
import { ShipToDialog } from './ship-to-dialog.web.tsx';
import { salesOrderEndpoints, type OrderEvent, type SalesOrderDetail, type SalesOrderLine }
  from './sales-order.contract.ts';

const WITHOUT_QUESTION: readonly OrderEvent[] = ['release', 'pack', 'close'];
const AT_THE_SHELF: readonly OrderEvent[] = ['pick', 'pack', 'ship_part', 'ship', 'scan_some', 'scan_all'];

export default function SalesOrderPage() {
  const id = useIdParam('salesOrderId');
  const read = useEndpoint(salesOrderEndpoints.show, { params: { id } });
  const order = read.data?.data;
  if (read.isError && !order) {
    return <RecordProblem noun="sales order" list={SALES_ORDERS} error={read.error}
      onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={order?.number ?? 'Sales order'} back={SALES_ORDERS}
        badges={order && <><StatusBadge status={order.status} />{order.rush && <Badge tone="warn">Rush</Badge>}
          {order.from_portal && <Badge tone="outline">From the shop</Badge>}</>}
        waiting={!order}
        subtitle={order && [KIND_LABELS[order.kind],
          <AppLink key="c" href={`/admin/customers/${order.customer_id}`}>{order.customer_name}</AppLink>,
          order.license_id !== null && (
            <AppLink key="l" href={`/admin/customers/${order.customer_id}/productions/${order.license_id}/sales-order`}>
              {[order.title, order.license_number].filter(Boolean).join(', ')}
            </AppLink>
          ), order.warehouse_name]}>
        {order && <OrderActions order={order} />}
      </PageHeader>
      <PageContent record fullWidth>
        {order ? <OrderBody order={order} />
          : [240, 420, 360].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      </PageContent>
    </>
  );
}

function OrderActions({ order }: { order: SalesOrderDetail }) {
  const may = useMay();
  const [event, setEvent] = useState<OrderEvent | null>(null);
  const move = useAction(salesOrderEndpoints.status, { done: ({ data }) =>
    `${data.number}: ${SALES_ORDER_STATUS_LABELS[data.status]}` });
  if (!may('license_material.update')) return null;
  const allowed = order.allowed.filter((one) => !AT_THE_SHELF.includes(one) || may('warehouse.update'));
  const press = (one: OrderEvent): void => {
    if (WITHOUT_QUESTION.includes(one)) {
      void move.run({ params: { id: order.id }, body: { event: one, version: order.version } });
    } else setEvent(one);
  };
  return (
    <>
      {allowed.toReversed().map((one) => (
        <Button key={one} variant={one === allowed[0] ? 'primary' : one === 'cancel' ? 'quiet' : 'secondary'}
          pending={move.pending} onClick={() => press(one)}>{EVENT_LABELS[one]}</Button>
      ))}
      {event && <EventDialog event={event} order={order} onClose={() => setEvent(null)} />}
    </>
  );
}

const some = (count: number) => (count === 0 ? null : count);
/** Counts of what happened to the pieces of a line. */
const COUNTS = [
  { id: 'reserved', header: 'Reserved', of: (row) => row.qty_reserved, width: 90 },
  { id: 'picked', header: 'Picked', of: (row) => row.qty_picked, width: 80 },
  { id: 'shipped', header: 'Shipped', of: (row) => row.qty_shipped, width: 80 },
  { id: 'good', header: 'Back', of: (row) => row.qty_returned_good, width: 70 },
  { id: 'damaged', header: 'Damaged', of: (row) => row.qty_returned_damaged, width: 90 },
  { id: 'lost', header: 'Missing', of: (row) => row.qty_lost, width: 80 },
] as const satisfies readonly { id: string; header: string; of: (row: SalesOrderLine) => number; width: number }[];

/** Charge of the order for each piece, else that of its license. */
function priceOf({ unit_price_minor: price, license_price_minor: billed }: SalesOrderLine): bigint | string {
  if (price > 0 || billed === null) return BigInt(price);
  return billed === 0 ? spell`Included in the license` : spell`${formatAmount(billed)} with the license`;
}

/** Only the counts that some line has: an order on its way shows what there is to know of it, and names stay whole. */
export function columnsOf({ currency, lines }: Pick<SalesOrderDetail, 'currency' | 'lines'>):
readonly Column<SalesOrderLine>[] {
  const amount = (row: SalesOrderLine): number => (row.quantity - row.qty_cancelled) * row.unit_price_minor;
  const sum = lines.reduce((all, row) => all + amount(row), 0);
  const counts = COUNTS.filter(({ of }) => lines.some((row) => of(row) > 0));
  return [
    { id: 'item_number', header: 'Item number', kind: 'code', cell: (row) => row.item_number, width: 160 },
    { id: 'what', header: 'What', kind: 'title', cell: (row) => row.description, width: 240 },
    { id: 'quantity', header: 'Ordered', kind: 'number', cell: (row) => row.quantity, width: 80 },
    ...counts.map(({ id, header, of, width }): Column<SalesOrderLine> => (
      { id, header, kind: 'number', cell: (row) => some(of(row)), width })),
    ...(lines.some(waitsForStock) ? [{ id: 'waiting', header: 'Not reserved yet', kind: 'muted', width: 330,
      cell: (row) => row.waiting && waitsForStock(row) && (
        <span className={styles.said}>{waitingWords(row.waiting)}</span>),
    } satisfies Column<SalesOrderLine>] : []),
    { id: 'price', header: `Price, ${currency}`, kind: 'money', cell: priceOf,
      width: lines.some((row) => typeof priceOf(row) === 'string') ? 180 : 100 },
    ...(sum === 0 ? [] : [{ id: 'amount', header: 'Amount', kind: 'money', width: 100,
      cell: (row) => (amount(row) === 0 ? null : BigInt(amount(row))), total: BigInt(sum),
    } satisfies Column<SalesOrderLine>]),
    ...(lines.some((row) => row.copies.length > 0) ? [{ id: 'copies', header: 'Copies', kind: 'code', width: 220,
      cell: (row) => row.copies.map((copy) => copy.barcode).join(', ') } satisfies Column<SalesOrderLine>] : []),
  ];
}

/** Afterwards the address is what the carrier was told (draft-order.server.ts). */
const NOT_GONE: readonly SalesOrderStatus[] = ['draft', 'released', 'picking', 'packed'];

function OrderBody({ order }: { order: SalesOrderDetail }) {
  const [moving, setMoving] = useState(false);
  const mayMove = useMay()('license_material.update') && NOT_GONE.includes(order.status);
  const paper = (type: 'pick_list' | 'packing_list' | 'label') =>
    urlOf(salesOrderEndpoints.document, { params: { id: order.id }, query: { type } });
  const place = order.ship_to;
  return (
    <>
      <Section flush title="Lines" count={order.lines.length} right={(
        <span className={styles.links}>
          <ButtonLink href={paper('pick_list')}>Picking list</ButtonLink>
          <ButtonLink href={paper('packing_list')}>Packing list</ButtonLink>
          <ButtonLink href={paper('label')}>Label</ButtonLink>
        </span>
      )}>
        <DataTable label="Lines of the order" rows={order.lines} columns={columnsOf(order)} variant="record"
          rowKey={(row) => row.id} totalLabel={order.total_minor === 0 ? undefined : 'Total'} />
      </Section>
      <Section title="Delivery" right={mayMove && (
        <Button onClick={() => setMoving(true)}>Change address</Button>
      )}>
        {moving && <ShipToDialog order={order} onClose={() => setMoving(false)} />}
        <KeyValue columns={3} facts={[
          { label: 'To', value: [order.ship_to_name, place && addressLine(place)].filter(Boolean).join(', ') },
          { label: 'Not before', value: order.ship_on && formatDay(order.ship_on) },
          { label: 'Shipped', value: order.shipped_on && formatDay(order.shipped_on) },
          { label: 'Carrier', value: [order.carrier, ...order.tracking].filter(Boolean).join(', ') },
          { label: 'Due back', value: order.return_due_on && formatDay(order.return_due_on) },
          { label: 'All back', value: order.returned_on && formatDay(order.returned_on) },
          { label: spell`Canceled because`, value: order.cancel_reason },
          { label: 'Notes', value: order.notes, wide: true },
        ].filter((fact) => fact.value)} />
      </Section>
      {order.invoices.length > 0 && (
        <Section title="Billed" count={order.invoices.length}>
          <KeyValue facts={order.invoices.map((invoice) => ({
            label: invoice.unpaid ? 'To be paid first' : BILLED[invoice.reason],
            value: (
              <AppLink href={`/admin/accounts-receivable/invoices/${invoice.id}`}>
                {invoice.number ?? 'Draft invoice'}, <Money minor={invoice.total_minor} currency={order.currency} />
              </AppLink>
            ) }))} />
        </Section>
      )}
      <Section title="History" count={order.events.length || undefined}>
        <ActivityTimeline items={order.events.map((event) => ({ id: event.id, who: event.actor_name ?? 'Grand Rights',
          what: eventWords(event), when: event.occurred_at, note: event.note || undefined }))} />
      </Section>
    </>
  );
}

const BILLED = { missing: 'Replacement', shipment: 'With the shipment', prepaid: 'Paid first' } as const;
