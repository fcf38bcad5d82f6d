/** Goods received and not billed, by line of a delivery; whether the ledger agrees; and the way back to the vendor. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { goodsReceiptEndpoints } from '#modules/stock/goods-receipt/goods-receipt.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import type { TableFilter } from '#web/data/table-filter.tsx';
import { useDivision } from '#web/layout/division.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { payablesTabs } from '../payables-tabs.ts';
import { goodsReceivedEndpoints, type GoodsReceivedRow, type GoodsReceivedTieOut } from './goods-received.contract.ts';

type TieRow = GoodsReceivedTieOut['rows'][number];

type Act = ((row: GoodsReceivedRow) => void) | null;

function columnsOf(onReturn: Act, onBill: Act): readonly Column<GoodsReceivedRow>[] {
  return [
    { id: 'number', header: 'Receipt', kind: 'code', cell: (row) => row.number, sort: true, width: 160 },
    { id: 'vendor', header: 'Vendor', kind: 'title', cell: (row) => row.vendor_name, sort: true, fixed: true,
      width: 200 },
    { id: 'received_on', header: 'Received', kind: 'date', cell: (row) => row.received_on, sort: true, width: 120 },
    { id: 'item', header: 'Item', kind: 'text', cell: (row) => row.item_name, width: 220 },
    { id: 'quantity', header: 'Received', kind: 'number', cell: (row) => row.quantity, width: 100 },
    { id: 'billed', header: 'Billed', kind: 'number', cell: (row) => row.billed_quantity, width: 90 },
    { id: 'returned', header: 'Returned', kind: 'number', cell: (row) => row.returned_quantity, width: 100 },
    { id: 'free', header: 'On no bill', kind: 'number', cell: (row) => row.free_quantity, width: 100 },
    { id: 'unit_cost', header: 'Cost each', kind: 'money', cell: (row) => BigInt(row.unit_cost_minor), width: 120 },
    { id: 'unbilled_minor', header: 'Not billed', kind: 'money', cell: (row) => BigInt(row.unbilled_minor), sort: true,
      width: 130 },
    { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
    { id: 'item_number', header: 'Item number', kind: 'code', cell: (row) => row.item_number, hidden: true,
      width: 150 },
    { id: 'delivery_note', header: 'Delivery note', kind: 'muted', cell: (row) => row.delivery_note, hidden: true,
      width: 150 },
    { id: 'warehouse', header: 'Warehouse', kind: 'muted', cell: (row) => row.warehouse_name, hidden: true,
      width: 160 },
    { id: 'division', header: 'Division', kind: 'muted', cell: (row) => DIVISION_LABELS[row.division], hidden: true,
      width: 110 },
    { id: 'actions', header: 'Actions', kind: 'actions', width: 80, cell: (row) => row.free_quantity > 0
      && (onReturn !== null || onBill !== null) && (
      <ActionMenu label={`Actions of ${row.number}, ${row.item_name}`} actions={[
        ...(onBill === null ? [] : [{ label: 'Enter the bill', onSelect: () => onBill(row) }]),
        ...(onReturn === null ? [] : [{ label: 'Return to the vendor', onSelect: () => onReturn(row) }])]} />) },
  ];
}

const filters: readonly TableFilter[] = [
  { name: 'unbilled', label: 'Billed', options: optionsOf({ true: 'Not yet', false: 'All of it' }) },
  { name: 'free', label: 'On no bill', options: optionsOf({ true: 'Yes', false: 'No' }) },
  { name: 'received_from', label: 'Received', verb: 'from', kind: 'date' },
  { name: 'received_to', label: 'Received', verb: 'until', kind: 'date' },
  { name: 'vendor_id', label: 'Vendor', linked: { name: null } },
  { name: 'receipt_id', label: 'Receipt', linked: { name: null } },
  { name: 'warehouse_id', label: 'Warehouse', linked: { name: null } },
];

export default function GoodsReceived() {
  const may = useMay();
  const { go } = useNavigation();
  const [division] = useDivision();
  const [comparing, setComparing] = useState(false);
  const [returning, setReturning] = useState<GoodsReceivedRow | null>(null);
  const list = useList(goodsReceivedEndpoints.list, { query: { division } }, { perPage: 25,
    filters: ['unbilled', 'free', 'received_from', 'received_to', 'vendor_id', 'receipt_id', 'warehouse_id'] });
  const columns = columnsOf(may('warehouse.update') ? setReturning : null, may('bill.create')
    ? (row) => go(`/admin/accounting/bills/create?vendor_id=${row.vendor_id}`) : null);
  return (
    <>
      <PageHeader title="Goods received" division tabs={payablesTabs(may)}
        subtitle="Deliveries of vendors at cost, until their bill is approved">
        <Button onClick={() => setComparing(true)}>Compare with the ledger</Button>
      </PageHeader>
      <DataTable label="Goods received" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        searchPlaceholder="Receipt, delivery note, vendor or item"
        empty={{ title: 'No goods received yet', text: 'Open a warehouse, choose Receive delivery, and name the vendor '
          + 'with the cost of each item. What is not billed yet appears here.' }} />
      {comparing && <TieOut division={division} onClose={() => setComparing(false)} />}
      {returning && <ReturnForm row={returning} onClose={() => setReturning(null)} />}
    </>
  );
}

const tieColumns: readonly Column<TieRow>[] = [
  { id: 'vendor', header: 'Vendor', kind: 'title', cell: (row) => row.vendor_name, width: 220 },
  { id: 'received', header: 'Not billed', kind: 'money', cell: (row) => BigInt(row.received_minor), width: 130 },
  { id: 'ledger', header: 'Ledger (2010)', kind: 'money', cell: (row) => BigInt(row.ledger_minor), width: 130 },
  { id: 'difference', header: 'Difference', kind: 'money', cell: (row) => BigInt(row.difference_minor), width: 130 },
];

function TieOut({ division, onClose }: { division: GoodsReceivedTieOut['division']; onClose: () => void }) {
  const read = useEndpoint(goodsReceivedEndpoints.tieOut, { query: { division } });
  const found = read.data?.data;
  return (
    <Modal open onClose={onClose} title="Received and not billed" width={720}>
      {found && <p><Badge tone={found.ok ? 'ok' : 'error'}>{found.ok ? 'Equals Accrued purchases (2010)'
        : 'Differs from Accrued purchases (2010)'}</Badge> Amounts in {found.currency}.</p>}
      <DataTable label="By vendor" variant="record" columns={tieColumns} rows={found?.rows} searchable={false}
        rowKey={(row) => row.vendor_id} error={read.error} onRetry={() => void read.refetch()}
        empty={{ title: 'Nothing is open', text: 'Everything that was received is billed or sent back.' }} />
    </Modal>
  );
}

function ReturnForm({ row, onClose }: { row: GoodsReceivedRow; onClose: () => void }) {
  const refresh = useRefresh([goodsReceivedEndpoints.list, goodsReceivedEndpoints.tieOut]);
  const form = useResourceForm({
    initial: { quantity: row.free_quantity as number | null, reason: '', barcodes: '' },
    submit: ({ quantity, reason, barcodes }, { idempotencyKey }) => call(goodsReceiptEndpoints.giveBack,
      { params: { id: row.id }, body: { quantity: quantity ?? 0, reason,
        barcodes: barcodes.split(/[\s,;]+/).filter((one) => one !== '') } }, { idempotencyKey }),
    onSaved: () => { toast(`${row.item_name} returned to ${row.vendor_name}`); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`Return ${row.item_name}`} width={480}>
      <FormFrame form={form} aria-label="Return">
        <p>It leaves the shelf and is no longer owed to {row.vendor_name}.</p>
        <NumberField label="Quantity" required caption={`${row.free_quantity} on no bill`}
          {...form.field('quantity')} />
        {row.serial_tracked && (
          <TextField label="Labels" required rows={2} caption="The barcode of each copy"
            {...form.field('barcodes')} />)}
        <TextField label="Reason" required maxLength={300} {...form.field('reason')} />
        <FormActions><Button type="submit" variant="primary" pending={form.pending}>Return goods</Button></FormActions>
      </FormFrame>
    </Modal>
  );
}
