/** Groups of the staff: what they are called, how much they give, to how many. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { officeTabs } from '../staff/staff-words.web.ts';
import { groupEndpoints, type GroupRow } from './staff-group.contract.ts';

const columns: readonly Column<GroupRow>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 260 },
  { id: 'rights', header: 'Rights', kind: 'number', width: 110, cell: (row) => (
    row.permission_values.includes('super') ? <Badge small tone="brass">Everything</Badge>
      : String(row.permission_values.length)
  ) },
  { id: 'users_count', header: 'People', kind: 'number', cell: (row) => String(row.users_count), sort: true,
    width: 100 },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, width: 130 },
];

export default function Groups() {
  const may = useMay();
  const [adding, setAdding] = useState(false);
  const list = useList(groupEndpoints.list);
  return (
    <>
      <PageHeader title="Groups" subtitle="Staff may do what their groups give them; administrators may do everything"
        tabs={officeTabs(may)}>
        <Button variant="primary" onClick={() => setAdding(true)}>New group</Button>
      </PageHeader>
      <DataTable label="Groups" {...list} columns={columns} rowKey={(row) => row.id} searchPlaceholder="Name"
        rowHref={(row) => `/admin/staff/groups/${row.id}/permissions`}
        empty={{ title: 'No groups yet', text: 'Without a group, staff may open very little.' }} />
      {adding && <NewGroup rows={list.rows ?? []} onClose={() => setAdding(false)} />}
    </>
  );
}

function NewGroup({ rows, onClose }: { rows: readonly GroupRow[]; onClose: () => void }) {
  const { go } = useNavigation();
  const form = useResourceForm({
    initial: { name: '', copy: null as number | null },
    submit: ({ name, copy }, sending) => call(groupEndpoints.create, { body: { name,
      permission_values: rows.find((row) => row.id === copy)?.permission_values ?? [] } }, sending),
    onSaved: ({ data }) => {
      toast(`${data.name} was made`);
      onClose();
      go(`/admin/staff/groups/${data.id}/permissions`);
    },
  });
  return (
    <Modal open onClose={onClose} title="New group">
      <FormFrame form={form} aria-label="New group">
        <TextField label="Name" required {...form.field('name')} />
        <AsyncSelect<number> label="Start with the rights of" clearable {...form.field('copy')}
          options={rows.map((row) => ({ value: row.id, label: row.name }))} />
        <FormActions><Button type="submit" variant="primary" pending={form.pending}>Make group</Button></FormActions>
      </FormFrame>
    </Modal>
  );
}
