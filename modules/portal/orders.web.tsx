/** Orders from the shop: all of them, and one with its parcel and its invoice. */
import { ChevronRight } from 'lucide-react';
import { addressLine } from '#kernel/address/address-lines.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import { shopEndpoints, type ShopOrder } from '#modules/stock/shop/shop.contract.ts';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink, useIdParam, useQueryValues } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { carrierFact, ParcelState } from './parcel-facts.web.tsx';
import { Pager, PortalHead, QueryBoundary, usePortal } from './portal-parts.web.tsx';
import { counted } from './portal-words.web.ts';
import { showsTabs } from './show-words.web.ts';
import styles from './portal.module.css';

type Order = ResponseOf<typeof shopEndpoints.order>['data'];

function State({ order }: { order: Pick<Order, 'status' | 'unpaid'> }) {
  if (order.unpaid && order.status !== 'cancelled') return <Badge tone="warn">To be paid</Badge>;
  return <ParcelState status={order.status} />;
}

function OrderItem({ row, base }: { row: ShopOrder; base: string }) {
  return (
    <li>
      <AppLink href={`${base}/orders/${row.id}`} className={styles.item}>
        <span className={styles.itemText}>
          <strong>{row.number}</strong>
          <span>{formatDay(row.created_at)}, {counted(row.pieces, 'piece')}</span>
        </span>
        <span className={styles.itemSide}>
          {formatAmount(row.total_minor, row.currency)}<State order={row} />
          <Glyph icon={ChevronRight} size={18} />
        </span>
      </AppLink>
    </li>
  );
}

export default function Orders() {
  const { customerId, base } = usePortal();
  const { values } = useQueryValues();
  const read = useEndpoint(shopEndpoints.orders,
    { params: { id: customerId }, query: { page: Number(values.get('page') ?? 1) || 1 } });
  return (
    <>
      <PortalHead title="Orders" facts={['Your orders from the shop, newest first']} tabs={showsTabs(base)} />
      <QueryBoundary read={read}>
        {({ data, meta }) => (
          <Card>
            {data.length === 0
              ? <EmptyState title="No orders yet" text="Books and merchandise are in the shop."
                  action={<ButtonLink href={`${base}/shop`} variant="primary">Go to the shop</ButtonLink>} />
              : <ul className={styles.list}>{data.map((row) => <OrderItem key={row.id} row={row} base={base} />)}</ul>}
            <Pager meta={meta} />
          </Card>
        )}
      </QueryBoundary>
    </>
  );
}

export function OrderPage() {
  const { customerId, base } = usePortal();
  const orderId = useIdParam('orderId');
  const read = useEndpoint(shopEndpoints.order, { params: { id: customerId, orderId } });
  const row = read.data?.data.id === orderId ? read.data.data : undefined;
  return (
    <QueryBoundary read={{ data: row, isError: read.isError, error: read.error, refetch: read.refetch }}
      page="Order">
      {(order) => (
        <>
          <PortalHead title={order.number} back={{ href: `${base}/orders`, text: 'Orders' }}
            badges={<State order={order} />} facts={[`Ordered ${formatDay(order.created_at)}`]} />
          <ToPay order={order} base={base} />
          <div className={styles.split}>
            <Card title="Items"><Lines order={order} /></Card>
            <Card title="The parcel"><Parcel order={order} base={base} /></Card>
          </div>
        </>
      )}
    </QueryBoundary>
  );
}

/** Open payment of an order that is paid in advance and waits for it. */
function ToPay({ order, base }: { order: Order; base: string }) {
  const open = order.invoices.find((invoice) => invoice.unpaid);
  if (!open || order.status === 'cancelled') return null;
  return (
    <Callout tone="warn" title={`${formatAmount(open.total_minor, order.currency)} to pay by ${formatDay(open.due_on)}`}
      action={<ButtonLink href={`${base}/invoices/${open.id}`} variant="primary">Pay it</ButtonLink>}>
      We pack your order as soon as it is paid.
    </Callout>
  );
}

function Lines({ order }: { order: Order }) {
  const shipping = order.lines.reduce((sum, line) => sum + line.shipping_minor, 0);
  const rows = [...order.lines.map((line) => ({ key: line.id, label: line.description,
    note: [line.show_title, line.quantity > 1 && `${formatAmount(line.unit_price_minor)} × ${line.quantity}`]
      .filter(Boolean).join(', '),
    minor: line.unit_price_minor * line.quantity })),
  { key: -1, label: 'Shipping', note: '', minor: shipping },
  { key: -2, label: order.currency === 'USD' ? 'Sales tax' : 'VAT', note: '', minor: order.tax_minor }];
  return (
    <table className={styles.lines}>
      <caption className="gr-hidden">Lines in {order.currency}</caption>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">{row.label}{row.note && <small>{row.note}</small>}</th><td><Money minor={row.minor} /></td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr><th scope="row">Total<small>{order.currency}</small></th><td><Money minor={order.total_minor} /></td></tr>
      </tfoot>
    </table>
  );
}

function Parcel({ order, base }: { order: Order; base: string }) {
  return (
    <KeyValue columns={2} facts={[
      { label: 'To', wide: true, value: [order.ship_to_name, addressLine(order.ship_to)].filter(Boolean).join(', ') },
      order.shipped_on !== null && { label: 'Left', value: formatDay(order.shipped_on) },
      carrierFact(order),
      order.cancel_reason !== '' && { label: spell`Canceled because`, value: order.cancel_reason, wide: true },
      order.invoices.length > 0 && { label: order.unpaid ? 'Payment request' : 'Invoice',
        value: order.invoices.map((invoice) => (
        <AppLink key={invoice.id} className="gr-link" href={`${base}/invoices/${invoice.id}`}>
          {invoice.number ?? 'Invoice'}, {formatAmount(invoice.total_minor, order.currency)}
        </AppLink>)) },
      order.invoices.length === 0 && order.status !== 'cancelled' && { label: 'Invoice', value: 'With the parcel' },
    ]} />
  );
}
