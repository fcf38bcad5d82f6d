/** Mail that named no conversation: read it, put it in the one of a production, or dismiss it. */
import { useState } from 'react';
import { licenseAddress, numbersInWords } from '#kernel/licensing/license-address.ts';
import { call, urlOf } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge, type Tone } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { FileLinks } from '#web/data/message-list.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { licenseEndpoints } from '../licenses/license.contract.ts';
import { unplacedMailEndpoints, type UnplacedMail } from './unplaced-mail.contract.ts';
import styles from '../licensing.module.css';

const LABELS: Record<UnplacedMail['outcome'], string> = { unplaced: 'Waiting', placed: 'Placed',
  dismissed: 'Dismissed' };
const TONES: Record<UnplacedMail['outcome'], Tone> = { unplaced: 'warn', placed: 'ok', dismissed: 'neutral' };

export default function UnplacedMailList() {
  const list = useList(unplacedMailEndpoints.list, {}, { filters: ['outcome'] });
  const [reading, setReading] = useState<UnplacedMail | null>(null);
  const columns: readonly Column<UnplacedMail>[] = [
    { id: 'subject', header: 'Subject', width: 300, fixed: true, cell: (row) => (
      <Button variant="quiet" size="small" onClick={() => setReading(row)}>{row.subject || 'No subject'}</Button>) },
    { id: 'sender', header: 'From', kind: 'muted', width: 260, cell: senderOf },
    { id: 'received_at', header: 'Received', kind: 'date', sort: true, width: 130, cell: (row) => row.received_at },
    { id: 'outcome', header: 'Status', kind: 'badge', width: 120,
      cell: (row) => <Badge tone={TONES[row.outcome]} small>{LABELS[row.outcome]}</Badge> },
    { id: 'production', header: 'Production', width: 170, cell: (row) => <ProductionLink row={row} /> },
    { id: 'by', header: 'By', kind: 'muted', width: 160, cell: (row) => row.decided_by_name },
    { id: 'reason', header: 'Reason', kind: 'muted', width: 260,
      cell: (row) => (row.outcome === 'dismissed' ? row.reason : null) },
  ];
  return (
    <>
      <PageHeader title="Unplaced mail" subtitle="Emails that name no production" />
      <DataTable label="Unplaced mail" {...list} columns={columns} rowKey={(row) => row.id}
        filters={[{ name: 'outcome', label: 'Status', options: optionsOf(LABELS) }]}
        searchPlaceholder="Subject or sender"
        empty={{ title: 'No unplaced mail', text: 'Answers to our emails go to the messages of their production. An '
          + 'email that answers none waits here.' }} />
      {reading && <Reader key={reading.id} mail={reading} onClose={() => setReading(null)} />}
    </>
  );
}

const senderOf = (row: UnplacedMail): string => (row.sender_name === '' ? row.sender_email
  : `${row.sender_name}, ${row.sender_email}`);

function ProductionLink({ row }: { row: UnplacedMail }) {
  if (row.license_id === null || row.license_phase === null) return null;
  const place = licenseAddress({ id: row.license_id, phase: row.license_phase, customer_id: row.customer_id ?? 0 });
  return <AppLink className="gr-link" href={`${place}/messages`}>{row.license_number}</AppLink>;
}

interface ReaderProps { mail: UnplacedMail; onClose: () => void }

function Reader({ mail, onClose }: ReaderProps) {
  const may = useMay();
  const [dismissing, setDismissing] = useState(false);
  return (
    <Modal open onClose={onClose} width={640} title={mail.subject || 'No subject'}>
      <div className={styles.stack}>
        <div className={styles.row}>
          <span>{senderOf(mail)}</span><Badge tone="warn" small>Unverified sender</Badge>
        </div>
        {mail.outcome !== 'placed' && <p className={styles.text}>{mail.body || 'No text'}</p>}
        <FileLinks files={mail.files}
          fileHref={(fileId) => urlOf(unplacedMailEndpoints.file, { id: mail.id, fileId })} />
        {mail.refused_files.map(({ name, reason }) => <p key={name}>{name} was not kept. {reason}</p>)}
        {mail.outcome === 'unplaced' && may('license.update') && (dismissing
          ? <DismissForm mail={mail} onClose={onClose} onBack={() => setDismissing(false)} />
          : <PlaceForm mail={mail} onClose={onClose} onDismiss={() => setDismissing(true)} />)}
        {mail.outcome === 'placed' && <p>It is in the messages of <ProductionLink row={mail} />.</p>}
      </div>
    </Modal>
  );
}

function PlaceForm({ mail, onClose, onDismiss }: ReaderProps & { onDismiss: () => void }) {
  const refresh = useRefresh([unplacedMailEndpoints.list]);
  const [key] = useState(() => crypto.randomUUID());
  const form = useResourceForm({ initial: { license_id: null as number | null },
    submit: (values) => call(unplacedMailEndpoints.place, { params: { id: mail.id },
      body: { license_id: values.license_id ?? 0 } }, { idempotencyKey: key }),
    onSaved: () => { toast('Email placed'); void refresh(); onClose(); } });
  return (
    <FormFrame form={form} aria-label="Place the email">
      <AsyncSelect<number> label="Production" required {...form.field('license_id')}
        caption="The customer sees the message, marked as from an unverified sender. Its files are shown to
          staff only."
        source={optionsFrom(licenseEndpoints.list, (row) => ({ value: row.id,
          label: `${row.title_on_license}, ${numbersInWords(row)}`, children: row.customer_name }), {})} />
      <FormActions>
        <Button onClick={onDismiss}>Dismiss</Button>
        <Button type="submit" variant="primary" pending={form.pending}>Place in messages</Button>
      </FormActions>
    </FormFrame>
  );
}

function DismissForm({ mail, onClose, onBack }: ReaderProps & { onBack: () => void }) {
  const refresh = useRefresh([unplacedMailEndpoints.list]);
  const [key] = useState(() => crypto.randomUUID());
  const form = useResourceForm({ initial: { reason: '' },
    submit: (values) => call(unplacedMailEndpoints.dismiss, { params: { id: mail.id }, body: values },
      { idempotencyKey: key }),
    onSaved: () => { toast('Email dismissed'); void refresh(); onClose(); } });
  return (
    <FormFrame form={form} aria-label="Dismiss the email">
      <TextField label="Reason" required {...form.field('reason')} caption="The sender is not told." />
      <FormActions>
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" variant="danger" pending={form.pending}>Dismiss email</Button>
      </FormActions>
    </FormFrame>
  );
}
