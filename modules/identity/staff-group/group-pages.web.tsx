/** One group: its people and its history, and the frame around every page of it. */
import { useState, type ReactNode } from 'react';
import { countOf } from '#kernel/text/count.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import type { Column } from '#web/data/column.ts';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { ActivityList } from '../staff/activity-list.web.tsx';
import { AddPerson } from '../staff/person-select.web.tsx';
import { staffEndpoints, type StaffRow } from '../staff/staff.contract.ts';
import { fullName, personColumns, stateColumn } from '../staff/staff-columns.web.tsx';
import { groupEndpoints, type GroupRow } from './staff-group.contract.ts';

export function GroupFrame({ children }: { children: (group: GroupRow) => ReactNode }) {
  const id = useIdParam('groupId');
  const read = useEndpoint(groupEndpoints.show, { params: { id } });
  const group = read.data?.data;
  if (read.isError && !group) {
    return <RecordProblem noun="group" list="/admin/staff/groups" error={read.error}
      onRetry={() => void read.refetch()} />;
  }
  const base = `/admin/staff/groups/${id}`;
  return (
    <>
      <PageHeader title={group?.name ?? 'Group'} back="/admin/staff/groups"
        waiting={!group}
        subtitle={group && [countOf(group.permission_values.length, 'right'),
          countOf(group.users_count, 'person', 'people')]}
        tabs={[{ id: 'permissions', text: 'Permissions', href: `${base}/permissions` },
          { id: 'users', text: 'Users', href: `${base}/users` },
          { id: 'activity', text: 'Activity', href: `${base}/activity` }]}>
        {group && <RemoveGroup group={group} />}
      </PageHeader>
      {group ? children(group) : (
        <PageContent record><p aria-busy="true"><Skeleton width={360} height={16} /></p></PageContent>
      )}
    </>
  );
}

function RemoveGroup({ group }: { group: GroupRow }) {
  const { go } = useNavigation();
  const [asking, setAsking] = useState(false);
  const remove = useAction(groupEndpoints.remove, { done: 'Group removed', onDone: () => go('/admin/staff/groups') });
  return (
    <>
      <Button variant="quiet" pending={remove.pending} onClick={() => setAsking(true)}
        reason={group.users_count > 0 ? 'Remove everyone from it first' : undefined}>Remove group</Button>
      <ConfirmDialog open={asking} danger title={`Remove ${group.name}?`} confirm="Remove group"
        text="Nobody is in this group. It cannot be brought back." onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void remove.run({ params: { id: group.id } }); }} />
    </>
  );
}

export function GroupUsers() {
  return <GroupFrame>{(group) => <UsersOf group={group} />}</GroupFrame>;
}

function UsersOf({ group }: { group: GroupRow }) {
  const list = useList(groupEndpoints.users, { params: { id: group.id } });
  const [leaving, setLeaving] = useState<StaffRow | null>(null);
  const add = useAction(groupEndpoints.addUser, { done: 'Added to the group', refresh: [staffEndpoints.list] });
  const remove = useAction(groupEndpoints.removeUser, { done: 'Removed from the group',
    refresh: [staffEndpoints.list] });
  const columns: readonly Column<StaffRow>[] = [...personColumns, stateColumn,
    { id: 'remove', header: 'Remove', kind: 'actions', width: 110,
      cell: (row) => <Button size="small" variant="quiet" onClick={() => setLeaving(row)}>Remove</Button> }];
  return (
    <>
      <PageContent record fullWidth>
        <DataTable label="People of the group" {...list} columns={columns} rowKey={(row) => row.id} variant="record"
          rowHref={(row) => `/admin/staff/${row.id}/profile`} searchPlaceholder="Name or address"
          empty={{ title: 'Nobody is in this group', text: 'Add someone below.' }} />
        <AddPerson title="Add to the group" text="The group’s permissions apply from their next click."
          pending={add.pending} error={add.failure?.fields.user_id?.[0]}
          onAdd={async (userId) => await add.run({ params: { id: group.id }, body: { user_id: userId } }) !== null} />
      </PageContent>
      <ConfirmDialog open={leaving !== null} danger title={`Remove ${leaving ? fullName(leaving) : ''}?`}
        confirm="Remove" text={`They lose the permissions of ${group.name} with their next click.`}
        onCancel={() => setLeaving(null)}
        onConfirm={() => {
          if (leaving) void remove.run({ params: { id: group.id, userId: leaving.id } });
          setLeaving(null);
        }} />
    </>
  );
}

export function GroupActivity() {
  return <GroupFrame>{(group) => <ActivityList endpoint={groupEndpoints.activity} id={group.id} />}</GroupFrame>;
}
