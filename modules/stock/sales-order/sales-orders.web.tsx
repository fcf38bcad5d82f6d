/** Sales orders: the list, what is due back, and the dialog that drafts one. */
import { lazy, useState } from 'react';
import { SALES_ORDER_STATUS_LABELS } from '#kernel/licensing/sales-order-machine.ts';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { materialEndpoints } from '#modules/catalogue/material/material.contract.ts';
import { salesTabs } from '#modules/royalties/sales-tabs.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { NewOrderDialog } from './new-order.web.tsx';
import { HOLD_LABELS, KIND_LABELS, orderColumns, SALES_ORDERS } from './order-words.web.tsx';
import { salesOrderBulk, salesOrderEndpoints, type SalesOrderRow } from './sales-order.contract.ts';

const OrderPeek = lazy(() => import('./order-peek.web.tsx'));

const filters = [
  { name: 'due_back', label: 'Out', options: [{ value: 'true', label: 'Due back' }] },
  { name: 'holds', label: 'Pieces', options: optionsOf(HOLD_LABELS) },
  { name: 'status', label: 'Status', options: optionsOf(SALES_ORDER_STATUS_LABELS) },
  { name: 'kind', label: 'Kind', options: optionsOf(KIND_LABELS) },
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
];

export default function SalesOrders() {
  const may = useMay();
  const [adding, setAdding] = useState(false);
  const list = useList(salesOrderEndpoints.list, {},
    { filters: ['due_back', 'holds', 'status', 'kind', 'division', 'warehouse_id', 'material_id'],
      bulk: salesOrderBulk });
  const materialId = Number(list.search.filters.material_id) || null;
  const material = useEndpoint(materialEndpoints.show, { params: { id: materialId ?? 0 } },
    { enabled: materialId !== null && may('material.show') });
  const linked = [
    { name: 'warehouse_id', label: 'Warehouse', linked: { name: list.rows?.[0]?.warehouse_name } },
    { name: 'material_id', label: 'Material', linked: { name: material.data?.data.name } },
  ];
  return (
    <>
      <PageHeader title="Sales & royalties" tabs={salesTabs(may)} subtitle="Shipments to customers and their returns">
        {may('license_material.create') && (
          <Button variant="primary" onClick={() => setAdding(true)}>New sales order</Button>
        )}
      </PageHeader>
      <DataTable label="Sales orders" {...list} columns={orderColumns} filters={[...filters, ...linked]}
        rowKey={(row) => row.id} peek={OrderPeek}
        {...(may('license_material.show') ? { rowHref: (row: SalesOrderRow) => `${SALES_ORDERS}/${row.id}` } : {})}
        searchPlaceholder="Number or customer"
        empty={{ title: 'No sales orders',
          text: spell`Materials of licenses and books that are bought stand here.` }} />
      {adding && <NewOrderDialog onClose={() => setAdding(false)} />}
    </>
  );
}
