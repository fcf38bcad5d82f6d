/** A sales order beside its list: its lines with what they wait for, where it goes, what is unpaid, what happened. */
import { addressLine } from '#kernel/address/address-lines.ts';
import { spell } from '#kernel/text/english.ts';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Money } from '#web/data/money.tsx';
import { PeekChecks, PeekEvents } from '#web/data/peek-record.tsx';
import { PeekSection, PeekView, PeekWait } from '#web/data/peek-view.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { eventWords, KIND_LABELS, StatusBadge } from './order-words.web.tsx';
import { salesOrderEndpoints, type SalesOrderDetail, type SalesOrderRow } from './sales-order.contract.ts';
import { waitingWords } from './waiting-words.web.ts';

export default function OrderPeek({ row }: { row: SalesOrderRow }) {
  const may = useMay();
  const opens = may('license_material.show');
  const read = useEndpoint(salesOrderEndpoints.show, { params: { id: row.id } }, { enabled: opens });
  const order = read.data?.data.id === row.id ? read.data.data : undefined;
  return (
    <PeekView code={row.number} title={row.title ?? KIND_LABELS[row.kind]} under={row.customer_name}
      badges={<><StatusBadge status={row.status} /><Badge tone="outline">{KIND_LABELS[row.kind]}</Badge></>}
      foot={row.license_id !== null && may('license.show') && (
        <ButtonLink href={`/admin/customers/${row.customer_id}/productions/${row.license_id}/materials`}>
          {spell`Materials of the license`}
        </ButtonLink>
      )}>
      {order ? <Order order={order} /> : opens && !read.isError && <PeekWait title="Lines" lines={4} />}
    </PeekView>
  );
}

/** Pieces that came back or were never to come. */
function done(line: SalesOrderDetail['lines'][number]): boolean {
  return line.qty_shipped + line.qty_cancelled >= line.quantity;
}

function Order({ order }: { order: SalesOrderDetail }) {
  const unpaid = order.invoices.filter((one) => one.unpaid);
  return (
    <>
      {unpaid.length > 0 && (
        <Callout tone="warn" title="Not paid yet">Nothing is packed before the payment has arrived.</Callout>
      )}
      <PeekSection title="Lines">
        <PeekChecks items={order.lines.map((line) => ({ key: line.id, status: done(line) ? 'done' : 'open',
          label: `${line.quantity} × ${line.description}`,
          note: line.waiting ? waitingWords(line.waiting) : done(line) ? 'shipped' : undefined }))} />
      </PeekSection>
      <PeekSection title="On its way">
        <KeyValue layout="rows" facts={[
          { label: 'From', value: order.warehouse_name },
          order.ship_to !== null && { label: 'To', value: [order.ship_to_name, addressLine(order.ship_to)]
            .filter(Boolean).join(', ') },
          order.ship_on !== null && { label: order.shipped_on ? 'Shipped' : 'Ships on',
            value: <DateText value={order.shipped_on ?? order.ship_on} /> },
          order.return_due_on !== null && { label: 'Due back', value: <DateText value={order.return_due_on} /> },
          order.outstanding > 0 && { label: 'Still out', value: order.outstanding },
          order.total_minor > 0 && { label: 'Goods',
            value: <Money minor={order.total_minor} currency={order.currency} /> },
        ]} />
      </PeekSection>
      <PeekEvents events={[...order.events].sort((one, other) => other.occurred_at.localeCompare(one.occurred_at))
        .map((one) => ({ id: one.id, who: one.actor_name, when: one.occurred_at,
          what: eventWords(one, true) }))} />
    </>
  );
}
