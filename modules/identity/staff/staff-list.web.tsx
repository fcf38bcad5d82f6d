/** The staff: everyone who works here, the latest five, and the way in for new people. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MultiSelect } from '#web/controls/select/multi-select.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Avatar } from '#web/data/avatar.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Columns, Section, SideColumn } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { AppLink, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { groupEndpoints } from '../staff-group/staff-group.contract.ts';
import { teamEndpoints } from '../team/team.contract.ts';
import { staffBulk, staffEndpoints, type StaffRole, type StaffRow } from './staff.contract.ts';
import { fullName, personColumns, stateColumn } from './staff-columns.web.tsx';
import { officeTabs, ROLE_LABELS } from './staff-words.web.ts';
import styles from './staff.module.css';

const columns: readonly Column<StaffRow>[] = [...personColumns,
  { id: 'groups', header: 'Groups', kind: 'muted', width: 160,
    cell: (row) => row.groups.map((group) => group.name).join(', ') },
  // Groups and teams do not both fit beside the latest five without cutting off the addresses.
  { id: 'teams', header: 'Teams', kind: 'muted', width: 150, hidden: true,
    cell: (row) => row.teams.map((team) => team.name).join(', ') },
  stateColumn,
  { id: 'last_seen_at', header: 'Last seen', kind: 'date', cell: (row) => row.last_seen_at, width: 120, hidden: true },
  { id: 'created_at', header: 'Joined', kind: 'date', cell: (row) => row.created_at, sort: true, width: 120,
    hidden: true },
];

const optionsFrom = (rows: readonly { id: number; name: string }[] | undefined) =>
  (rows ?? []).map((row) => ({ value: String(row.id), label: row.name }));

export default function StaffList() {
  const may = useMay();
  const [adding, setAdding] = useState(false);
  const list = useList(staffEndpoints.list, {},
    { filters: ['role', 'group_id', 'team_id', 'active'], bulk: staffBulk });
  const groups = useEndpoint(groupEndpoints.list, { query: { per_page: 100 } }, { enabled: may('super') });
  const teams = useEndpoint(teamEndpoints.list, { query: { per_page: 100 } });
  const filters = [
    { name: 'role', label: 'Role', options: optionsOf(ROLE_LABELS) },
    ...(may('super') ? [{ name: 'group_id', label: 'Group', options: optionsFrom(groups.data?.data) }] : []),
    { name: 'team_id', label: 'Team', options: optionsFrom(teams.data?.data) },
    { name: 'active', label: 'Status',
      options: [{ value: 'true', label: 'Active' }, { value: 'false', label: 'Inactive' }] },
  ];
  return (
    <>
      <PageHeader title="Staff" subtitle="People on staff and their permissions" tabs={officeTabs(may)}>
        {may('user.create') && <Button variant="primary" onClick={() => setAdding(true)}>Add a person</Button>}
      </PageHeader>
      <Columns side={<Latest />}>
        <DataTable label="Staff" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
          rowHref={(row) => `/admin/staff/${row.id}/profile`} searchPlaceholder="Name, address or job title"
          empty={{ title: 'Nobody here', text: 'Nobody of the staff matches.' }} />
      </Columns>
      {adding && <AddPerson groups={groups.data?.data ?? []} onClose={() => setAdding(false)} />}
    </>
  );
}

function Latest() {
  const read = useEndpoint(staffEndpoints.latest, {});
  return (
    <SideColumn label="Joined last" width={280}>
      <Section title="Joined last">
        <ul className={styles.lines}>
          {(read.data?.data ?? []).map((row) => (
            <li key={row.id}>
              <Avatar name={fullName(row)} url={row.avatar_url} />
              <div className={styles.grow}>
                <AppLink href={`/admin/staff/${row.id}/profile`} className="gr-link">{fullName(row)}</AppLink>
                <div className={styles.faint}>{ROLE_LABELS[row.role]}, {formatDay(row.created_at)}</div>
              </div>
            </li>
          ))}
        </ul>
      </Section>
    </SideColumn>
  );
}

/** Roles that the caller may give. */
export function useGrantableRoles(): { value: StaffRole; label: string; children: string }[] {
  const read = useEndpoint(staffEndpoints.roles, { query: { type: 'staff' } });
  return (read.data?.data ?? []).filter((role) => role.grantable)
    .map((role) => ({ value: role.value, label: role.name, children: role.description }));
}

function AddPerson({ groups, onClose }: { groups: readonly { id: number; name: string }[]; onClose: () => void }) {
  const { go } = useNavigation();
  const roles = useGrantableRoles();
  const refresh = useRefresh([staffEndpoints.list]);
  const form = useResourceForm({
    initial: { email: '', first_name: '', last_name: '', role: 'staff_user' as StaffRole,
      staff_group_ids: [] as number[] },
    submit: (values, sending) => call(staffEndpoints.create, { body: values }, sending),
    onSaved: ({ data }) => {
      toast(`${fullName(data)} was added and sent a link`);
      void refresh();
      onClose();
      go(`/admin/staff/${data.id}/profile`);
    },
  });
  return (
    <Modal open onClose={onClose} title="Add a person" width={600}>
      <FormFrame form={form} aria-label="Add a person">
        <FormGrid>
          <TextField label="First name" required {...form.field('first_name')} />
          <TextField label="Last name" required {...form.field('last_name')} />
          <TextField label="Email" type="email" required {...form.field('email')}
            caption="A link to choose a password goes there." />
          <AsyncSelect label="Role" required options={roles} {...form.field('role')}
            onChange={(value) => value && form.set('role', value)} selectedLabel={ROLE_LABELS[form.values.role]} />
        </FormGrid>
        {groups.length > 0 && (
          <MultiSelect<number> label="Groups" caption="Permissions come from groups." {...form.field('staff_group_ids')}
            options={groups.map((group) => ({ value: group.id, label: group.name }))} />
        )}
        <FormActions><Button type="submit" variant="primary" pending={form.pending}>Add person</Button></FormActions>
      </FormFrame>
    </Modal>
  );
}
