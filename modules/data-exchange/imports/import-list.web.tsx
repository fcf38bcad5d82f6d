/** Imports: what was loaded, by whom, and what became of it (RT31). */
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { importTemplateEndpoints } from '../import-templates/import-template.contract.ts';
import { importEndpoints, IMPORT_STATUSES, type ImportRow } from './import.contract.ts';
import { IMPORT_KINDS, IMPORT_MODELS } from './kinds/import-kind.contract.ts';
import { formatCount, IMPORT_TABS, STATUS_LOOK } from './import-words.web.tsx';
import styles from './import.module.css';

const columns: readonly Column<ImportRow>[] = [
  { id: 'file', header: 'File', kind: 'title', fixed: true, width: 250, cell: (row) => row.file_name },
  { id: 'status', header: 'Status', kind: 'badge', width: 130, cell: (row) => <StatusBadge row={row} /> },
  { id: 'rows_total', header: 'Rows', kind: 'number', width: 90, sort: true,
    cell: (row) => formatCount(row.rows_total) },
  { id: 'imported', header: 'Imported', kind: 'number', width: 100, cell: (row) => some(row, row.rows_imported) },
  { id: 'duplicate', header: 'Duplicates', kind: 'number', width: 100, cell: (row) => some(row, row.rows_duplicate) },
  { id: 'refused', header: 'Left out', kind: 'number', width: 90, cell: (row) => some(row, row.rows_refused) },
  { id: 'questioned', header: 'Questions', kind: 'number', width: 100, hidden: true,
    cell: (row) => some(row, row.rows_questioned) },
  { id: 'kind', header: 'Contents', kind: 'muted', width: 150, cell: (row) => IMPORT_KINDS[row.model_name].label },
  { id: 'template', header: 'Template', kind: 'muted', width: 170, cell: (row) => row.template_name },
  { id: 'by', header: 'By', kind: 'muted', width: 150, cell: (row) => row.created_by_name },
  { id: 'created_at', header: 'Uploaded', kind: 'date', width: 110, sort: true, cell: (row) => row.created_at },
];

/** A figure that is not known yet shows nothing. */
function some(row: ImportRow, n: number): string | null {
  return row.rows_done === 0 ? null : formatCount(n);
}

export function StatusBadge({ row }: { row: Pick<ImportRow, 'status' | 'task_done' | 'task_total'> }) {
  const look = STATUS_LOOK[row.status];
  const percent = row.task_total === 0 ? 0 : Math.floor((row.task_done / row.task_total) * 100);
  const share = row.status === 'processing' ? ` ${percent}%` : '';
  return <Badge tone={look.tone} icon={look.icon} small>{look.label}{share}</Badge>;
}

const filters = [{ name: 'status', label: 'Status',
  options: IMPORT_STATUSES.map((value) => ({ value, label: STATUS_LOOK[value].label })) },
{ name: 'model_name', label: 'Contents',
  options: IMPORT_MODELS.map((value) => ({ value, label: IMPORT_KINDS[value].label })) }];
/** While something works, the list looks again. */
const AGAIN_MS = 2000;

export default function ImportList() {
  const may = useMay();
  const [busy, setBusy] = useState(false);
  const [uploading, setUploading] = useState(false);
  const list = useList(importEndpoints.list, {}, { filters: ['status', 'model_name'], perPage: 25,
    ...(busy && { refetchInterval: AGAIN_MS }) });
  const working = list.rows?.some((row) => row.status === 'processing') ?? false;
  if (working !== busy) setBusy(working);
  const start = may('import.create') && (
    <Button variant="primary" icon={<Upload size={15} aria-hidden="true" />} onClick={() => setUploading(true)}>
      Import a file
    </Button>
  );
  return (
    <>
      <PageHeader title="Imports" tabs={IMPORT_TABS}>{start}</PageHeader>
      <DataTable label="Imports" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => `/admin/imports/history/${row.id}`}
        empty={{ title: 'Nothing imported yet', action: start,
          text: 'Import box-office reports, customers, shows, venues and other lists from CSV files or Excel '
            + 'workbooks. A template maps the columns.' }} />
      {uploading && <UploadDialog onClose={() => setUploading(false)} />}
    </>
  );
}

/** Template, file, done: the import opens with its columns and a preview. */
function UploadDialog({ onClose }: { onClose: () => void }) {
  const navigation = useNavigation();
  const may = useMay();
  const templates = useEndpoint(importTemplateEndpoints.list, { query: { per_page: 100, active: 'true' } });
  const [template, setTemplate] = useState<number | null>(null);
  // People who may not create such records one by one are not offered to import them.
  const options = (templates.data?.data ?? [])
    .filter((row) => IMPORT_KINDS[row.model_name].rights.every((right) => may(right)))
    .map((row) => ({ value: row.id, label: row.name,
      children: `${IMPORT_KINDS[row.model_name].label}, ${row.columns_count} columns` }));

  async function send(file: File, progress: (share: number) => void, signal: AbortSignal) {
    const form = new FormData();
    form.set('import_template_id', String(template));
    form.set('file', file);
    const answer = await call(importEndpoints.create, { body: { import_template_id: template } }, {
      form, signal, idempotencyKey: crypto.randomUUID(),
      onUploadProgress: (event) => progress(event.total ? event.loaded / event.total : 0),
    });
    navigation.go(`/admin/imports/history/${answer.data.id}`);
  }
  return (
    <Modal open title="Import a file" onClose={onClose}>
      <div className={styles.dialog}>
        <AsyncSelect<number> label="Template" required value={template} onChange={setTemplate} options={options}
          placeholder="Choose what the file holds"
          caption="Sets the columns; you can change them before importing." />
        <FileDrop label="The file" types={['.csv', '.txt', '.tsv', '.xlsx']} disabled={template === null}
          onUpload={send} />
        {template !== null && may('import_template.download') && (
          <ButtonLink size="small" download="" href={`/api/admin/staff/import_templates/${template}/download`}>
            Download an empty file with these columns
          </ButtonLink>
        )}
      </div>
    </Modal>
  );
}
