/** Sales orders of one customer. */
import { SALES_ORDER_STATUS_LABELS } from '#kernel/licensing/sales-order-machine.ts';
import { StatusBadge } from '#modules/stock/sales-order/order-words.web.tsx';
import { salesOrderEndpoints, type SalesOrderRow } from '#modules/stock/sales-order/sales-order.contract.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { CustomerFrame } from './customer-frame.web.tsx';

const columns: readonly Column<SalesOrderRow>[] = [
  { id: 'number', header: 'Number', kind: 'title', cell: (row) => row.number, sort: true, width: 130 },
  { id: 'status', header: 'Status', kind: 'badge', width: 150,
    cell: (row) => <StatusBadge status={row.status} small /> },
  { id: 'production', header: 'Production', kind: 'muted', cell: (row) => row.title, width: 200 },
  { id: 'pieces', header: 'Pieces', kind: 'number', cell: (row) => row.pieces, width: 80 },
  { id: 'out', header: 'Out', kind: 'number', cell: (row) => row.outstanding || null, width: 80 },
  { id: 'ship_on', header: 'Ships on', kind: 'date', cell: (row) => row.ship_on, sort: true, width: 120 },
  { id: 'return_due_on', header: 'Due back', kind: 'date', cell: (row) => row.return_due_on, sort: true, width: 120 },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, width: 120 },
];
const filters = [{ name: 'status', label: 'Status', options: optionsOf(SALES_ORDER_STATUS_LABELS) }];

export default function CustomerOrders() {
  return <CustomerFrame fullWidth>{(customer) => <OrdersOf customerId={customer.id} />}</CustomerFrame>;
}

function OrdersOf({ customerId }: { customerId: number }) {
  const may = useMay()('license_material.show');
  const list = useList(salesOrderEndpoints.ofCustomer, { params: { id: customerId } }, { filters: ['status'] });
  return (
    <PageContent record fullWidth title="Sales orders"
      description="Shipments to this customer and materials not yet returned."
      right={<ButtonLink href={`/admin/perusals?customer_id=${customerId}`}>Perusals</ButtonLink>}>
      <Section flush>
        <DataTable label="Sales orders of the customer" {...list} columns={columns} filters={filters} variant="record"
          rowKey={(row) => row.id} searchPlaceholder="Number"
          {...(may ? { rowHref: (row: SalesOrderRow) => `/admin/sales-and-royalties/sales-orders/${row.id}` } : {})}
          empty={{ title: 'Nothing was ordered yet' }} />
      </Section>
    </PageContent>
  );
}
