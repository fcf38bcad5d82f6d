/** The sales order of a production: what was ordered for it, where it stands, what is still out. */
import { spell } from '#kernel/text/english.ts';
import { StatusBadge } from '#modules/stock/sales-order/order-words.web.tsx';
import { salesOrderEndpoints, type SalesOrderRow } from '#modules/stock/sales-order/sales-order.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { LicenseFrame } from '../licenses/license-frame.web.tsx';

const columns: readonly Column<SalesOrderRow>[] = [
  { id: 'number', header: 'Number', kind: 'title', cell: (row) => row.number, width: 130 },
  { id: 'status', header: 'Status', kind: 'badge', width: 150,
    cell: (row) => <StatusBadge status={row.status} small /> },
  { id: 'from', header: 'From', kind: 'muted', cell: (row) => row.warehouse_name, width: 170 },
  { id: 'pieces', header: 'Pieces', kind: 'number', cell: (row) => row.pieces, width: 80 },
  { id: 'out', header: 'Out', kind: 'number', cell: (row) => row.outstanding || null, width: 80 },
  { id: 'ship_on', header: 'Ships on', kind: 'date', cell: (row) => row.ship_on, width: 120 },
  { id: 'shipped_on', header: 'Shipped', kind: 'date', cell: (row) => row.shipped_on, width: 120 },
  { id: 'due', header: 'Due back', kind: 'date', cell: (row) => row.return_due_on, width: 120 },
];

export default function LicenseOrders() {
  return <LicenseFrame>{({ license }) => <OrdersOf licenseId={license.id} phase={license.phase} />}</LicenseFrame>;
}

/** As the server says again (order-license.server.ts). */
const ORDERED_IN: readonly string[] = ['accepted', 'licensed', 'in_production'];

function OrdersOf({ licenseId, phase }: { licenseId: number; phase: string }) {
  const mayDo = useMay();
  const may = mayDo('license_material.show');
  const mayOrder = mayDo('license_material.create');
  const list = useList(salesOrderEndpoints.list, { query: { license_id: licenseId } });
  const order = useAction(salesOrderEndpoints.ofLicense, { refresh: [salesOrderEndpoints.list],
    onDone: ({ data }) => toast(data.length === 1 ? `${data[0]!.number} drafted`
      : `${data.length} orders drafted, one for each day on which something leaves`) });
  return (
    <PageContent record fullWidth title="Sales order"
      description="Shipments for this production and their return dates."
      right={mayOrder && (
        <Button pending={order.pending} onClick={() => void order.run({ params: { licenseId } })}
          reason={ORDERED_IN.includes(phase) ? undefined
            : 'Materials are ordered from the signature to the end of the run'}>
          Order materials
        </Button>
      )}>
      <Section flush>
        <DataTable label="Sales orders of the production" {...list} columns={columns} rowKey={(row) => row.id}
          variant="record"
          {...(may ? { rowHref: (row: SalesOrderRow) => `/admin/sales-and-royalties/sales-orders/${row.id}` } : {})}
          empty={{ title: 'Nothing ordered yet',
            text: spell`Orders are drafted from the materials of the license; items already ordered are skipped.` }} />
      </Section>
    </PageContent>
  );
}
