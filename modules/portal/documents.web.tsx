/** Papers: of one production with upload, and of the whole organisation. */
import { Download } from 'lucide-react';
import { useState } from 'react';
import { call, urlOf } from '#kit/client.ts';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useQueryClient } from '@tanstack/react-query';
import { documentTitle, fileSize, UPLOAD_TYPES } from './document-words.web.ts';
import { Pager, PortalHead, QueryBoundary, usePortal } from './portal-parts.web.tsx';
import { factLine } from './portal-words.web.ts';
import { ProductionFrame, type ProductionProps } from './production-frame.web.tsx';
import styles from './portal.module.css';

type Paper = ProductionProps['production']['documents'][number];

function PaperItem({ paper, customerId, title }: { paper: Paper; customerId: number; title?: string }) {
  const address = urlOf(portalEndpoints.document, { id: customerId, licenseId: paper.license_id,
    documentId: paper.id });
  const name = documentTitle(paper);
  const facts = [title, paper.signed_at ? `signed ${formatDay(paper.signed_at)}`
    : formatDay(paper.created_at),
    paper.origin === 'upload' && paper.uploaded_by_name ? `from ${paper.uploaded_by_name}` : '',
      fileSize(paper.size_bytes)];
  return (
    <li className={styles.item}>
      <span className={styles.itemText}><strong>{name}</strong><span>{factLine(facts)}</span></span>
      <span className={styles.actions}>
        <PdfLink href={address} title={name} fileName={paper.file_name ?? `${name}.pdf`}>
          <span>Read<span className="gr-hidden"> {name}</span></span></PdfLink>
        <span className={styles.wideOnly}>
          <ButtonLink href={address} download={paper.file_name ?? `${name}.pdf`} icon={<Glyph icon={Download} />}>
            <span>Save<span className="gr-hidden"> {name}</span></span></ButtonLink>
        </span>
      </span>
    </li>
  );
}

type UploadType = (typeof UPLOAD_TYPES)[number]['value'];

function Upload({ production, portal }: ProductionProps) {
  const client = useQueryClient();
  const [type, setType] = useState<UploadType>('purchase_order');
  const [description, setDescription] = useState('');
  if (!portal.maySee) return null;
  async function send(file: File, progress: (share: number) => void, signal: AbortSignal) {
    const form = new FormData();
    form.append('type', type);
    form.append('description', description);
    form.append('document', file);
    await call(portalEndpoints.uploadDocument, {
      params: { id: portal.customerId, licenseId: production.id }, body: { type, description },
    }, { form, signal, onUploadProgress: (event) => progress(event.total ? event.loaded / event.total : 0) });
    await client.invalidateQueries({ predicate: (query) => String(query.queryKey[0]).includes('/api/customers/') });
  }
  return (
    <Card title="Send us a document">
      <div className={styles.stack}>
        <div className={styles.fields}>
          <AsyncSelect label="Type of document" value={type} options={UPLOAD_TYPES}
            onChange={(value) => setType((value ?? 'other') as UploadType)} />
          <TextField label="Note" value={description} onChange={setDescription} maxLength={500}
            placeholder="PO number, page, anything that helps" />
        </div>
        <FileDrop label="Choose the file" types={['.pdf', '.png', '.jpg', '.jpeg', '.docx', '.xlsx']} onUpload={send}
          disabled={portal.held !== undefined} />
      </div>
    </Card>
  );
}

function Papers(props: ProductionProps) {
  const { production, portal } = props;
  const papers = production.documents;
  return (
    <>
      <Card title="Documents">
        {papers.length === 0
          ? <EmptyState title="No documents yet" text="Offer, contract, invoices and what you send us are kept here." />
          : (
            <ul className={styles.list}>
              {papers.map((paper) => <PaperItem key={paper.id} paper={paper} customerId={portal.customerId} />)}
            </ul>
          )}
      </Card>
      <Upload {...props} />
    </>
  );
}

export function ProductionDocuments() {
  return <ProductionFrame>{(props) => <Papers {...props} />}</ProductionFrame>;
}

export function Documents() {
  const { customerId } = usePortal();
  const { values } = useQueryValues();
  const read = useEndpoint(portalEndpoints.documents, {
    params: { id: customerId }, query: { page: Number(values.get('page') ?? 1) || 1 },
  });
  return (
    <>
      <PortalHead title="Documents" facts={['All your documents, newest first']} />
      <QueryBoundary read={read}>
        {({ data, meta }) => (
          <Card>
            {data.length === 0
              ? <EmptyState title="No documents yet"
                text="Contracts, invoices and receipts of your productions are kept here." />
              : (
                <ul className={styles.list}>
                  {data.map((paper) => (
                    <PaperItem key={paper.id} paper={paper} customerId={customerId} title={paper.title} />
                  ))}
                </ul>
              )}
            <Pager meta={meta} />
          </Card>
        )}
      </QueryBoundary>
    </>
  );
}
