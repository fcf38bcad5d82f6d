/** Files attached to a bank transaction. */
import { useState } from 'react';
import { call, urlOf } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { sizeText } from '#web/controls/field/file-rules.ts';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { bankTransactionEndpoints, type BankTransactionDetail, type LineFile } from './bank-transaction.contract.ts';

const TYPES = ['.pdf', '.png', '.jpg', '.jpeg', '.webp', '.csv', '.txt', '.docx', '.xlsx'];

export function LineFiles({ row, mayWrite }: { row: BankTransactionDetail; mayWrite: boolean }) {
  const [removing, setRemoving] = useState<LineFile | null>(null);
  const refresh = useRefresh([bankTransactionEndpoints.list]);
  const detach = useAction(bankTransactionEndpoints.detach, { done: 'File removed' });
  const columns: readonly Column<LineFile>[] = [
    { id: 'name', header: 'File', kind: 'title', width: 320, cell: (file) => (
      <AppLink className="gr-link" target="_blank" rel="noreferrer"
        href={urlOf(bankTransactionEndpoints.file, { id: row.id, fileId: file.id })}>{file.name}</AppLink>) },
    { id: 'size', header: 'Size', kind: 'number', cell: (file) => sizeText(file.size_bytes), width: 100 },
    { id: 'added', header: 'Added', kind: 'date', cell: (file) => <DateText value={file.created_at} />, width: 130 },
    { id: 'by', header: 'By', kind: 'muted', cell: (file) => file.created_by_name, width: 160 },
    ...(mayWrite ? [{ id: 'remove', header: 'Remove', kind: 'actions' as const, width: 110, cell: (file: LineFile) => (
      <Button size="small" variant="quiet" onClick={() => setRemoving(file)}>Remove</Button>) }] : []),
  ];
  if (row.files.length === 0 && !mayWrite) return null;
  return (
    <Section title="Files" count={row.files.length} description="A receipt, a letter of the bank.">
      {row.files.length > 0 && (
        <DataTable label="Files of the bank transaction" variant="record" columns={columns} rows={row.files}
          rowKey={(file) => file.id} searchable={false} />
      )}
      {mayWrite && (
        <FileDrop label="Attach a file" types={TYPES} onUpload={async (file, progress, signal) => {
          const form = new FormData();
          form.append('file', file);
          await call(bankTransactionEndpoints.attach, { params: { id: row.id }, body: {} }, { form, signal,
            onUploadProgress: (event) => progress(event.total ? event.loaded / event.total : 0) });
          await refresh();
        }} />
      )}
      <ConfirmDialog open={removing !== null} danger title={`Remove ${removing?.name ?? 'the file'}?`}
        confirm="Remove file" text="The file is no longer attached to this bank transaction."
        onCancel={() => setRemoving(null)} onConfirm={() => {
          if (removing) void detach.run({ params: { id: row.id, fileId: removing.id } });
          setRemoving(null);
        }} />
    </Section>
  );
}
