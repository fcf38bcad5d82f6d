/** Bills: the list with its trash, where a dropped file begins one, and the payables view of the same records. */
import { useState } from 'react';
import { DIVISION_LABELS } from '#kit/field.ts';
import { accountingTabs } from '#modules/accounting/accounting-tabs.ts';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import type { TableFilter } from '#web/data/table-filter.tsx';
import { useDivision } from '#web/layout/division.ts';
import { Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { TrashList } from '#web/layout/trash-list.tsx';
import { useNavigation, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { PurgeButton } from '../purge-button.web.tsx';
import { PAYABLES, payablesTabs } from '../payables-tabs.ts';
import { billBulk, billEndpoints, billTrashBulk, type BillRow } from './bill.contract.ts';
import { billBadge, BILLS, KIND_LABELS, STATE_LABELS } from './bill-words.web.tsx';
import { TaxesDue } from './bill-taxes.web.tsx';
import { FILE_TYPES, keepDropped } from './dropped-file.web.ts';

const columns: readonly Column<BillRow>[] = [
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number, sort: true, width: 165 },
  { id: 'vendor', header: 'Vendor', kind: 'title', cell: (row) => row.vendor_name, sort: true, fixed: true,
    width: 240 },
  { id: 'vendor_number', header: 'Vendor’s number', kind: 'code', cell: (row) => row.vendor_number, width: 150 },
  { id: 'billed_on', header: 'Billed', kind: 'date', cell: (row) => row.billed_on, sort: true, width: 120 },
  { id: 'due_on', header: 'Due', kind: 'date', cell: (row) => row.due_on, sort: true, width: 120 },
  { id: 'total_minor', header: 'Total', kind: 'money', cell: (row) => BigInt(row.total_minor), sort: true, width: 130 },
  { id: 'open_minor', header: 'Open', kind: 'money', cell: (row) => BigInt(row.open_minor), sort: true, width: 130 },
  { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
  { id: 'state', header: 'Status', kind: 'badge', cell: (row) => billBadge(row, true), width: 150 },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => KIND_LABELS[row.kind], hidden: true, width: 120 },
  { id: 'division', header: 'Division', kind: 'muted', cell: (row) => DIVISION_LABELS[row.division], hidden: true,
    width: 110 },
  { id: 'memo', header: 'Note', kind: 'muted', cell: (row) => row.memo, hidden: true, width: 200 },
  { id: 'file', header: 'File', kind: 'muted', cell: (row) => row.file_name, hidden: true, width: 180 },
  { id: 'entered_by', header: 'Entered by', kind: 'muted', cell: (row) => row.entered_by_name, hidden: true,
    width: 150 },
  { id: 'schedule', header: 'Recurring bill', kind: 'muted', cell: (row) => row.schedule_name, hidden: true,
    width: 180 },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, hidden: true,
    width: 120 },
];

const FILTER_NAMES = ['state', 'vendor_id', 'division', 'kind', 'on_hold', 'due_by', 'billed_from', 'billed_to',
  'currency', 'has_file', 'schedule_id'] as const;
const YES = optionsOf({ true: 'Yes', false: 'No' });
const filters: readonly TableFilter[] = [
  { name: 'state', label: 'Status', options: optionsOf(STATE_LABELS) },
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
  { name: 'kind', label: 'Kind', options: optionsOf(KIND_LABELS) },
  { name: 'on_hold', label: 'On hold', options: YES },
  { name: 'due_by', label: 'Due', verb: 'by', kind: 'date' },
  { name: 'billed_from', label: 'Billed', verb: 'from', kind: 'date' },
  { name: 'billed_to', label: 'Billed', verb: 'until', kind: 'date' },
  { name: 'currency', label: 'Currency', options: optionsOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' }) },
  { name: 'has_file', label: 'File', options: YES },
  { name: 'vendor_id', label: 'Vendor', linked: { name: null } },
  { name: 'schedule_id', label: 'Recurring bill', linked: { name: null } },
];

export default function BillList() {
  const may = useMay();
  const { go } = useNavigation();
  const list = useList(billEndpoints.list, {}, { perPage: 25, filters: [...FILTER_NAMES], bulk: billBulk });
  const trashColumns: readonly Column<BillRow>[] = [...columns.slice(0, 6),
    ...(may('bill.forceDelete') ? [{ id: 'purge', header: 'Delete', kind: 'actions' as const, width: 140,
      cell: (row: BillRow) => <PurgeButton endpoint={billEndpoints.purge} row={row} noun="Bill" /> }] : [])];
  return (
    <TrashList<BillRow> one="bill" many="bills" href={BILLS} subtitle="Bills and credits of vendors"
      mayCreate={may('bill.create')} mayRemove={may('bill.delete')} endpoints={billEndpoints}
      tabs={accountingTabs(may)} trashColumns={trashColumns} trashBulk={billTrashBulk}>
      {may('bill.create') && (
        <Section>
          <FileDrop label="Start a bill with its file" types={FILE_TYPES} taken="chosen" onUpload={async (file) => {
            keepDropped(file);
            go(`${BILLS}/create`);
            await Promise.resolve();
          }} />
        </Section>
      )}
      <DataTable label="Bills" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => `${BILLS}/${row.id}`} searchPlaceholder="Vendor, number or note"
        empty={{ title: 'No bills yet', text: 'Enter the first bill, or drop its PDF above.' }} />
    </TrashList>
  );
}

/** Approved bills that are not paid, as Payables shows them. */
export function PayableBills() {
  const may = useMay();
  const list = useList(billEndpoints.payable, {}, { perPage: 25, filters: [...FILTER_NAMES] });
  const { values, set } = useQueryValues();
  const [division] = useDivision();
  // A task of the home names the division whose taxes are due.
  const [taxes, setTaxes] = useState(values.get('taxes'));
  const closeTaxes = () => { setTaxes(null); set({ taxes: null }); };
  return (
    <>
      <PageHeader title="Accounts payable" tabs={payablesTabs(may)} subtitle="Approved bills that are not paid">
        {may('bill.create') && <Button onClick={() => setTaxes(division)}>Taxes due</Button>}
      </PageHeader>
      <DataTable label="Bills to pay" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => `${PAYABLES}/invoices/${row.id}`} searchPlaceholder="Vendor, number or note"
        empty={{ title: 'Nothing to pay', text: 'Approved bills appear here. Enter bills under '
          + 'Accounting, Bills.' }} />
      {taxes !== null && <TaxesDue of={taxes} onClose={closeTaxes} />}
    </>
  );
}
