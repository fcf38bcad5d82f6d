/** The sales order of a production: what was ordered for it, where it stands, what is still out. */
import { SALES_ORDER_STATUS_LABELS } from '#kernel/licensing/sales-order-machine.ts';
import { salesOrderEndpoints, type SalesOrderRow } from '#modules/stock/sales-order/sales-order.contract.ts';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { LicenseFrame } from '../licenses/license-frame.web.tsx';

const columns: readonly Column<SalesOrderRow>[] = [
  { id: 'number', header: 'Number', kind: 'title', cell: (row) => row.number, width: 130 },
  { id: 'status', header: 'State', kind: 'text', cell: (row) => SALES_ORDER_STATUS_LABELS[row.status], width: 150 },
  { id: 'from', header: 'From', kind: 'muted', cell: (row) => row.warehouse_name, width: 170 },
  { id: 'pieces', header: 'Pieces', kind: 'number', cell: (row) => row.pieces, width: 80 },
  { id: 'out', header: 'Out', kind: 'number', cell: (row) => row.outstanding || null, width: 80 },
  { id: 'ship_on', header: 'Ships on', kind: 'date', cell: (row) => row.ship_on, width: 120 },
  { id: 'shipped_on', header: 'Shipped', kind: 'date', cell: (row) => row.shipped_on, width: 120 },
  { id: 'due', header: 'Due back', kind: 'date', cell: (row) => row.return_due_on, width: 120 },
];

export default function LicenseOrders() {
  return <LicenseFrame>{({ license }) => <OrdersOf licenseId={license.id} />}</LicenseFrame>;
}

function OrdersOf({ licenseId }: { licenseId: number }) {
  const may = useMay()('license_material.show');
  const list = useList(salesOrderEndpoints.list, { query: { license_id: licenseId } });
  return (
    <PageContent record fullWidth title="Sales order" description="What is sent for this production and comes back.">
      <Section flush>
        <DataTable label="Sales orders of the production" {...list} columns={columns} rowKey={(row) => row.id}
          variant="record"
          {...(may ? { rowHref: (row: SalesOrderRow) => `/admin/sales-and-royalties/sales-orders/${row.id}` } : {})}
          empty={{ title: 'Nothing is ordered yet', text: 'Sales orders are drafted under Sales & royalties.' }} />
      </Section>
    </PageContent>
  );
}
