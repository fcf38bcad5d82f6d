/** Uploading a document, mailing one, changing what it says about itself. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Recipients } from '#modules/identity/email-group/recipients.web.tsx';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useAction } from '#web/query/use-action.ts';
import { ActionDialog, useFields } from '../action-dialog.web.tsx';
import { DOCUMENT_OPTIONS, documentWords } from './document-words.web.ts';
import { DOCUMENT_FILES, licenseDocumentEndpoints, type LicenseDocumentRow } from './license-document.contract.ts';
import styles from '../licensing.module.css';

const UPLOADABLE = DOCUMENT_OPTIONS.filter((option) => ['purchase_order', 'signed_contract',
  'tax_exemption_certificate',
  'programme_artwork', 'box_office_statement', 'rider', 'other'].includes(option.value));

export function UploadDialog({ licenseId, onClose }: { licenseId: number; onClose: () => void }) {
  const client = useQueryClient();
  const [type, setType] = useState<string | null>('other');
  const [description, setDescription] = useState('');
  const [internal, setInternal] = useState(false);
  const send = async (file: File, progress: (share: number) => void, signal: AbortSignal) => {
    const body = { type: (type ?? 'other') as LicenseDocumentRow['type'], description, internal: internal
      ? 'true' as const : 'false' as const };
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) form.append(name, value);
    form.append('document', file);
    await call(licenseDocumentEndpoints.upload, { params: { licenseId }, body }, { form, signal,
      onUploadProgress: (event) => progress(event.progress ?? 0) });
    await client.invalidateQueries({ predicate: (query) =>
      String(query.queryKey[0]).includes('/admin/staff/licenses') });
  };
  return (
    <Modal open onClose={onClose} title="Upload documents">
      <div className={styles.dialog}>
        <div className={styles.pair}>
          <AsyncSelect<string> label="Type" required options={UPLOADABLE} value={type} onChange={setType} />
          <TextField label="Description" value={description} onChange={setDescription} />
        </div>
        <Checkbox label="For staff only" value={internal} onChange={setInternal} />
        <FileDrop label="Files" multiple types={DOCUMENT_FILES.map((ending) => `.${ending}`)} disabled={type === null}
          onUpload={send} />
        <div className={styles.dialogFoot}><Button variant="primary" onClick={onClose}>Done</Button></div>
      </div>
    </Modal>
  );
}

export function SendDialog({ document, onClose }: { document: LicenseDocumentRow; onClose: () => void }) {
  const action = useAction(licenseDocumentEndpoints.send, { onFailure: () => undefined, onDone: onClose,
    done: 'The mail is on its way' });
  const { values, field } = useFields({ recipients: [] as readonly string[], message: '' }, action.failure);
  return (
    <ActionDialog title={`Send ${documentWords(document.type).toLowerCase()}`} submit="Send document" action={action}
      onClose={onClose}
      known={['recipients', 'message']} reason={values.recipients.length > 0 ? undefined : 'Enter a recipient'}
      onSubmit={() => void action.run({ params: { licenseId: document.license_id, documentId: document.id },
        body: { recipients: [...values.recipients], ...(values.message.trim() ? { message: values.message } : {}) } })}>
      <Recipients label="Recipients" required {...field('recipients')} />
      <TextField label="Message" rows={4} {...field('message')} />
    </ActionDialog>
  );
}

export function EditDocumentDialog({ document, onClose }: { document: LicenseDocumentRow; onClose: () => void }) {
  const action = useAction(licenseDocumentEndpoints.update, { onFailure: () => undefined, onDone: onClose,
    done: 'Saved' });
  const { values, field } = useFields({ type: document.type as string | null, description: document.description,
    internal: document.internal }, action.failure);
  return (
    <ActionDialog waits title="Change the document" submit="Save document" action={action} onClose={onClose}
      known={['type', 'description']}
      onSubmit={() => void action.run({ params: { licenseId: document.license_id, documentId: document.id },
        body: { version: document.version, description: values.description, internal: values.internal,
          ...(values.type ? { type: values.type as LicenseDocumentRow['type'] } : {}) } })}>
      <AsyncSelect<string> label="Type" required options={document.origin === 'upload' ? UPLOADABLE
        : DOCUMENT_OPTIONS} {...field('type')} />
      <TextField label="Description" {...field('description')} />
      <Checkbox label="For staff only" {...field('internal')} />
    </ActionDialog>
  );
}
