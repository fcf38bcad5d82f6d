/** Warehouses: the list with its trash, and the page that adds one. */
import { DIVISION_LABELS } from '#kit/field.ts';
import { Badge } from '#web/data/badge.tsx';
import { columnsFrom } from '#web/data/columns-from.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { TrashList } from '#web/layout/trash-list.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { materialsTabs } from '#modules/catalogue/materials-tabs.ts';
import {
  warehouse, warehouseBulk, warehouseEndpoints, warehouseTrashBulk, type WarehouseRow,
} from './warehouse.contract.ts';
import { WarehouseForm, WAREHOUSES } from './warehouse-form.web.tsx';

const columns = columnsFrom<WarehouseRow>(warehouse.fields, [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 260,
    edit: { field: 'name', as: 'text', value: (row) => row.name } },
  { id: 'code', header: 'Code', kind: 'code', cell: (row) => row.code, sort: true, width: 110 },
  { id: 'division', header: 'Division', kind: 'muted', cell: (row) => DIVISION_LABELS[row.division], width: 110 },
  { id: 'city', header: 'City', kind: 'muted', cell: (row) => row.address?.locality, width: 170 },
  { id: 'items', header: 'Items', kind: 'number', cell: (row) => row.item_count, width: 90 },
  { id: 'default', header: 'Ships for division', kind: 'badge', width: 160,
    cell: (row) => (row.default_for_division ? <Badge tone="info" small>By default</Badge> : '') },
  { id: 'state', header: 'Status', kind: 'badge', width: 100,
    cell: (row) => <Badge tone={row.active ? 'ok' : 'neutral'} small>{row.active ? 'Active' : 'Inactive'}</Badge> },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, width: 120 },
], ['active', 'default_for_division']);

const filters = [
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
  { name: 'active', label: 'Status', options: optionsOf({ true: 'Active', false: 'Inactive' }) },
];

export default function WarehouseList() {
  const may = useMay();
  const list = useList(warehouseEndpoints.list, {}, { filters: ['division', 'active'], bulk: warehouseBulk,
    edit: warehouseEndpoints.update });
  return (
    <TrashList<WarehouseRow> one="warehouse" many="warehouses" subtitle="Storage for books, scores and parts"
      href={WAREHOUSES} mayCreate={may('warehouse.create')} mayRemove={may('warehouse.delete')}
      tabs={materialsTabs(may)} endpoints={warehouseEndpoints} trashColumns={columns.slice(0, 4)}
      trashBulk={warehouseTrashBulk}>
      <DataTable label="Warehouses" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => `${WAREHOUSES}/${row.id}`} searchPlaceholder="Name, code or city"
        empty={{ title: 'No warehouses yet', text: 'Stock is kept and shipped in one.' }} />
    </TrashList>
  );
}

export function WarehouseCreate() {
  const { go } = useNavigation();
  return (
    <>
      <PageHeader title="New warehouse" back={WAREHOUSES} />
      <PageContent record>
        <WarehouseForm row={null} mayWrite onSaved={(row) => {
          toast(`${row.name} was added`);
          go(`${WAREHOUSES}/${row.id}`, { replace: true });
        }} />
      </PageContent>
    </>
  );
}
