/** Documents of a licence: what was made, sent, opened and signed; what was uploaded; and the trash. */
import { FileSearch } from 'lucide-react';
import { useState } from 'react';
import { call, urlOf } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { undoable } from '#web/data/toast.tsx';
import type { TableFilter } from '#web/data/table-filter.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { useReload } from '../action-dialog.web.tsx';
import { LicenseFrame } from '../licenses/license-frame.web.tsx';
import type { LicenseView } from '../licenses/license-view.web.ts';
import { licenseEndpoints } from '../licenses/license.contract.ts';
import { AddDocument } from './add-document.web.tsx';
import { DOCUMENT_OPTIONS, documentTone, documentWords, sizeWords } from './document-words.web.ts';
import { SendDialog, UploadDialog } from './document-dialogs.web.tsx';
import { licenseDocumentEndpoints, type LicenseDocumentRow } from './license-document.contract.ts';

export default function DocumentsTab() {
  return <LicenseFrame>{(view) => <Documents view={view} />}</LicenseFrame>;
}

const FILTERS: readonly TableFilter[] = [
  { name: 'type', label: 'Type', options: DOCUMENT_OPTIONS },
  { name: 'status', label: 'Status', options: ['draft', 'issued', 'sent', 'viewed', 'signed', 'superseded', 'void']
    .map((value) => ({ value, label: documentWords(value) })) },
];

const columns: readonly Column<LicenseDocumentRow>[] = [
  { id: 'type', header: 'Document', kind: 'title', sort: true, fixed: true, width: 220, cell: (row) =>
    documentWords(row.type) },
  { id: 'description', header: 'Description', kind: 'muted', cell: (row) => row.description || row.file_name,
    width: 220 },
  { id: 'status', header: 'Status', kind: 'badge', sort: true, width: 110,
    cell: (row) => <Badge small tone={documentTone(row.status)}>{documentWords(row.status)}</Badge> },
  { id: 'version', header: 'Version', kind: 'number', width: 80, cell: (row) => row.offer_version ?? '' },
  { id: 'internal', header: 'Read by', kind: 'muted', width: 120, cell: (row) => (row.internal ? 'Staff only'
    : 'Staff and customer') },
  { id: 'by', header: 'By', kind: 'muted', cell: (row) => row.uploaded_by_name, hidden: true },
  { id: 'created', header: 'Made', kind: 'date', sort: 'created_at', width: 110, cell: (row) => row.created_at.slice(0,
    10) },
  { id: 'size', header: 'Size', kind: 'number', width: 80, cell: (row) => sizeWords(row.size_bytes) },
];

function Documents({ view }: { view: LicenseView }) {
  const { license, place } = view;
  const params = { licenseId: license.id };
  const may = useMay();
  const { values, set } = useQueryValues();
  const trash = values.get('trash') === '1' && may('license_document.list_trash');
  const list = useList(trash ? licenseDocumentEndpoints.trash : licenseDocumentEndpoints.list, { params },
    { filters: ['type', 'status'], perPage: 25, sortBy: 'created_at', sortDirection: 'desc' });
  const [dialog, setDialog] = useState<'upload' | LicenseDocumentRow | null>(null);
  const generate = useAction(licenseDocumentEndpoints.generateOffer, { refresh: [licenseEndpoints.show],
    done: 'The offer is made' });
  const mayUpload = may('license.upload_documents') || may('license_document.create');
  const preview = urlOf(licenseDocumentEndpoints.previewPdf, params);
  const shown = [...columns, { id: 'actions', header: 'Actions', kind: 'actions' as const, width: 44,
    cell: (row: LicenseDocumentRow) => <RowMenu row={row} trash={trash} onSend={() => setDialog(row)} /> }];
  return (
    <PageContent record fullWidth>
      <Section flush title={trash ? 'Documents in the trash' : 'Documents'} right={!trash && (
        <>
          {license.number_of_performances > 0 && (
            <Button icon={<Glyph icon={FileSearch} />} onClick={() => { window.open(preview, '_blank',
              'noopener'); }}>Preview the offer</Button>
          )}
          <AddDocument mayUpload={mayUpload} pending={generate.pending}
            mayGenerate={may('license_document.create') && license.phase === 'draft'}
            reason={license.priced_at === null ? 'Price it first' : undefined}
            onUpload={() => setDialog('upload')} onGenerate={() => void generate.run({ params })} />
        </>
      )}>
        <DataTable label="Documents" {...list} columns={shown} filters={FILTERS} rowKey={(row) => row.id}
          variant="record"
          rowHref={trash ? undefined : (row) => `${place.base}/documents/${row.id}`}
          tools={may('license_document.list_trash') && (
            <Button size="small" variant="quiet" onClick={() => set({ trash: trash ? null : '1', page: null })}>{trash
              ? 'Back to the documents' : 'Trash'}</Button>
          )}
          empty={trash ? { title: 'The trash is empty' } : { title: 'No documents yet',
            text: 'Letters and contracts are made with the offer; purchase orders and signed papers are uploaded.' }} />
      </Section>
      {dialog === 'upload' && <UploadDialog licenseId={license.id} onClose={() => setDialog(null)} />}
      {dialog && dialog !== 'upload' && <SendDialog document={dialog} onClose={() => setDialog(null)} />}
    </PageContent>
  );
}

function RowMenu({ row, trash, onSend }: { row: LicenseDocumentRow; trash: boolean; onSend: () => void }) {
  const may = useMay();
  const reload = useReload();
  const params = { licenseId: row.license_id, documentId: row.id };
  const restore = () => call(licenseDocumentEndpoints.restore, { params }).then(reload);
  const remove = useAction(licenseDocumentEndpoints.remove, { refresh: [licenseEndpoints.show],
    onDone: () => undoable(`${documentWords(row.type)} moved to the trash`, restore) });
  const back = useAction(licenseDocumentEndpoints.restore, { refresh: [licenseEndpoints.show], done: 'Restored' });
  if (trash) {
    return may('license_document.delete')
      ? <ActionMenu label={`Actions for ${documentWords(row.type)}`}
        actions={[{ label: 'Restore', onSelect: () => void back.run({ params }) }]} />
      : null;
  }
  return (
    <ActionMenu label={`Actions for ${documentWords(row.type)}`} actions={[
      { label: 'Download', onSelect: () => { window.open(urlOf(licenseDocumentEndpoints.file, params), '_blank',
        'noopener'); } },
      ...(may('license_document.update') ? [{ label: 'Send by mail', onSelect: onSend,
        ...(row.internal ? { reason: 'It is for staff only' } : {}) }] : []),
      ...(may('license_document.delete') ? [{ label: 'Move to trash', danger: true, divided: true,
        onSelect: () => void remove.run({ params }),
        ...(row.status === 'signed' ? { reason: 'A signed document stays' } : {}) }] : []),
    ]} />
  );
}

