/** Invitations to the staff: several addresses at once, sent again, revoked; what became of each. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { EmailChips } from '#web/controls/field/email-chips.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { MultiSelect } from '#web/controls/select/multi-select.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge, type Tone } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { groupEndpoints } from '../staff-group/staff-group.contract.ts';
import type { StaffRole } from '../staff/staff.contract.ts';
import { useGrantableRoles } from '../staff/staff-list.web.tsx';
import { officeTabs, ROLE_LABELS } from '../staff/staff-words.web.ts';
import { inviteBulk, inviteEndpoints, type InviteRow } from './invite.contract.ts';
import styles from '../staff/staff.module.css';

const STATES: Record<InviteRow['status'], string> = { pending: 'Waiting', expired: 'Expired', accepted: 'Accepted',
  revoked: 'Revoked' };
const TONES: Record<InviteRow['status'], Tone> = { pending: 'info', expired: 'warn', accepted: 'ok',
  revoked: 'neutral' };

const columns: readonly Column<InviteRow>[] = [
  { id: 'email', header: 'Address', kind: 'title', cell: (row) => row.email, sort: true, fixed: true, width: 250 },
  { id: 'status', header: 'Status', kind: 'badge', width: 110,
    cell: (row) => <Badge small tone={TONES[row.status]}>{STATES[row.status]}</Badge> },
  { id: 'role', header: 'Role', kind: 'muted', cell: (row) => ROLE_LABELS[row.role], width: 160 },
  { id: 'groups', header: 'Groups', kind: 'muted', width: 160,
    cell: (row) => row.groups.map((group) => group.name).join(', ') },
  { id: 'invited_by', header: 'Invited by', kind: 'muted', cell: (row) => row.invited_by_name, width: 150 },
  { id: 'sent_at', header: 'Sent', kind: 'date', cell: (row) => row.sent_at, sort: true, width: 120 },
  { id: 'expires_at', header: 'Good until', kind: 'date', cell: (row) => row.expires_at, sort: true, width: 120 },
  { id: 'accepted', header: 'Account', width: 160, cell: (row) => row.accepted_user_id !== null && (
    <AppLink href={`/admin/staff/${row.accepted_user_id}/profile`} className="gr-link">
      {row.accepted_user_name}</AppLink>
  ) },
];

const filters = [{ name: 'status', label: 'Status', options: optionsOf(STATES) },
  { name: 'role', label: 'Role', options: optionsOf(ROLE_LABELS) }];

export default function Invites() {
  const may = useMay();
  const [inviting, setInviting] = useState(false);
  const [revoking, setRevoking] = useState<InviteRow | null>(null);
  const [asked, setAsked] = useState<number | null>(null);
  const list = useList(inviteEndpoints.list, {}, { filters: ['status', 'role'], bulk: inviteBulk });
  const resend = useAction(inviteEndpoints.resend, { done: ({ data }) => `A new link went to ${data.email}` });
  const revoke = useAction(inviteEndpoints.revoke, { done: 'Invitation revoked' });
  const actions: Column<InviteRow> = { id: 'actions', header: 'Actions', kind: 'actions', width: 210, cell: (row) => (
    row.status === 'pending' || row.status === 'expired' ? (
      <span className={styles.person}>
        <Button size="small" pending={resend.pending && asked === row.id}
          onClick={() => { setAsked(row.id); void resend.run({ params: { id: row.id } }); }}>Send again</Button>
        <Button size="small" variant="quiet" onClick={() => setRevoking(row)}>Revoke</Button>
      </span>
    ) : null
  ) };
  return (
    <>
      <PageHeader title="Invitations" tabs={officeTabs(may)}
        subtitle="People asked to join the staff; a link works once, for seven days">
        {may('staff_invite.create') && (
          <Button variant="primary" onClick={() => setInviting(true)}>Invite people</Button>
        )}
      </PageHeader>
      <DataTable label="Invitations" {...list} filters={filters} rowKey={(row) => row.id}
        columns={may('staff_invite.create') ? [...columns, actions] : columns} searchPlaceholder="Address"
        empty={{ title: 'Nobody is invited', text: 'Invite people by address; they choose their own password.' }} />
      {inviting && <InvitePeople onClose={() => setInviting(false)} />}
      <ConfirmDialog open={revoking !== null} danger title={`Revoke the invitation of ${revoking?.email ?? ''}?`}
        confirm="Revoke" text="The link that was sent stops working at once." onCancel={() => setRevoking(null)}
        onConfirm={() => {
          if (revoking) void revoke.run({ params: { id: revoking.id } });
          setRevoking(null);
        }} />
    </>
  );
}

function InvitePeople({ onClose }: { onClose: () => void }) {
  const may = useMay();
  const roles = useGrantableRoles();
  const refresh = useRefresh([inviteEndpoints.list]);
  const groups = useEndpoint(groupEndpoints.list, { query: { per_page: 100 } }, { enabled: may('super') });
  const form = useResourceForm({
    initial: { emails: [] as string[], role: 'staff_user' as StaffRole, staff_group_ids: [] as number[], note: '' },
    submit: (values, sending) => call(inviteEndpoints.create, { body: values }, sending),
    onSaved: ({ data }) => {
      toast(data.length === 1 ? `${data[0]!.email} is invited` : `${data.length} people are invited`);
      void refresh();
      onClose();
    },
  });
  const wrong = form.errors.emails;
  return (
    <Modal open onClose={onClose} title="Invite people" width={600}>
      <FormFrame form={form} aria-label="Invite people">
        {wrong && form.values.emails.length > 1 && (
          <Callout tone="error" live title="Nobody was invited yet">Take the address off, or correct it.</Callout>
        )}
        <EmailChips label="Addresses" required {...form.field('emails')} caption="Up to twenty at once." />
        <AsyncSelect label="Role" required options={roles} {...form.field('role')}
          selectedLabel={ROLE_LABELS[form.values.role]} onChange={(value) => value && form.set('role', value)} />
        {may('super') && (
          <MultiSelect<number> label="Groups" caption="Permissions come from groups." {...form.field('staff_group_ids')}
            options={(groups.data?.data ?? []).map((group) => ({ value: group.id, label: group.name }))} />
        )}
        <TextField label="Note" rows={3} {...form.field('note')} caption="Stands in the mail." />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Send invitations</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
