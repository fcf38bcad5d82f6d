/** Stock of a warehouse, quantities that may be promised for a day, and the entries a clerk makes. */
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import type { WarehouseRow } from '../warehouse/warehouse.contract.ts';
import { EntryDialog } from './entry-dialog.web.tsx';
import { stockEndpoints, type BalanceRow, type EntryKind } from './movement.contract.ts';
import { ENTRY_LABELS, isLow, STOCK_WORDS } from './movement-words.web.ts';
import styles from '../stock.module.css';

const pieces = (count: number) => (count === 0 ? null : count.toLocaleString('en-US'));

const columns: readonly Column<BalanceRow>[] = [
  { id: 'item_number', header: 'Item number', kind: 'code', cell: (row) => row.item_number, sort: true, fixed: true,
    width: 150 },
  { id: 'name', header: 'Item', kind: 'title', cell: (row) => row.name, width: 240 },
  { id: 'on_hand', header: STOCK_WORDS.on_hand, kind: 'number', cell: (row) => row.on_hand.toLocaleString('en-US'),
    sort: true, width: 100 },
  { id: 'reserved', header: STOCK_WORDS.reserved, kind: 'number', cell: (row) => pieces(row.reserved), width: 74 },
  { id: 'picked', header: STOCK_WORDS.picked, kind: 'number', cell: (row) => pieces(row.picked), width: 60 },
  { id: 'on_hire', header: STOCK_WORDS.on_hire, kind: 'number', cell: (row) => pieces(row.on_hire), width: 50 },
  { id: 'quarantine', header: STOCK_WORDS.quarantine, kind: 'number', cell: (row) => pieces(row.quarantine),
    width: 84 },
  { id: 'damaged', header: STOCK_WORDS.damaged, kind: 'number', cell: (row) => pieces(row.damaged), width: 74 },
  { id: 'expected', header: 'Due back', kind: 'number', cell: (row) => pieces(row.expected_back), width: 74 },
  { id: 'available', header: STOCK_WORDS.available, kind: 'number', width: 76,
    cell: (row) => row.available.toLocaleString('en-US') },
  { id: 'low', header: 'Reorder', kind: 'badge', width: 80,
    cell: (row) => (isLow(row) ? <Badge tone="warn" small>At {row.reorder_point}</Badge> : '') },
];

const filters = [{ name: 'low', label: 'Reorder', options: [{ value: 'true', label: 'To be reordered' }] }];
const MORE: readonly EntryKind[] = ['adjust', 'quarantine', 'grade', 'write_off'];

export function StockSection({ warehouse }: { warehouse: WarehouseRow }) {
  const may = useMay();
  const [entry, setEntry] = useState<EntryKind | null>(null);
  const { values, set } = useQueryValues();
  const at = values.get('at');
  const list = useList(stockEndpoints.stock, { params: { id: warehouse.id }, query: at === null ? {} : { at } },
    { filters: ['low'], perPage: 20 });
  const entries = may('warehouse.update');
  return (
    <Section flush title="Stock" right={(
      <span className={styles.links}>
        <ButtonLink href={`/admin/stock-movements?warehouse_id=${warehouse.id}`}>Movements</ButtonLink>
        <ButtonLink href={`/admin/sales-and-royalties/sales-orders?due_back=true&warehouse_id=${warehouse.id}`}>
          Due back
        </ButtonLink>
        {entries && <ActionMenu label="More entries" actions={MORE.map((kind) => ({ label: ENTRY_LABELS[kind],
          onSelect: () => setEntry(kind) }))} />}
        {entries && <Button onClick={() => setEntry('count')}>Count</Button>}
        {entries && <Button onClick={() => setEntry('transfer')}>Transfer</Button>}
        {entries && <Button variant="primary" onClick={() => setEntry('receipt')}>Receive delivery</Button>}
      </span>
    )}>
      <DataTable label="Stock" {...list} columns={columns} rowKey={(row) => row.id} variant="record" filters={filters}
        expectedRows={warehouse.item_count} searchPlaceholder="Item number or name"
        tools={<DateField label="Available on" value={at} onChange={(value) => set({ at: value })}
          className={styles.on} />}
        empty={{ title: 'Nothing in stock yet', text: 'Receive a delivery or transfer from another warehouse.' }} />
      {entry && <EntryDialog kind={entry} warehouse={warehouse} onClose={() => setEntry(null)} />}
    </Section>
  );
}
