/** The agreements of every title in one list, which leaves as a file for an import with all their terms. */
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { divisionAndCurrency } from '#web/layout/division.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { AGREEMENT_STATUS } from '../catalogue-labels.web.ts';
import { AgreementBadge } from './agreement-badge.web.tsx';
import { agreementEndpoints, ROLE_LABELS, type AgreementRow } from './agreement.contract.ts';

const columns: readonly Column<AgreementRow>[] = [
  { id: 'show_title', header: 'Title', kind: 'title', cell: (row) => row.show_title, sort: true, fixed: true,
    width: 240 },
  { id: 'royaltor_name', header: 'Royaltor', cell: (row) => row.royaltor_name, sort: true, width: 220 },
  { id: 'role', header: 'Role', kind: 'muted', cell: (row) => ROLE_LABELS[row.role], width: 140 },
  { id: 'contract', header: 'Contract', kind: 'code', cell: (row) => row.contract_no, width: 110 },
  { id: 'payer', header: 'Paid by', kind: 'muted', width: 120,
    cell: (row) => divisionAndCurrency({ ...row, division: row.payer_division }) },
  { id: 'terms', header: 'Terms', kind: 'number', cell: (row) => row.term_count, width: 80 },
  { id: 'status', header: 'Status', kind: 'badge', width: 110,
    cell: (row) => <AgreementBadge status={row.status} /> },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, width: 120 },
];

const filters = [{ name: 'status', label: 'Status', options: optionsOf(
  Object.fromEntries(Object.entries(AGREEMENT_STATUS).map(([status, { label }]) => [status, label]))) }];

export function AllAgreements() {
  // Views are kept by address, and this one is that of the royaltors.
  const list = useList(agreementEndpoints.list, {}, { filters: ['status'], views: false });
  return (
    <DataTable label="Agreements of all titles" {...list} columns={columns} filters={filters}
      rowKey={(row) => row.id} rowHref={(row) => `/admin/${row.show_type}s/${row.show_id}/royaltors/${row.id}`}
      searchPlaceholder="Title or royaltor"
      empty={{ title: 'No agreements yet', text: 'Agreements are made on the page of a title.' }} />
  );
}
