/** Versions of contract texts: which one is in use for each division and category, and whether counsel approved it. */
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Badge, type Tone } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import type { TableFilter } from '#web/data/table-filter.tsx';
import { DIVISIONS, divisionLabel } from '#web/layout/division.ts';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { contractTemplateEndpoints, type ContractTemplateRow } from './contract-template.contract.ts';
import { approvalWords, CATEGORY_WORDS, STATUS_WORDS, templateName } from './contract-template-words.web.ts';

const TONES: Readonly<Record<ContractTemplateRow['status'], Tone>> =
  { draft: 'info', in_use: 'ok', retired: 'outline' };

const columns: readonly Column<ContractTemplateRow>[] = [
  { id: 'division', header: 'Contract', kind: 'title', sort: true, fixed: true, width: 240, cell: templateName },
  { id: 'version_no', header: 'Version', kind: 'number', sort: true, width: 90, cell: (row) => row.version_no },
  { id: 'status', header: 'Status', kind: 'badge', width: 110,
    cell: (row) => <Badge small tone={TONES[row.status]}>{STATUS_WORDS[row.status]}</Badge> },
  { id: 'approval', header: 'Approval', kind: 'muted', width: 220, cell: approvalWords },
  { id: 'clauses', header: 'Clauses', kind: 'number', width: 90, cell: (row) => row.clause_count },
  { id: 'contracts', header: 'Contracts', kind: 'number', width: 100, cell: (row) => row.contract_count },
  { id: 'note', header: 'Note', kind: 'muted', width: 240, hidden: true, cell: (row) => row.note },
  { id: 'updated_at', header: 'Changed', kind: 'date', sort: true, width: 120, cell: (row) => row.updated_at },
];

const filters: readonly TableFilter[] = [
  { name: 'division', label: 'Division', options: DIVISIONS.map((value) => ({ value, label: divisionLabel(value) })) },
  { name: 'category', label: 'Category', options: optionsOf(CATEGORY_WORDS) },
  { name: 'status', label: 'Status', options: optionsOf(STATUS_WORDS) },
];

export default function ContractTemplateList() {
  const may = useMay();
  const list = useList(contractTemplateEndpoints.list, {},
    { filters: ['division', 'category', 'status'], perPage: 25 });
  return (
    <>
      <PageHeader title="Contract texts" subtitle="The clauses of every contract, by division and category">
        <ButtonLink href="/admin/templates/templates" variant="quiet">All templates</ButtonLink>
      </PageHeader>
      <DataTable label="Contract texts" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={may('license_document.show') ? (row) => `/admin/templates/contracts/${row.id}` : undefined}
        searchPlaceholder="Search the clauses"
        empty={{ title: 'No contract texts match', text: 'Change the search or the filters.' }} />
    </>
  );
}
