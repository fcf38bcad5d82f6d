/** The outbox: mail that was written, and what became of it. Without a mail server it is read here. */
import { useState } from 'react';
import { Badge, type Tone } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Columns } from '#web/layout/page-content.tsx';
import { Drawer } from '#web/layout/overlay.tsx';
import { useList } from '#web/query/use-endpoint.ts';
import { systemEndpoints, type MailRow } from './system.contract.ts';
import { SystemHead } from './system-head.web.tsx';
import styles from './system.module.css';

const STATES: Record<MailRow['state'], { label: string; tone: Tone }> = {
  kept: { label: 'Kept here', tone: 'neutral' }, waiting: { label: 'Waits', tone: 'info' },
  sent: { label: 'Sent', tone: 'ok' }, failed: { label: 'Failed', tone: 'error' },
};

const columns: readonly Column<MailRow>[] = [
  { id: 'subject', header: 'Subject', kind: 'title', fixed: true, width: 360, cell: (row) => row.subject },
  { id: 'recipients', header: 'To', kind: 'muted', width: 260, cell: (row) => row.recipients.join(', ') },
  { id: 'state', header: 'Status', kind: 'badge', width: 110,
    cell: (row) => <Badge tone={STATES[row.state].tone} small>{STATES[row.state].label}</Badge> },
  { id: 'created_at', header: 'Written', kind: 'date', sort: true, width: 190, cell: (row) => row.created_at },
  { id: 'template', header: 'Kind', kind: 'code', width: 190, hidden: true, cell: (row) => row.template },
];

const filters = [{ name: 'state', label: 'Status', options: [{ value: 'waiting', label: 'Waits or kept' },
  { value: 'sent', label: 'Sent' }, { value: 'failed', label: 'Failed' }] }];

export default function OutboxPage() {
  const list = useList(systemEndpoints.mail, {}, { filters: ['state'] });
  const [open, setOpen] = useState<number | null>(null);
  const mail = list.rows?.find((row) => row.id === open);
  return (
    <>
      <SystemHead title="Outbox" here="/mail"
        subtitle="Emails queued and sent by the system" />
      <Columns side={mail && (
        <Drawer key={mail.id} open title={mail.subject} onClose={() => setOpen(null)} width={460}>
          <div className={styles.stack}>
            <KeyValue layout="rows" facts={[
              { label: 'To', value: mail.recipients.join(', ') },
              { label: 'Written', value: <DateText value={mail.created_at} /> },
              mail.sent_at !== null && { label: 'Sent', value: <DateText value={mail.sent_at} /> },
              mail.attachments > 0 && { label: 'Attachments', value: String(mail.attachments) },
              mail.failed_attempts > 0 && { label: 'Attempts that failed', value: String(mail.failed_attempts) },
            ]} />
            {mail.last_error && <Callout tone="error" title="Why it failed">{mail.last_error}</Callout>}
            <p className={styles.text}>{mail.body_text}</p>
          </div>
        </Drawer>
      )}>
        <DataTable label="Outbox" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
          onOpen={(row) => setOpen(row.id)} current={open} searchPlaceholder="Subject or recipient"
          empty={{ title: 'No mail yet', text: 'Mail sent by the system appears here.' }} />
      </Columns>
    </>
  );
}
