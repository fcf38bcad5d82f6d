/** Entries between divisions, newest first. */
import { DIVISION_LABELS } from '#kit/field.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { accountingTabs } from '../accounting-tabs.ts';
import { BALANCES, INTERCOMPANY, IntercompanyBadge, KIND_LABELS, LOOKS } from './intercompany-words.web.tsx';
import { intercompanyEndpoints, type IntercompanyRow } from './intercompany.contract.ts';

const columns: readonly Column<IntercompanyRow>[] = [
  { id: 'number', header: 'Entry', kind: 'title', cell: (row) => row.number, sort: true, fixed: true, width: 170 },
  { id: 'dated_on', header: 'Date', kind: 'date', cell: (row) => row.dated_on, sort: true, width: 120 },
  { id: 'kind', header: 'Type', kind: 'muted', cell: (row) => KIND_LABELS[row.kind], width: 110 },
  { id: 'debtor', header: 'Owed by', kind: 'muted', cell: (row) => DIVISION_LABELS[row.debtor], width: 110 },
  { id: 'creditor', header: 'Owed to', kind: 'muted', cell: (row) => DIVISION_LABELS[row.creditor], width: 110 },
  { id: 'amount_minor', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), sort: true,
    width: 130 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'description', header: 'Description', kind: 'muted', cell: (row) => row.description, width: 240 },
  { id: 'status', header: 'Status', kind: 'badge', width: 140,
    cell: (row) => <IntercompanyBadge status={row.status} /> },
];

const states = Object.fromEntries(Object.entries(LOOKS).map(([key, { label }]) => [key, label]));
const filters = [
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
  { name: 'kind', label: 'Type', options: optionsOf(KIND_LABELS) },
  { name: 'status', label: 'Status', options: optionsOf(states) },
];

export default function IntercompanyList() {
  const may = useMay();
  const list = useList(intercompanyEndpoints.list, {}, { filters: ['division', 'kind', 'status'] });
  const add = may('transaction.update')
    ? <ButtonLink variant="primary" href={`${INTERCOMPANY}/create`}>New entry</ButtonLink> : null;
  return (
    <>
      <PageHeader title="Intercompany" tabs={accountingTabs(may)} subtitle="Charges and settlements between divisions">
        <ButtonLink href={BALANCES}>View balances</ButtonLink>
        {add}
      </PageHeader>
      <DataTable label="Intercompany entries" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => `${INTERCOMPANY}/${row.id}`} searchPlaceholder="Number or description"
        empty={{ title: 'No intercompany entries yet', action: add, text: 'When one division pays or collects for '
          + 'another, enter it once. It is posted in both sets of books after a second person approves it.' }} />
    </>
  );
}
