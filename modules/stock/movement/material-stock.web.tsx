/** Stock of one material: a row for each warehouse, each figure with the list behind it. */
import type { ReactNode } from 'react';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { SALES_ORDERS } from '../sales-order/order-words.web.tsx';
import type { OrderHold } from '../sales-order/sales-order.contract.ts';
import { stockEndpoints, type MaterialStockRow } from './movement.contract.ts';
import { STOCK_WORDS } from './movement-words.web.ts';

interface Material { id: number; item_number: string; fulfilment: string }

/** Nothing for files, and for whoever may not look into a warehouse. */
export function MaterialStock({ material }: { material: Material }) {
  const may = useMay();
  const shown = material.fulfilment === 'physical' && may('warehouse.show');
  const read = useEndpoint(stockEndpoints.ofMaterial, { params: { id: material.id } }, { enabled: shown });
  if (!shown) return null;
  return (
    <Section flush title="Stock">
      <DataTable label="Stock of the material" rows={read.data?.data} error={read.error}
        onRetry={() => void read.refetch()} columns={columnsOf(material, may('license_material.list'))}
        variant="record" rowKey={(row) => row.id} empty={{ title: 'None in any warehouse',
          text: 'Receive a delivery on the page of a warehouse.' }} />
    </Section>
  );
}

function columnsOf(material: Material, mayOrders: boolean): readonly Column<MaterialStockRow>[] {
  const at = (row: MaterialStockRow): string => `material_id=${material.id}&warehouse_id=${row.warehouse_id}`;
  const linked = (count: number, href: string, said: ReactNode = count.toLocaleString('en-US')): ReactNode =>
    (count === 0 ? null : <AppLink href={href}>{said}</AppLink>);
  const moved = (row: MaterialStockRow, place: 'on_hand' | 'quarantine' | 'damaged'): ReactNode =>
    linked(row[place], `/admin/stock-movements?${at(row)}&place=${place}`);
  const ordered = (row: MaterialStockRow, hold: OrderHold, count: number, said?: ReactNode): ReactNode => (mayOrders
    ? linked(count, `${SALES_ORDERS}?${at(row)}&holds=${hold}`, said) : count === 0 ? null : said ?? count);
  return [
    { id: 'warehouse', header: 'Warehouse', kind: 'title', width: 170, cell: (row) => (
      <AppLink href={`/admin/warehouses/${row.warehouse_id}?search=${encodeURIComponent(material.item_number)}`}>
        {row.warehouse_name}
      </AppLink>) },
    { id: 'on_hand', header: STOCK_WORDS.on_hand, kind: 'number', cell: (row) => moved(row, 'on_hand'), width: 100 },
    { id: 'reserved', header: STOCK_WORDS.reserved, kind: 'number', width: 80,
      cell: (row) => ordered(row, 'reserved', row.reserved) },
    { id: 'available', header: STOCK_WORDS.available, kind: 'number', width: 80,
      cell: (row) => row.available.toLocaleString('en-US') },
    { id: 'picked', header: STOCK_WORDS.picked, kind: 'number', width: 70,
      cell: (row) => ordered(row, 'picked', row.picked) },
    { id: 'on_hire', header: STOCK_WORDS.on_hire, kind: 'number', width: 60,
      cell: (row) => ordered(row, 'out', row.on_hire) },
    { id: 'quarantine', header: STOCK_WORDS.quarantine, kind: 'number', cell: (row) => moved(row, 'quarantine'),
      width: 90 },
    { id: 'damaged', header: STOCK_WORDS.damaged, kind: 'number', cell: (row) => moved(row, 'damaged'), width: 80 },
    { id: 'next_back_on', header: 'Next due back', kind: 'text', width: 120,
      cell: (row) => row.next_back_on && ordered(row, 'out', row.on_hire, <DateText value={row.next_back_on} />) },
  ];
}
