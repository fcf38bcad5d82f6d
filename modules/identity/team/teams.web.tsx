/** Teams: the list, the frame of one, its information, its members, its history. */
import { useState, type ReactNode } from 'react';
import { call } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { ActivityList } from '../staff/activity-list.web.tsx';
import { activeStaff, AddPerson } from '../staff/person-select.web.tsx';
import { staffEndpoints, type StaffRow } from '../staff/staff.contract.ts';
import { fullName, personColumns, stateColumn } from '../staff/staff-columns.web.tsx';
import { officeTabs } from '../staff/staff-words.web.ts';
import { team, teamEndpoints } from './team.contract.ts';

type TeamRow = ResponseOf<typeof teamEndpoints.show>['data'];

const columns: readonly Column<TeamRow>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 220 },
  { id: 'description', header: 'Purpose', kind: 'muted', cell: (row) => row.description, width: 320 },
  { id: 'lead', header: 'Lead', kind: 'muted', cell: (row) => row.lead_name, width: 170 },
  { id: 'members_count', header: 'Members', kind: 'number', cell: (row) => String(row.members_count), sort: true,
    width: 100 },
  { id: 'email', header: 'Shared address', kind: 'muted', cell: (row) => row.email, width: 230 },
];

export function Teams() {
  const may = useMay();
  const { go } = useNavigation();
  const [adding, setAdding] = useState(false);
  const list = useList(teamEndpoints.list);
  return (
    <>
      <PageHeader title="Teams" subtitle="Members and leads" tabs={officeTabs(may)}>
        {may('super') && <Button variant="primary" onClick={() => setAdding(true)}>New team</Button>}
      </PageHeader>
      <DataTable label="Teams" {...list} columns={columns} rowKey={(row) => row.id}
        rowHref={(row) => `/admin/staff/teams/${row.id}/information`} searchPlaceholder="Name"
        empty={{ title: 'No teams yet', text: 'A team gathers people, whatever their groups let them do.' }} />
      <Modal open={adding} onClose={() => setAdding(false)} title="New team" width={600}>
        <TeamForm row={null} mayWrite onSaved={(row) => {
          toast(`${row.name} was made`);
          go(`/admin/staff/teams/${row.id}/members`);
        }} />
      </Modal>
    </>
  );
}

function TeamForm({ row, mayWrite, onSaved }: { row: TeamRow | null; mayWrite: boolean;
  onSaved: (row: TeamRow) => void }) {
  const { fields } = team;
  const form = useResourceForm<Record<string, unknown>, { data: TeamRow }>({
    initial: formValues(fields, row),
    record: row && { entity: 'team', id: row.id, version: row.version, read: teamEndpoints.show },
    submit: (values, sending) => row
      ? call(teamEndpoints.update, { params: { id: row.id },
        body: { ...bodyValues(fields, values), version: row.version } })
      : call(teamEndpoints.create, { body: bodyValues(fields, values) }, sending),
    onSaved: ({ data }) => onSaved(data),
  });
  const show = fieldsOf(form, fields, { sources: { lead_id: activeStaff }, selected: { lead_id: row?.lead_name },
    disabled: mayWrite ? [] : Object.keys(fields) });
  return (
    <FormFrame form={form} labels={labelsOf(fields)} aria-label="Team">
      {show('name')}{show('description')}{show('lead_id')}{show('email')}{show.others()}
      {mayWrite && (
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>{row ? 'Save team' : 'Make team'}</Button>
        </FormActions>
      )}
    </FormFrame>
  );
}

function TeamFrame({ children }: { children: (row: TeamRow) => ReactNode }) {
  const id = useIdParam('teamId');
  const may = useMay();
  const read = useEndpoint(teamEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if (read.isError && !row) {
    return <RecordProblem noun="team" list="/admin/staff/teams" error={read.error}
      onRetry={() => void read.refetch()} />;
  }
  const base = `/admin/staff/teams/${id}`;
  return (
    <>
      <PageHeader title={row?.name ?? 'Team'} back="/admin/staff/teams"
        waiting={!row}
        subtitle={row && [row.lead_name && `Led by ${row.lead_name}`, `${row.members_count} members`]}
        tabs={[{ id: 'information', text: 'Information', href: `${base}/information` },
          { id: 'members', text: 'Members', href: `${base}/members` },
          { id: 'activity', text: 'Activity', href: `${base}/activity` }]}>
        {row && may('super') && <Dissolve row={row} />}
      </PageHeader>
      {row ? children(row) : (
        <PageContent record><p aria-busy="true"><Skeleton width={360} height={16} /></p></PageContent>
      )}
    </>
  );
}

function Dissolve({ row }: { row: TeamRow }) {
  const { go } = useNavigation();
  const [asking, setAsking] = useState(false);
  const remove = useAction(teamEndpoints.remove, { done: 'Team dissolved', onDone: () => go('/admin/staff/teams') });
  return (
    <>
      <Button variant="quiet" pending={remove.pending} onClick={() => setAsking(true)}>Dissolve team</Button>
      <ConfirmDialog open={asking} danger title={`Dissolve ${row.name}?`} confirm="Dissolve"
        text="The people stay with everything they may do; the team itself cannot be brought back."
        onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void remove.run({ params: { id: row.id } }); }} />
    </>
  );
}

export function TeamInformation() {
  const may = useMay()('super');
  const refresh = useRefresh([teamEndpoints.list]);
  return (
    <TeamFrame>
      {(row) => (
        <PageContent record>
          <Section title="Team">
            <TeamForm key={row.id} row={row} mayWrite={may}
              onSaved={() => { toast('Team saved'); void refresh(); }} />
          </Section>
        </PageContent>
      )}
    </TeamFrame>
  );
}

export function TeamMembers() {
  return <TeamFrame>{(row) => <MembersOf row={row} />}</TeamFrame>;
}

function MembersOf({ row }: { row: TeamRow }) {
  const may = useMay()('super');
  const list = useList(teamEndpoints.members, { params: { id: row.id } });
  const add = useAction(teamEndpoints.addMember, { done: 'Added to the team', refresh: [staffEndpoints.list] });
  const remove = useAction(teamEndpoints.removeMember, { done: 'Removed from the team',
    refresh: [staffEndpoints.list] });
  const [leaving, setLeaving] = useState<StaffRow | null>(null);
  const leave: Column<StaffRow> = { id: 'remove', header: 'Remove', kind: 'actions', width: 100,
    cell: (person) => <Button size="small" variant="quiet" onClick={() => setLeaving(person)}>Remove</Button> };
  return (
    <>
      <PageContent record fullWidth>
        <DataTable label="Members" {...list} columns={[...personColumns, stateColumn, ...(may ? [leave] : [])]}
          rowKey={(person) => person.id} rowHref={(person) => `/admin/staff/${person.id}/profile`} variant="record"
          searchPlaceholder="Name or address" empty={{ title: 'Nobody is in this team yet' }} />
        {may && (
          <AddPerson title="Add to the team" text="A team gives no rights; groups do." pending={add.pending}
            error={add.failure?.fields.user_id?.[0]}
            onAdd={async (userId) => await add.run({ params: { id: row.id }, body: { user_id: userId } }) !== null} />
        )}
      </PageContent>
      <ConfirmDialog open={leaving !== null} danger title={`Remove ${leaving ? fullName(leaving) : ''}?`}
        confirm="Remove" text="They leave the team and keep everything they may do." onCancel={() => setLeaving(null)}
        onConfirm={() => {
          if (leaving) void remove.run({ params: { id: row.id, userId: leaving.id } });
          setLeaving(null);
        }} />
    </>
  );
}

export function TeamActivity() {
  return <TeamFrame>{(row) => <ActivityList endpoint={teamEndpoints.activity} id={row.id} />}</TeamFrame>;
}
