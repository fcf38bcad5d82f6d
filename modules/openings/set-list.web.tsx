/** Opening balances: the sets that a house moves in with, and what is still missing. */
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { accountingTabs } from '#modules/accounting/accounting-tabs.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { Button } from '#web/controls/button/button.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { KIND_LABELS, openingSetEndpoints, type OpeningSetRow } from './opening-set.contract.ts';
import { SET_LOOKS, SetBadge, SETS } from './set-words.web.tsx';
import { UploadDialog } from './upload-dialog.web.tsx';

const columns: readonly Column<OpeningSetRow>[] = [
  { id: 'kind', header: 'Contents', kind: 'title', cell: (row) => KIND_LABELS[row.kind], sort: true, fixed: true,
    width: 180 },
  { id: 'division', header: 'Division', kind: 'muted', cell: (row) => DIVISION_LABELS[row.division], width: 110 },
  { id: 'as_of', header: 'As of', kind: 'date', cell: (row) => row.as_of, sort: true, width: 120 },
  { id: 'state', header: 'Status', kind: 'badge', cell: (row) => <SetBadge set={row} />, width: 150 },
  { id: 'rows', header: 'Rows', kind: 'number', cell: (row) => row.row_count, width: 80 },
  { id: 'problems', header: 'Wrong', kind: 'number', width: 80,
    cell: (row) => (row.problem_count === 0 ? null : row.problem_count) },
  { id: 'file', header: 'File', kind: 'muted', cell: (row) => row.file_name, width: 200 },
  { id: 'by', header: 'Uploaded by', kind: 'muted', cell: (row) => row.created_by_name, width: 150 },
  { id: 'posted_by', header: 'Posted by', kind: 'muted', cell: (row) => row.posted_by_name, width: 150 },
  { id: 'posted_at', header: 'Posted', kind: 'date', cell: (row) => row.posted_at, width: 120 },
];

const states = Object.fromEntries(Object.entries(SET_LOOKS).map(([key, { label }]) => [key, label]));
const filters = [
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
  { name: 'kind', label: 'Contents', options: optionsOf(KIND_LABELS) },
  { name: 'status', label: 'Status', options: optionsOf(states) },
];

export default function SetList() {
  const may = useMay();
  const [uploading, setUploading] = useState(false);
  const list = useList(openingSetEndpoints.list, {}, { filters: ['division', 'kind', 'status'] });
  const add = may('transaction.create') && (
    <Button variant="primary" icon={<Upload size={15} aria-hidden="true" />} onClick={() => setUploading(true)}>
      Upload a file
    </Button>);
  return (
    <>
      <PageHeader title="Opening balances" tabs={accountingTabs(may)}
        subtitle="Balances and open documents from your former books">
        {add}
      </PageHeader>
      <DataTable label="Opening balances" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => (may('transaction.view') ? `${SETS}/${row.id}` : undefined)}
        searchPlaceholder="Contents or file"
        empty={{ title: 'No opening balances yet', action: add || undefined,
          text: 'Begin with the next numbers, then upload the trial balance, the open invoices and bills, and the bank '
            + 'balances of the day on which you move in.' }} />
      {uploading && <UploadDialog onClose={() => setUploading(false)} />}
    </>
  );
}
