/** Every row of an import and what became of it, with the file of those that were left out. */
import { Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { countOf } from '#kernel/text/count.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { importEndpoints, RECORD_STATUSES, type ImportDetail, type ImportRecord } from './import.contract.ts';
import { IMPORT_KINDS, type ImportKind } from './kinds/import-kind.contract.ts';
import { recordLook, ROW_LOOK } from './import-words.web.tsx';

const columns: readonly Column<ImportRecord>[] = [
  { id: 'row_no', header: 'Row', kind: 'code', width: 80, sort: true, fixed: true, cell: (row) => String(row.row_no) },
  { id: 'status', header: 'Status', kind: 'badge', width: 130, fixed: true, cell: (row) => {
    const look = recordLook(row);
    return <Badge tone={look.tone} icon={look.icon} small>{look.label}</Badge>;
  } },
  { id: 'title', header: 'Show', width: 220, cell: (row) => row.title && row.license_id
    ? <AppLink href={`/admin/customers/${row.customer_id}/productions/${row.license_id}`}>{row.title}</AppLink>
    : row.cells?.filter((cell) => cell !== '').slice(0, 4).join(' · ') },
  { id: 'venue', header: 'Venue', kind: 'muted', width: 170, cell: (row) => row.venue_name },
  { id: 'period_to', header: 'Period to', kind: 'date', width: 130, cell: (row) => row.period_to },
  { id: 'gross', header: 'Gross', kind: 'money', width: 130,
    cell: (row) => row.gross_minor === null ? null : BigInt(row.gross_minor) },
  { id: 'currency', header: 'Currency', kind: 'muted', width: 90, hidden: true, cell: (row) => row.currency },
  { id: 'reason', header: 'Reason', kind: 'muted', width: 420, cell: (row) => row.reason },
];
const recordColumns = (kind: ImportKind): readonly Column<ImportRecord>[] => [
  ...columns.slice(0, 2),
  { id: 'title', header: 'Record', width: 300, cell: (row) => {
    const text = row.label ?? row.cells?.filter((cell) => cell !== '').slice(0, 4).join(' · ');
    if (row.entity_id === null || !kind.href) return text;
    return <AppLink href={kind.href(row.entity_id, row.show_type)}>{text}</AppLink>;
  } },
  ...columns.slice(-1),
];
const filters = [{ name: 'status', label: 'Status',
  options: RECORD_STATUSES.map((value) => ({ value,
    label: value === 'duplicate' ? 'Already there' : ROW_LOOK[value].label })) }];
const AGAIN_MS = 2000;

export function RecordTable({ row }: { row: ImportDetail }) {
  const may = useMay();
  const list = useList(importEndpoints.records, { params: { id: row.id } }, { filters: ['status'], perPage: 25,
    enabled: may('import.listRecords'), ...(row.status === 'processing' && { refetchInterval: AGAIN_MS }) });
  // Rows of a running import are a snapshot: the last ones are read once it is over.
  const refresh = useRefresh([importEndpoints.records]);
  const seen = useRef(row.status);
  useEffect(() => {
    if (seen.current === 'processing' && row.status !== 'processing') void refresh();
    seen.current = row.status;
  }, [row.status, refresh]);
  if (!may('import.listRecords')) return null;
  const file = row.rows_refused > 0 && may('import.downloadRecords') && (
    <ButtonLink size="small" download="" icon={<Download size={14} aria-hidden="true" />}
      href={`/api/admin/staff/imports/${row.id}/records/download`}>
      {`Download ${countOf(row.rows_refused, 'row')} left out`}
    </ButtonLink>
  );
  return (
    <Section title="Rows" record right={file}>
      <DataTable label="Rows of the import" variant="record" {...list} filters={filters}
        columns={row.model_name === 'box_office_reports' ? columns : recordColumns(IMPORT_KINDS[row.model_name])}
        rowKey={(record) => record.id}
        empty={{ title: 'No row has been worked yet', text: 'Rows appear here as they are imported.' }} />
    </Section>
  );
}
