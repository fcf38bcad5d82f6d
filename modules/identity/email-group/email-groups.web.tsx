/** Email groups: the list, and the form of one. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { officeTabs } from '../staff/staff-words.web.ts';
import { emailGroup, emailGroupEndpoints } from './email-group.contract.ts';

type EmailGroupRow = ResponseOf<typeof emailGroupEndpoints.show>['data'];

const columns: readonly Column<EmailGroupRow>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 200 },
  { id: 'emailRoute', header: 'Address', kind: 'text', cell: (row) => row.emailRoute, width: 260 },
  { id: 'description', header: 'Purpose', kind: 'muted', cell: (row) => row.description, width: 320 },
  { id: 'members', header: 'Members', kind: 'number', cell: (row) => String(row.members), sort: true, width: 100 },
];

export default function EmailGroups() {
  const may = useMay();
  const edits = may('super');
  const [open, setOpen] = useState<EmailGroupRow | 'new' | null>(null);
  const list = useList(emailGroupEndpoints.list);
  const refresh = useRefresh([emailGroupEndpoints.list]);
  const change: Column<EmailGroupRow> = { id: 'change', header: 'Change', kind: 'actions', width: 100,
    cell: (row) => (
      <Button size="small" aria-label={`Change ${row.name}`} onClick={() => setOpen(row)}>Change</Button>
    ) };
  const close = (): void => setOpen(null);
  return (
    <>
      <PageHeader title="Email groups" subtitle="Addresses that reach several people, offered wherever mail is sent"
        tabs={officeTabs(may)}>
        {edits && <Button variant="primary" onClick={() => setOpen('new')}>New email group</Button>}
      </PageHeader>
      <DataTable label="Email groups" {...list} columns={edits ? [...columns, change] : columns}
        rowKey={(row) => row.id} searchPlaceholder="Name or address"
        empty={{ title: 'No email groups yet', text: 'A group is one address of a list or a shared mailbox.' }} />
      <Modal open={open !== null} onClose={close} width={600}
        title={open === null || open === 'new' ? 'New email group' : open.name}>
        {open !== null && <GroupForm key={open === 'new' ? 'new' : open.id} row={open === 'new' ? null : open}
          onSaved={(row) => { toast(`${row.name} saved`); close(); void refresh(); }} onRemoved={close} />}
      </Modal>
    </>
  );
}

interface GroupFormProps {
  row: EmailGroupRow | null;
  onSaved: (row: EmailGroupRow) => void;
  onRemoved: () => void;
}

function GroupForm({ row, onSaved, onRemoved }: GroupFormProps) {
  const { fields } = emailGroup;
  const form = useResourceForm<Record<string, unknown>, { data: EmailGroupRow }>({
    initial: formValues(fields, row),
    record: row && { entity: 'email_group', id: row.id, version: row.version, read: emailGroupEndpoints.show },
    submit: (values, sending) => row
      ? call(emailGroupEndpoints.update, { params: { id: row.id },
        body: { ...bodyValues(fields, values), version: row.version } })
      : call(emailGroupEndpoints.create, { body: bodyValues(fields, values) }, sending),
    onSaved: ({ data }) => onSaved(data),
  });
  const show = fieldsOf(form, fields);
  return (
    <FormFrame form={form} labels={labelsOf(fields)} aria-label="Email group">
      {show('name')}{show('emailRoute')}{show('members')}{show('description')}{show.others()}
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Save email group</Button>
        {row && <Remove row={row} onRemoved={onRemoved} />}
      </FormActions>
    </FormFrame>
  );
}

function Remove({ row, onRemoved }: { row: EmailGroupRow; onRemoved: () => void }) {
  const [asking, setAsking] = useState(false);
  const remove = useAction(emailGroupEndpoints.remove, { done: 'Email group removed', onDone: onRemoved,
    refresh: [emailGroupEndpoints.list] });
  return (
    <>
      <Button variant="quiet" pending={remove.pending} onClick={() => setAsking(true)}>Remove</Button>
      <ConfirmDialog open={asking} danger title={`Remove ${row.name}?`} confirm="Remove"
        text="Mail that was sent stays as it is; the group is no longer offered."
        onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void remove.run({ params: { id: row.id } }); }} />
    </>
  );
}
