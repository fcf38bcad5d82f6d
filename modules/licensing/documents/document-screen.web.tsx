/** One document: its page as paper, what happened to it, and what can be done with it. */
import { Download, Pencil, Send } from 'lucide-react';
import { useState } from 'react';
import { urlOf } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { useTellInside } from '#web/layout/crumb-trail.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { Columns, PageContent, SideColumn } from '#web/layout/page-content.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useIdParam } from '#web/navigation/navigation.tsx';
import { PdfPreview } from '#web/pdf/pdf-preview.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { LicenseFrame } from '../licenses/license-frame.web.tsx';
import type { LicenseView } from '../licenses/license-view.web.ts';
import { EditDocumentDialog, SendDialog } from './document-dialogs.web.tsx';
import { documentTone, documentWords, sizeWords } from './document-words.web.ts';
import { licenseDocumentEndpoints, type LicenseDocumentRow } from './license-document.contract.ts';
import styles from '../licensing.module.css';

export default function DocumentScreen() {
  return <LicenseFrame>{(view) => <DocumentView view={view} />}</LicenseFrame>;
}

function DocumentView({ view }: { view: LicenseView }) {
  const documentId = useIdParam('documentId');
  const read = useEndpoint(licenseDocumentEndpoints.show, { params: { licenseId: view.license.id, documentId } },
    { enabled: Number.isInteger(documentId) });
  const list = `${view.place.base}/documents`;
  // While another is read its predecessor is still there.
  const document = read.data?.data.id === documentId ? read.data.data : undefined;
  useTellInside(document && documentWords(document.type));
  if (read.isError || !Number.isInteger(documentId)) {
    return <EmptyState role="alert" title="This document did not load" text={read.error?.message}
      action={<ButtonLink href={list}>All documents</ButtonLink>} />;
  }
  if (!document) return <PageContent record><Skeleton height={420} /></PageContent>;
  return (
    <Columns side={<SideColumn label="About this document" width={360}><DocumentFacts document={document}
      list={list} /></SideColumn>}>
      <PageContent record fullWidth><Paper document={document} /></PageContent>
    </Columns>
  );
}

function Paper({ document }: { document: LicenseDocumentRow }) {
  const url = urlOf(licenseDocumentEndpoints.file, { licenseId: document.license_id, documentId: document.id });
  const name = documentWords(document.type);
  if (document.mime_type === 'application/pdf') {
    return <PdfPreview url={url} title={name} fileName={document.file_name ?? `${name}.pdf`} />;
  }
  if (document.mime_type?.startsWith('image/')) return <img className={styles.image} src={url}
    alt={`${name}: ${document.description || document.file_name}`} />;
  return (
    <EmptyState title={document.file_name ? 'No preview for this kind of file' : 'There is no file yet'}
      text={document.file_name ?? 'It is made when the offer is sent.'}
      action={document.file_name && <a className="gr-link" href={url} download>Download it</a>} />
  );
}

function DocumentFacts({ document, list }: { document: LicenseDocumentRow; list: string }) {
  const may = useMay();
  const [dialog, setDialog] = useState<'send' | 'edit' | null>(null);
  const url = urlOf(licenseDocumentEndpoints.file, { licenseId: document.license_id, documentId: document.id });
  const when = (label: string, value: string | null) => value !== null && { label, value: <DateText value={value} /> };
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        <h2 className={`${styles.venueName} ${styles.grow}`}>{documentWords(document.type)}</h2>
        <Badge tone={documentTone(document.status)}>{documentWords(document.status)}</Badge>
      </div>
      {document.description && <p className={styles.text}>{document.description}</p>}
      <KeyValue layout="rows" facts={[
        document.offer_version !== null && { label: 'Offer version', value: document.offer_version },
        { label: 'Read by', value: document.internal ? 'Staff only' : 'Staff and customer' },
        when('Made', document.created_at), when('Issued', document.issued_at), when('Sent', document.sent_at),
        when('Opened', document.viewed_at), when('Signed', document.signed_at),
        Boolean(document.uploaded_by_name) && { label: document.origin === 'upload' ? 'Uploaded by'
          : 'Made by', value: document.uploaded_by_name },
        Boolean(document.file_name) && { label: 'File', value: document.file_name },
        document.size_bytes !== null && { label: 'Size', value: sizeWords(document.size_bytes) },
        document.sha256 !== null && { label: 'Fingerprint', value: <CodeText>{document.sha256.slice(0,
          16)}</CodeText> },
      ]} />
      <div className={styles.row}>
        {document.file_name && document.mime_type !== 'application/pdf' && (
          <Button icon={<Glyph icon={Download} />} onClick={() => { window.open(url, '_blank',
            'noopener'); }}>Download</Button>
        )}
        {may('license_document.update') && (
          <>
            <Button icon={<Glyph icon={Send} />} reason={document.internal ? 'It is for staff only' : undefined}
              onClick={() => setDialog('send')}>Send</Button>
            <Button icon={<Glyph icon={Pencil} />} onClick={() => setDialog('edit')}>Change</Button>
          </>
        )}
        <ButtonLink href={list} variant="quiet">All documents</ButtonLink>
      </div>
      {dialog === 'send' && <SendDialog document={document} onClose={() => setDialog(null)} />}
      {dialog === 'edit' && <EditDocumentDialog document={document} onClose={() => setDialog(null)} />}
    </div>
  );
}
