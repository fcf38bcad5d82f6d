/** Files of a material: what a perusal shows and a licence downloads. Added, looked at or heard, taken away. */
import { useState } from 'react';
import { call, urlOf } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { FilePreview } from './file-preview.web.tsx';
import type { FileKind } from './material-file-kinds.contract.ts';
import type { MaterialRow } from './material.contract.ts';
import { MATERIAL_FILE_UPLOAD, materialFileEndpoints, MOST_FILES, type MaterialFileRow }
  from './material-file.contract.ts';

const MIB = 1024 * 1024;
const KIND_LABELS: Record<FileKind, string> = { pdf: 'PDF', audio: 'Audio', picture: 'Picture' };

function columnsOf(mayWrite: boolean, onRemove: (row: MaterialFileRow) => void): readonly Column<MaterialFileRow>[] {
  return [
    { id: 'name', header: 'Name', kind: 'text', cell: (row) => row.name, width: 240 },
    { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => KIND_LABELS[row.kind], width: 80 },
    { id: 'pages', header: 'Pages', kind: 'number', cell: (row) => row.pages || null, width: 70 },
    { id: 'size', header: 'MiB', kind: 'number', width: 80,
      cell: (row) => (row.size_bytes < MIB / 10 ? '< 0.1' : (row.size_bytes / MIB).toFixed(1)) },
    { id: 'by', header: 'Added by', kind: 'muted', cell: (row) => row.created_by_name, width: 160 },
    { id: 'created_at', header: 'Added', kind: 'date', cell: (row) => row.created_at, width: 110 },
    { id: 'preview', header: 'Hear or see', kind: 'text', width: 270, cell: (row) => (
      <FilePreview kind={row.kind} name={row.name} src={urlOf(materialFileEndpoints.content,
        { id: row.material_id, fileId: row.id })} />) },
    { id: 'actions', header: 'Actions', kind: 'actions', width: 180, cell: (row) => (
      <>
        {row.kind === 'pdf' && (
          <ButtonLink size="small" newTab href={urlOf(materialFileEndpoints.page,
            { id: row.material_id, fileId: row.id, page: 1 })}>
            <span>First page<span className="gr-hidden"> of {row.name}</span></span>
          </ButtonLink>
        )}
        {mayWrite && (
          <Button size="small" variant="quiet" onClick={() => onRemove(row)}>
            <span>Remove<span className="gr-hidden"> {row.name}</span></span>
          </Button>
        )}
      </>) },
  ];
}

export default function MaterialFiles({ material }: { material: MaterialRow }) {
  const mayWrite = useMay()('material.update');
  const refresh = useRefresh([materialFileEndpoints.list]);
  const [removing, setRemoving] = useState<MaterialFileRow | null>(null);
  const read = useEndpoint(materialFileEndpoints.list, { params: { id: material.id } });
  const remove = useAction(materialFileEndpoints.remove, { done: 'File removed' });
  const rows = read.data?.data;
  return (
    <Section title="Files" count={rows?.length || undefined}
      description={spell`PDFs, audio and pictures. A perusal shows PDFs page by page. A license downloads them with its
        name on every page, and audio and pictures with its number in the name of the file.`}>
      <DataTable label="Files of the material" rows={rows} error={read.error} onRetry={() => void read.refetch()}
        columns={columnsOf(mayWrite, setRemoving)} variant="record" rowKey={(row) => row.id}
        empty={{ title: 'No files yet' }} />
      {mayWrite && rows && rows.length < MOST_FILES && (
        <FileDrop label="Add a PDF, audio or picture" types={MATERIAL_FILE_UPLOAD.types.map((type) => `.${type}`)}
          maxBytes={MATERIAL_FILE_UPLOAD.max_bytes} multiple
          onUpload={async (file, progress, signal) => {
            const form = new FormData();
            form.append('file', file);
            await call(materialFileEndpoints.create, { params: { id: material.id }, body: {} }, { form, signal,
              onUploadProgress: (event) => progress(event.total ? event.loaded / event.total : 0) });
            await refresh();
          }} />
      )}
      <ConfirmDialog open={removing !== null} danger title={`Remove ${removing?.name ?? 'the file'}?`} confirm="Remove"
        text={spell`Perusals that are open and licenses that download it lose it at once.`} onCancel={() =>
          setRemoving(null)}
        onConfirm={() => {
          if (removing) void remove.run({ params: { id: material.id, fileId: removing.id } });
          setRemoving(null);
        }} />
    </Section>
  );
}
