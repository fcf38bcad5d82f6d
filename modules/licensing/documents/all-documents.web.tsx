/** Documents of all licences (RT98): what was made, sent, opened and signed, wherever it belongs. */
import { urlOf } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { dayOf } from '#web/data/local-day.ts';
import type { TableFilter } from '#web/data/table-filter.tsx';
import { DIVISIONS, divisionLabel } from '#web/layout/division.ts';
import { PageHeader } from '#web/layout/page-header.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { licenseHref } from '../licenses/license-place.web.ts';
import { DOCUMENT_OPTIONS, documentTone, documentWords, sizeWords } from './document-words.web.ts';
import { DOCUMENT_STATUSES, documentBulk, licenseDocumentEndpoints } from './license-document.contract.ts';

type Row = ResponseOf<typeof licenseDocumentEndpoints.everywhere>['data'][number];

const filters: readonly TableFilter[] = [
  { name: 'type', label: 'Type', options: DOCUMENT_OPTIONS },
  { name: 'status', label: 'Status',
    options: DOCUMENT_STATUSES.map((value) => ({ value, label: documentWords(value) })) },
  { name: 'division', label: 'Division',
    options: DIVISIONS.map((value) => ({ value, label: divisionLabel(value) })) },
  { name: 'unsigned', label: 'Signature', options: optionsOf({ true: 'Waits for one' }) },
];

const columns: readonly Column<Row>[] = [
  { id: 'type', header: 'Document', kind: 'title', sort: true, fixed: true, width: 210,
    cell: (row) => documentWords(row.type) },
  { id: 'license', header: spell`License`, kind: 'code', width: 160, cell: (row) => row.license_number },
  { id: 'title', header: 'Show', width: 200, cell: (row) => row.title },
  { id: 'customer', header: 'Customer', kind: 'muted', width: 210, cell: (row) => row.customer_name },
  { id: 'status', header: 'Status', kind: 'badge', sort: true, width: 110,
    cell: (row) => <Badge small tone={documentTone(row.status)}>{documentWords(row.status)}</Badge> },
  { id: 'version', header: 'Version', kind: 'number', width: 70, cell: (row) => row.offer_version },
  { id: 'description', header: 'Description', kind: 'muted', width: 200, hidden: true, cell: (row) => row.description },
  { id: 'division', header: 'Division', kind: 'muted', width: 90, hidden: true, cell: (row) => row.division },
  { id: 'signed', header: 'Signed', kind: 'date', width: 110, hidden: true,
    cell: (row) => dayOf(row.signed_at) },
  { id: 'size', header: 'Size', kind: 'number', width: 90, cell: (row) => sizeWords(row.size_bytes) },
  { id: 'updated_at', header: 'Changed', kind: 'date', sort: true, width: 110,
    cell: (row) => dayOf(row.updated_at) },
];

function File({ row }: { row: Row }) {
  if (row.file_name === null) return null;
  const params = { licenseId: row.license_id, documentId: row.id };
  return (
    <PdfLink size="small" variant="quiet" href={urlOf(licenseDocumentEndpoints.file, params)} fileName={row.file_name}
      title={`${documentWords(row.type)} of ${row.license_number}`}>
      <span>Open<span className="gr-hidden"> {documentWords(row.type)} of {row.license_number}</span></span>
    </PdfLink>
  );
}

export default function AllDocuments() {
  const may = useMay();
  const list = useList(licenseDocumentEndpoints.everywhere, {},
    { filters: ['type', 'status', 'division', 'unsigned'], perPage: 25, bulk: documentBulk });
  const shown: readonly Column<Row>[] = may('license_document.show')
    ? [...columns, { id: 'file', header: 'File', kind: 'actions', cell: (row) => <File row={row} /> }] : columns;
  return (
    <>
      <PageHeader title="Documents" subtitle={spell`Offers, contracts, invoices and uploads of all licenses`} />
      <DataTable label="Documents" {...list} columns={shown} filters={filters} rowKey={(row) => row.id}
        rowHref={may('license.show') ? (row) => `${licenseHref({ id: row.license_id, phase: row.phase,
          customer_id: row.customer_id })}/documents/${row.id}` : undefined}
        searchPlaceholder={spell`License, show or customer`}
        empty={{ title: 'No documents yet', text: 'Offers and contracts are made on a quote; others are uploaded.' }} />
    </>
  );
}
