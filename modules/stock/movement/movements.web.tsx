/** Every movement of the stock, newest first: filters, search, CSV. */
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { materialsTabs } from '#modules/catalogue/materials-tabs.ts';
import { warehouseEndpoints } from '../warehouse/warehouse.contract.ts';
import { LOCATIONS, MOVEMENT_KINDS, stockEndpoints, type MovementRow } from './movement.contract.ts';
import { LOCATION_LABELS, MOVEMENT_LABELS } from './movement-words.web.ts';

const placeOf = (place: MovementRow['from_location']) => (place === null ? 'Outside' : LOCATION_LABELS[place]);

const columns: readonly Column<MovementRow>[] = [
  { id: 'at', header: 'When', kind: 'date', cell: (row) => row.occurred_at, fixed: true, width: 160 },
  { id: 'kind', header: 'What', kind: 'text', cell: (row) => MOVEMENT_LABELS[row.kind], width: 110 },
  { id: 'item', header: 'Item', kind: 'title', cell: (row) => row.name, width: 220 },
  { id: 'item_or_copy', header: 'Item or copy', kind: 'code', width: 170,
    cell: (row) => row.barcode ?? row.item_number },
  // A label that came with a count may say nothing of its item: the number is a column away.
  { id: 'number', header: 'Item number', kind: 'code', cell: (row) => row.item_number, hidden: true, width: 150 },
  { id: 'quantity', header: 'Pieces', kind: 'number', cell: (row) => row.quantity.toLocaleString('en-US'), width: 70 },
  { id: 'where', header: 'From and to', kind: 'code', width: 140,
    cell: (row) => (row.from_location === null && row.to_location === null ? ''
      : `${placeOf(row.from_location)} to ${placeOf(row.to_location).toLowerCase()}`) },
  { id: 'warehouse', header: 'Warehouse', kind: 'code', cell: (row) => row.warehouse_code, width: 90 },
  { id: 'order', header: 'Order', kind: 'code', width: 100, cell: (row) => (row.sales_order_id === null ? null
    : (
      <AppLink href={`/admin/sales-and-royalties/sales-orders/${row.sales_order_id}`}>
        {row.sales_order_number}
      </AppLink>
    )) },
  { id: 'who', header: 'By', kind: 'muted', cell: (row) => row.actor_name, width: 130 },
  { id: 'reason', header: 'Note', kind: 'muted', cell: (row) => row.reason, width: 150 },
];

const kinds = { name: 'kind', label: 'What',
  options: optionsOf(Object.fromEntries(MOVEMENT_KINDS.map((kind) => [kind, MOVEMENT_LABELS[kind]]))) };

const places = { name: 'place', label: 'To or from', options: optionsOf(Object.fromEntries(LOCATIONS.map((place) =>
  [place, LOCATION_LABELS[place]]))) };

export default function Movements() {
  const may = useMay();
  const warehouses = useEndpoint(warehouseEndpoints.list, { query: { per_page: 100 } },
    { enabled: may('warehouse.list') });
  const list = useList(stockEndpoints.movements, {}, { perPage: 20,
    filters: ['warehouse_id', 'kind', 'place', 'material_id', 'sales_item_id', 'from', 'to'] });
  const stores = { name: 'warehouse_id', label: 'Warehouse', options: (warehouses.data?.data ?? []).map((row) => ({
    value: String(row.id), label: row.name })) };
  const name = list.rows?.[0]?.name;
  const linked = [{ name: 'material_id', label: 'Material', linked: { name } },
    { name: 'sales_item_id', label: 'Sales item', linked: { name } }];
  return (
    <>
      <PageHeader title="Stock movements" subtitle="Every piece that came, went or was counted; nothing is changed here"
        tabs={materialsTabs(may)} />
      <DataTable label="Stock movements" {...list} columns={columns} filters={[kinds, stores, places, ...linked]}
        rowKey={(row) => row.id} searchPlaceholder="Item number or name"
        empty={{ title: 'No movements yet', text: 'Deliveries are received in a warehouse.' }} />
    </>
  );
}
