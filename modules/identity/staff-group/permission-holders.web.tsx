/** Overview of every permission with the groups that give it and the people who hold it. */
import { useState } from 'react';
import { PERMISSION_FAMILIES } from '#kit/permission.ts';
import { Avatar } from '#web/data/avatar.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { Drawer } from '#web/layout/overlay.tsx';
import { Columns } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { officeTabs } from '../staff/staff-words.web.ts';
import { permissionFamilies } from './permission-words.ts';
import { groupEndpoints, type HolderRow } from './staff-group.contract.ts';
import styles from '../staff/staff.module.css';

const columns: readonly Column<HolderRow>[] = [
  { id: 'words', header: 'Permission', kind: 'title', cell: (row) => row.words, fixed: true, width: 380 },
  { id: 'value', header: 'Code', kind: 'code', cell: (row) => row.value, sort: true, width: 200 },
  { id: 'groups', header: 'Given by', kind: 'muted', width: 240,
    cell: (row) => row.groups.map((group) => group.name).join(', ') },
  { id: 'people_count', header: 'People', kind: 'number', cell: (row) => String(row.people_count), sort: true,
    width: 90 },
];
const families = permissionFamilies().filter(({ family }) => family in PERMISSION_FAMILIES)
  .map(({ family, heading }) => ({ value: family as string, label: heading }));

export default function WhoMayWhat() {
  const may = useMay();
  const [open, setOpen] = useState<string | null>(null);
  const list = useList(groupEndpoints.holders, {}, { filters: ['family', 'group_id'], perPage: 25 });
  const groups = useEndpoint(groupEndpoints.list, { query: { per_page: 100 } });
  const filters = [{ name: 'family', label: 'About', options: families },
    { name: 'group_id', label: 'Group', options: (groups.data?.data ?? []).map((group) =>
      ({ value: String(group.id), label: group.name })) }];
  return (
    <>
      <PageHeader title="Permissions"
        subtitle="Each permission with its holders and their groups; administrators hold all of them"
        tabs={officeTabs(may)} />
      <Columns side={open !== null && <Holders value={open} onClose={() => setOpen(null)} />}>
        <DataTable label="Permissions" {...list} columns={columns} filters={filters} rowKey={(row) => row.value}
          onOpen={(row) => setOpen(row.value)} current={open} searchPlaceholder="Search by description or code"
          empty={{ title: 'No permission matches', text: 'Try another word.' }} />
      </Columns>
    </>
  );
}

function Holders({ value, onClose }: { value: string; onClose: () => void }) {
  const read = useEndpoint(groupEndpoints.holdersOf, { params: { value } });
  const data = read.data?.data;
  return (
    <Drawer open onClose={onClose} title="Holders">
      {read.isError && !data && <Callout tone="error" title="This did not load">{read.error.message}</Callout>}
      {!data && !read.isError && <p aria-busy="true"><Skeleton width={240} height={16} /></p>}
      {data && <p className={styles.strong}>{data.words}</p>}
      {data?.people.length === 0 && <EmptyState title="Nobody" />}
      <ul className={styles.lines}>
        {(data?.people ?? []).map((person) => (
          <li key={person.id}>
            <Avatar name={person.name} url={person.avatar_url} />
            <div className={styles.grow}>
              <AppLink href={`/admin/staff/${person.id}/settings`} className="gr-link">{person.name}</AppLink>
              <div className={styles.faint}>{person.through}</div>
            </div>
          </li>
        ))}
      </ul>
    </Drawer>
  );
}
